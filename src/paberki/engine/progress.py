"""What a build tells others while it runs: a callback for this process, a small file for every other one."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from paberki.store.files import write_json

EVERY = 0.5
_log = logging.getLogger(__name__)
logging.getLogger("paberki.engine").addHandler(logging.NullHandler())  # silent where nobody asks for a log


@dataclass(slots=True)
class Progress:
    """Where a build is."""

    stage: str = ""
    done: int = 0
    total: int = 0
    unit: str = "pages"
    errors: int = 0
    started: float = 0.0
    """When the current stage began, seconds since the epoch."""
    pid: int = 0
    jobs: int = 1
    running: bool = True

    @property
    def rate(self) -> float:
        """Units per second since the stage began."""
        seconds = time.time() - self.started
        return self.done / seconds if seconds > 0 else 0.0

    @property
    def eta(self) -> float | None:
        """Seconds until the stage is done, None while nobody can tell."""
        return (self.total - self.done) / self.rate if self.rate and self.total >= self.done else None


class Reporter:
    """Keeps the progress, calls whoever listens, and writes the file for ``paberki status``."""

    def __init__(self, path: Path, listen: Callable[[Progress], None] | None, jobs: int) -> None:
        self.path, self.listen = path, listen
        self.progress = Progress(pid=os.getpid(), jobs=jobs, started=time.time())
        self._write_time = 0.0

    def begin(self, stage: str, total: int, unit: str = "pages") -> None:
        """A new stage begins."""
        _log.info("%s: %s %s to do", stage, f"{total:,}", unit)
        self.progress.stage, self.progress.total, self.progress.unit = stage, total, unit
        self.progress.done, self.progress.started = 0, time.time()
        self._tell(force=True)

    def advance(self, units: int, errors: int = 0) -> None:
        """So many more units are done."""
        self.progress.done += units
        self.progress.errors += errors
        self._tell()

    def at(self, units: int, total: int) -> None:
        """Units done so far, of so many."""
        self.progress.done, self.progress.total = units, total
        self._tell()

    def end(self) -> None:
        """The build is over."""
        self.progress.running = False
        self._tell(force=True)

    def _tell(self, *, force: bool = False) -> None:
        if self.listen:
            self.listen(self.progress)
        now = time.monotonic()
        if force or now - self._write_time > EVERY:
            self._write_time = now
            write_json(self.path, asdict(self.progress))
