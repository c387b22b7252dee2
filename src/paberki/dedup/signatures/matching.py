"""Which texts may resemble each other, from their signatures.

Two regimes. Much alike: signatures are cut into bands, texts with an equal band are candidates, and the caller checks
them against the shingles themselves. Hardly alike: pairs are counted by the values that they share
(:mod:`paberki.dedup.near.sort_join`); no banding finds a resemblance of .05.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.dedup.signatures.shingles import Hashes, Ints, Signatures, kernel
from paberki.kernels import load

RUN_LIMIT: Final = 1_415
"""So many texts with one value in common, which make a million pairs, are all compared with each other; any more only with
some of them."""
HEADS: Final = 8
"""Those in excess are compared with this many: the first ones."""
_FEW: Final = 2_048
"""So few numbers are sorted at once by anybody."""
_MISSED: Final = 1e-4
_SIGNATURE: Final = 144
Counts = npt.NDArray[np.int32]
_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Bands:
    """How a signature is cut: ``count`` bands of ``rows`` values."""

    count: int
    rows: int

    @property
    def values(self) -> int:
        """Length of the signature."""
        return self.count * self.rows


def bands_for(threshold: float) -> Bands:
    """The longest rows that still miss less than one pair in ten thousand at the threshold."""
    best = Bands(1, 1)
    for rows in range(1, 13):
        alike = threshold**rows
        count = 1 if alike >= 1 else math.ceil(math.log(_MISSED) / math.log1p(-alike))
        if count * rows <= _SIGNATURE:
            best = Bands(max(count, 4), rows)
    return best


def band_values(signatures: Signatures, bands: Bands, band: int) -> Hashes:
    """One band of each signature in one number."""
    values = np.full(len(signatures), band + 1, np.uint64)
    for column in range(band * bands.rows, (band + 1) * bands.rows):
        values = (values ^ signatures[:, column]) * _MULTIPLIER
        values ^= values >> np.uint64(29)
    return values


def prefixes(sets: Hashes, starts: Ints, sizes: Ints, threshold: float) -> tuple[Hashes, Ints]:
    """The first values of each set, and the number of the set of each, such that no pair of sets is missed.

    Two sets that share so much share one of their first values, when all are sorted: of ``size`` values the first
    ``size - ⌈threshold · size⌉ + 1``. For texts of a few dozen shingles signatures are too coarse.
    """
    counts = sizes - np.ceil(threshold * sizes - 1e-9).astype(np.int64) + 1
    counts = np.minimum(counts, sizes)
    places = np.repeat(starts - np.r_[0, np.cumsum(counts)[:-1]], counts) + np.arange(counts.sum())
    return sets[places], np.repeat(np.arange(len(sizes)), counts)


def same_values(values: Hashes, owners: Ints, limit: int | None = None) -> Hashes:
    """Pairs of owners of the same value; ``owners`` ascend, those that matter most first."""
    order = np.argsort(values, kind="stable")
    values, owners = np.ascontiguousarray(values[order]), np.ascontiguousarray(owners[order])
    again = values[1:] == values[:-1]
    in_run = np.zeros(len(values), bool)  # most values occur once
    in_run[1:] = again
    in_run[:-1] |= again
    return pairs_of_runs(values[in_run], owners[in_run], limit or RUN_LIMIT)


def pairs_of_runs(values: Hashes, owners: Ints, limit: int) -> Hashes:
    """Pairs of owners of equal neighbouring values."""
    count = kernel().pairs_of_runs(values, owners, limit, HEADS, np.empty(0, np.uint64), False)
    pairs = np.empty(count, np.uint64)
    kernel().pairs_of_runs(values, owners, limit, HEADS, pairs, True)
    return pairs


def in_order(values: Hashes) -> Hashes:
    """Numbers in order; they may be sorted where they are, or not."""
    if len(values) < _FEW:
        return np.sort(values)
    sorting = load("paberki.kernels.radix_kernel")
    other = np.empty_like(values)
    counts = np.zeros((sorting.DIGITS, sorting.BUCKETS), np.int64)
    return other if sorting.sort_numbers(values, other, counts) else values


def split(pairs: Hashes) -> tuple[Ints, Ints]:
    """The two texts of each pair; the first has the smaller number."""
    return (pairs >> np.uint64(32)).astype(np.int64), (pairs & np.uint64(0xFFFFFFFF)).astype(np.int64)


def count_runs(values: Hashes) -> tuple[Hashes, Counts]:
    """Each of some sorted numbers once, and how often it came; they are put together in place."""
    counts = np.empty(len(values), np.int32)
    count = kernel().count_runs(values, counts)
    return values[:count], counts[:count]
