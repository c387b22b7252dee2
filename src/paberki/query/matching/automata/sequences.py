"""Runs an automaton over a segment: everywhere (a sweep over windows), or from chosen starts.

A run sees tokens up to a *lookahead*: as many as a match can have, or some dozens where there is no limit. Runs that are
still alive there are followed further (:mod:`paberki.query.matching.automata.continuation`) or, where all their ends are asked for,
taken up again with eight times as much.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.kernels import load
from paberki.query.matching.automata.automaton import Automaton
from paberki.query.matching.automata.continuation import Continuation
from paberki.query.matching.automata.evaluator import Evaluator, Masks
from paberki.query.matching.budget import BudgetWatch, Exhausted
from paberki.query.matching.conditions.id_set import Bools
from paberki.query.matching.conditions.predicates import SimpleTest, ValueTest
from paberki.query.matching.distinct import distinct
from paberki.query.matching.starting.prefix_rows import PrefixRows, prefix_rows
from paberki.query.matching.starting.starting_places import Anchor, anchor

Places = npt.NDArray[np.int64]
Spans = tuple[Places, Places]
Limits = Callable[[Places], Places]
"""For each start the position that a match may not go beyond."""

KERNEL: Final = "paberki.query.matching.automata.automaton_kernel"
EARLIEST, LATEST, EVERY = 0, 1, 2
_OPEN: Final = -2
_LOOKAHEAD: Final = 64
_SHORT_LOOKAHEAD: Final = 16
"""The same where runs end early, and those that do not are followed together: with the earliest end of each start."""
_LONGEST_LOOKAHEAD: Final = 4096
_FURTHEST: Final = 1 << 21
"""Tokens that are looked at from one start where all ends are asked for; a match with more of them ends the search."""
_LIGHT: Final = 256
_SPARSE: Final = 64
"""Starts are few where one in so many tokens is one."""
_BATCH: Final = 1 << 20
"""Positions that are looked at in one go."""


class Sequences:
    """An automaton and a segment."""

    def __init__(self, evaluator: Evaluator, automaton: Automaton, looks: list[Sequences], clock: BudgetWatch) -> None:
        self.evaluator, self.automaton = evaluator, automaton
        self._looks, self._clock = looks, clock
        self.masks = Masks(evaluator, automaton, self.look)
        self._tokens = evaluator.tokens
        self.shortest, self.longest = automaton.lengths()
        self._narrow = automaton.words == 1
        self._tables = automaton.narrow() if self._narrow else automaton.wide()
        self._chain = _chain(automaton) if self._narrow else None
        self.weight = max(1, automaton.transitions * automaton.words // _LIGHT)
        """How much more work a step is than for a usual query; stretches of text are so much shorter."""
        is_bounded = self.longest is not None and self.longest <= _LONGEST_LOOKAHEAD
        self._most = self.longest if is_bounded else None
        self._bytes = np.zeros(0, np.uint8)
        self._is_prefix_dense = False

    def _lookahead(self, mode: int) -> int:
        """How many tokens a run sees at first."""
        if self._most is not None:
            return self._most
        return min(_LOOKAHEAD, _SHORT_LOOKAHEAD) if mode == EARLIEST and self._narrow else _LOOKAHEAD

    @property
    def is_chain(self) -> bool:
        """Whether every match is the same row of tests, one per token."""
        return self._chain is not None

    @cached_property
    def _prefix(self) -> PrefixRows | None:
        return prefix_rows(self.automaton, self.evaluator)

    @property
    def has_sparse_prefix(self) -> bool:
        """Whether few positions have the tokens that every match begins with, as far as the search is."""
        return not self.is_chain and not self._is_prefix_dense and self._prefix is not None

    def sweep_count(self, low: int, high: int) -> int:
        """Number of matches of a chain whose start is from ``low`` to ``high``."""
        assert self.longest is not None
        stop = min(high, self._tokens - self.longest + 1)
        if stop <= low:
            return 0
        if self.masks.fits_bytes:
            return self._chain_rows(low, stop)[1]
        fails = self.masks.between(low, stop + self.longest - 1)
        return int(load(KERNEL).fixed_sequences(fails, stop - low, self.longest, np.zeros(0, np.int64)))

    def _chain_rows(self, low: int, stop: int) -> tuple[Bools, int]:
        """Whether a chain matches at each position from ``low`` to ``stop``, and how often it does."""
        assert self.longest is not None
        tokens = stop + self.longest - 1 - low
        if len(self._bytes) < 2 * tokens:  # new memory at each window would take as long as the search
            self._bytes = np.empty(2 * tokens, np.uint8)
        fails, out = self._bytes[:tokens], self._bytes[tokens : tokens + stop - low]
        self.masks.fill_bytes(low, fails)
        count = int(load(KERNEL).fixed_rows(fails, stop - low, self.longest, out))
        return out.view(np.bool_), count

    def sweep(self, low: int, high: int, limits: Limits | None, mode: int) -> Spans:
        """Starts and ends of matches whose start is from ``low`` to ``high``."""
        if self.is_chain and limits is None:
            return self._sweep_chain(low, high)
        if self.has_sparse_prefix:
            assert self._prefix is not None
            starts = self._prefix.starts(low, high)
            if len(starts) * _SPARSE <= high - low:
                return self.from_starts(starts, limits, mode)
            self._is_prefix_dense = True
        lookahead = self._lookahead(mode)
        reach = min(high + lookahead, self._tokens)
        fails = self.masks.between(low, reach + 1)
        begins = self._begins(fails, high - low)
        if limits is not None:
            bounds = limits(begins + low)
            begins, bounds = begins[bounds > 0], bounds[bounds > 0]
        else:
            bounds = np.full(len(begins), self._tokens, np.int64)
        return self._run(fails, begins, begins + low, bounds, lookahead, mode)

    def _sweep_chain(self, low: int, high: int) -> Spans:
        assert self.longest is not None
        stop = min(high, self._tokens - self.longest + 1)
        if stop <= low:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        if self.masks.fits_bytes:
            rows, count = self._chain_rows(low, stop)
            starts = np.flatnonzero(rows) + low if count else np.zeros(0, np.int64)
            return starts, starts + self.longest
        fails = self.masks.between(low, stop + self.longest - 1)
        out = np.empty(stop - low + 1, np.int64)
        count = load(KERNEL).fixed_sequences(fails, stop - low, self.longest, out)
        starts = out[:count] + low
        return starts, starts + self.longest

    def _begins(self, fails: npt.NDArray[np.uint64], count: int) -> Places:
        if self._narrow:
            out = np.empty(count + 1, np.int64)
            return out[: load(KERNEL).begins_of(fails, int(self._tables[0]), count, out)]
        return np.flatnonzero(((~fails[:count]) & self._tables[0]).any(axis=1))

    def beginning(self, starts: Places) -> Places:
        """The positions at which a match can take its first step."""
        fails = self.masks.at(starts, np.zeros(len(starts), np.int64))
        matching_states = ~fails & self._tables[0]
        return np.asarray(starts[matching_states != 0 if self._narrow else matching_states.any(axis=1)])

    def from_starts(
        self,
        starts: Places,
        limits: Limits | None,
        mode: int,
        sure_tests: frozenset[tuple[int, SimpleTest]] = frozenset(),
    ) -> Spans:
        """Starts and ends of matches that start at one of these positions.

        ``sure_tests`` are tests, with their offset from the start, that hold at all of them.
        """
        starts = starts[starts <= self._tokens - max(self.shortest, 1)]
        if self._chain is not None:
            return self._filter_chain(starts, limits, sure_tests)
        bounds = np.full(len(starts), self._tokens, np.int64) if limits is None else limits(starts)
        starts, bounds = starts[bounds > starts], bounds[bounds > starts]
        skip = frozenset(test.attribute for offset, test in sure_tests if offset == 0 and isinstance(test, ValueTest))
        if len(self.automaton.first) > 1 or not skip:
            return self._in_batches(starts, bounds, self._lookahead(mode), mode)
        return self._in_batches(starts, bounds, self._lookahead(mode), mode, skip)

    def _filter_chain(
        self, starts: Places, limits: Limits | None, sure_tests: frozenset[tuple[int, SimpleTest]]
    ) -> Spans:
        assert self._chain is not None
        assert self.longest is not None
        for offset, test in self._chain:
            if (offset, test) not in sure_tests:
                starts = starts[self.evaluator.holds(test, starts + offset, self.look)]
        if limits is not None:
            starts = starts[starts + self.longest <= limits(starts)]
        return starts, starts + self.longest

    def _in_batches(
        self, starts: Places, bounds: Places, lookahead: int, mode: int, skip: frozenset[str] = frozenset()
    ) -> Spans:
        if lookahead > _FURTHEST:
            raise Exhausted
        parts = []
        step = max(1, _BATCH // (lookahead + 1) // (self.weight * (8 if mode == EVERY else 1)))
        for at in range(0, len(starts), step):
            self._clock.check()
            parts.append(self._spans_of_batch(starts[at : at + step], bounds[at : at + step], lookahead, mode, skip))
        return _join(parts)

    def _spans_of_batch(self, starts: Places, bounds: Places, lookahead: int, mode: int, skip: frozenset[str]) -> Spans:
        """Runs over stretches of text that begin at the starts, put one after another."""
        lengths = np.minimum(bounds - starts, lookahead) + 1
        edges = np.concatenate([[0], np.cumsum(lengths)])
        self._clock.room(int(edges[-1]) * 40)
        places = np.arange(edges[-1], dtype=np.int64) + np.repeat(starts - edges[:-1], lengths)
        fails = self.masks.at(places, places - np.repeat(starts, lengths), skip)
        return self._run(fails, edges[:-1], starts, bounds, lookahead, mode)

    def _run(
        self, fails: npt.NDArray[np.uint64], begins: Places, starts: Places, bounds: Places, lookahead: int, mode: int
    ) -> Spans:
        """``begins`` are where the starts are in the masks."""
        available = np.minimum(bounds - starts, self._tokens - starts)
        are_open = available > lookahead
        if self.longest is not None and self.longest <= lookahead:
            are_open[:] = False
        lengths = np.minimum(available, lookahead)
        lengths[are_open] *= -1
        if self._narrow and mode != EVERY:
            return self._run_narrow(fails, np.stack([begins, starts, lengths], 1), bounds, mode)
        numbers, ends = self._kernel(fails, begins, lengths, mode)
        unclear = distinct(numbers[ends == _OPEN])
        good = ends > 0
        if not len(unclear):
            return starts[numbers[good]], starts[numbers[good]] + ends[good]
        good &= ~np.isin(numbers, unclear)
        again = self._in_batches(starts[unclear], bounds[unclear], lookahead * 8, mode)
        return _merge((starts[numbers[good]], starts[numbers[good]] + ends[good]), again)

    def _run_narrow(self, fails: npt.NDArray[np.uint64], runs: Places, bounds: Places, mode: int) -> Spans:
        """One end per start; runs that are still alive where they are cut off are followed further."""
        ends, alive = self._ends(fails, runs, np.full(len(runs), self._tables[0]), mode)
        open_runs = np.flatnonzero(alive)
        places = runs[:, 1] + np.abs(runs[:, 2])
        while len(open_runs):
            now = open_runs if mode == EARLIEST else open_runs[:1]
            ends[now] = np.maximum(ends[now], self._continuation.ends(places[now], alive[now], bounds[now], mode))
            open_runs = open_runs[len(now) :]
            if len(open_runs):  # what cannot go beyond an end that was found is no longest match
                ends[open_runs[bounds[open_runs] <= ends[now[0]]]] = -1
                open_runs = open_runs[bounds[open_runs] > ends[now[0]]]
        good = ends > 0
        return runs[good, 1], ends[good]

    def _ends(
        self, fails: npt.NDArray[np.uint64], runs: Places, firsts: npt.NDArray[np.uint64], mode: int
    ) -> tuple[Places, npt.NDArray[np.uint64]]:
        """Ends as positions, −1 for none, and the states in which runs were cut off."""
        ends, alive = np.empty(len(runs), np.int64), np.empty(len(runs), np.uint64)
        load(KERNEL).run(fails, np.ascontiguousarray(runs), firsts, self._tables, mode, ends, alive)
        return np.where(ends > 0, ends + runs[:, 1], -1), alive

    @cached_property
    def _continuation(self) -> Continuation:
        return Continuation(self.masks, self._ends, self._tokens, self._clock)

    def _kernel(self, fails: npt.NDArray[np.uint64], begins: Places, lengths: Places, mode: int) -> Spans:
        """Numbers of begins and ends relative to them, −2 for what is unclear."""
        kernels = load(KERNEL)
        begins = np.ascontiguousarray(begins)
        room = 2 * len(begins) + 16
        while True:
            numbers, ends = np.empty(room, np.int64), np.empty(room, np.int64)
            if self._narrow:
                count = kernels.run_every(fails, begins, lengths, self._tables, numbers, ends)
            else:
                sets = np.zeros((2, self.automaton.words), np.uint64)
                count = kernels.run_wide(fails, begins, lengths, self._tables, mode, sets, numbers, ends)
            if count <= room:
                return numbers[:count], ends[:count]
            self._clock.room(count * 16)
            room = count

    def look(self, number: int, places: Places) -> Bools:
        """Whether a look-around pattern holds at positions."""
        pattern = self._looks[number]
        empty = pattern.holds_empty(places)
        return empty if empty.all() else empty | self._look_from(pattern, number, places)

    def holds_empty(self, places: Places) -> Bools:
        """Whether a match of nothing at all is possible at positions, as that of a tag is."""
        answers = np.zeros(len(places), np.bool_)
        for number, _ in self.automaton.first:
            if number in self.automaton.final:
                good = np.ones(len(places), np.bool_)
                for test in self.automaton.states[number].term:
                    good &= self.evaluator.holds(test, places, self.look)
                answers |= good
        return answers

    def _look_from(self, pattern: Sequences, number: int, places: Places) -> Bools:
        places, inverse = _each_once(places)
        if not self.automaton.looks[number].behind:
            starts, _ = pattern.from_starts(pattern.possible_starts(places), None, EARLIEST)
            answers = np.isin(places, starts)
        else:
            assert pattern.longest is not None
            before = np.arange(max(pattern.shortest, 1), max(pattern.longest, 1) + 1)
            starts = distinct(places[:, None] - before[None, :])
            _, ends = pattern.from_starts(pattern.possible_starts(starts[starts >= 0]), None, EVERY)
            answers = np.isin(places, ends)
        return answers if inverse is None else answers[inverse]

    def possible_starts(self, places: Places) -> Places:
        """Those of some positions at which a match may begin, if its rarest token tells; else all."""
        if self._anchor is None or not len(places):
            return places
        low, high = int(places[0]), int(places[-1]) + 1
        if self._anchor.count * (high - low) > len(places) * self._tokens:
            return places
        starts = self._anchor.starts(self.evaluator, low, high)
        numbers = np.searchsorted(places, starts)
        return np.asarray(starts[places[np.minimum(numbers, len(places) - 1)] == starts])

    @cached_property
    def _anchor(self) -> Anchor | None:
        return anchor(self.automaton, self.evaluator)


def _each_once(places: Places) -> tuple[Places, Places | None]:
    """Positions in rising order, and which of them each was; None where they were in that order."""
    if len(places) < 2 or bool((places[1:] > places[:-1]).all()):
        return places, None
    unique, inverse = np.unique(places, return_inverse=True)
    return unique, inverse


def _chain(automaton: Automaton) -> list[tuple[int, SimpleTest]] | None:
    """Tests with their offsets if each state has one successor, else None; equal tests of neighbours are kept."""
    count = len(automaton.states) - 1
    straight = [number for number, _ in automaton.first] == [0] and all(
        [target for target, _ in automaton.following[number]] == [number + 1] for number in range(count)
    )
    if not straight or automaton.final != {count} or automaton.states[count].term:
        return None
    return [(number, test) for number, state in enumerate(automaton.states) for test in state.term]


def _join(parts: list[Any]) -> Spans:
    if not parts:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    if len(parts) == 1:
        return parts[0]  # type: ignore[no-any-return]
    return np.concatenate([one for one, _ in parts]), np.concatenate([one for _, one in parts])


def _merge(left: Spans, right: Spans) -> Spans:
    """Spans of both in the order of starts and ends."""
    starts, ends = np.concatenate([left[0], right[0]]), np.concatenate([left[1], right[1]])
    order = np.lexsort((ends, starts))
    return starts[order], ends[order]
