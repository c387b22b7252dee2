"""A supervisor and its guarded child: a page that crashes, hangs or eats memory costs that page and nothing else.

The child says through shared memory which rows it works on. When it dies, or uses more CPU time or memory on them than
a record may, the rows are tried again one at a time; a row that does it again is given up and gets an ``error``. CPU
time and resident memory are measured, not wall clock or address space, which depend on the machine and its load.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from multiprocessing.connection import Connection
from typing import Any

import psutil

from paberki.engine.task import Caution, RecordBudget, Task
from paberki.engine.workers.heartbeat import Beat, Heartbeat, shared_file
from paberki.engine.workers.worker_failure import TaskFailed
from paberki.errors import MachineFault, PaberkiError, Stopped

_log = logging.getLogger(__name__)
POLL = 0.05
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""There are as many workers as cores; threads of a matrix library would only spin in each other's way."""
LONELY_DEATHS = 3
"""How often a child may die outside of any record before we say that something else is wrong."""


OUTSIDE = "outside"
_BY_THE_SYSTEM = frozenset({signal.SIGKILL, signal.SIGBUS})
"""Signals that no page sends: the system kills what takes memory it needs, and says so when a mapped file cannot be read."""


class WorkerProcess:
    """One worker process with its socket and heartbeat."""

    def __init__(self) -> None:
        heartbeat_file = shared_file()
        ours, theirs = socket.socketpair()
        try:
            self.heartbeat = Heartbeat(heartbeat_file)
            handles = [theirs.fileno(), heartbeat_file]
            command = [sys.executable, "-m", "paberki.engine.workers.task_child", *map(str, handles), str(os.getpid())]
            self.process = subprocess.Popen(  # noqa: S603
                command, pass_fds=handles, stdin=subprocess.DEVNULL, env={**os.environ, **ONE_THREAD}
            )
        finally:
            theirs.close()
            os.close(heartbeat_file)
        self.connection = Connection(ours.detach())
        self.usage = psutil.Process(self.process.pid)

    def alive(self) -> bool:
        """Whether the process still runs."""
        return self.process.poll() is None

    def end(self) -> None:
        """Kill it and clean up."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        self.connection.close()
        self.heartbeat.close()


class Watch:
    """Notices when the rows of the current beat cost too much."""

    def __init__(self, child: WorkerProcess, limits: RecordBudget) -> None:
        self.child, self.limits = child, limits
        self.beat = Beat(-1, 0, 0)
        self.last_cpu = self.active = 0.0

    def verdict(self) -> tuple[str, str] | None:
        """Code and detail of the limit that is exceeded now, if any."""
        beat = self.child.heartbeat.read()
        try:
            times, memory = self.child.usage.cpu_times(), self.child.usage.memory_info().rss
        except psutil.Error:
            return None
        cpu, now = times.user + times.system, time.monotonic()
        if beat.number != self.beat.number or cpu > self.last_cpu:
            self.beat, self.last_cpu, self.active = beat, cpu, now
        if beat.first == beat.last:
            return None
        if cpu - beat.cpu > self.limits.cpu_seconds:
            return "cpu", f"more than {self.limits.cpu_seconds:g} s of CPU time"
        if memory - beat.memory > self.limits.memory_mb << 20:
            return "memory", f"more than {self.limits.memory_mb} MB of memory"
        if now - self.active > self.limits.idle_seconds and not self._held_up():
            return "hang", f"no progress for {self.limits.idle_seconds:g} s"
        return None

    def _held_up(self) -> bool:
        """Whether the worker waits for a disk that does not answer, or somebody has stopped it."""
        with contextlib.suppress(psutil.Error):
            return self.child.usage.status() in (psutil.STATUS_DISK_SLEEP, psutil.STATUS_STOPPED)
        return False


class Supervisor:
    """Runs tasks in one child, restarts it when needed, and finds the records that kill it."""

    def __init__(self, limits: RecordBudget) -> None:
        self.limits = limits
        self.child: WorkerProcess | None = None
        self.stop_event = threading.Event()
        self.cpu_seconds = 0.0
        """Of all tasks that came to an end."""
        self.peak_bytes = 0
        """Most memory that a task took since somebody set this back."""
        atexit.register(self.close)

    def run(self, task: Task) -> Any:
        """The result of the task; raises what the task raised."""
        alone: set[int] = set()
        banned_rows: dict[int, tuple[str, str]] = {}
        lonely = outside = 0
        while True:
            is_finished, result, beat, why = self._attempt(task, Caution(frozenset(alone), dict(banned_rows)))
            if is_finished:
                return result
            rows = range(beat.first, beat.last)
            if why[0] == OUTSIDE:
                outside += 1
                alone.update(rows)  # takes less memory
                self._wait_for_the_machine(task, outside, why[1])
            elif not rows:
                lonely += 1
                if lonely >= LONELY_DEATHS:
                    raise PaberkiError(f"a worker keeps dying while {task.title} ({why[1]}); run 'paberki doctor'")
            elif set(rows) <= alone:
                banned_rows.update(dict.fromkeys(rows, why))
            else:
                alone.update(rows)

    def _wait_for_the_machine(self, task: Task, deaths: int, how: str) -> None:
        """Try again after a while; not for ever."""
        if deaths >= LONELY_DEATHS:
            raise MachineFault(
                f"workers are killed from outside while {task.title} ({how}), as systems do when memory or a disk fails; "
                "free memory or use fewer --jobs, then run the same command"
            )
        self.stop_event.wait(deaths)

    def _attempt(self, task: Task, caution: Caution) -> tuple[bool, Any, Beat, tuple[str, str]]:
        child = self._start()
        watch = Watch(child, self.limits)
        killed: tuple[str, str] | None = None
        try:
            child.connection.send_bytes(pickle.dumps((task, caution)))
            while not child.connection.poll(POLL):
                if self.stop_event.is_set():
                    raise Stopped("stopped")
                if not child.alive() and not child.connection.poll(0):
                    break
                if killed := watch.verdict():
                    child.process.kill()
                    child.process.wait()
                    break
            else:
                fine, value, cpu, peak = child.connection.recv()
                self.cpu_seconds += cpu
                self.peak_bytes = max(self.peak_bytes, peak)
                if fine:
                    return True, value, Beat(0, 0, 0), ("", "")
                raise value
        except (EOFError, ConnectionError):
            pass
        if self.stop_event.is_set():
            raise Stopped("stopped")
        child.process.wait()
        beat = child.heartbeat.read()
        code = "crash" if -child.process.returncode not in _BY_THE_SYSTEM else OUTSIDE
        why = killed or (code, _signal_name(child.process.returncode))
        _log.warning("a worker ended while %s, rows %d to %d: %s", task.title, beat.first, beat.last, why[1])
        self._drop()
        return False, None, beat, why

    def _start(self) -> WorkerProcess:
        if self.child is None or not self.child.alive():
            self._drop()
            self.child = WorkerProcess()
        return self.child

    def _drop(self) -> None:
        if self.child is not None:
            self.child.end()
            self.child = None

    def close(self) -> None:
        """Stop now."""
        self.stop_event.set()
        self._drop()
        atexit.unregister(self.close)


def _signal_name(code: int) -> str:
    try:
        return f"the worker died of {signal.Signals(-code).name}"
    except ValueError:
        return f"the worker ended with code {code}"


__all__ = ["Supervisor", "TaskFailed"]
