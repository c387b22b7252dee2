"""Patterns that match whole regions, such as ``<s> [tag="N.*"]+ </s>``: first and last tokens are looked at before all others."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paberki.query.matching.automata.automaton import Automaton
from paberki.query.matching.automata.evaluator import Evaluator
from paberki.query.matching.conditions.id_set import Bools
from paberki.query.matching.conditions.predicates import PlaceTest, ValueTest
from paberki.query.matching.conditions.regions import RegionSet

__all__ = ["WholeRegions", "whole_regions"]

Places = npt.NDArray[np.int64]


class WholeRegions:
    """The regions that matches of an automaton are, with what their edges must be."""

    def __init__(self, automaton: Automaton, evaluator: Evaluator, regions: RegionSet) -> None:
        self._automaton, self._evaluator, self._regions = automaton, evaluator, regions
        final, following = automaton.final, enumerate(automaton.following)
        self._first = {number for number, _ in automaton.first}
        self._last = {number for number, targets in following if any(target in final for target, _ in targets)}

    @property
    def size(self) -> int:
        """How many regions there are."""
        return self._regions.size

    @property
    def most(self) -> None:
        """Nobody knows how many regions have the right edges."""
        return None

    def starts(self, low: int, high: int) -> Places:
        """Positions from ``low`` to ``high`` where a match may begin."""
        edges = self._regions.starts
        first, last = np.searchsorted(edges, np.array([low, high], edges.dtype))
        starts, ends = edges[first:last].astype(np.int64), self._regions.ends[first:last].astype(np.int64)
        shortest, longest = self._automaton.lengths()
        good = ends - starts >= max(shortest, 1)
        if longest is not None:
            good &= ends - starts <= longest
        starts, ends = starts[good], ends[good]
        numbers = self._holding(self._last, ends - 1)
        starts = starts if numbers is None else starts[numbers]
        numbers = self._holding(self._first, starts)
        return starts if numbers is None else starts[numbers]

    def _holding(self, states: set[int], places: Places) -> npt.NDArray[np.int64] | None:
        """Numbers of the places whose token may be that of one of some states; None for all of them."""
        numbers: npt.NDArray[np.int64] | None = None
        for name, table in self._tables(states).items():
            ids = self._evaluator.segment.attribute(name).ids_at(places if numbers is None else places[numbers])
            good = np.flatnonzero(table[ids])
            numbers = good if numbers is None else numbers[good]
        return numbers

    def _tables(self, states: set[int]) -> dict[str, Bools]:
        """For each attribute that all of the states ask for, the values that one of them allows."""
        tests = [
            {test.attribute: test for test in self._automaton.states[number].term if isinstance(test, ValueTest)}
            for number in sorted(states)
        ]
        shared = set.intersection(*(set(one) for one in tests)) if tests else set()
        return {
            name: np.logical_or.reduce([self._evaluator.id_set(one[name]).table for one in tests])
            for name in sorted(shared)
        }


def whole_regions(automaton: Automaton, evaluator: Evaluator) -> WholeRegions | None:
    """The regions that are all that an automaton can match; None where it can match something else."""
    first = {number for number, _ in automaton.first}
    opening = {test for number in first for test in automaton.states[number].term if isinstance(test, PlaceTest)}
    opening = {test for test in opening if test.kind == "open" and not test.negated}
    if len(opening) != 1 or first & automaton.final:
        return None
    [edge] = opening
    again = {target for targets in automaton.following for target, _ in targets}
    if first & again:
        return None
    for number, state in enumerate(automaton.states):
        kind = "open" if number in first else "close" if number in automaton.final else "continues"
        if PlaceTest(kind, edge.structure, edge.condition) not in state.term:
            return None
    regions = evaluator.regions(edge)
    return None if regions.nested else WholeRegions(automaton, evaluator, regions)
