"""Regions of a structure that satisfy a condition: where they start and end, and what lies inside."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from paberki.query.index.segment import Segment
from paberki.query.matching.conditions.id_set import Bools
from paberki.query.matching.conditions.value_tests import id_set
from paberki.query.matching.distinct import distinct
from paberki.query.syntax.terms import And, Anything, Attribute, Comparison, Condition, Not, Or

Places = npt.NDArray[np.int64]

_FEW: Final = 64
_CLOSE: Final = 8
"""Positions lie close together where one in so many is asked for."""

_nesting: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()


def is_nested(structure: Any) -> bool:
    """Whether regions of a structure overlap; found out once."""
    if structure not in _nesting:
        _nesting[structure] = bool(structure.nested)
    return _nesting[structure]


class RegionSet:
    """Some regions of a segment, sorted by start, the longer of several first."""

    def __init__(self, starts: npt.NDArray[Any], ends: npt.NDArray[Any], structure: Any = None) -> None:
        self.starts, self.ends = starts, ends
        self._structure = structure

    @classmethod
    def of(cls, segment: Segment, structure: str, condition: Condition) -> RegionSet:
        """The regions of a structure that satisfy a condition on its attributes."""
        if structure not in segment.structures:
            return cls(np.zeros(0, np.int32), np.zeros(0, np.int32))
        every = segment.structure(structure)
        if isinstance(condition, Anything):
            return cls(every.starts, every.ends, every)
        matches = region_set(every, condition)
        return cls(every.starts[matches], every.ends[matches])

    @property
    def size(self) -> int:
        """Number of regions."""
        return len(self.starts)

    @cached_property
    def nested(self) -> bool:
        """Whether regions overlap."""
        if self._structure is not None:
            return is_nested(self._structure)
        return bool(np.any(self.starts[1:] < self.ends[:-1]))

    @cached_property
    def reach(self) -> npt.NDArray[Any]:
        """The latest end of all regions that start no later than each."""
        return np.maximum.accumulate(self.ends) if self.nested else self.ends

    @cached_property
    def sorted_ends(self) -> npt.NDArray[Any]:
        """Ends in rising order."""
        return np.sort(self.ends) if self.nested else self.ends

    def limits(self, places: Places) -> Places:
        """For each position the latest end of a region around it; 0 outside."""
        if not self.size:
            return np.zeros(len(places), np.int64)
        if self._structure is not None and not self.nested:
            numbers = self._structure.region_of(places)
            return np.where(numbers < 0, 0, self.ends[numbers].astype(np.int64))
        numbers = np.searchsorted(self.starts, places.astype(self.starts.dtype), "right") - 1
        ends = self.reach[np.maximum(numbers, 0)].astype(np.int64)
        return np.where((numbers >= 0) & (ends > places), ends, 0)

    def next_inside(self, place: int) -> int | None:
        """The first position from ``place`` on that is in a region; None behind the last region."""
        number = int(np.searchsorted(self.reach, self.reach.dtype.type(place), "right"))  # else the array is converted
        return max(place, int(self.starts[number])) if number < self.size else None

    def holds(self, kind: str, places: Places) -> Bools:
        """Whether positions are inside, at the start (open), at the end (close), the last token, or continue a region."""
        if kind == "inside":
            return self.limits(places) > 0
        if kind == "open":
            return _among(self.starts, places)
        if kind == "close":
            return _among(self.sorted_ends, places)
        if kind == "last":
            return _among(self.sorted_ends, places + 1)
        return (self.limits(places) > 0) & ~_among(self.starts, places)

    def edges(self, kind: str, low: int, high: int) -> Places:
        """Starts, ends or last tokens from ``low`` to ``high``, each once."""
        edges = self.starts if kind == "open" else self.sorted_ends
        shift = 1 if kind == "last" else 0
        first, last = np.searchsorted(edges, np.array([low + shift, high + shift], edges.dtype))
        places = edges[first:last].astype(np.int64) - shift
        return distinct(places) if self.nested and len(places) else places

    def numbers_around(self, places: Places) -> Places:
        """The number of the first region around each position; positions in none have no number."""
        numbers = np.searchsorted(self.reach, places.astype(self.reach.dtype), "right")
        numbers, places = numbers[numbers < self.size], places[numbers < self.size]
        return numbers[self.starts[numbers] <= places]

    @cached_property
    def covered_tokens(self) -> int:
        """Tokens that are in a region."""
        begins, ends = self._stretches(0, self.size)
        return int(ends.sum(dtype=np.int64) - begins.sum(dtype=np.int64))

    def inside(self, low: int, high: int, *, negated: bool) -> Places:
        """The positions from ``low`` to ``high`` that are in a region, or those that are in none."""
        kind = self.starts.dtype
        first = int(np.searchsorted(self.reach, kind.type(low), "right"))
        begins, ends = self._stretches(first, int(np.searchsorted(self.starts, kind.type(high))))
        begins, ends = np.maximum(begins, low).astype(np.int64), np.minimum(ends, high).astype(np.int64)
        if negated:
            begins, ends = np.append(low, ends), np.append(begins, high)
        lengths = np.maximum(ends - begins, 0)
        return np.asarray(
            np.repeat(begins - np.cumsum(lengths) + lengths, lengths) + np.arange(int(lengths.sum()), dtype=np.int64)
        )

    def _stretches(self, first: int, last: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """What some regions cover: regions that overlap are one."""
        starts, ends = self.starts[first:last], self.reach[first:last]
        if not self.nested or not len(starts):
            return starts, ends
        are_first = np.append(True, starts[1:] > ends[:-1])
        return starts[are_first], ends[np.append(np.flatnonzero(are_first)[1:] - 1, len(ends) - 1)]

    def innermost(self, places: Places) -> Places:
        """Number of the innermost region at each position, −1 for none."""
        if self._structure is not None:
            numbers: Places = self._structure.region_of(places)
            return numbers
        numbers = np.searchsorted(self.starts, places.astype(self.starts.dtype), "right") - 1
        return (
            np.where((numbers >= 0) & (self.ends[np.maximum(numbers, 0)] > places), numbers, -1)
            if self.size
            else numbers
        )

    def pairs_hold(self, starts: Places, ends: Places) -> Bools:
        """Whether each pair is the start and the end of one region."""
        keys = self.starts.astype(np.int64) << 32 | self.ends.astype(np.int64)
        keys.sort()
        return _among(keys, (starts << 32) | ends)

    def after(self, places: Places, count: int) -> Places:
        """The end of the region ``count`` - 1 after that of each position; 0 outside of regions."""
        if not self.size:
            return np.zeros(len(places), np.int64)
        numbers = np.searchsorted(self.starts, places.astype(self.starts.dtype), "right") - 1
        inside = (numbers >= 0) & (self.reach[np.maximum(numbers, 0)] > places)
        last = np.minimum(numbers + count - 1, self.size - 1)
        return np.where(inside, self.reach[np.maximum(last, 0)].astype(np.int64), 0)


def _among(edges: npt.NDArray[Any], places: Places) -> Bools:
    """Which positions are among sorted edges."""
    if not len(edges):
        return np.zeros(len(places), np.bool_)
    if len(places) > _FEW:
        low, high = int(places.min()), int(places.max())
        if high - low < _CLOSE * len(places):
            return _marks_at(edges, places, low, high)
        first, last = np.searchsorted(edges, np.array([low, high + 1], edges.dtype))
        edges = edges[first:last]
        if not len(edges):
            return np.zeros(len(places), np.bool_)
    numbers = np.searchsorted(edges, places.astype(edges.dtype))
    return np.asarray(edges[np.minimum(numbers, len(edges) - 1)] == places)


def _marks_at(edges: npt.NDArray[Any], places: Places, low: int, high: int) -> Bools:
    """The same for positions that lie close together: edges are marked in a row of bytes."""
    first, last = np.searchsorted(edges, np.array([low, high + 1], edges.dtype))
    marks = np.zeros(high - low + 1, np.bool_)
    marks[edges[first:last] - low] = True
    return marks[places - low]


def region_set(structure: Any, condition: Condition) -> Bools:
    """Which regions of a structure satisfy a condition on its attributes."""
    match condition:
        case Anything():
            return np.ones(structure.size, np.bool_)
        case And(parts):
            return np.asarray(np.logical_and.reduce([region_set(structure, part) for part in parts]))
        case Or(parts):
            return np.asarray(np.logical_or.reduce([region_set(structure, part) for part in parts]))
        case Not(part):
            return ~region_set(structure, part)
        case Comparison(left=Attribute(name=name)):
            if name not in structure.attributes:
                return np.zeros(structure.size, np.bool_)
            attribute = structure.attribute(name)
            return np.asarray(id_set(attribute, condition).table[attribute.ids])
        case _:
            return np.zeros(structure.size, np.bool_)
