"""Tests on the tokens and positions of one segment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.query.index.reader import Index
from paberki.query.index.segment import Segment
from paberki.query.matching.automata.automaton import WORD_BITS, Automaton
from paberki.query.matching.budget import BudgetWatch, watch
from paberki.query.matching.conditions.id_set import Bools, IdSet
from paberki.query.matching.conditions.names import Names
from paberki.query.matching.conditions.predicates import (
    FunctionTest,
    LookTest,
    NumberTest,
    PlaceTest,
    ReferenceTest,
    SimpleTest,
    ValueTest,
)
from paberki.query.matching.conditions.regions import RegionSet
from paberki.query.matching.conditions.remembered import Remembered
from paberki.query.matching.conditions.value_tests import frequencies, id_set

Places = npt.NDArray[np.int64]
Looker = Callable[[int, Places], Bools]
"""Whether a look-around pattern, by number, holds at positions."""

_DEEPEST: Final = 32
_BYTE_BITS: Final = 8
_MOST_TRANSITIONS: Final = 4096
_MANY: Final = 4096
"""Positions that follow each other are read as a stretch where there are more than these."""

_sets: Remembered[IdSet] = Remembered(64 << 20)
"""Sets of ids by segment, attribute and condition: patterns over large lexicons take milliseconds."""


class Evaluator:
    """Truth of tests at positions of a segment; position ``tokens``, behind the last token, exists for tags."""

    def __init__(self, segment: Segment, index: Index, clock: BudgetWatch | None = None) -> None:
        self.segment, self._index, self._clock = segment, index, clock
        self.tokens = segment.tokens
        self._regions: dict[PlaceTest, RegionSet] = {}

    def room(self, size_bytes: int) -> None:
        """End the search if time is over or so much memory is not to be had."""
        if self._clock is not None:
            self._clock.room(size_bytes)

    def id_set(self, test: ValueTest) -> IdSet:
        """The ids that satisfy a test."""
        if self._clock is not None:
            self._clock.check()
        key = (self._index.build, self.segment.digest, test)
        ids = _sets.get(key)
        if ids is None:
            attribute = self.segment.attribute(test.attribute)
            with watch(self._clock):
                ids = id_set(attribute, test.condition, lambda: frequencies(self._index, attribute))
            _sets.put(key, ids, ids.size)
        return ids

    def regions(self, test: PlaceTest) -> RegionSet:
        """The regions that a test is about."""
        if test not in self._regions:
            self._regions[test] = RegionSet.of(self.segment, test.structure, test.condition)
        return self._regions[test]

    def estimate(self, test: SimpleTest) -> int:
        """How many positions satisfy a test, at most."""
        if isinstance(test, ValueTest):
            return self.id_set(test).total(self.segment.attribute(test.attribute).counts)
        if isinstance(test, PlaceTest) and test.kind in ("open", "close", "last") and not test.negated:
            return self.regions(test).size
        if isinstance(test, PlaceTest) and test.kind == "inside":
            covered_tokens = self.regions(test).covered_tokens
            return self.tokens - covered_tokens if test.negated else covered_tokens
        if isinstance(test, NumberTest) and not test.negated:
            return min(self.tokens, max(0, test.last - test.first + 1))
        return self.tokens

    def positions(self, test: SimpleTest, low: int, high: int) -> Places:
        """Positions from ``low`` to ``high`` that satisfy a test, in order."""
        if isinstance(test, ValueTest):
            return self.segment.attribute(test.attribute).positions(self.id_set(test).ids, low, high)
        if isinstance(test, NumberTest):
            base = self.segment.base
            first, last = max(low, test.first - base), min(high, test.last - base + 1)
            return np.arange(first, max(first, last), dtype=np.int64)
        assert isinstance(test, PlaceTest)
        if test.kind == "inside":
            return self.regions(test).inside(max(low, 0), min(high, self.tokens), negated=test.negated)
        return self.regions(test).edges(test.kind, low, high)

    def holds(self, test: SimpleTest, places: Places, look: Looker | None = None) -> Bools:
        """Whether a test is true at each of these positions."""
        if isinstance(test, ValueTest):
            return self._values_hold(test, places)
        if isinstance(test, PlaceTest):
            return np.asarray(self.regions(test).holds(test.kind, places) != test.negated)
        if isinstance(test, NumberTest):
            base = self.segment.base
            inside = (places >= test.first - base) & (places <= test.last - base) & (places < self.tokens)
            return np.asarray(inside != test.negated)
        if isinstance(test, LookTest):
            assert look is not None
            return np.asarray(look(test.number, places) != test.negated)
        if isinstance(test, FunctionTest):
            return self._function_holds(test, places)
        assert isinstance(test, ReferenceTest)
        return np.ones(len(places), np.bool_)

    def _function_holds(self, test: FunctionTest, places: Places) -> Bools:
        from paberki.query.matching.combining.constraints import Constraint

        are_tokens = places < self.tokens
        tokens = places[are_tokens]
        answers = np.zeros(len(places), np.bool_)
        labels = {"match": tokens, "matchend": tokens}
        answers[are_tokens] = Constraint(self, Names(self._index)).holds(test.condition, labels, {}) != test.negated
        return answers

    def _values_hold(self, test: ValueTest, places: Places) -> Bools:
        attribute = self.segment.attribute(test.attribute)
        if len(places) and places[-1] >= self.tokens:
            are_tokens = places < self.tokens
            holds = np.zeros(len(places), np.bool_)
            holds[are_tokens] = self.id_set(test).holds(attribute.ids_at(places[are_tokens]))
            return holds
        if len(places) > _MANY and places[-1] - places[0] == len(places) - 1 and np.all(places[1:] > places[:-1]):
            answers = np.zeros(len(places), np.uint8)
            attribute.gather(self.id_set(test).table.view(np.uint8), int(places[0]), int(places[-1]) + 1, answers)
            return answers.view(np.bool_)
        return self.id_set(test).holds(attribute.ids_at(places))


class Masks:
    """Rows of bits for an automaton's states: 1 where a state's tests fail at a position."""

    def __init__(self, evaluator: Evaluator, automaton: Automaton, look: Looker) -> None:
        self._evaluator = evaluator
        self._look = look
        self._words = automaton.words
        self._tables: dict[tuple[str, int], npt.NDArray[np.uint64]] = {}
        self._values: dict[str, dict[ValueTest, list[int]]] = {}
        self._others: dict[SimpleTest, list[int]] = {}
        self._narrow_tables: dict[str, npt.NDArray[np.uint8]] = {}
        self._depths = _depths(automaton)
        for number, state in enumerate(automaton.states):
            for test in state.term:
                if isinstance(test, ValueTest):
                    self._values.setdefault(test.attribute, {}).setdefault(test, []).append(number)
                elif not isinstance(test, ReferenceTest):
                    self._others.setdefault(test, []).append(number)
        self._shares = {
            (name, word): [(test, bits) for test, numbers in tests.items() if (bits := _bits(numbers, word))]
            for name, tests in self._values.items()
            for word in range(self._words)
        }
        self.fits_bytes = len(automaton.states) <= _BYTE_BITS and not self._others
        """Whether there is a bit for each state in a byte, and only values of tokens are tested."""

    def between(self, low: int, high: int) -> npt.NDArray[np.uint64]:
        """Masks of the positions from ``low`` to ``high``, which may be one behind the last token."""
        tokens = self._evaluator.tokens
        out = np.zeros((self._words, high - low), np.uint64)
        for name in self._values:
            attribute = self._evaluator.segment.attribute(name)
            for word in range(self._words):
                table = self._table(name, word)
                if table is not None:
                    attribute.gather(table, low, min(high, tokens), out[word])
                if table is not None and high > tokens:
                    out[word, tokens - low :] |= np.bitwise_or.reduce(table) if len(table) else self._all(name, word)
        if self._others:
            self._add_others_between(low, high, out)
        return self._in_rows(out)

    def fill_bytes(self, low: int, out: npt.NDArray[np.uint8]) -> None:
        """The same for as many tokens as there are bytes to fill, where :attr:`fits_bytes`."""
        out[:] = 0
        for name in self._values:
            table = self._table(name, 0)
            if table is not None:
                if name not in self._narrow_tables:
                    self._narrow_tables[name] = table.astype(np.uint8)
                self._evaluator.segment.attribute(name).gather(self._narrow_tables[name], low, low + len(out), out)

    def _add_others_between(self, low: int, high: int, out: npt.NDArray[np.uint64]) -> None:
        """Edges of regions are looked up, as few positions are one; the other tests are asked position by position."""
        rest: dict[SimpleTest, list[int]] = {}
        for test, numbers in self._others.items():
            if not isinstance(test, PlaceTest) or test.kind not in ("open", "close", "last"):
                rest[test] = numbers
                continue
            edges = self._evaluator.regions(test).edges(test.kind, low, high) - low
            for word in range(self._words):
                if not (bits := _bits(numbers, word)):
                    continue
                if test.negated:
                    out[word, edges] |= bits
                else:
                    before = out[word, edges]
                    out[word] |= bits
                    out[word, edges] = before
        if rest:
            self._add_others(out, np.arange(low, high, dtype=np.int64), rest)

    def at(
        self, places: Places, depths: Places | None = None, skip: frozenset[str] = frozenset()
    ) -> npt.NDArray[np.uint64]:
        """Masks of these positions; behind the last token no value holds.

        ``depths`` are distances from the start of a match: attributes are read only where a state can ask for them,
        and those to ``skip`` not at the start.
        """
        out = np.zeros((self._words, len(places)), np.uint64)
        for name in self._values:
            low, high = self._depths[name]
            if name in skip and high == 0:
                continue
            if depths is None or (low == 0 and high is None):
                self._add_attribute(name, places, slice(None), out)
            else:
                near = depths >= low if high is None else (depths >= low) & (depths <= high)
                rows = np.flatnonzero(near)
                self._add_attribute(name, places[rows], rows, out)
        if self._others:
            self._add_others(out, places, self._others)
        return self._in_rows(out)

    def _add_attribute(self, name: str, places: Places, numbers: Any, out: npt.NDArray[np.uint64]) -> None:
        tokens = self._evaluator.tokens
        ids = self._evaluator.segment.attribute(name).ids_at(np.minimum(places, max(tokens - 1, 0)))
        behind = places >= tokens
        for word in range(self._words):
            failures = np.zeros(len(places), np.uint64)
            self._add_values(name, word, ids, failures)
            failures[behind] |= self._all(name, word)
            out[word, numbers] |= failures

    def _in_rows(self, out: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        return out[0] if self._words == 1 else np.ascontiguousarray(out.T)

    def _add_values(self, name: str, word: int, ids: npt.NDArray[Any], out: npt.NDArray[np.uint64]) -> None:
        if (name, word) in self._tables:
            out |= self._tables[name, word][ids]
            return
        for test, bits in self._shares[name, word]:
            out[~self._evaluator.id_set(test).holds(ids)] |= bits

    def _all(self, name: str, word: int) -> np.uint64:
        return np.uint64(np.bitwise_or.reduce([bits for _, bits in self._shares[name, word]] or [np.uint64(0)]))

    def _table(self, name: str, word: int) -> npt.NDArray[np.uint64] | None:
        """For every id of an attribute the states that it fails."""
        bits = self._all(name, word)
        if not bits:
            return None
        if (name, word) not in self._tables:
            table = np.full(self._evaluator.segment.attribute(name).size, bits, np.uint64)
            tested_states = np.uint64(0)
            for test, own in self._shares[name, word]:
                ids = self._evaluator.id_set(test).index
                table[ids] &= ~(own & ~tested_states)
                if own & tested_states:  # states with another test of this attribute: both must hold
                    others = np.ones(len(table), np.bool_)
                    others[ids] = False
                    table[others] |= own & tested_states
                tested_states |= own
            self._tables[name, word] = table
        return self._tables[name, word]

    def _add_others(self, out: npt.NDArray[np.uint64], places: Places, tests: dict[SimpleTest, list[int]]) -> None:
        for test, numbers in tests.items():
            failures = ~self._evaluator.holds(test, places, self._look)
            for word in range(self._words):
                bits = _bits(numbers, word)
                if bits:
                    out[word, failures] |= bits


def _depths(automaton: Automaton) -> dict[str, tuple[int, int | None]]:
    """For each attribute the fewest and the most tokens before a state that asks for it; None without limit."""
    ranges: dict[str, tuple[int, int | None]] = {}
    level = frozenset(number for number, _ in automaton.first)
    for depth in range(_DEEPEST + 1 if automaton.transitions < _MOST_TRANSITIONS else 0):
        names = {
            test.attribute for number in level for test in automaton.states[number].term if isinstance(test, ValueTest)
        }
        for name in names:
            ranges[name] = (ranges[name][0] if name in ranges else depth, depth)
        level = frozenset(target for number in level for target, _ in automaton.following[number])
        if not level:
            return ranges
    every = {test.attribute for state in automaton.states for test in state.term if isinstance(test, ValueTest)}
    return {name: (ranges[name][0] if name in ranges else 0, None) for name in every}


def _bits(numbers: list[int], word: int) -> np.uint64:
    union = 0
    for number in numbers:
        if number // WORD_BITS == word:
            union |= 1 << (number % WORD_BITS)
    return np.uint64(union)
