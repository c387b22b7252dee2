"""Where matches begin that run up to a rare token over others: ``[tag="A.*"]+ "rare"``.

All tokens between the start of a match and its rare token satisfy a state that comes before that token. So from each rare
token one walks back as long as tokens do: a match can begin only where the walk has been.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.query.matching.automata.automaton import Automaton
from paberki.query.matching.automata.evaluator import Masks
from paberki.query.matching.distinct import distinct
from paberki.record import Record

__all__ = ["Approach", "approach"]

Places = npt.NDArray[np.int64]

_MOST_POSITIONS: Final = 100_000
_FURTHEST: Final = 64
"""Whoever walks further back may as well sweep: gaps have no end."""


class Approach(Record):
    """All positions at which a match may begin, in order."""

    places: Places

    @property
    def most(self) -> int:
        """How many they are."""
        return len(self.places)

    def starts(self, low: int, high: int) -> Places:
        """Those from ``low`` to ``high``."""
        first, last = np.searchsorted(self.places, (low, high))
        return self.places[first:last]


def approach(automaton: Automaton, masks: Masks, rare: Places, numbers: frozenset[int]) -> Approach | None:
    """The starts of matches that have one of some states at one of some rare positions; None where that may be anywhere."""
    if automaton.words > 1 or len(rare) > _MOST_POSITIONS:
        return None
    states = _states_before(automaton, numbers)
    if any(_is_gap(automaton, number) for number in states):
        return None
    before = np.uint64(sum(1 << number for number in states))
    walks, steps = rare, [rare]
    for step in range(1, _FURTHEST + 1):
        walks = walks[walks >= step]
        if not len(walks):
            return Approach(distinct(np.concatenate(steps)))
        walks = walks[(~masks.at(walks - step) & before) != 0]
        steps.append(walks - step)
    return None if len(walks) else Approach(distinct(np.concatenate(steps)))


def _is_gap(automaton: Automaton, number: int) -> bool:
    """Whether a state takes any token, any number of times."""
    return not automaton.states[number].term and any(target == number for target, _ in automaton.following[number])


def _states_before(automaton: Automaton, numbers: frozenset[int]) -> set[int]:
    """States that a match may be in before it comes to one of these."""
    stack = [number for number, _ in automaton.first if number not in numbers]
    states = set(stack)
    while stack:
        for target, _ in automaton.following[stack.pop()]:
            if target not in states and target not in numbers:
                states.add(target)
                stack.append(target)
    return states - automaton.final
