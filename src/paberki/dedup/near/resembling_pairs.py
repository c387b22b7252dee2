"""Pairs of texts that are hardly alike: those that share a few values, and of these the ones that pass a closer comparison.

Of 100 values five are shared at a resemblance of .05, give or take two: a rule of five (P5) misses every third such pair,
and all pages with the same footer are missed together. So a signature has a sketch behind it, 256
further values of one byte each. They are too coarse for finding pairs, but good enough to judge those that share at least
three values, and no page has to be read again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.dedup.near.sort_join import RUN_LIMIT, Column, SharedPairs, shared_values
from paberki.dedup.signatures import matching
from paberki.dedup.signatures.shingles import Hashes, Ints

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

    frequent: int
    """Values that more texts have than are all compared with each other."""
    _pairs: SharedPairs
    _functions: int
    _threshold: float
    _sketches: Sketches | None

    def portions(self) -> Iterator[tuple[Hashes, npt.NDArray[np.float64]]]:
        """All pairs in order, some at a time, with how alike they are; to be read once."""
        for pairs, counts in self._pairs.portions():
            alike = counts / self._functions
            if self._sketches is None:
                yield pairs, alike
                continue
            alike = _second_look(pairs, alike, self._functions, self._threshold, self._sketches)
            enough = counts >= _least(self._functions, self._threshold)
            enough = (alike >= LEAN * self._threshold) | (enough & (alike >= FAR * self._threshold))
            yield pairs[enough], alike[enough]


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
    doubt = round(math.sqrt(functions * threshold * (1 - threshold))) if sketches else 0
    least = max(1, _least(functions, threshold) - doubt)
    counts = shared_values(column, functions, least, cap=cap, limit=limit)
    return Resembling(counts.frequent, counts, functions, threshold, sketches)


def _least(functions: int, threshold: float) -> int:
    """Values that two texts must share."""
    return max(1, math.ceil(threshold * functions - 1e-9))


def _second_look(
    pairs: Hashes, alike: npt.NDArray[np.float64], functions: int, threshold: float, sketches: Sketches
) -> npt.NDArray[np.float64]:
    """Estimates from values and sketches together, where the values alone leave a doubt."""
    doubtful = np.flatnonzero(alike * functions < LEAN * threshold * (functions + SKETCH))
    estimates = alike.copy()
    for first in range(0, len(doubtful), _PAIRS_AT_ONCE):
        some = doubtful[first : first + _PAIRS_AT_ONCE]
        left, right = matching.split(pairs[some])
        agree = (sketches(left) == sketches(right)).sum(axis=1)
        agree = (agree - _CHANCE * SKETCH) / (1 - _CHANCE)
        estimates[some] = (alike[some] * functions + agree) / (functions + SKETCH)
    return estimates
