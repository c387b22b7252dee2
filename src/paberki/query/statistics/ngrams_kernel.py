# mypy: ignore-errors
"""Runs of n tokens as numbers of 64 bits, compiled: see :mod:`paberki.query.statistics.ngrams`.

Invariants: ``ids`` has the tokens from ``first`` on; ``edges`` are the edges of pages, ``page`` is the one of the first token.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import kernel
from paberki.kernels.kernel_types import INT, reads, types, writes

_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_OTHER_MIX: Final = np.uint64(0xBF58476D1CE4E5B9)
_ALL: Final = 64
_HALF: Final = np.uint64(32)


@kernel(
    reads(types.uint32), reads(types.int64), INT, INT, INT, INT, writes(types.uint64), writes(types.uint32),
    returns=INT,
)  # fmt: skip
def list_ngrams(ids, ends, n, bits, parts, part, keys, places):
    """Write the keys of all runs of ``n`` tokens that belong to a part, and the places where they begin.

    Runs end at the next of ``ends``, which are places in ``ids``. Ids are packed one beside the other where they fit into
    64 bits, and mixed where they do not: two different runs then have one key with a chance of one in 10¹⁹.
    """
    fits = n * bits <= _ALL
    shift = np.uint64(bits)
    mask = np.uint64(0xFFFFFFFFFFFFFFFF) if n * bits >= _ALL else (np.uint64(1) << np.uint64(n * bits)) - np.uint64(1)
    count = np.uint64(0)
    begin = 0
    for region in range(len(ends)):
        end = ends[region]
        key = np.uint64(0)
        for at in range(begin, end):
            if fits:
                key = ((key << shift) | np.uint64(ids[np.uint64(at)])) & mask
            elif at - begin >= n - 1:
                key = np.uint64(0)
                for offset in range(at - n + 1, at + 1):
                    key = (key ^ np.uint64(ids[np.uint64(offset)])) * _MIX
                    key ^= key >> _HALF
            if at - begin >= n - 1:
                mixed_key = (key ^ (key >> _HALF)) * _OTHER_MIX
                keys[count] = key
                places[count] = at - n + 1
                count += np.uint64(np.int64((mixed_key >> np.uint64(40)) % np.uint64(parts)) == part)
        begin = end
    return np.int64(count)


@kernel(reads(types.uint64), writes(types.int64), returns=INT)
def count_sizes(keys, sizes):
    """Count runs of equal keys by their length; the last place is for all longer ones. How many runs there are."""
    count = 0
    begin = 0
    for k in range(1, len(keys) + 1):
        if k == len(keys) or keys[np.uint64(k)] != keys[np.uint64(begin)]:
            sizes[min(k - begin, len(sizes) - 1)] += 1
            begin = k
            count += 1
    return count


@kernel(reads(types.uint64), INT, INT, writes(types.int64), writes(types.int64), returns=INT)
def list_groups(keys, least, most, begins, lengths):
    """Write begin and length of runs of at least so many equal keys, of those with exactly so many ``most`` at most."""
    count = 0
    begin = 0
    for k in range(1, len(keys) + 1):
        if k == len(keys) or keys[np.uint64(k)] != keys[np.uint64(begin)]:
            length = k - begin
            if length > least or (length == least and most > 0):
                most -= np.int64(length == least)
                begins[count] = begin
                lengths[count] = length
                count += 1
            begin = k
    return count
