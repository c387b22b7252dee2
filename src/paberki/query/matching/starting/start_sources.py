"""Positions that matches of a frequent pattern can begin at, found faster than by a sweep over all tokens."""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from paberki.query.matching.automata.sequences import Sequences
from paberki.query.matching.program import Program
from paberki.query.matching.starting.approach import approach
from paberki.query.matching.starting.equal_tokens import equal_tokens
from paberki.query.matching.starting.starting_places import Anchor, Necessity
from paberki.query.matching.starting.whole_regions import whole_regions

__all__ = ["StartSource", "start_source"]

Places = npt.NDArray[np.int64]

_FEWER: Final = 4
"""An anchor is better than whole regions where it has so many times fewer positions."""


class StartSource(Protocol):
    """Gives positions where matches can begin."""

    @property
    def most(self) -> int | None:
        """How many they are in the whole segment, at most; None where that is not known."""

    def starts(self, low: int, high: int) -> Places:
        """Those from ``low`` to ``high``, in order."""


def start_source(
    program: Program, sequences: Sequences, offsets: Places | None, anchor: Anchor | None, necessity: Necessity | None
) -> StartSource | None:
    """Equal values of labels, edges of whole regions, or a walk back from a rare token; None where none of these serves.

    ``offsets`` says how far behind the start each label stands, if that is always the same.
    """
    automaton, evaluator = sequences.automaton, sequences.evaluator
    equal = equal_tokens(program, evaluator.segment, offsets)
    if equal is not None:
        return equal
    wholes = whole_regions(automaton, evaluator)
    if wholes is not None and (anchor is None or anchor.count * _FEWER > wholes.size):
        return wholes
    if anchor is not None or necessity is None:
        return None
    return approach(automaton, sequences.masks, necessity.positions, necessity.numbers)
