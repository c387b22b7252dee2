"""The tokens on both sides of a border between segments as one small segment, so that matches may cross the border.

It is made in memory, value by value, when somebody searches it. Regions that reach beyond it are cut off at its edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from paberki.arrow import pa
from paberki.kernels import load
from paberki.query.index.attribute import COLUMNS, TokenAttribute
from paberki.query.index.folding import Kind
from paberki.query.index.lexicon import Folded, Ids, ValueLexicon, fold
from paberki.query.index.segment import BoolReader, Segment
from paberki.query.index.structure import Structure, StructureAttribute

__all__ = ["Seam", "SeamSegment"]

Places = npt.NDArray[np.int64]


class SeamSegment(NamedTuple):
    """Tokens of one segment, and where they begin in the seam."""

    segment: Segment
    start: int
    stop: int
    offset: int


class Seam(Segment):
    """Tokens from one global position to another, whatever segments they lie in."""

    def __init__(self, segments: Sequence[Segment], low: int, high: int) -> None:
        self.parts = [
            SeamSegment(one, max(low - one.base, 0), min(high - one.base, one.tokens), max(one.base - low, 0))
            for one in segments
            if one.base < high and low < one.base + one.tokens
        ]
        first = self.parts[0].segment
        self.base, self.tokens, self.number, self.file = low, high - low, -1, ""
        self.digest = " ".join(
            [f"{low}..{high}", *(f"{part.segment.number} {part.segment.digest}" for part in self.parts)]
        )
        self.attributes, self.structures, self.overlay = first.attributes, first.structures, first.overlay
        self._attributes: dict[str, TokenAttribute] = {}
        self._structures: dict[str, Structure] = {}
        self.head = self._heads()
        self.glue = BoolReader(np.packbits(self._glue(), bitorder="little"))

    def _heads(self) -> npt.NDArray[Any] | None:
        columns = [(part.segment.head, part) for part in self.parts]
        heads = [head[part.start : part.stop].astype(np.int32) for head, part in columns if head is not None]
        return np.concatenate(heads) if len(heads) == len(columns) else None

    def _glue(self) -> npt.NDArray[np.bool_]:
        return np.concatenate([part.segment.glue.at(np.arange(part.start, part.stop)) for part in self.parts])

    def attribute(self, name: str) -> TokenAttribute:
        """A positional attribute by its real name."""
        if name not in self._attributes:
            self._attributes[name] = _SeamAttribute(self.parts, name)
        return self._attributes[name]

    def structure(self, name: str) -> Structure:
        """A structure."""
        if name not in self._structures:
            self._structures[name] = _SeamStructure(self.parts, name)
        return self._structures[name]

    def sizes(self) -> dict[str, int]:
        """Nothing is on disk."""
        return {}


def _unite(pieces: Sequence[tuple[ValueLexicon, npt.NDArray[Any]]]) -> tuple[list[str], npt.NDArray[np.int64]]:
    """The values of several lexicons in the order of code points, and for all ids in turn which value they are."""
    texts: list[str] = []
    for lexicon, ids in pieces:
        distinct, places = np.unique(ids, return_inverse=True)
        values = lexicon.values(distinct)
        texts += [values[place] for place in places.tolist()]
    distinct_texts = sorted(set(texts))  # by code point, which is also the order of UTF-8
    numbers = {text: number for number, text in enumerate(distinct_texts)}
    return distinct_texts, np.array([numbers[text] for text in texts], np.int64)


class _SeamAttribute(TokenAttribute):
    """Values of the tokens of a seam; ids are in the order of code points."""

    def __init__(self, parts: Sequence[SeamSegment], name: str) -> None:
        attributes = [(part.segment.attribute(name), part) for part in parts]
        pieces = [(one, one.ids_between(part.start, part.stop)) for one, part in attributes]
        texts, numbers = _unite(pieces)
        values = ValueLexicon.of_strings(pa.array(texts, pa.large_string()))
        ValueLexicon.__init__(self, values.lexicon_bytes, values._lengths)
        self.name, self.multi, self.derived_from = name, attributes[0][0].multi, None
        self.tokens = len(numbers)
        self._ids: Ids = numbers.astype(np.uint32)
        self._folded_lexicons: dict[str, Folded] = {}
        self._texts = texts

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """How often each value occurs."""
        return np.bincount(self._ids, minlength=self.size).astype(np.int64)

    @cached_property
    def by_code_point(self) -> Ids:
        """Ids in the order of code points."""
        return np.arange(self.size, dtype=np.uint32)

    @cached_property
    def collation_rank(self) -> Ids:
        """Rank of each id; seams are not sorted by the alphabet."""
        return self.by_code_point

    def folded_lexicon(self, kind: Kind) -> Folded:
        """The values without capitals, diacritics or both."""
        if kind not in self._folded_lexicons:
            self._folded_lexicons[kind] = fold(self, self.counts, kind)
        return self._folded_lexicons[kind]

    @cached_property
    def _members(self) -> tuple[ValueLexicon, npt.NDArray[np.int64], Ids]:
        sets = [[member for member in text.split("|") if member] for text in self._texts]
        distinct = sorted({member for members in sets for member in members})
        numbers = {member: number for number, member in enumerate(distinct)}
        offsets = np.cumsum([0, *(len(members) for members in sets)], dtype=np.int64)
        flat = np.array([numbers[member] for members in sets for member in members], np.uint32)
        return ValueLexicon.of_strings(pa.array(distinct, pa.large_string())), offsets, flat

    @cached_property
    def set_offsets(self) -> npt.NDArray[np.int64]:
        """Where the members of each set begin."""
        return self._members[1]

    @cached_property
    def set_members(self) -> Ids:
        """Ids of members."""
        return self._members[2]

    @cached_property
    def set_values(self) -> ValueLexicon:
        """The members of all sets."""
        return self._members[0]

    def ids_between(self, start: int, stop: int) -> Ids:
        """Ids of the tokens from ``start`` to ``stop``."""
        return self._ids[max(start, 0) : max(stop, 0)]

    def ids_at(self, positions: npt.NDArray[Any]) -> Ids:
        """Ids of the tokens at these positions."""
        return self._ids[np.asarray(positions, np.int64)]

    def gather(self, table: npt.NDArray[Any], start: int, stop: int, out: npt.NDArray[Any]) -> None:
        """``out[i] |= table[id of token start + i]``."""
        out[: stop - start] |= table[self._ids[start:stop]]

    def positions(self, ids: Any, start: int = 0, stop: int | None = None) -> Places:
        """Positions from ``start`` to ``stop`` of all tokens with one of these ids, in order."""
        table = np.zeros(self.size, np.bool_)
        table[np.atleast_1d(np.asarray(ids, np.int64))] = True
        start = max(start, 0)
        return np.flatnonzero(table[self._ids[start:stop]]) + start

    def position_lists(self, ids: npt.NDArray[np.int64]) -> None:
        """Seams have no lists."""


class _SeamStructure(Structure):
    """Regions of a seam."""

    def __init__(self, parts: Sequence[SeamSegment], name: str) -> None:
        self.name = name
        self._sources = [(part.segment.structure(name), *_inside(part, name)) for part in parts]
        self.attributes = self._sources[0][0].attributes
        starts = np.concatenate([starts for _, _, starts, _ in self._sources])
        ends = np.concatenate([ends for _, _, _, ends in self._sources])
        self._order = np.lexsort((-ends, starts))
        self.starts, self.ends = starts[self._order].astype(np.int32), ends[self._order].astype(np.int32)
        outer = np.empty(len(ends), np.int32)
        self._outer = outer if load(COLUMNS).enclose(self.ends, outer) else np.zeros(0, np.int32)
        self._values: dict[str, StructureAttribute] = {}

    def _read(self, name: str) -> StructureAttribute:
        attributes = [(structure.attribute(name), regions) for structure, regions, _, _ in self._sources]
        texts, numbers = _unite([(attribute, np.asarray(attribute.ids)[regions]) for attribute, regions in attributes])
        return _SeamRegionValues(name, texts, numbers[self._order])


def _inside(part: SeamSegment, name: str) -> tuple[Places, Places, Places]:
    """Regions with tokens of a part, and their starts and ends in the seam."""
    structure = part.segment.structure(name)
    regions = np.flatnonzero((structure.starts < part.stop) & (structure.ends > part.start))
    move = part.offset - part.start
    starts, ends = structure.starts[regions].astype(np.int64), structure.ends[regions].astype(np.int64)
    return regions, np.maximum(starts, part.start) + move, np.minimum(ends, part.stop) + move


class _SeamRegionValues(StructureAttribute):
    """An attribute of the regions of a seam."""

    def __init__(self, name: str, texts: list[str], numbers: npt.NDArray[np.int64]) -> None:
        values = ValueLexicon.of_strings(pa.array(texts, pa.large_string()))
        ValueLexicon.__init__(self, values.lexicon_bytes, values._lengths)
        self.name, self.ids = name, numbers
