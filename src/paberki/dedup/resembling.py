"""Pairs of texts that are hardly alike: those that share a few values, and of these the ones that stand a second look.

Of 100 values five are shared at a resemblance of .05, give or take two: a rule of five (P5) misses every third such pair,
and which ones is a matter of luck that all pages with one footer have together. So a signature has a sketch behind it, 256
further values of one byte each. They are too coarse for finding pairs, but good enough to judge those that share at least
three values, and no page has to be read again.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.dedup import matching
from paberki.dedup.shingles import Hashes, Ints
from paberki.dedup.sortjoin import RUN_LIMIT, Column, shared_values

SKETCH: Final = 256
"""Values of one byte in a sketch."""
LEAN: Final = 7 / 8
"""Share of the threshold that an estimate must reach: estimates scatter, and a pair that is not told is lost."""
FAR: Final = 5 / 8
"""Share of the threshold below which a pair is not told although it shares as many values as P5 asks for."""
_CHANCE: Final = 1 / 256
_PAIRS_AT_ONCE: Final = 50_000
Sketches = Callable[[Ints], npt.NDArray[np.uint8]]
"""Sketches of texts, given by their numbers."""


@dataclass(frozen=True, slots=True)
class Resembling:
    """Pairs of texts as two numbers in one, and how alike they are as far as signatures can tell."""

    pairs: Hashes
    alike: npt.NDArray[np.float64]
    frequent: int
    """Values that more texts have than are all compared with each other."""


def resembling(
    column: Column,
    functions: int,
    threshold: float,
    sketches: Sketches | None,
    *,
    cap: int = 0,
    limit: int = RUN_LIMIT,
) -> Resembling:
    """Pairs of texts that reach the threshold; without sketches by the share of their values alone, as P5 has it."""
    least = max(1, math.ceil(threshold * functions - 1e-9))
    doubt = round(math.sqrt(functions * threshold * (1 - threshold))) if sketches else 0
    found = shared_values(column, functions, max(1, least - doubt), cap=cap, limit=limit)
    alike = found.counts / functions
    if sketches is None:
        return Resembling(found.pairs, alike, found.frequent)
    alike = _second_look(found.pairs, alike, functions, threshold, sketches)
    enough = (alike >= LEAN * threshold) | ((found.counts >= least) & (alike >= FAR * threshold))
    return Resembling(found.pairs[enough], alike[enough], found.frequent)


def _second_look(
    pairs: Hashes, alike: npt.NDArray[np.float64], functions: int, threshold: float, sketches: Sketches
) -> npt.NDArray[np.float64]:
    """Estimates from values and sketches together, where the values alone leave a doubt."""
    doubtful = np.flatnonzero(alike * functions < LEAN * threshold * (functions + SKETCH))
    looked = alike.copy()
    for first in range(0, len(doubtful), _PAIRS_AT_ONCE):
        some = doubtful[first : first + _PAIRS_AT_ONCE]
        left, right = matching.split(pairs[some])
        agree = (sketches(left) == sketches(right)).sum(axis=1)
        agree = (agree - _CHANCE * SKETCH) / (1 - _CHANCE)
        looked[some] = (alike[some] * functions + agree) / (functions + SKETCH)
    return looked
