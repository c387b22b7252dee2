# mypy: ignore-errors
"""Numbers of 64 bits in order, alone or with a companion each, compiled: digit by digit, from the last to the first.

numpy's own way is as fast only where it has instructions for it, and on half of the machines several times slower.
Equal numbers stay in the order they have. Invariant: all arrays are equally long, ``counts`` are zeros.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import inner, kernel
from paberki.kernels.kernel_types import types, writes

DIGITS: Final = 6
_BITS: Final = np.uint64(11)
BUCKETS: Final = 1 << 11
_LAST: Final = np.uint64(BUCKETS - 1)


@inner
def _count_digits(numbers, counts):
    """How often each digit has each value."""
    for k in range(len(numbers)):
        number = numbers[np.uint64(k)]
        for digit in range(DIGITS):
            counts[digit, number & _LAST] += 1
            number >>= _BITS


@inner
def _make_room(counts, digit):
    """Turn counts into the places where buckets begin; the largest count is the answer."""
    begin, most = 0, 0
    for bucket in range(BUCKETS):
        count = counts[digit, bucket]
        counts[digit, bucket] = begin
        begin += count
        most = max(most, count)
    return most


@kernel(writes(types.uint64), writes(types.uint64), writes(types.int64, 2), returns=types.boolean)
def sort_numbers(values, other, counts):
    """Sort numbers with the help of as much room; whether the result lies in that room.

    A digit that all numbers have is passed over.
    """
    n = len(values)
    _count_digits(values, counts)
    is_swapped = False
    shift = np.uint64(0)
    for digit in range(DIGITS):
        if _make_room(counts, digit) < n:
            for k in range(n):
                value = values[np.uint64(k)]
                bucket = (value >> shift) & _LAST
                other[np.uint64(counts[digit, bucket])] = value
                counts[digit, bucket] += 1
            values, other = other, values
            is_swapped = not is_swapped
        shift += _BITS
    return is_swapped


@kernel(
    writes(types.uint64), writes(types.uint32), writes(types.uint64), writes(types.uint32), writes(types.int64, 2),
    returns=types.boolean,
)  # fmt: skip
def sort_pairs(keys, places, other_keys, other_places, counts):
    """Sort keys and take their places along; whether the result is in the other two arrays."""
    n = len(keys)
    _count_digits(keys, counts)
    is_swapped = False
    shift = np.uint64(0)
    for digit in range(DIGITS):
        if _make_room(counts, digit) < n:
            for k in range(n):
                key = keys[np.uint64(k)]
                bucket = (key >> shift) & _LAST
                place = np.uint64(counts[digit, bucket])
                other_keys[place] = key
                other_places[place] = places[np.uint64(k)]
                counts[digit, bucket] += 1
            keys, other_keys = other_keys, keys
            places, other_places = other_places, places
            is_swapped = not is_swapped
        shift += _BITS
    return is_swapped
