"""Spools: numbers that are kept in memory while they are few, and in a temporary file when they are many.

The input of a comparison is a hundred times as large as its result and would fill the memory. The file has no name, so
that it vanishes however the process ends. Files are read and never mapped: mapped pages count as memory.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki import lexicon
from paberki.dedup.signatures import matching
from paberki.dedup.signatures.shingles import Hashes, Ints
from paberki.store.files import explain

IN_MEMORY: Final = 48 << 20
"""Bytes that are held in memory; any more, and all of it goes to a file."""
SORTED_IN_MEMORY: Final = 8_000_000
"""Numbers that are sorted at a time."""
_BLOCK: Final = 8_192
_STEP: Final = 4_096
_SIGN: Final = np.uint64(1 << 63)


class Spool:
    """Bytes that are appended, and read from anywhere."""

    def __init__(self) -> None:
        self.size = 0
        self._memory = bytearray()
        self._file: BinaryIO | None = None

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def append(self, data: Any) -> None:
        """Bytes, or numbers that lie in one piece."""
        view = memoryview(data).cast("B") if len(data) else memoryview(b"")
        try:
            if self._file is None and self.size + len(view) > IN_MEMORY:
                self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - __del__ closes it
                self._write(memoryview(self._memory), 0)
                self._memory = bytearray()
            if self._file is None:
                self._memory += view
            else:
                self._write(view, self.size)
        except OSError as error:
            raise explain(error, f"comparing texts, in {tempfile.gettempdir()}") from error
        self.size += len(view)

    def _write(self, view: memoryview, at: int) -> None:
        assert self._file is not None
        while len(view):
            count = os.pwrite(self._file.fileno(), view, at)
            view, at = view[count:], at + count

    def read(self, at: int, size: int) -> bytes:
        """Some bytes."""
        if self._file is None:
            return bytes(memoryview(self._memory)[at : at + size])
        parts = []
        while size > 0 and (part := os.pread(self._file.fileno(), size, at)):  # the system gives 2 GB at most
            parts.append(part)
            at, size = at + len(part), size - len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def gather(self, starts: Ints, sizes: Ints) -> bytes:
        """Pieces from many places, one after the other."""
        return b"".join(map(self.read, starts.tolist(), sizes.tolist()))

    def in_memory(self) -> memoryview | None:
        """All of it, if it is in memory; let go of it before anything is appended."""
        return None if self._file is not None else memoryview(self._memory)


class SpooledRows:
    """Rows of a fixed number of values, or of a structured type."""

    def __init__(self, kind: Any, width: int | None = None) -> None:
        self._kind, self._shape = np.dtype(kind), (-1,) if width is None else (-1, width)
        self._bytes = int(self._kind.itemsize) * (width or 1)
        self._spool = Spool()

    def __len__(self) -> int:
        return self._spool.size // self._bytes

    def append(self, rows: Any) -> None:
        """Put some at the end."""
        self._spool.append(np.ascontiguousarray(rows).view(np.uint8))

    def portions(self, count: int = 1 << 17) -> Iterator[Any]:
        """All of them, so many at a time."""
        for first in range(0, len(self), count):
            data = self._spool.read(first * self._bytes, min(count, len(self) - first) * self._bytes)
            yield np.frombuffer(data, self._kind).reshape(self._shape)

    def take(self, which: Ints) -> Any:
        """Some of them, given by their numbers."""
        if (memory := self._spool.in_memory()) is not None:
            return np.frombuffer(memory, self._kind).reshape(self._shape)[which] if len(self) else self._none()
        unique_rows, places = np.unique(which, return_inverse=True)
        data = self._spool.gather(unique_rows * self._bytes, np.full(len(unique_rows), self._bytes))
        return np.frombuffer(data, self._kind).reshape(self._shape)[places]

    def _none(self) -> Any:
        return np.empty(0, self._kind).reshape(0, *self._shape[1:])


class StringFile:
    """Strings, of which eight bytes each are in memory."""

    def __init__(self) -> None:
        self._spool = Spool()
        self._ends: list[Ints] = [np.zeros(1, np.int64)]

    def append(self, strings: pa.StringArray) -> None:
        """Put some at the end, without nulls."""
        data, offsets = lexicon.buffers(strings)
        self._ends.append(offsets[1:].astype(np.int64) - int(offsets[0]) + self._spool.size)
        self._spool.append(data[offsets[0] : offsets[-1]])

    def take(self, which: Ints) -> pa.StringArray:
        """Some of them, given by their numbers."""
        self._ends = [np.concatenate(self._ends)]
        unique_rows, places = np.unique(which, return_inverse=True)
        starts, sizes = self._ends[0][unique_rows], np.diff(self._ends[0])[unique_rows]
        data = pa.py_buffer(self._spool.gather(starts, sizes))
        offsets = pa.py_buffer(np.r_[0, np.cumsum(sizes)].astype(np.int32))
        return pa.StringArray.from_buffers(len(unique_rows), offsets, data).take(pa.array(places))


class ColumnFile:
    """Rows that are appended and read by columns: a few thousand rows lie together, column after column."""

    def __init__(self, kind: Any, columns: int) -> None:
        self._kind, self._columns = np.dtype(kind), columns
        self._spool = Spool()
        self._loose: list[Any] = []
        self._count = self._spooled_count = 0

    def __len__(self) -> int:
        return self._count

    def append(self, rows: Any) -> None:
        """Put some at the end."""
        self._loose.append(rows)
        self._count += len(rows)
        if self._count - self._spooled_count < _BLOCK:
            return
        rows = np.concatenate(self._loose)
        whole = len(rows) // _BLOCK * _BLOCK
        for first in range(0, whole, _BLOCK):
            self._spool.append(np.ascontiguousarray(rows[first : first + _BLOCK].T).reshape(-1).view(np.uint8))
        self._spooled_count += whole
        self._loose = [rows[whole:].copy()]

    def column(self, number: int) -> npt.NDArray[Any]:
        """One value of every row."""
        size = _BLOCK * self._kind.itemsize
        starts = np.arange(self._spooled_count // _BLOCK) * size * self._columns + number * size
        blocks = np.frombuffer(self._spool.gather(starts, np.full(len(starts), size)), self._kind)
        return np.concatenate([blocks, *(rows[:, number] for rows in self._loose)])


class SortedRuns:
    """Numbers of 64 bits that come in any order and are read in order, one range after the other.

    Whenever there are many they go to a file, sorted. To read a range is to take it from each of these runs.
    """

    def __init__(self, together: int = 0) -> None:
        """Numbers that differ only in the last ``together`` bits are never in different ranges."""
        self._whole = np.uint64((1 << 64) - (1 << together))
        self._room = np.empty(SORTED_IN_MEMORY, np.uint64)  # a system gives memory when it is written to
        self._count = 0
        self._spool = Spool()
        self._runs: list[tuple[int, int, Hashes]] = []
        """Where each begins, how many numbers it has, and every so manieth of these."""

    def add(self, values: Hashes) -> None:
        """Take in some."""
        while len(values):
            some, values = np.split(values, [len(self._room) - self._count])
            self._room[self._count : self._count + len(some)] = some
            self._count += len(some)
            if len(values):
                self._put_away()

    def _take(self) -> Hashes:
        values = self._room[: self._count]
        self._count = 0
        return matching.in_order(values)

    def _put_away(self) -> None:
        values = self._take()
        if len(values):
            self._runs.append((self._spool.size, len(values), values[::_STEP].copy()))
            self._spool.append(values)

    def ranges(self) -> Iterator[Hashes]:
        """All of them in order, some millions at a time; they are gone when they were read."""
        if not self._runs:
            yield self._take()
            return
        self._put_away()
        samples = np.sort(np.concatenate([sample for _, _, sample in self._runs]))
        edges = np.unique(samples[:: max(1, SORTED_IN_MEMORY // _STEP)] & self._whole)[1:]
        cuts = np.stack([self._cuts(run, edges) for run in self._runs])
        starts = np.array([start for start, _, _ in self._runs])
        for low, high in zip(cuts.T, cuts.T[1:], strict=False):
            pieces = map(self._spool.read, (starts + 8 * low).tolist(), (8 * (high - low)).tolist())
            values = np.concatenate([np.frombuffer(piece, np.uint64) for piece in pieces])
            values.sort(kind="stable")  # which merges what is in order already
            yield values

    def _cuts(self, run: tuple[int, int, Hashes], edges: Hashes) -> Ints:
        """How many numbers of a run are less than each edge; none and all of them at the ends."""
        start, count, sample = run
        cuts = [0]
        for edge, place in zip(edges, np.searchsorted(sample, edges).tolist(), strict=True):
            first = max(0, place - 1) * _STEP
            some = np.frombuffer(self._spool.read(start + 8 * first, 8 * min(_STEP, count - first)), np.uint64)
            cuts.append(first + int(np.searchsorted(some, edge)))
        return np.array([*cuts, count])


def distinct(portions: Iterable[npt.NDArray[np.int64]]) -> Ints:
    """Each of many numbers once, in order."""
    values = SortedRuns()
    for some in portions:
        values.add(np.unique(some).view(np.uint64) ^ _SIGN)  # so that negative ones come first
    parts = [matching.count_runs(some)[0].copy() for some in values.ranges()]
    return (np.concatenate(parts) ^ _SIGN).view(np.int64)
