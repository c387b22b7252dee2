# mypy: ignore-errors
"""Numbers of 64 bits into buckets by hash, each with the place it came from, compiled.

Equal numbers stay in the order they have. Invariant: keys and places are equally long, and so is the room for them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import inner, kernel
from paberki.kernels.kernel_types import reads, types, writes

PARTS: Final = 256
_UPPER: Final = np.uint64(56)
_HALF: Final = np.uint64(32)
_MIX: Final = np.uint64(0xBF58476D1CE4E5B9)


@inner
def _hash(key):
    """A bucket that has nothing to do with the order of keys."""
    return ((key ^ (key >> _HALF)) * _MIX) >> _UPPER


@kernel(
    reads(types.uint64), reads(types.uint32), writes(types.int64), writes(types.uint64), writes(types.uint32),
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
