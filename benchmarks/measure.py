"""CPU time, wall time and peak memory of a command with all its children."""

from __future__ import annotations

import resource
import subprocess
import threading
import time
from dataclasses import dataclass

import psutil


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command used."""

    wall: float
    cpu: float
    peak_mb: int


def _watch(pid: int, peak: list[int], stop: threading.Event) -> None:
    while not stop.wait(0.05):
        try:
            root = psutil.Process(pid)
            memory = sum(one.memory_info().rss for one in (root, *root.children(recursive=True)))
        except psutil.Error:
            continue
        peak[0] = max(peak[0], memory)


def measure(command: list[str]) -> Cost:
    """Run a command to its end; an error ends the benchmark."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    peak, stop = [0], threading.Event()
    watcher = threading.Thread(target=_watch, args=(process.pid, peak, stop))
    watcher.start()
    code = process.wait()
    stop.set()
    watcher.join()
    if code:
        raise SystemExit(f"{' '.join(command)} ended with code {code}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(time.monotonic() - began, cpu, peak[0] >> 20)
