"""Numbers in order, digit by digit; equal ones stay in the order they have."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paberki.kernels import load

__all__ = ["sort_numbers", "sort_pairs"]


def sort_numbers(keys: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """Places of numbers in rising order; equal ones stay as they are."""
    return sort_pairs(keys.copy(), np.arange(len(keys), dtype=np.uint32))[1]


def sort_pairs(keys: NDArray[np.uint64], places: NDArray[np.uint32]) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    """Keys in rising order, and what belongs to each; both arrays are used up."""
    kernel = load("paberki.query.counting.radix_kernel")
    other = (np.empty_like(keys), np.empty_like(places))
    counts = np.zeros((kernel.DIGITS, kernel.BUCKETS), np.int64)
    return other if kernel.sort_pairs(keys, places, *other, counts) else (keys, places)
