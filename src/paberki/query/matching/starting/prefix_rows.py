"""What the first tokens of every match must be, whatever way it takes: ``[tag="S.*"] [tag="A.*"]{8,}`` begins with a row of eight.

The tests of such a row are bits of a byte, and rows of bytes are swept faster than an automaton runs. Where few positions are
left, only these are tried.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.kernels import load
from paberki.query.matching.automata.automaton import Automaton
from paberki.query.matching.automata.evaluator import Evaluator
from paberki.query.matching.conditions.id_set import Bools
from paberki.query.matching.conditions.predicates import ValueTest

__all__ = ["PrefixRows", "prefix_rows"]

Places = npt.NDArray[np.int64]

_KERNEL: Final = "paberki.query.matching.automata.automaton_kernel"
_LONGEST: Final = 8
_MOST_TRANSITIONS: Final = 4096
_SMALLEST: Final = 1 << 20
"""Smaller segments are soon swept."""


class PrefixRows:
    """Tables with the tests that each value of an attribute fails, a bit for each place in the row."""

    def __init__(self, evaluator: Evaluator, tables: dict[str, npt.NDArray[np.uint8]], length: int) -> None:
        self._segment, self._tables, self._length = evaluator.segment, tables, length
        self._bytes = np.zeros(0, np.uint8)

    def starts(self, low: int, high: int) -> Places:
        """Positions from ``low`` to ``high`` where such a row begins, in order."""
        stop = min(high, self._segment.tokens - self._length + 1)
        if stop <= low:
            return np.zeros(0, np.int64)
        tokens = stop + self._length - 1 - low
        if len(self._bytes) < 2 * tokens:
            self._bytes = np.empty(2 * tokens, np.uint8)
        fails, out = self._bytes[:tokens], self._bytes[tokens : tokens + stop - low]
        fails[:] = 0
        for name, table in self._tables.items():
            self._segment.attribute(name).gather(table, low, low + tokens, fails)
        count = int(load(_KERNEL).fixed_rows(fails, stop - low, self._length, out))
        return np.flatnonzero(out.view(np.bool_)) + low if count else np.zeros(0, np.int64)


def prefix_rows(automaton: Automaton, evaluator: Evaluator) -> PrefixRows | None:
    """The row that all matches begin with; None where it is too short to tell anything."""
    length = min(automaton.lengths()[0], _LONGEST)
    if length < 2 or automaton.transitions > _MOST_TRANSITIONS or evaluator.tokens < _SMALLEST:
        return None
    tables: dict[str, npt.NDArray[np.uint8]] = {}
    tested = 0
    level = {number for number, _ in automaton.first}
    for place in range(length):
        conditions = _shared(automaton, evaluator, level)
        for name, table in conditions.items():
            bits = tables.setdefault(name, np.zeros(len(table), np.uint8))
            bits[~table] |= np.uint8(1 << place)
        tested += bool(conditions)
        level = {target for number in level for target, _ in automaton.following[number]}
    return PrefixRows(evaluator, tables, length) if tested > 1 else None


def _shared(automaton: Automaton, evaluator: Evaluator, level: set[int]) -> dict[str, Bools]:
    """For each attribute that all of some states test, the values that one of them takes; not those that take all."""
    tests = [
        {test.attribute: test for test in automaton.states[number].term if isinstance(test, ValueTest)}
        for number in sorted(level)
    ]
    names = set.intersection(*(set(one) for one in tests)) if tests else set()
    tables = {
        name: np.logical_or.reduce([evaluator.id_set(one[name]).table for one in tests]) for name in sorted(names)
    }
    return {name: table for name, table in tables.items() if not table.all()}
