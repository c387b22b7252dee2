"""In which stretches of a segment matches can begin, by what is known of neighbours.

Every way through an automaton from its first states to a final one is a row of steps from token to token. A stretch where no
such row is possible need not be searched: see :mod:`paberki.query.matching.conditions.neighbours`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np

from paberki.query.matching.automata.automaton import Automaton
from paberki.query.matching.automata.evaluator import Evaluator
from paberki.query.matching.conditions import neighbours
from paberki.query.matching.conditions.id_set import Bools
from paberki.query.matching.conditions.neighbours import Neighbours
from paberki.query.matching.conditions.predicates import PlaceTest, ValueTest

__all__ = ["Sieve", "sieve"]

_MOST_STATES: Final = 64
_MOST_TRANSITIONS: Final = 512
_SMALLEST: Final = 1 << 23
"""Smaller segments are searched before their neighbours are known."""


class Sieve:
    """An automaton on a large segment."""

    def __init__(self, automaton: Automaton, evaluator: Evaluator, names: dict[str, bool]) -> None:
        self._automaton, self._evaluator, self._names = automaton, evaluator, names
        """Attributes, and whether pairs of their values are asked for, not only edges of regions."""

    @property
    def is_made(self) -> bool:
        """Whether all that it needs is known, so that to ask it takes no time."""
        attribute = self._evaluator.segment.attribute
        return all(Neighbours.of(attribute(name)).is_made(pairs=pairs) for name, pairs in self._names.items())

    @cached_property
    def stretches(self) -> Bools:
        """The stretches in which a match may begin."""
        return np.asarray(np.logical_and.reduce([self._of_attribute(name) for name in self._names]))

    def next_place(self, place: int) -> int | None:
        """The first position from ``place`` on where a match may begin; None behind the last."""
        stretch = place >> neighbours.SHIFT
        rest = np.flatnonzero(self.stretches[stretch:])
        return max(place, stretch + int(rest[0]) << neighbours.SHIFT) if len(rest) else None

    def end_behind(self, place: int) -> int:
        """The end of the possible stretches that follow each other from the one of a position on."""
        stretch = place >> neighbours.SHIFT
        rest = np.flatnonzero(~self.stretches[stretch:])
        return (stretch + int(rest[0]) if len(rest) else len(self.stretches)) << neighbours.SHIFT

    def _of_attribute(self, name: str) -> Bools:
        """What the neighbours of one attribute allow."""
        steps = _Steps(self._automaton, self._evaluator, name)
        longest = self._automaton.lengths()[1]
        is_short = longest is not None and longest <= 1 << neighbours.SHIFT
        reach = {number: _later(steps.begins_at(number), is_short=is_short) for number, _ in self._automaton.first}
        waiting = list(reach)
        while waiting:
            number = waiting.pop()
            for target, _ in self._automaton.following[number]:
                now = reach[number] & _later(steps.leads(number, target), is_short=is_short)
                before = reach.get(target)
                if before is None or (now & ~before).any():
                    reach[target] = now if before is None else now | before
                    waiting.append(target)
        ends = [reach[number] for number in self._automaton.final if number in reach]
        return np.asarray(np.logical_or.reduce(ends)) if ends else np.zeros(steps.size, np.bool_)


class _Steps:
    """What the neighbours of one attribute say of an automaton's steps."""

    def __init__(self, automaton: Automaton, evaluator: Evaluator, name: str) -> None:
        self._automaton, self._segment = automaton, evaluator.segment
        attribute = self._segment.attribute(name)
        self._neighbours = Neighbours.of(attribute)
        self.size = self._neighbours.stretches
        self._classes: dict[int, Bools] = {}
        self._pairs: dict[tuple[bytes, bytes], Bools] = {}
        for number, state in enumerate(automaton.states):
            for test in state.term:
                if isinstance(test, ValueTest) and test.attribute == name:
                    self._classes[number] = self._neighbours.classes_of(attribute, evaluator.id_set(test))

    def begins_at(self, number: int) -> Bools:
        """Where the token of a state may stand, if its first or last place in a region is asked for."""
        possible = np.ones(self.size, np.bool_)
        for kind in ("open", "last"):
            possible &= self._at_edges(number, number, kind)
        return possible

    def leads(self, number: int, target: int) -> Bools:
        """Where the token of one state may stand before that of another."""
        possible = self._at_edges(target, number, "close")
        if target in self._automaton.final:
            return possible
        possible = possible & self.begins_at(target)
        if number not in self._classes or target not in self._classes:
            return possible
        first, second = self._classes[number], self._classes[target]
        key = first.tobytes(), second.tobytes()
        if key not in self._pairs:
            self._pairs[key] = self._neighbours.meet(first, second)
        return np.asarray(possible & self._pairs[key])

    def _at_edges(self, asker: int, token: int, kind: str) -> Bools:
        """Where the token of a state may be at the edge of a region that another state asks for."""
        possible = np.ones(self.size, np.bool_)
        if token not in self._classes:
            return possible
        for test in self._automaton.states[asker].term:
            if not isinstance(test, PlaceTest) or test.kind != kind or test.negated:
                continue
            if test.structure in self._segment.structures:
                structure = self._segment.structure(test.structure)
                edge = "open" if kind == "open" else "close"
                possible &= self._neighbours.at_edges(structure, edge, self._classes[token])
        return possible


def _later(possible: Bools, *, is_short: bool) -> Bools:
    """Where a step is possible in the stretch or behind it, as far as a match can reach."""
    if is_short:
        return np.asarray(possible | np.append(possible[1:], False))
    return np.asarray(np.logical_or.accumulate(possible[::-1])[::-1])


def sieve(automaton: Automaton, evaluator: Evaluator) -> Sieve | None:
    """The sieve of an automaton; None where neighbours say nothing, or the segment is soon searched."""
    if evaluator.tokens < _SMALLEST or len(automaton.states) > _MOST_STATES:
        return None
    if automaton.transitions > _MOST_TRANSITIONS:
        return None
    names = [{test.attribute for test in state.term if isinstance(test, ValueTest)} for state in automaton.states]
    at_edges = [
        any(isinstance(test, PlaceTest) and test.kind != "inside" for test in one.term) for one in automaton.states
    ]
    useful: dict[str, bool] = {}
    for number, targets in enumerate(automaton.following):
        for target, _ in targets:
            useful |= dict.fromkeys(names[number] & names[target], True)
            if at_edges[target] or at_edges[number]:
                useful = dict.fromkeys(names[number], False) | useful
    return Sieve(automaton, evaluator, dict(sorted(useful.items()))) if useful else None
