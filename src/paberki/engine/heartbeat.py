"""A few bytes of shared memory through which a worker says which rows it is working on and what it had used before.

The supervisor must know the culprit after a crash, when nobody can be asked any more; and it must know what a record
cost, not what the worker had used up when we happened to look.
"""

from __future__ import annotations

import mmap
import os
import struct
import time
from pathlib import Path
from typing import NamedTuple

import psutil

_FORMAT = struct.Struct("<qiidq")
SIZE = _FORMAT.size


class Beat(NamedTuple):
    """Number of the beat and the half-open range of rows of the chunk; an empty range means between rows."""

    number: int
    first: int
    last: int
    cpu: float = 0.0
    """CPU seconds of the worker when the beat began."""
    memory: int = 0
    """Resident bytes of the worker when the beat began."""


class Heartbeat:
    """The shared bytes, as both sides see them."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        flags = os.O_RDWR | os.O_CLOEXEC | (os.O_CREAT if create else 0)
        file = os.open(path, flags, 0o600)
        try:
            if create:
                os.ftruncate(file, SIZE)
            self._memory = mmap.mmap(file, SIZE)
        finally:
            os.close(file)
        self._usage = psutil.Process()

    def read(self) -> Beat:
        """The last beat."""
        return Beat(*_FORMAT.unpack_from(self._memory))

    def beat(self, first: int, last: int) -> None:
        """Say that the work is now on these rows."""
        number = _FORMAT.unpack_from(self._memory)[0] + 1
        used = self._usage.memory_info().rss
        _FORMAT.pack_into(self._memory, 0, number, first, last, time.process_time(), used)

    def close(self) -> None:
        """Let go of the memory."""
        self._memory.close()
