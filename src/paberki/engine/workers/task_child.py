"""The guarded child: a plain process that runs tasks sent over a socket and dies with its parent."""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
import sys
import time
import traceback
from multiprocessing.connection import Connection

from paberki.child_processes import end_with
from paberki.engine.task import Work
from paberki.engine.workers.heartbeat import Heartbeat
from paberki.engine.workers.memory_limits import be_modest, give_back
from paberki.engine.workers.peak_memory import forget_peak, peak_bytes
from paberki.engine.workers.profiling import sampler_of_child
from paberki.engine.workers.worker_failure import portable
from paberki.kernels.preparation import watch_preparation
from paberki.stage import stages

_SECONDS = 3.0
"""Of work between two times that spare memory is given back, which costs some hundredths of a second."""


def serve(connection: Connection, heartbeat: Heartbeat) -> None:
    """Run tasks until the supervisor goes away."""
    given_back, sampler = time.process_time(), sampler_of_child()
    while True:
        try:
            task, caution = pickle.loads(connection.recv_bytes())  # noqa: S301 - from our own parent
        except EOFError:
            return
        heartbeat.beat(0, 0)
        start = time.process_time()
        forget_peak()
        try:
            answer = (True, task.run(Work(caution, heartbeat.beat)))
        except Exception as error:  # noqa: BLE001 - whatever it is, the parent decides
            answer = (False, portable(error, traceback.format_exc()))
        heartbeat.beat(0, 0)
        if sampler:
            sampler.write()
        connection.send((*answer, time.process_time() - start, peak_bytes()))
        if time.process_time() - given_back > _SECONDS:
            give_back()
            given_back = time.process_time()


def main() -> None:
    """Entry of ``python -m paberki.engine.workers.task_child SOCKET HEARTBEAT PARENT``: handles of both, and a process id."""
    descriptor, heartbeat_file, parent = (int(argument) for argument in sys.argv[1:4])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl-C reaches the whole group; the parent decides
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    end_with(parent)
    stages()  # those of other packages may bring what pyarrow should know of
    be_modest()
    gc.set_threshold(100_000, 20, 50)  # batches make many objects and few cycles
    heartbeat = Heartbeat(heartbeat_file)
    os.close(heartbeat_file)
    watch_preparation(heartbeat.paused)
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        serve(Connection(descriptor), heartbeat)


if __name__ == "__main__":
    main()
