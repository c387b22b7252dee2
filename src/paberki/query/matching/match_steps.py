"""What is done with hits after they are chosen: filters by other patterns, growth to whole regions, cuts."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.query.index.segment import Segment
from paberki.query.matching.budget import BudgetWatch
from paberki.query.matching.conditions.id_set import Bools
from paberki.query.matching.conditions.regions import RegionSet
from paberki.query.matching.hit_table import HitTable
from paberki.query.matching.program import Program
from paberki.query.matching.scopes import ScopeSpans
from paberki.query.syntax.terms import ANYTHING
from paberki.query.syntax.tree import Cut, Expand, Filter

Places = npt.NDArray[np.int64]

_HALF: Final = 32
_LOWER_HALF: Final = (1 << _HALF) - 1


class Steps:
    """The steps of a program on one segment, up to the first cut or from it on."""

    def __init__(
        self, program: Program, segment: Segment, clock: BudgetWatch, first: int = 0, last: int | None = None
    ) -> None:
        self._steps: list[FilterStep | ExpandStep] = []
        one_token = program.automaton is not None and program.automaton.lengths()[1] == 1
        for number, step in enumerate(program.outline.steps[first:last], first):
            if isinstance(step, Filter):
                scope = ScopeSpans(program.filters[number], segment, clock)
                self._steps.append(FilterStep(scope, step.relation, step.negated, one_token=one_token and number == 0))
            elif isinstance(step, Expand):
                self._steps.append(ExpandStep(step, segment))

    @property
    def is_impossible(self) -> bool:
        """Whether no hit can pass: it would have to be near something that this segment does not have."""
        return any(isinstance(step, FilterStep) and step.is_impossible for step in self._steps)

    def apply(self, hits: HitTable) -> HitTable:
        """Hits after all steps."""
        for step in self._steps:
            if len(hits):
                hits = step.apply(hits)
        return hits


class FilterStep:
    """Keeps hits within, containing or overlapping a span of a scope, or those that are not."""

    def __init__(self, scope: ScopeSpans, relation: str, negated: bool, *, one_token: bool = False) -> None:
        self._scope, self._relation, self._negated = scope, relation, negated
        self._one_token = one_token
        """Whether each hit is a single token."""

    @property
    def is_impossible(self) -> bool:
        """Whether no hit can pass."""
        if self._negated:
            return self._one_token and self._relation in ("within", "overlap") and self._scope.is_everywhere
        return self._scope.is_impossible

    def apply(self, hits: HitTable) -> HitTable:
        """The hits that pass."""
        tests = {"within": self._within, "containing": self._containing, "overlap": self._overlap}
        return hits.take(np.flatnonzero(tests[self._relation](hits) != self._negated))

    def _within(self, hits: HitTable) -> Bools:
        starts, ends = self._scope.around(hits)
        if not len(starts):
            return np.zeros(len(hits), np.bool_)
        furthest = np.maximum.accumulate(ends)
        before = np.searchsorted(starts, hits.starts, "right") - 1
        return (before >= 0) & (furthest[np.maximum(before, 0)] >= hits.ends)

    def _containing(self, hits: HitTable) -> Bools:
        starts, ends = self._scope.inside(hits)
        if not len(starts):
            return np.zeros(len(hits), np.bool_)
        nearest = np.append(np.minimum.accumulate(ends[::-1])[::-1], np.iinfo(np.int64).max)
        return nearest[np.searchsorted(starts, hits.starts)] <= hits.ends

    def _overlap(self, hits: HitTable) -> Bools:
        starts, ends = self._scope.around(hits)
        if not len(starts):
            return np.zeros(len(hits), np.bool_)
        furthest = np.maximum.accumulate(ends)
        before = np.searchsorted(starts, hits.ends) - 1
        return (before >= 0) & (furthest[np.maximum(before, 0)] > hits.starts)


class ExpandStep:
    """Lets hits grow to whole regions or by some tokens; hits that become equal are one."""

    def __init__(self, step: Expand, segment: Segment) -> None:
        self._step, self._tokens = step, segment.tokens
        self._regions = None if step.structure is None else RegionSet.of(segment, step.structure, ANYTHING)
        self._recent = np.zeros(0, np.int64)
        """Grown hits of earlier stretches that may come again: starts in the upper, ends in the lower half."""

    def apply(self, hits: HitTable) -> HitTable:
        """The grown hits, each once."""
        starts, ends = hits.starts, hits.ends
        if self._step.direction != "right":
            starts = self._left(starts)
        if self._step.direction != "left":
            ends = self._right(ends)
        longer_hits = HitTable(starts, ends, hits.labels, hits.label_ends, hits.edges)
        order = np.lexsort((ends, starts))
        longer_hits = longer_hits.take(order)
        new = np.ones(len(longer_hits), np.bool_)
        new[1:] = (np.diff(longer_hits.starts) != 0) | (np.diff(longer_hits.ends) != 0)
        keys = longer_hits.starts << _HALF | longer_hits.ends
        self._recent = self._recent[self._recent & _LOWER_HALF > int(hits.starts.min())]
        new &= ~np.isin(keys, self._recent)
        self._recent = np.concatenate([self._recent, keys[new]])
        return longer_hits.take(np.flatnonzero(new))

    def _left(self, starts: Places) -> Places:
        if self._regions is None:
            return np.maximum(starts - self._step.count, 0)
        numbers = self._numbers(starts)
        first = np.maximum(numbers - self._step.count + 1, 0)
        return np.where(numbers < 0, starts, _at(self._regions.starts, first))

    def _right(self, ends: Places) -> Places:
        if self._regions is None:
            return np.minimum(ends + self._step.count, self._tokens)
        numbers = self._numbers(ends - 1)
        last = np.minimum(numbers + self._step.count - 1, self._regions.size - 1)
        return np.where(numbers < 0, ends, _at(self._regions.ends, last))

    def _numbers(self, places: Places) -> Places:
        assert self._regions is not None
        return self._regions.innermost(places)


def _at(edges: npt.NDArray[np.int32], numbers: Places) -> Places:
    if not len(edges):
        return np.zeros(len(numbers), np.int64)
    return edges[np.maximum(numbers, 0)].astype(np.int64)


class CutStep:
    """Lets hits from one number to another through, counted over the whole corpus."""

    def __init__(self, step: Cut) -> None:
        self._first, self._last = step.first, step.last
        self._earlier_count = 0

    def apply(self, hits: HitTable) -> HitTable:
        """The hits with the right numbers."""
        low = max(self._first - self._earlier_count, 0)
        high = max(self._last + 1 - self._earlier_count, 0)
        self._earlier_count += len(hits)
        return hits.take(np.arange(min(low, len(hits)), min(high, len(hits))))

    @property
    def over(self) -> bool:
        """Whether no later hit can pass."""
        return self._earlier_count > self._last
