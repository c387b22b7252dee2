"""The hits of a program in one segment: matches, then those that the strategy chooses."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

import numpy as np

from paberki.query.index.segment import Segment
from paberki.query.matching.automata.evaluator import Evaluator
from paberki.query.matching.budget import BudgetWatch
from paberki.query.matching.combining.relations import Relations
from paberki.query.matching.conditions.predicates import ValueTest
from paberki.query.matching.hit_table import HitTable
from paberki.query.matching.matches import Matches
from paberki.query.matching.program import Program
from paberki.query.matching.spans import SpanAlgebra, region_spans
from paberki.query.matching.starting.narrowing import rare_content, rare_surroundings
from paberki.query.matching.strategies import Chooser, best_per_start
from paberki.query.syntax.tree import Meet, Region, Relation, Root, Span, Table, Union

_FIRST_STRETCH: Final = 1 << 18
_UNCHOSEN: Final = (Relation, Root, Span, Meet, Union, Table)
"""Cores whose every match is a hit."""


class SegmentSearch:
    """A program on a segment."""

    def __init__(self, program: Program, segment: Segment, clock: BudgetWatch) -> None:
        self._program, self._segment, self._clock = program, segment, clock
        self._core = program.outline.core

    @cached_property
    def _matches(self) -> Matches:
        near = rare_surroundings(self._program, self._segment, self._clock)
        return Matches(self._program, self._segment, self._clock, near)

    def counts(self) -> Iterator[tuple[int, int]] | None:
        """Numbers of hits and how far the search is, where hits need not be made; else None."""
        if self._program.automaton is None or isinstance(self._core, Region):
            return None
        number = _token_count(self._program, self._segment, self._clock)
        if number is not None:
            return iter([(number, self._segment.tokens)])
        return self._matches.counts() if self._matches.countable else None

    def chunks(self) -> Iterator[tuple[HitTable, int]]:
        """Hits in order, with the position up to which the segment is searched."""
        if isinstance(self._core, Region):
            yield from self._region_chunks()
        elif self._program.automaton is not None:
            yield from self._automaton_chunks()
        elif (
            isinstance(self._core, Relation | Root)
            and not self._program.scopes
            and not self._program.outline.constraints
        ):
            yield from Relations(self._program.names, self._segment, self._clock).chunks(self._core)
        else:
            tables = SpanAlgebra(self._program, self._segment, self._clock).chunks()
            yield from tables if isinstance(self._core, _UNCHOSEN) else self._chosen_hits(tables)

    def _region_chunks(self) -> Iterator[tuple[HitTable, int]]:
        """Regions a stretch of the segment at a time, as the first hits may be all that is asked for."""
        if self._program.outline.constraints:
            yield (
                self._choose_all(SpanAlgebra(self._program, self._segment, self._clock).matches()),
                self._segment.tokens,
            )
            return
        chooser = Chooser(self._program.strategy)
        low, size = 0, _FIRST_STRETCH
        content = rare_content(self._program, self._segment, self._clock)
        while low < self._segment.tokens:
            self._clock.check()
            high = min(low + size, self._segment.tokens)
            near = None if content is None else content.between(low, high)
            table = region_spans(self._program, self._segment, low, high, near)
            table = table.take(np.flatnonzero(table.starts >= low))
            table = table.take(best_per_start(table.starts, table.ends, self._program.strategy))
            yield chooser.choose(table, high), high
            low, size = high, size * 4
        rest = chooser.finish()
        if rest is not None and len(rest):
            yield rest, self._segment.tokens

    def _chosen_hits(self, tables: Iterator[tuple[HitTable, int]]) -> Iterator[tuple[HitTable, int]]:
        """Of spans that come in order, those that the strategy chooses."""
        chooser = Chooser(self._program.strategy)
        for table, searched_end in tables:
            table = table.take(best_per_start(table.starts, table.ends, self._program.strategy))
            yield chooser.choose(table, searched_end), searched_end
        rest = chooser.finish()
        if rest is not None and len(rest):
            yield rest, self._segment.tokens

    def _choose_all(self, table: HitTable) -> HitTable:
        """Of all spans at once, those that the strategy chooses."""
        table = table.take(best_per_start(table.starts, table.ends, self._program.strategy))
        return Chooser(self._program.strategy).choose(table, self._segment.tokens + 1)

    def _automaton_chunks(self) -> Iterator[tuple[HitTable, int]]:
        matches = self._matches
        chooser = Chooser(self._program.strategy)
        for table, searched_end in matches.chunks():
            yield matches.with_labels(chooser.choose(table, searched_end)), searched_end
        rest = chooser.finish()
        if rest is not None and len(rest):
            yield matches.with_labels(rest), self._segment.tokens


def _token_count(program: Program, segment: Segment, clock: BudgetWatch) -> int | None:
    """The number of hits where it needs no search: one token with conditions on one attribute."""
    automaton = program.automaton
    if automaton is None or len(automaton.states) != 2 or automaton.lengths() != (1, 1):
        return None
    if program.scopes or program.looks or program.enumerates:
        return None
    tests = [test for state in automaton.states for test in state.term]
    if not tests:
        return segment.tokens
    if len(tests) == 1 and isinstance(tests[0], ValueTest):
        return Evaluator(segment, program.names.index, clock).estimate(tests[0])
    return None
