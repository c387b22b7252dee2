"""Matches with the tokens that their labels stand for.

Where a query has constraints on labels, every way through the automaton counts, because the first one may not satisfy
them; else the labels of hits that are chosen already are looked up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from paberki.arrow import pc
from paberki.kernels import load
from paberki.query.index.attribute import TokenAttribute
from paberki.query.index.segment import Segment
from paberki.query.matching.automata.automaton import Automaton
from paberki.query.matching.automata.evaluator import Evaluator, Masks
from paberki.query.matching.budget import BudgetWatch, Exhausted
from paberki.query.matching.conditions.predicates import ReferenceTest
from paberki.query.matching.distinct import distinct

Places = npt.NDArray[np.int64]

KERNEL: Final = "paberki.query.matching.automata.bindings_kernel"
_OPEN: Final = -2
_LOOKAHEAD: Final = 64
_LONGEST_LOOKAHEAD: Final = 4096
_BATCH: Final = 1 << 18
_VISITED: Final = 1 << 16
_STEPS: Final = 8_000_000


@dataclass(slots=True)
class Bindings:
    """Starts, ends and one column of positions per register, −1 for unset ones; in order of starts."""

    starts: Places
    ends: Places
    registers: Places

    def take(self, numbers: npt.NDArray[Any]) -> Bindings:
        """Some of them."""
        return Bindings(self.starts[numbers], self.ends[numbers], self.registers[numbers])


class Binder:
    """Finds the labels of matches of an automaton in a segment."""

    def __init__(self, evaluator: Evaluator, automaton: Automaton, masks: Masks, clock: BudgetWatch) -> None:
        self._evaluator, self._automaton, self._masks, self._clock = evaluator, automaton, masks, clock
        self._tokens = evaluator.tokens
        self._nodes, self._edges = _graph(automaton)
        self._columns, self._checks = _references(automaton)
        _, longest = automaton.lengths()
        self.longest = longest
        self.offsets = _fixed_offsets(automaton)
        """How far behind the start of a match each label stands, −1 for never; None where matches differ in that."""
        self.lookahead = longest if longest is not None and longest <= _LONGEST_LOOKAHEAD else _LOOKAHEAD

    def every(self, starts: Places, bounds: Places, lookahead: int | None = None) -> tuple[Bindings, Places]:
        """All ways from these starts, those of one start by end and preference. A match begins at each start.

        Also the numbers of starts whose ways go on beyond the lookahead.
        """
        if self.offsets is not None:
            return self._fixed_ways(starts), np.zeros(0, np.int64)
        bindings, unclear = self._in_batches(starts, bounds, None, lookahead or self.lookahead)
        order = np.lexsort((bindings.ends, bindings.starts))
        return bindings.take(order), unclear

    def _fixed_ways(self, starts: Places) -> Bindings:
        """The one way of each match where all matches are the same row of tokens."""
        assert self.offsets is not None
        assert self.longest is not None
        self._clock.room(len(starts) * 8 * (2 + len(self.offsets)))
        registers = np.empty((len(starts), len(self.offsets)), np.int64, order="F")  # used column by column
        for number, offset in enumerate(self.offsets.tolist()):
            registers[:, number] = -1 if offset < 0 else starts + offset
        return Bindings(starts, starts + self.longest, registers)

    def preferred_ways(self, starts: Places, ends: Places) -> Bindings:
        """The preferred way of each of these matches."""
        if self.offsets is not None:
            return self._fixed_ways(starts)
        return self._in_batches(starts, ends, ends, int((ends - starts).max(initial=1)))[0]

    def _in_batches(
        self, starts: Places, bounds: Places, goals: Places | None, lookahead: int
    ) -> tuple[Bindings, Places]:
        parts = [Bindings(starts[:0], starts[:0], np.zeros((0, len(self._automaton.labels)), np.int64))]
        unclear = [starts[:0]]
        step = max(1, _BATCH // (lookahead + 1))
        for at in range(0, len(starts), step):
            self._clock.check()
            batch = slice(at, at + step)
            ends = None if goals is None else goals[batch]
            ways, rest = self._ways(starts[batch], bounds[batch], ends, lookahead)
            parts.append(ways)
            unclear.append(rest + at)
        return _join(parts), np.concatenate(unclear)

    def _ways(self, starts: Places, bounds: Places, goals: Places | None, lookahead: int) -> tuple[Bindings, Places]:
        available = np.minimum(bounds, self._tokens) - starts
        lengths = np.minimum(available, lookahead)
        edges = np.concatenate([[0], np.cumsum(lengths + 1)])
        self._clock.room(int(edges[-1]) * 48)
        places = np.arange(edges[-1], dtype=np.int64) + np.repeat(starts - edges[:-1], lengths + 1)
        fails = self._masks.at(places).reshape(len(places), -1)
        are_open = available > lookahead
        if self.longest is not None and self.longest <= lookahead:
            are_open[:] = False
        runs = np.empty((len(starts), 3), np.int64)
        runs[:, 0], runs[:, 1] = edges[:-1], np.where(are_open, -lengths, lengths)
        runs[:, 2] = -1 if goals is None else goals - starts
        rows = self._enumerate(fails, runs, self._column_values(places))
        unclear = distinct(rows[rows[:, 1] == _OPEN, 0])
        rows = rows[rows[:, 1] != _OPEN]
        registers = np.where(rows[:, 2:] < 0, -1, rows[:, 2:] + starts[rows[:, 0], None])
        return Bindings(starts[rows[:, 0]], starts[rows[:, 0]] + rows[:, 1], registers), unclear

    def _enumerate(self, fails: npt.NDArray[np.uint64], runs: Places, columns: Places) -> Places:
        kernel = load(KERNEL).enumerate_ways
        width = 2 + len(self._automaton.labels)
        stack = np.empty((int(np.abs(runs[:, 1]).max(initial=0)) + 3, width), np.int64)
        memory = np.zeros(_VISITED, np.uint64)
        parts, room = [], max(1024, 4 * len(runs))
        next_run = 0
        while next_run < len(runs):
            self._clock.room(room * width * 8)
            out = np.empty((room, width), np.int64)
            progress = np.array([0, 0, _STEPS], np.int64)
            rest = runs[next_run:]
            kernel(fails, rest, self._nodes, self._edges, columns, self._checks, stack, memory, out, progress)
            rows = out[: progress[1]].copy()
            rows[:, 0] += next_run
            parts.append(rows)
            if progress[0] == 0 and progress[2] < 0:
                raise Exhausted
            if progress[0] == 0:
                room *= 4
            next_run += int(progress[0])
            memory[:] = 0
        return np.concatenate(parts) if parts else np.zeros((0, width), np.int64)

    def _column_values(self, places: Places) -> Places:
        own_places = np.minimum(places, max(self._tokens - 1, 0))
        values = np.empty((max(1, len(self._columns)), len(places) if self._columns else 1), np.int64)
        for at, (name, common) in enumerate(self._columns):
            ids = self._evaluator.segment.attribute(name).ids_at(own_places)
            values[at] = ids if name == common else translation(self._evaluator.segment, name, common)[ids]
        return values


def _join(parts: list[Bindings]) -> Bindings:
    return Bindings(
        np.concatenate([one.starts for one in parts]),
        np.concatenate([one.ends for one in parts]),
        np.concatenate([one.registers for one in parts]),
    )


_translations: WeakKeyDictionary[TokenAttribute, dict[str, Places]] = WeakKeyDictionary()


def translation(segment: Segment, name: str, common: str) -> Places:
    """For every id of an attribute the id of the same value in another attribute, −1 for none; made once."""
    own = segment.attribute(name)
    tables = _translations.setdefault(own, {})
    if common not in tables:
        tables[common] = _translated(own, segment.attribute(common))
    return tables[common]


def _translated(own: TokenAttribute, other: TokenAttribute) -> Places:
    indices = pc.fill_null(pc.index_in(own.strings, value_set=other.strings), -1)
    numbers: Places = indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return numbers


def _graph(automaton: Automaton) -> tuple[Places, Places]:
    """Edges by state; the last state stands for the beginning."""
    nodes, rows = [0], []
    for targets in [*automaton.following, automaton.first]:
        for number, actions in targets:
            bits = 0
            for register in actions:
                bits |= 1 << register
            rows.append((number, bits, int(number in automaton.final)))
        nodes.append(len(rows))
    return np.array(nodes, np.int64), np.array(rows, np.int64).reshape(-1, 3)


def _references(automaton: Automaton) -> tuple[list[tuple[str, str]], Places]:
    """Columns of ids that tokens are compared by, and which states compare which."""
    columns: dict[tuple[str, str], int] = {}
    checks = []
    for number, state in enumerate(automaton.states):
        for test in state.term:
            if isinstance(test, ReferenceTest):
                own = columns.setdefault((test.attribute, test.other), len(columns))
                other = columns.setdefault((test.other, test.other), len(columns))
                register = automaton.labels.index(test.label)
                checks.append((number, own, other, register, int(test.negated)))
    return list(columns), np.array(checks, np.int64).reshape(-1, 5)


def _fixed_offsets(automaton: Automaton) -> Places | None:
    """For each register how far behind the start it is set, −1 for never; None where matches differ in that."""
    if any(isinstance(test, ReferenceTest) for state in automaton.states for test in state.term):
        return None
    offsets = np.full(len(automaton.labels), -1, np.int64)
    targets = automaton.first
    for depth in range(len(automaton.states)):
        if len(targets) != 1:
            return None
        number, actions = targets[0]
        offsets[list(actions)] = depth
        if number in automaton.final:
            return offsets
        targets = automaton.following[number]
    return None
