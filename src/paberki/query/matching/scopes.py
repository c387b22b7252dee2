"""Spans that filters look at: regions, or matches of a pattern, near the hits that are filtered."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.query.index.segment import Segment
from paberki.query.matching.automata.sequences import EARLIEST, Spans
from paberki.query.matching.budget import BudgetWatch
from paberki.query.matching.conditions.regions import RegionSet
from paberki.query.matching.distinct import distinct
from paberki.query.matching.hit_table import HitTable
from paberki.query.matching.matches import Matches
from paberki.query.matching.program import Program
from paberki.query.syntax.terms import ANYTHING
from paberki.query.syntax.tree import Pattern, Region

Places = npt.NDArray[np.int64]

_SPARSE: Final = 8
_FAR: Final = 1 << 20


class ScopeSpans:
    """Spans of a filter's pattern in a segment, found where they are needed."""

    def __init__(self, program: Program, segment: Segment, clock: BudgetWatch) -> None:
        self._program, self._segment, self._clock = program, segment, clock

    @cached_property
    def _matches(self) -> Matches:
        return Matches(self._program, self._segment, self._clock)

    @property
    def starts_at_most(self) -> int:
        """How many tokens can begin a span, where that is known; else all."""
        return self._matches.starts_at_most if self.is_plain else self._segment.tokens

    @property
    def is_plain(self) -> bool:
        """Whether a span is what an automaton matches, and nothing else."""
        outline = self._program.outline
        return self._program.automaton is not None and not outline.steps and not isinstance(outline.core, Region)

    @property
    def is_impossible(self) -> bool:
        """Whether there is certainly no such span."""
        if self.is_plain:
            return self._matches.is_impossible
        from paberki.query.matching.match_steps import Steps

        return bool(self._program.outline.steps) and Steps(self._program, self._segment, self._clock).is_impossible

    @property
    def is_everywhere(self) -> bool:
        """Whether every token certainly is in such a span: regions without gaps between them."""
        outline = self._program.outline
        if outline.steps or outline.scopes or outline.constraints or outline.core != Region(_name(outline.core)):
            return False
        regions = RegionSet.of(self._segment, _name(outline.core), ANYTHING)
        return not regions.nested and int((regions.ends - regions.starts).sum()) == self._segment.tokens

    def inside(self, hits: HitTable) -> Spans:
        """Spans that may lie inside the hits, sorted by start."""
        low, high = int(hits.starts[0]), int(hits.ends.max())
        if self.is_plain:
            lengths = hits.ends - hits.starts
            tokens = int(lengths.sum())
            if (
                tokens * _SPARSE < min(high - low, self._matches.starts_at_most * _SPARSE)
                and not self._program.enumerates
            ):
                places = distinct(np.repeat(hits.starts - np.cumsum(lengths) + lengths, lengths) + np.arange(tokens))
                return self._matches.sequences.from_starts(places, self._matches.limits, EARLIEST)
            return self.between(low, high)
        return self._other(hits, low, high)

    def around(self, hits: HitTable) -> Spans:
        """Spans that may contain or overlap the hits, sorted by start."""
        low, high = int(hits.starts[0]), int(hits.ends.max())
        if not self.is_plain:
            return self._other(hits, low, high)
        longest = self._matches.sequences.longest
        if longest is None or longest > _FAR:
            return self._everything
        return self.between(max(0, low - longest), high)

    @cached_property
    def _everything(self) -> Spans:
        return self.between(0, self._segment.tokens)

    def between(self, low: int, high: int) -> Spans:
        """Spans of a plain pattern that begin in a stretch of the segment."""
        parts = [table for table, _ in self._matches.chunks(low, high)]
        if not parts:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        return np.concatenate([one.starts for one in parts]), np.concatenate([one.ends for one in parts])

    def _other(self, hits: HitTable, low: int, high: int) -> Spans:
        """Regions near the hits, or spans of patterns with operations of their own."""
        from paberki.query.matching.spans import whole_spans

        if isinstance(self._program.outline.core, Region):
            return self._regions(hits, low, high)
        if not hasattr(self, "_spans"):
            self._spans = whole_spans(self._program, self._segment, self._clock)
        return self._spans

    def _regions(self, hits: HitTable, low: int, high: int) -> Spans:
        from paberki.query.matching.spans import apply_steps, region_spans

        sparse = len(hits) * _SPARSE < self._segment.tokens
        spans = region_spans(self._program, self._segment, low, high, hits if sparse else None)
        spans = apply_steps(self._program, self._segment, self._clock, spans)
        return spans.starts, spans.ends


def _name(pattern: Pattern) -> str:
    return pattern.name if isinstance(pattern, Region) else ""
