"""Tasks that do to a worker what machines and first pages do."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from paberki.kernels.preparation import preparing


def _burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


@dataclass(frozen=True)
class FirstPage:
    """Works on one row, and prepares something that takes long."""

    prepares: float
    works: float
    title = "working on the first page"

    def run(self, work):
        if work.caution.banned_rows:
            return dict(work.caution.banned_rows)
        work.beat(0, 1)
        with preparing():
            _burn(self.prepares)
        _burn(self.works)
        work.beat(0, 0)
        return "done"


@dataclass(frozen=True)
class KilledFromOutside:
    """Is killed so many times, as the system does when memory is short."""

    folder: Path
    times: int
    title = "working on a row"

    def run(self, work):
        if work.caution.banned_rows:
            return dict(work.caution.banned_rows)
        work.beat(0, 1)
        deaths = len(list(self.folder.iterdir()))
        if deaths < self.times:
            (self.folder / str(deaths)).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        work.beat(0, 0)
        return "done"
