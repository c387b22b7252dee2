"""A few bytes of shared memory through which a worker says which rows it is working on and what it had used before.

The supervisor must know the culprit after a crash, when the worker can no longer be asked; and it must know what a record
cost, not what the worker had used up when we happened to look.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
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


def shared_file() -> int:
    """Handle of a file without a name, so that nothing is left behind however a build ends."""
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("paberki-heartbeat")
    else:
        with tempfile.TemporaryFile() as nameless_file:
            file = os.dup(nameless_file.fileno())
    # Written, not only made longer: a page of memory that is not there yet would end the worker when memory is short.
    os.pwrite(file, bytes(SIZE), 0)
    return file


class Heartbeat:
    """The shared bytes, as both sides see them."""

    def __init__(self, file: int) -> None:
        """``file`` is the handle of one that :func:`shared_file` made; it may be closed afterwards."""
        self._memory = mmap.mmap(file, SIZE)
        self._usage = psutil.Process()

    def read(self) -> Beat:
        """The last beat."""
        return Beat(*_FORMAT.unpack_from(self._memory))

    def beat(self, first: int, last: int) -> None:
        """Say that the work is now on these rows."""
        self._put(first, last, time.process_time(), self._usage.memory_info().rss)

    def _put(self, first: int, last: int, cpu: float, memory: int) -> None:
        number = _FORMAT.unpack_from(self._memory)[0] + 1
        _FORMAT.pack_into(self._memory, 0, number, first, last, cpu, memory)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Inside, the worker is on no row; afterwards it is on the rows of before, with what these had used by then."""
        before = self.read()
        usage = time.process_time() - before.cpu, self._usage.memory_info().rss - before.memory
        self._put(0, 0, time.process_time(), before.memory)
        try:
            yield
        finally:
            cpu, memory = time.process_time() - usage[0], self._usage.memory_info().rss - usage[1]
            self._put(before.first, before.last, cpu, memory)

    def close(self) -> None:
        """Let go of the memory."""
        self._memory.close()
