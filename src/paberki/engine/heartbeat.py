"""Sixteen bytes of shared memory through which a worker says which rows it is working on.

The supervisor must know the culprit after a crash, when nobody can be asked any more.
"""

from __future__ import annotations

import mmap
import os
import struct
from pathlib import Path
from typing import NamedTuple

_FORMAT = struct.Struct("<qii")
SIZE = _FORMAT.size


class Beat(NamedTuple):
    """Number of the beat and the half-open range of rows of the chunk; an empty range means between rows."""

    number: int
    first: int
    last: int


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

    def read(self) -> Beat:
        """The last beat."""
        return Beat(*_FORMAT.unpack_from(self._memory))

    def beat(self, first: int, last: int) -> None:
        """Say that the work is now on these rows."""
        number = _FORMAT.unpack_from(self._memory)[0] + 1
        _FORMAT.pack_into(self._memory, 0, number, first, last)

    def close(self) -> None:
        """Let go of the memory."""
        self._memory.close()
