"""Filters by something rare tell where hits can be: ``<s/> containing "rare"``, ``[tag="V.*"] within (<s/> containing "rare")``.

Of regions, only those are looked at that touch a rare span; of single tokens, those inside of a rare span. The filters are
applied to all hits afterwards, as if nothing had been left out.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.query.index.segment import Segment
from paberki.query.matching.automata.thompson import tag_marks
from paberki.query.matching.budget import BudgetWatch
from paberki.query.matching.conditions.regions import RegionSet
from paberki.query.matching.hit_table import HitTable
from paberki.query.matching.program import Program
from paberki.query.matching.scopes import ScopeSpans
from paberki.query.matching.spans import region_spans
from paberki.query.syntax.tree import Filter, Region

__all__ = ["RareContent", "rare_content", "rare_surroundings"]

_FEWER: Final = 4
"""Spans are rare where so many times more regions are looked at without them."""
_RARE: Final = 1000
"""Surroundings are rare where one token in so many can begin one: all of them are found before the first hit."""


class RareContent:
    """Spans that regions must contain."""

    def __init__(self, regions: RegionSet, scope: ScopeSpans) -> None:
        self._regions, self._scope = regions, scope
        self.most = scope.starts_at_most

    def between(self, low: int, high: int) -> HitTable:
        """The spans that may be inside of a region that begins between ``low`` and ``high``."""
        regions = self._regions
        last = int(np.searchsorted(regions.starts, regions.starts.dtype.type(high))) - 1
        return HitTable(*self._scope.between(low, high if last < 0 else max(high, int(regions.ends[last]))))


def rare_content(program: Program, segment: Segment, clock: BudgetWatch) -> RareContent | None:
    """The rarest pattern that a filter asks for inside of regions; None where there is none, or regions overlap.

    Of regions that overlap, the strategy chooses some before they are filtered: then all must be looked at.
    """
    core = program.outline.core
    if not isinstance(core, Region):
        return None
    marks = tag_marks(core, program.names)
    scopes = [ScopeSpans(program.filters[number], segment, clock) for number in _filters(program, "containing")]
    if len(marks) > 1 or not scopes:
        return None
    regions = RegionSet.of(segment, marks[0].structure, marks[0].condition)
    scope = min(scopes, key=lambda one: one.starts_at_most)
    if scope.starts_at_most * _FEWER > regions.size or regions.nested:
        return None
    return RareContent(regions, scope)


def rare_surroundings(program: Program, segment: Segment, clock: BudgetWatch) -> RegionSet | None:
    """Spans in which all hits must be, if there are few; only where hits are single tokens: of others, the strategy chooses some
    before they are filtered."""
    if program.automaton is None or program.automaton.lengths() != (1, 1):
        return None
    for number in (*_filters(program, "within"), *_filters(program, "overlap")):
        scope = program.filters[number]
        spans = ScopeSpans(scope, segment, clock)
        if spans.is_plain and spans.starts_at_most * _RARE <= segment.tokens:
            return RegionSet(*spans.between(0, segment.tokens))
        content = rare_content(scope, segment, clock)
        if content is not None and content.most * _RARE <= segment.tokens:
            near = region_spans(scope, segment, hits=content.between(0, segment.tokens))
            return RegionSet(near.starts, near.ends)
    return None


def _filters(program: Program, relation: str) -> list[int]:
    """Numbers of the steps that ask for something in this relation to a hit, before any step that changes hits."""
    numbers = []
    for number, step in enumerate(program.outline.steps):
        if not isinstance(step, Filter):
            break
        if step.relation == relation and not step.negated:
            numbers.append(number)
    return numbers
