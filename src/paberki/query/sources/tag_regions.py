"""Regions from tags: what is open, what was closed, and the attributes that came with the start tags."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.kernels import load
from paberki.query.index.writing.segment_writer import SegmentWriter

KERNEL: Final = "paberki.query.sources.vertical_kernel"
_NAMES: Final = "<names>"
_KEYS: Final = "<keys>"
_DEEPEST: Final = 1 << 10
_FIRST_ROOM: Final = 1 << 12


class SegmentRegions:
    """Regions of one segment, numbered as their start tags come."""

    def __init__(self, writer: SegmentWriter) -> None:
        self._writer, self._kernels = writer, load(KERNEL)
        self._count = 0
        self._names = np.zeros(_FIRST_ROOM, np.uint32)
        self._starts = np.zeros(_FIRST_ROOM, np.int32)
        self._ends = np.full(_FIRST_ROOM, -1, np.int32)
        self._stack, self._stack_names = np.zeros(_DEEPEST, np.int64), np.zeros(_DEEPEST, np.uint32)
        self._depth = 0
        self._values: dict[tuple[int, int], list[tuple[npt.NDArray[Any], npt.NDArray[np.uint32]]]] = {}
        self.unmatched = 0
        """End tags without a start tag."""

    def add(self, data: npt.NDArray[np.uint8], tags: npt.NDArray[np.int32], first_token: int) -> None:
        """Add the tags in these spans of the data; their third column counts tokens from ``first_token``."""
        kinds = np.empty(len(tags), np.uint8)
        spans = np.empty((len(tags), 2), np.int32)
        room = int((tags[:, 1] - tags[:, 0]).sum()) // 2 + 1
        pairs = np.empty((room, 5), np.int32)
        pairs = pairs[: self._kernels.split_tags(data, tags, kinds, spans, pairs)]
        names = self._intern(data, spans[:, 0], spans[:, 1], _NAMES)
        opened_regions, closed_regions = np.empty(len(tags), np.int64), np.empty(len(tags), np.int64)
        self._depth = self._kernels.match_tags(
            names, kinds, self._count, self._stack, self._stack_names, self._depth, opened_regions, closed_regions
        )
        places = tags[:, 2] + first_token
        fresh = opened_regions >= 0
        self._open(names[fresh], places[fresh])
        are_matched = closed_regions >= 0
        self._ends[closed_regions[are_matched]] = places[are_matched]
        self.unmatched += int((kinds == self._kernels.CLOSE).sum()) - int(are_matched.sum())
        if len(pairs):
            self._add_values(data, pairs, names, opened_regions)

    def _intern(self, data: npt.NDArray[np.uint8], starts: Any, ends: Any, column: str) -> npt.NDArray[np.uint32]:
        return self._writer.interner.spans(data, np.ascontiguousarray(starts), np.ascontiguousarray(ends), column)

    def _open(self, names: npt.NDArray[np.uint32], places: npt.NDArray[np.int32]) -> None:
        total = self._count + len(names)
        if total > len(self._names):
            more = max(total, 2 * len(self._names)) - len(self._names)
            self._names = np.concatenate([self._names, np.zeros(more, np.uint32)])
            self._starts = np.concatenate([self._starts, np.zeros(more, np.int32)])
            self._ends = np.concatenate([self._ends, np.full(more, -1, np.int32)])
        self._names[self._count : total] = names
        self._starts[self._count : total] = places
        self._count = total

    def _add_values(
        self,
        data: npt.NDArray[np.uint8],
        pairs: npt.NDArray[np.int32],
        names: npt.NDArray[np.uint32],
        opened_regions: npt.NDArray[np.int64],
    ) -> None:
        """Intern the values of each attribute of each structure in a column of its own."""
        pairs = pairs[opened_regions[pairs[:, 0]] >= 0]
        keys = self._intern(data, pairs[:, 1], pairs[:, 2], _KEYS).astype(np.int64)
        both = (names[pairs[:, 0]].astype(np.int64) << 32) | keys
        for kind in np.unique(both).tolist():
            rows = pairs[both == kind]
            name, key = kind >> 32, kind & 0xFFFFFFFF
            column = f"{self._text(name)}.{self._text(key)}"
            entries = self._intern(data, rows[:, 3], rows[:, 4], column)
            self._values.setdefault((name, key), []).append((opened_regions[rows[:, 0]], entries))

    def _text(self, entry: int) -> str:
        text: str = self._writer.interner.values(np.array([entry]))[0].as_py()
        return text

    def finish(self) -> int:
        """Hand all regions to the writer; those that are still open end with the segment. The number of these."""
        names, starts, ends = (array[: self._count] for array in (self._names, self._starts, self._ends))
        are_open = ends < 0
        ends[are_open] = self._writer.tokens
        for name in np.unique(names).tolist():
            text = self._text(name)
            numbers = np.flatnonzero(names == name)
            values = {self._text(key): self._column(text, key, numbers) for own, key in self._values if own == name}
            self._writer.add_regions(text, starts[numbers], ends[numbers], values)
        return int(are_open.sum())

    def _column(self, structure: str, key: int, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.uint32]:
        """Entries of an attribute for all regions of a structure, of which these are the numbers."""
        name = next(own for own, other in self._values if other == key and self._text(own) == structure)
        empty = self._writer.interner.strings([""], f"{structure}.{self._text(key)}")[0]
        column = np.full(len(numbers), empty, np.uint32)
        for regions, entries in self._values[name, key]:
            column[np.searchsorted(numbers, regions)] = entries
        return column
