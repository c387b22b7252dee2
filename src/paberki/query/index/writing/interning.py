"""Strings to numbers while a segment is made: every distinct value of every column is stored once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.kernels import load
from paberki.query.index.lexicon import lexicon_strings

KERNEL: Final = "paberki.query.index.writing.interning_kernel"
_SLOTS: Final = 1 << 16
_COLUMNS: Final = 1 << 16


class Interner:
    """A table of values that grows as they come. An entry belongs to one column."""

    def __init__(self) -> None:
        self._kernels = load(KERNEL)
        self._slots = np.zeros(_SLOTS, np.uint64)
        self._edges = np.zeros(_SLOTS // 2 + 1, np.int64)
        self._arena = np.zeros(_SLOTS * 8, np.uint8)
        self._sizes = np.zeros(1, np.int64)
        self._names: dict[str, int] = {}

    def column(self, name: str) -> int:
        """The number of a column."""
        number = self._names.setdefault(name, len(self._names))
        if number >= _COLUMNS:
            raise OverflowError(f"more than {_COLUMNS} attributes; is {name!r} really one?")
        return number

    @property
    def entries(self) -> int:
        """Number of entries of all columns."""
        return int(self._sizes[0])

    @property
    def bytes_in_use(self) -> int:
        """Memory of the table."""
        return self._slots.nbytes + self._edges.nbytes + self._arena.nbytes

    def spans(
        self, data: npt.NDArray[np.uint8], starts: npt.NDArray[np.int32], ends: npt.NDArray[np.int32], column: str
    ) -> npt.NDArray[np.uint32]:
        """Entries of the values between these offsets of the data."""
        number, out, next_value = self.column(column), np.empty(len(starts), np.uint32), 0
        while next_value < len(starts):
            next_value += self._kernels.intern(
                data,
                starts[next_value:],
                ends[next_value:],
                number,
                self._slots,
                self._edges,
                self._arena,
                self._sizes,
                out[next_value:],
            )
            if next_value < len(starts):
                self._grow(int(ends[next_value]) - int(starts[next_value]))
        return out

    def strings(self, values: pa.Array | Sequence[str], column: str) -> npt.NDArray[np.uint32]:
        """Entries of strings; null counts as the empty one."""
        array = pa.array(values, pa.string()) if not isinstance(values, pa.Array) else values.cast(pa.string())
        _, offsets, content = array.buffers()
        edges = (
            np.frombuffer(offsets, np.int32, len(array) + 1, array.offset * 4) if len(array) else np.zeros(1, np.int32)
        )
        data = np.frombuffer(content, np.uint8) if content is not None and content.size else np.zeros(1, np.uint8)
        return self.spans(data, np.ascontiguousarray(edges[:-1]), np.ascontiguousarray(edges[1:]), column)

    def _grow(self, length: int) -> None:
        """Make room for at least one more value of this length."""
        entries = self.entries
        if 2 * (entries + 1) > len(self._slots):
            self._slots = np.zeros(2 * len(self._slots), np.uint64)
            self._kernels.fill_slots(self._edges, self._arena, entries, self._slots)
        if entries + 2 > len(self._edges):
            self._edges = np.concatenate([self._edges, np.zeros(len(self._edges), np.int64)])
        used_bytes = int(self._edges[entries])
        needed_bytes = used_bytes + length + self._kernels.PREFIX
        if needed_bytes > len(self._arena):
            larger = np.zeros(max(2 * len(self._arena), needed_bytes), np.uint8)
            larger[:used_bytes] = self._arena[:used_bytes]
            self._arena = larger

    def columns_of_entries(self) -> npt.NDArray[np.int64]:
        """The column of each entry."""
        begins = self._edges[: self.entries]
        return self._arena[begins].astype(np.int64) + (self._arena[begins + 1].astype(np.int64) << 8)

    def values(self, entries: npt.NDArray[Any]) -> pa.Array:
        """The strings of these entries; bytes that are not UTF-8 are replaced."""
        low = self._edges[entries] + self._kernels.PREFIX
        lengths = self._edges[entries + 1] - low
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        content = np.empty(int(offsets[-1]), np.uint8)
        self._kernels.copy_spans(self._arena, low, offsets, content)
        strings = lexicon_strings(content, offsets)
        try:
            strings.validate(full=True)
        except pa.ArrowInvalid:
            raw = _raw(content, offsets)
            return pa.array([one.decode("utf-8", "replace") for one in raw], pa.large_string())
        return strings


def _raw(content: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]) -> list[bytes]:
    data = content.tobytes()
    return [data[offsets[at] : offsets[at + 1]] for at in range(len(offsets) - 1)]
