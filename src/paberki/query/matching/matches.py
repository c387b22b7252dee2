"""Matches of a pattern of tokens in a segment, a stretch at a time, with the labels they have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.query.index.segment import Segment
from paberki.query.matching.automata.bindings import Binder, Bindings
from paberki.query.matching.automata.evaluator import Evaluator, Masks
from paberki.query.matching.automata.sequences import EARLIEST, LATEST, Limits, Sequences, Spans
from paberki.query.matching.budget import BudgetWatch
from paberki.query.matching.combining.constraints import Constraint
from paberki.query.matching.conditions.predicates import PlaceTest
from paberki.query.matching.conditions.regions import RegionSet
from paberki.query.matching.hit_table import HitTable, concatenate
from paberki.query.matching.open_gaps import Followers, split_at_gap
from paberki.query.matching.program import MatchScope, Program
from paberki.query.matching.starting.region_starts import StretchStarts, region_starts
from paberki.query.matching.starting.sieve import sieve
from paberki.query.matching.starting.start_sources import StartSource, start_source
from paberki.query.matching.starting.starting_places import Necessity, anchor, necessity
from paberki.query.matching.strategies import MODES, best_per_start

Places = npt.NDArray[np.int64]

_FIRST_WINDOW: Final = 1 << 14
_WINDOW: Final = 1 << 17
_BYTE_WINDOW: Final = 1 << 19
"""The same where a token takes a byte."""
_WIDE_WINDOW: Final = 1 << 22
"""The same where little is found in many tokens."""
_STARTS: Final = 1 << 16
"""Starts that are taken up at once where matches begin at an anchor."""
_FEW_STARTS: Final = 256
"""The same where a start may have many ways."""
_LONGEST_LOOKAHEAD: Final = 1 << 22
_VAIN: Final = 1 << 22
"""Tokens that are searched before it is asked where matches can be at all."""
_SWEPT: Final = 256
"""To run an automaton from one start takes as long as to sweep so many tokens for rows of bytes."""
_RARE: Final = 100
"""What stands behind an open gap is rare where at most one token in so many can begin it."""


class Matches:
    """A program with an automaton on a segment."""

    def __init__(
        self, program: Program, segment: Segment, clock: BudgetWatch, surroundings: RegionSet | None = None
    ) -> None:
        """``surroundings`` are stretches of the segment in which matches are asked for, if others are of no interest."""
        assert program.automaton is not None
        self._program, self._segment, self._clock = program, segment, clock
        self.evaluator = Evaluator(segment, program.names.index, clock)
        self.sequences = _sequences(program, self.evaluator, clock)
        self._anchor = anchor(program.automaton, self.evaluator)
        is_short = self._anchor is not None and self.sequences.longest is not None
        self._necessity = None if is_short else necessity(program.automaton, self.evaluator)
        self.limits = limits_of(program.scopes, self.evaluator, self._necessity)
        self._inside = [scoped_regions(scope, self.evaluator) for scope in program.scopes if len(scope.marks) == 1]
        self._mode = LATEST if program.strategy == "furthest" else MODES[program.strategy]
        self._binder: Binder | None = None
        self._source: StartSource | None = None
        if surroundings is not None and surroundings.covered_tokens < self.starts_at_most:
            self._source = StretchStarts(surroundings, self.sequences)
        else:
            self._source = region_starts(self._held_regions(), self.sequences, self._necessity)
        self._gap = None if self._source is not None else self._open_gap()
        if self._gap is None and self._source is None and self.starts_at_most * _RARE > segment.tokens:
            self._source = start_source(program, self.sequences, self.binder.offsets, self._anchor, self._necessity)
        is_rare = self.starts_at_most * _RARE < segment.tokens
        self._sieve = None if is_rare else sieve(program.automaton, self.evaluator)
        self._is_sifted = self._sieve is not None and self._sieve.is_made
        """Whether the sieve is asked; it takes time to make, and the first hits may come soon."""

    def _held_regions(self) -> list[RegionSet]:
        """Regions of which a match may not leave the one that it begins in."""
        scopes = [scope for scope in self._program.scopes if scope.count is None and len(scope.marks) == 1]
        return [scoped_regions(scope, self.evaluator) for scope in scopes]

    def _open_gap(self) -> tuple[Matches, Followers, int] | None:
        """What stands before and behind an open gap, where the latter is rare: else the next one is soon found."""
        gap = split_at_gap(self._program) if self._mode == EARLIEST else None
        if gap is None:
            return None
        right = Matches(gap.right, self._segment, self._clock)
        if right._necessity is None and right.starts_at_most * _RARE > self._segment.tokens:
            return None
        return Matches(gap.left, self._segment, self._clock), Followers(right), gap.fewest

    @property
    def binder(self) -> Binder:
        """Finds labels."""
        if self._binder is None:
            automaton = self._program.automaton
            assert automaton is not None
            masks = Masks(self.evaluator, automaton, self.sequences.look)
            self._binder = Binder(self.evaluator, automaton, masks, self._clock)
        return self._binder

    def windows(self, low: int = 0, high: int | None = None) -> Iterator[tuple[int, int]]:
        """Stretches of the segment in order, small ones first, so that the first hits come soon."""
        high = self._segment.tokens if high is None else high
        size, largest = self._window_sizes()
        if self.sequences.weight > 1:
            size, largest = max(256, size // self.sequences.weight), max(256, largest // self.sequences.weight)
        first = low
        while (low := self._next_start(low, high)) < high:
            stop = min(low + size, high)
            if self._sieve is not None and not self._is_sifted and stop - first > _VAIN:
                self._is_sifted = True
                continue
            if high - stop < size // 2:
                stop = high
            if self._sieve is not None and self._is_sifted:
                stop = min(stop, self._sieve.end_behind(low))
            yield low, stop
            low, size = stop, min(size * 4, max(largest, _BYTE_WINDOW) if self._sweeps_rows else largest)

    def _window_sizes(self) -> tuple[int, int]:
        """Tokens of the first and of the largest window."""
        if self._source is not None and self._source.most is None:
            return _FIRST_WINDOW, _WIDE_WINDOW
        if self._source is not None or self._anchor is not None:
            per_token = max(self.starts_at_most, 1) / max(self._segment.tokens, 1)
            size = max(_FIRST_WINDOW, int(_STARTS / 8 / per_token))
            return size, size if self._anchor is None else max(_WINDOW, int(_STARTS / per_token))
        if self.sequences.is_chain and self.sequences.masks.fits_bytes:
            return _FIRST_WINDOW, _BYTE_WINDOW
        return _FIRST_WINDOW, _WINDOW

    @property
    def _sweeps_rows(self) -> bool:
        """Whether rows of bytes tell where matches begin, sooner than an anchor that is not rare."""
        if self._source is not None or self.starts_at_most * _SWEPT <= self.evaluator.tokens:
            return False
        return self.sequences.has_sparse_prefix

    def _next_start(self, low: int, high: int) -> int:
        """The first position from ``low`` on where the query lets a match begin: few pages of many may be asked."""
        for regions in self._inside:
            place = regions.next_inside(low)
            if place is None:
                return high
            low = max(low, place)
        if self._is_sifted and self._sieve is not None:
            place = self._sieve.next_place(low)
            return high if place is None else place
        return low

    def counts(self) -> Iterator[tuple[int, int]]:
        """Numbers of matches and how far the search is, for chains that are swept: nothing is written down."""
        for low, high in self.windows():
            self._clock.check()
            yield self.sequences.sweep_count(low, high), high

    @property
    def starts_at_most(self) -> int:
        """How many positions are tried in the whole segment."""
        anchor = self._anchor
        if self._source is not None and self._source.most is not None:
            return self._source.most
        return self.evaluator.tokens if anchor is None else anchor.count * (1 + anchor.high - anchor.low)

    @property
    def is_impossible(self) -> bool:
        """Whether every match would need a token that this segment does not have."""
        necessary, anchor = self._necessity, self._anchor
        if self._is_sifted and self._sieve is not None and not self._sieve.stretches.any():
            return True
        return (necessary is not None and not len(necessary.positions)) or (anchor is not None and not anchor.count)

    @property
    def countable(self) -> bool:
        """Whether :meth:`counts` can be used."""
        return self.sequences.is_chain and self.limits is None and self._anchor is None and not self._program.enumerates

    def chunks(self, low: int = 0, high: int | None = None) -> Iterator[tuple[HitTable, int]]:
        """Spans in order of their starts, with the position up to which all are found."""
        if self.is_impossible:
            yield HitTable.empty(), self._segment.tokens
            return
        for begin, end in self.windows(low, high):
            self._clock.check()
            if self._program.enumerates:
                yield self._enumerate(begin, end), end
            else:
                yield HitTable(*self._spans(begin, end, self._mode)), end

    def _spans(self, low: int, high: int, mode: int) -> Spans:
        if self._gap is not None:
            return self._spans_with_gap(*self._gap, low, high)
        if self._source is not None:
            return self.sequences.from_starts(self._source.starts(low, high), self.limits, mode)
        if self._anchor is None or self._sweeps_rows:
            return self.sequences.sweep(low, high, self.limits, mode)
        starts = self._anchor.starts(self.evaluator, low, high)
        if self._anchor.is_wide:
            starts = self.sequences.beginning(starts)
        return self.sequences.from_starts(starts, self.limits, mode, self._anchor.sure_tests())

    def _spans_with_gap(self, left: Matches, followers: Followers, fewest: int, low: int, high: int) -> Spans:
        starts, ends = left._spans(low, high, EARLIEST)
        bounds = np.full(len(starts), self._segment.tokens, np.int64) if self.limits is None else self.limits(starts)
        possible = np.flatnonzero(ends < bounds)
        starts, bounds = starts[possible], bounds[possible]
        ends = followers.earliest_ends(ends[possible] + fewest)
        good = (ends >= 0) & (ends <= bounds)
        return starts[good], ends[good]

    def _enumerate(self, low: int, high: int) -> HitTable:
        """Matches with labels that satisfy the constraints."""
        starts, _ = self._spans(low, high, EARLIEST)
        bounds = np.full(len(starts), self._segment.tokens, np.int64) if self.limits is None else self.limits(starts)
        size = _STARTS if self.binder.longest is not None and self.binder.longest < 32 else _FEW_STARTS
        parts = [
            part
            for at in range(0, len(starts), size)
            for part in self._ways(starts[at : at + size], bounds[at : at + size])
        ]
        return self._distinct(concatenate(parts)) if parts else HitTable.empty()

    def _ways(self, starts: Places, bounds: Places) -> list[HitTable]:
        """Ways from some starts that satisfy the constraints, in the order of starts."""
        lookahead = self.binder.lookahead
        parts: list[HitTable] = []
        while len(starts):
            ways, unclear = self.binder.every(starts, bounds, lookahead)
            table = self._satisfying(ways)
            open_starts = starts[unclear]
            if self._mode == EARLIEST:
                open_starts = open_starts[~np.isin(open_starts, table.starts)]
            parts.append(table.take(np.flatnonzero(~np.isin(table.starts, open_starts))))
            are_open = np.isin(starts, open_starts)
            starts, bounds = starts[are_open], bounds[are_open]
            lookahead = min(lookahead * 8, _LONGEST_LOOKAHEAD)
        return parts if len(parts) < 2 else [_sort(parts)]

    def _satisfying(self, ways: Bindings) -> HitTable:
        table = with_registers(ways, self._labels())
        good = self._tags_hold(ways)
        for condition in self._program.outline.constraints:
            good &= satisfies(Constraint(self.evaluator, self._program.names), condition, table)
        return table.take(np.flatnonzero(good))

    def _labels(self) -> tuple[str, ...]:
        assert self._program.automaton is not None
        return self._program.automaton.labels

    def _tags_hold(self, ways: Bindings) -> npt.NDArray[np.bool_]:
        """Whether start and end tags of nested structures are of the same region."""
        good = np.ones(len(ways.starts), np.bool_)
        assert self._program.automaton is not None
        labels = self._labels()
        for label, (structure, condition) in self._program.automaton.tags.items():
            if f"{label}>" not in labels:
                continue
            regions = RegionSet.of(self._segment, structure, condition)
            first, last = ways.registers[:, labels.index(label)], ways.registers[:, labels.index(f"{label}>")]
            both = (first >= 0) & (last >= 0)
            good[both] &= regions.pairs_hold(first[both], last[both])
        return good

    def _distinct(self, table: HitTable) -> HitTable:
        """One row per span and, where labels count, per labels; by the strategy one end per start."""
        if self._program.dialect.captures_count and self._program.strategy == "all":
            keys = [*self._sortable(table), table.ends, table.starts]
        else:
            keys = [table.ends, table.starts]
        order = np.lexsort(keys)
        different = np.zeros(max(len(order), 1), np.bool_)
        different[0] = True
        for key in keys:
            different[1:] |= np.diff(key[order]) != 0
        table = table.take(order[different[: len(order)]])
        strategy = "longest" if self._program.strategy == "furthest" else self._program.strategy
        return table.take(best_per_start(table.starts, table.ends, strategy))

    @staticmethod
    def _sortable(table: HitTable) -> list[Places]:
        return [*table.label_ends.values(), *table.labels.values()]

    def with_labels(self, hits: HitTable) -> HitTable:
        """Chosen hits with their labels, if the query has any."""
        labels = self._labels()
        if self._program.enumerates or not any(_is_label(name) for name in labels) or not len(hits):
            return hits
        return with_registers(self.binder.preferred_ways(hits.starts, hits.ends), labels)


def _is_label(name: str) -> bool:
    return not name.startswith("<") and not name.endswith("<")


def with_registers(ways: Bindings, labels: tuple[str, ...]) -> HitTable:
    """Registers as labels. Labels of groups have an end of their own; empty groups are not set."""
    table = HitTable(ways.starts, ways.ends)
    for number, name in enumerate(labels):
        if not _is_label(name):
            continue
        places = ways.registers[:, number]
        ends = np.where(places < 0, -1, places + 1)
        if f"{name}<" in labels:
            ends = ways.registers[:, labels.index(f"{name}<")]
            empty = (ends <= places) | (places < 0)
            places, ends = np.where(empty, -1, places), np.where(empty, -1, ends)
        table.labels[name], table.label_ends[name] = places, ends
    return table


def satisfies(constraint: Constraint, condition: object, table: HitTable) -> npt.NDArray[np.bool_]:
    """Which hits satisfy a condition on labels."""
    labels = {"match": table.starts, "matchend": table.ends - 1, **table.labels}
    return constraint.holds(condition, labels, table.label_ends)  # type: ignore[arg-type]


def _sort(parts: list[HitTable]) -> HitTable:
    table = concatenate(parts)
    return table.take(np.argsort(table.starts, kind="stable"))


def _sequences(program: Program, evaluator: Evaluator, clock: BudgetWatch) -> Sequences:
    assert program.automaton is not None
    looks = [_sequences(look, evaluator, clock) for look in program.looks]
    return Sequences(evaluator, program.automaton, looks, clock)


def limits_of(scopes: list[MatchScope], evaluator: Evaluator, necessary: Necessity | None = None) -> Limits | None:
    """For each start the position that a match may not go beyond, 0 where it may not begin; None without limits."""
    if not scopes and necessary is None:
        return None

    def limits(starts: Places) -> Places:
        bounds = np.full(len(starts), evaluator.tokens, np.int64)
        for scope in scopes:
            bounds = np.minimum(bounds, _limit(scope, evaluator, starts))
        return bounds if necessary is None else necessary.limits(starts, bounds)

    return limits


def _limit(scope: MatchScope, evaluator: Evaluator, starts: Places) -> Places:
    if not scope.marks:
        assert scope.count is not None
        return np.asarray(starts + scope.count + 1)
    best = np.zeros(len(starts), np.int64)
    for mark in scope.marks:
        regions = evaluator.regions(PlaceTest("inside", mark.structure, mark.condition))
        ends = regions.limits(starts) if scope.count is None else regions.after(starts, scope.count)
        best = np.maximum(best, ends)
    return best


def scoped_regions(scope: MatchScope, evaluator: Evaluator) -> RegionSet:
    """The regions of a scope that has one kind of them."""
    (mark,) = scope.marks
    return evaluator.regions(PlaceTest("inside", mark.structure, mark.condition))
