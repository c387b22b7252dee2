"""Folders for intermediate files. They are removed when their process ends, at the latest when another one needs a folder.

A killed process cannot clean up after itself. It holds a lock in its folder, which the system releases, so that others see
that the folder is no longer needed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_PREFIX: Final = "paberki-scratch-"
_LOCK: Final = "lock"
_YOUNG: Final = 3600.0
"""Seconds that a folder without a lock stays: it may be one that is just being made."""


class Scratch:
    """A private folder; close it when its files are not needed any more."""

    def __init__(self) -> None:
        sweep_scratch()
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        # Others may look at any moment: the lock is held before it has its name.
        self._lock = os.open(self.path / f"{_LOCK}.new", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        os.rename(self.path / f"{_LOCK}.new", self.path / _LOCK)

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """An empty folder that is there as long as the block runs."""
    scratch = Scratch()
    try:
        files = scratch.path / "files"
        files.mkdir()
        yield files
    finally:
        scratch.close()


def sweep_scratch() -> None:
    """Remove folders of processes of this user that are gone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(FileNotFoundError):  # another process is sweeping
            if folder.lstat().st_uid == os.getuid() and not folder.is_symlink() and _is_deserted(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _is_deserted(folder: Path) -> bool:
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return time.time() - folder.lstat().st_mtime > _YOUNG
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True
