"""Patterns that are more than rows of tokens: sequences of filtered spans, intersections, relations inside sequences.

Every part is found by itself, with every span that it matches, and spans are joined where one ends and the next begins. This
takes more time and memory than an automaton, so that only patterns that need it come here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.query.index.segment import Segment
from paberki.query.matching.automata.evaluator import Evaluator
from paberki.query.matching.automata.sequences import Spans
from paberki.query.matching.automata.thompson import tag_marks
from paberki.query.matching.budget import BudgetWatch
from paberki.query.matching.combining.constraints import Constraint
from paberki.query.matching.combining.cooccurrence import cooccurrences, table_rows
from paberki.query.matching.combining.joining import join, pair_rows, sort_spans
from paberki.query.matching.combining.relations import Relations
from paberki.query.matching.conditions.regions import RegionSet
from paberki.query.matching.distinct import distinct
from paberki.query.matching.hit_table import HitTable, concatenate
from paberki.query.matching.matches import Matches, limits_of, satisfies, scoped_regions
from paberki.query.matching.outline import is_plain
from paberki.query.matching.program import Program, compile_part
from paberki.query.matching.sequencing import Sequencer
from paberki.query.syntax.tree import (
    Both,
    Choice,
    Complement,
    Labelled,
    Meet,
    Pattern,
    Region,
    Relation,
    Repeat,
    Root,
    Sequence,
    Span,
    Table,
    Union,
)

Places = npt.NDArray[np.int64]

_FIRST_STRETCH: Final = 1 << 16
_LARGEST_STRETCH: Final = 1 << 22


def whole_spans(program: Program, segment: Segment, clock: BudgetWatch) -> Spans:
    """All spans of a program in a segment, sorted."""
    table = apply_steps(program, segment, clock, SpanAlgebra(program, segment, clock).matches())
    return table.starts, table.ends


def apply_steps(program: Program, segment: Segment, clock: BudgetWatch, spans: HitTable) -> HitTable:
    """Spans after the program's own steps."""
    from paberki.query.matching.match_steps import Steps

    return Steps(program, segment, clock).apply(spans)


def region_spans(
    program: Program, segment: Segment, low: int = 0, high: int | None = None, hits: HitTable | None = None
) -> HitTable:
    """The regions of a program whose core is one, those that touch a stretch of the segment; with ``hits``, which are in
    that stretch, at least those that touch a hit."""
    core = program.outline.core
    assert isinstance(core, Region)
    tables = []
    high = segment.tokens if high is None else high
    for mark in tag_marks(core, program.names):
        regions = RegionSet.of(segment, mark.structure, mark.condition)
        last = int(np.searchsorted(regions.starts, regions.starts.dtype.type(high)))
        first = int(np.searchsorted(regions.reach[:last], regions.starts.dtype.type(low), "right")) if low else 0
        rows = slice(first, last) if hits is None else _touching(regions, hits, first, last)
        tables.append(HitTable(regions.starts[rows].astype(np.int64), regions.ends[rows].astype(np.int64)))
    spans = sort_spans(concatenate(tables)) if len(tables) > 1 or _equal_starts(tables) else tables[0]
    return _in_scopes(program, Evaluator(segment, program.names.index), spans)


def _touching(regions: RegionSet, hits: HitTable, first: int, last: int) -> slice | Places:
    """Numbers of the regions that touch hits, or all from the first to the last where that is not much more."""
    kind = regions.starts.dtype
    begins = np.searchsorted(regions.reach[:last], hits.starts.astype(kind), "right")
    counts = np.searchsorted(regions.starts[:last], hits.ends.astype(kind)) - begins
    total = int(np.maximum(counts, 0).sum())
    if 2 * total >= last - first:
        return slice(first, last)
    counts = np.maximum(counts, 0)
    return distinct(np.repeat(begins - np.cumsum(counts) + counts, counts) + np.arange(total))


def _equal_starts(tables: list[HitTable]) -> bool:
    return any(bool(np.any(np.diff(one.starts) == 0)) for one in tables)


def _in_scopes(program: Program, evaluator: Evaluator, spans: HitTable) -> HitTable:
    limits = limits_of(program.scopes, evaluator)
    return spans if limits is None else spans.take(np.flatnonzero(limits(spans.starts) >= spans.ends))


def _positive(part: Pattern) -> Pattern:
    return part.part if isinstance(part, Complement) else part


def _between(matches: Matches, low: int, high: int) -> HitTable:
    """All matches that begin in a stretch, with their labels."""
    tables = [matches.with_labels(table) for table, _ in matches.chunks(low, high)]
    return concatenate(tables) if tables else HitTable.empty()


class SpanAlgebra:
    """Evaluates the core of a program on one segment."""

    def __init__(self, program: Program, segment: Segment, clock: BudgetWatch) -> None:
        self._program, self._segment, self._clock = program, segment, clock
        self._evaluator = Evaluator(segment, program.names.index, clock)

    def matches(self) -> HitTable:
        """All matches of the core that satisfy the program's constraints and lie in its scopes, in order."""
        return self._satisfying(self._core())

    def chunks(self) -> Iterator[tuple[HitTable, int]]:
        """The same, a stretch of the segment at a time where the core allows it, with the end of the stretch."""
        core = self._program.outline.core
        if isinstance(core, Relation | Root | Span):
            tables = Relations(self._program.names, self._segment, self._clock).chunks(core)
        elif isinstance(core, Meet | Union | Table):
            tables = self._stretches(core)
        elif isinstance(core, Both) and all(is_plain(_positive(part)) for part in core.parts):
            tables = self._both_in_stretches(core.parts)
        else:
            yield self.matches(), self._segment.tokens
            return
        for table, high in tables:
            self._clock.check()
            yield self._satisfying(table), high

    def _satisfying(self, spans: HitTable) -> HitTable:
        spans = _in_scopes(self._program, self._evaluator, spans)
        absolute = isinstance(self._program.outline.core, Relation | Root | Span)
        for condition in self._program.outline.constraints if len(spans) else ():
            constraint = Constraint(self._evaluator, self._program.names, absolute=absolute)
            spans = spans.take(np.flatnonzero(satisfies(constraint, condition, spans)))
        return spans

    def _core(self) -> HitTable:
        if isinstance(self._program.outline.core, Region):
            return region_spans(self._program, self._segment)
        return sort_spans(self._spans(self._program.outline.core))

    def _spans(self, pattern: Pattern) -> HitTable:
        self._clock.check()
        if is_plain(pattern):
            return self._plain(pattern)
        match pattern:
            case Sequence(parts):
                return Sequencer(self._program, self._segment, self._clock, self._spans).spans(parts)
            case Choice(parts):
                return concatenate([self._spans(part) for part in parts])
            case Both(parts):
                return self._both(parts)
            case Repeat(part, low, high):
                return self._repeat(part, low, high)
            case Labelled(label, part):
                table = self._spans(part)
                table.labels[label], table.label_ends[label] = table.starts.copy(), table.ends.copy()
                return table
            case Relation() | Root() | Span():
                return Relations(self._program.names, self._segment, self._clock).matches(pattern)
            case Meet() | Union() | Table():
                return self._near(pattern)
            case _:
                return self._part(pattern)

    def _regions_of_rows(self, pattern: Pattern) -> list[RegionSet]:
        """Regions that hits may not leave, where the hits are what a pattern matches."""
        if pattern is not self._program.outline.core:
            return []
        scopes = [scope for scope in self._program.scopes if scope.count is None and len(scope.marks) == 1]
        return [scoped_regions(scope, self._evaluator) for scope in scopes]

    def _stretches(self, pattern: Meet | Union | Table) -> Iterator[tuple[HitTable, int]]:
        """Tokens near each other, a stretch of the segment at a time."""
        if isinstance(pattern, Table):
            return table_rows(pattern, self._program.names, self._evaluator, self._regions_of_rows(pattern))
        return cooccurrences(pattern, self._program.names, self._evaluator)

    def _near(self, pattern: Meet | Union | Table) -> HitTable:
        parts, total = [], 0
        for table, _ in self._stretches(pattern):
            total += len(table)
            self._clock.room(total * 64)
            parts.append(table)
        return concatenate(parts)

    def _part(self, pattern: Pattern) -> HitTable:
        """A part with operations of its own, as in ``("a" within <np/>) "b"``."""
        program = compile_part(pattern, self._program)
        if program.automaton is not None and not isinstance(program.outline.core, Region):
            matches = Matches(program, self._segment, self._clock)
            spans = concatenate([matches.with_labels(table) for table, _ in matches.chunks()])
        else:
            spans = SpanAlgebra(program, self._segment, self._clock).matches()
        return apply_steps(program, self._segment, self._clock, spans)

    def _plain(self, pattern: Pattern) -> HitTable:
        program = compile_part(pattern, self._program)
        matches = Matches(program, self._segment, self._clock)
        parts = []
        total = 0
        for table, _ in matches.chunks():
            total += len(table)
            self._clock.room(total * 64)
            parts.append(matches.with_labels(table))
        return concatenate(parts) if parts else HitTable.empty()

    def _both_in_stretches(self, parts: tuple[Pattern, ...]) -> Iterator[tuple[HitTable, int]]:
        """Spans that match several patterns of tokens, with the end of the stretch in which they begin."""
        programs = {_positive(part): compile_part(_positive(part), self._program) for part in parts}
        all_matches = {part: Matches(one, self._segment, self._clock) for part, one in programs.items()}
        low, size = 0, _FIRST_STRETCH
        while low < self._segment.tokens:
            self._clock.check()
            high = min(low + size, self._segment.tokens)
            yield sort_spans(self._both(parts, lambda part: _between(all_matches[part], low, high))), high  # noqa: B023
            low, size = high, min(size * 4, _LARGEST_STRETCH)

    def _both(self, parts: tuple[Pattern, ...], find: Callable[[Pattern], HitTable] | None = None) -> HitTable:
        find = find or self._spans
        first, *others = sorted(parts, key=lambda part: isinstance(part, Complement))
        left = sort_spans(find(first))
        for part in others:
            right = sort_spans(find(_positive(part)))
            keys = right.starts << 32 | right.ends
            own = left.starts << 32 | left.ends
            if isinstance(part, Complement):
                left = left.take(np.flatnonzero(~np.isin(own, keys)))
                continue
            low, high = np.searchsorted(keys, own), np.searchsorted(keys, own, "right")
            left = pair_rows(left, right, low, high - low, self._clock.room)
            left.ends = left.starts + (left.ends - left.starts)
        return left

    def _repeat(self, part: Pattern, low: int, high: int | None) -> HitTable:
        once = sort_spans(self._spans(part))
        power, rounds = once, [once] if low <= 1 else []
        count = 1
        while len(power) and (high is None or count < high):
            self._clock.check()
            count += 1
            power = sort_spans(join(power, once, self._clock.room))
            if count >= low:
                rounds.append(power)
        return sort_spans(concatenate(rounds)) if rounds else HitTable.empty()
