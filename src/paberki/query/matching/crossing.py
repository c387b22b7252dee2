"""Matches that begin in one segment and end in a later one.

Segments are searched one by one. Around each border between two of them a *zone* of starts is searched once more in a
:class:`~paberki.query.index.seam.Seam`, which has tokens of both sides, and the hits of the zone are taken from there. The
zone is wide enough that what a strategy chooses outside of it does not depend on the other side, for matches of at most
:data:`LONGEST` tokens; longer ones do not cross.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.query.index.reader import Index
from paberki.query.index.seam import Seam
from paberki.query.matching.automata.automaton import Automaton
from paberki.query.matching.conditions.predicates import LookTest, PlaceTest, Term
from paberki.query.matching.hit_table import HitTable
from paberki.query.matching.program import Program
from paberki.query.syntax.tree import (
    Expand,
    Filter,
    Labelled,
    Meet,
    Pattern,
    Region,
    Relation,
    Root,
    Span,
    TokenPattern,
    Union,
)
from paberki.record import Record

__all__ = ["LONGEST", "Crossing", "Zone"]

LONGEST: Final = 256
"""Tokens of the longest match that is found across a border."""


class Zone(Record):
    """Starts whose hits of at most so many tokens are taken from the seam."""

    low: int
    high: int
    border: int
    length: int

    def chooses(self, table: HitTable) -> npt.NDArray[np.bool_]:
        """Which hits, in global positions, the seam answers for."""
        inside: npt.NDArray[np.bool_] = (table.starts >= self.low) & (table.starts < self.high)
        return inside & (table.ends - table.starts <= self.length)

    def seam(self, index: Index) -> Seam:
        """The tokens of the zone and of what its matches depend on."""
        around = 4 * self.length
        return Seam(index.segments, max(self.border - around, 0), min(self.border + around, index.tokens))


class Crossing:
    """Where a program has to look across borders of an index."""

    def __init__(self, program: Program, index: Index) -> None:
        borders = sorted({segment.base for segment in index.segments} - {0, index.tokens})
        reach = _reach(program) if borders else 0
        self.is_exact = reach < LONGEST
        """Whether no match can be too long."""
        self.zones: list[Zone] = []
        if reach:
            length = min(reach + 1, LONGEST)
            middles = [0, *((low + high) // 2 for low, high in pairwise(borders)), index.tokens]
            for border, before, behind in zip(borders, middles[:-1], middles[1:], strict=True):
                low, high = max(border - 2 * length, before), min(border + 2 * length, behind)
                self.zones.append(Zone(low, high, border, length))

    def behind(self, place: int) -> list[Zone]:
        """The zone of the border at a global position, if there is one."""
        return [zone for zone in self.zones if zone.border == place]

    def settled_end(self, place: int) -> int:
        """Up to where no hit can still come, once everything before a global position has been searched: hits of a zone come
        from its seam, or behind it from the next segment."""
        return min((zone.low for zone in self.zones if zone.low <= place < zone.high), default=place)

    def own(self, table: HitTable) -> HitTable:
        """The hits of a segment, in global positions, that no seam answers for."""
        if not self.zones or not len(table):
            return table
        elsewhere = np.zeros(len(table), np.bool_)
        for zone in self.zones:
            if table.starts[0] < zone.high and zone.low <= table.starts[-1]:
                elsewhere |= zone.chooses(table)
        return table.take(np.flatnonzero(~elsewhere)) if elsewhere.any() else table


def _reach(program: Program) -> int:
    """How many tokens behind or before its first one a match depends on; 0 where it cannot depend on another segment."""
    if isinstance(program.outline.core, Relation | Root | Span):
        return 0  # trees do not cross sentences
    reach = _core_reach(program)
    for number, step in enumerate(program.outline.steps):
        if isinstance(step, Filter):
            reach = max(reach, _reach(program.filters[number]))
        elif isinstance(step, Expand) and step.structure is None:
            longest = _longest(program)  # a hit that may not cross a border may do so when it has grown on either side
            reach = LONGEST if longest is None else max(reach, longest - 1) + 2 * step.count
        elif isinstance(step, Expand) and (reach or step.count > 1):
            reach = LONGEST  # nobody knows how long regions are
    return min(reach, LONGEST)


def _longest(program: Program) -> int | None:
    """The most tokens of a hit before it grows; None where nobody knows."""
    if program.automaton is not None:
        return program.automaton.lengths()[1]
    return 1 if isinstance(program.outline.core, Meet | Union) else None


def _core_reach(program: Program) -> int:
    if program.automaton is None:
        return _span_reach(program.outline.core)
    in_regions = any(scope.marks and scope.count is None for scope in program.scopes)
    if in_regions and not program.looks and not _tests_neighbours(program.automaton):
        return 0  # regions end with their segment; what is tested beside a match may not
    longest = program.automaton.lengths()[1]
    limits = [scope.count + 1 for scope in program.scopes if scope.count is not None and not scope.marks]
    length = min([LONGEST if longest is None else longest, *limits])
    looks = [_core_reach(look) + 1 for look in program.looks]
    tests = [test for state in program.automaton.states for test in state.term]
    beside = any(isinstance(test, PlaceTest) and test.kind != "inside" for test in tests)
    beside = beside or _tests_next_token(program.automaton)
    return max(length - 1, int(beside)) + max(looks, default=0)


def _tests_neighbours(automaton: Automaton) -> bool:
    """Whether a match may depend on regions that end before it or begin behind it, or on the token behind it."""
    before = [automaton.states[number].term for number, _ in automaton.first]
    behind = [automaton.states[number].term for number in automaton.final]
    return _has_test(before, "close") or _has_test(behind, "open") or _tests_next_token(automaton)


def _tests_next_token(automaton: Automaton) -> bool:
    """Whether the token behind a match is tested, as by ``[: :]``."""
    behind = [automaton.states[number].term for number in automaton.final]
    return any(not isinstance(test, PlaceTest | LookTest) for term in behind for test in term)


def _has_test(terms: list[Term], kind: str) -> bool:
    return any(isinstance(test, PlaceTest) and test.kind == kind for term in terms for test in term)


def _span_reach(pattern: Pattern) -> int:
    match pattern:
        case Region() | TokenPattern() | Labelled(_, TokenPattern()):
            return 0
        case Meet(left, right, low, high, structure):
            window = 0 if structure is not None else max(abs(low), abs(high))
            return window + max(_span_reach(left), _span_reach(right))
        case Union(left, right):
            return max(_span_reach(left), _span_reach(right))
        case _:
            return LONGEST
