# mypy: ignore-errors
"""Numbers of 64 bits in order, each with the place it came from, compiled: digit by digit, from the last to the first.

Equal numbers stay in the order they have. Invariant: all four arrays are equally long, ``counts`` are zeros.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import inner, kernel
from paberki.kernels.kernel_types import filled, given, types

DIGITS: Final = 6
_BITS: Final = np.uint64(11)
BUCKETS: Final = 1 << 11
_LAST: Final = np.uint64(BUCKETS - 1)
PARTS: Final = 256
_UPPER: Final = np.uint64(56)
_HALF: Final = np.uint64(32)
_MIX: Final = np.uint64(0xBF58476D1CE4E5B9)


@kernel(
    filled(types.uint64), filled(types.uint32), filled(types.uint64), filled(types.uint32), filled(types.int64, 2),
    returns=types.boolean,
)  # fmt: skip
def sort_pairs(keys, places, other_keys, other_places, counts):
    """Sort keys and take their places along; whether the result is in the other two arrays."""
    n = len(keys)
    for k in range(n):
        key = keys[np.uint64(k)]
        for digit in range(DIGITS):
            counts[digit, key & _LAST] += 1
            key >>= _BITS
    is_swapped = False
    shift = np.uint64(0)
    for digit in range(DIGITS):
        begin, most = 0, 0
        for bucket in range(BUCKETS):
            count = counts[digit, bucket]
            counts[digit, bucket] = begin
            begin += count
            most = max(most, count)
        if most < n:
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


@inner
def _hash(key):
    """A bucket that has nothing to do with the order of keys."""
    return ((key ^ (key >> _HALF)) * _MIX) >> _UPPER


@kernel(
    given(types.uint64), given(types.uint32), filled(types.int64), filled(types.uint64), filled(types.uint32),
    returns=types.int64,
)  # fmt: skip
def scatter_pairs(keys, places, ends, other_keys, other_places):
    """Put keys and their places into buckets by hash. ``ends`` are zeros; then they are the ends of buckets."""
    for k in range(len(keys)):
        ends[_hash(keys[np.uint64(k)])] += 1
    begin = np.int64(0)
    for bucket in range(len(ends)):
        count = ends[bucket]
        ends[bucket] = begin
        begin += count
    for k in range(len(keys)):
        key = keys[np.uint64(k)]
        place = ends[_hash(key)]
        other_keys[np.uint64(place)] = key
        other_places[np.uint64(place)] = places[np.uint64(k)]
        ends[_hash(key)] = place + 1
    return begin
