# mypy: ignore-errors
"""What stands around hits, compiled: see :mod:`paberki.query.counting.windows`.

Every hit has two ranges of tokens, one before and one behind it: ranges 2k and 2k + 1 belong to hit k. Invariants: a range
lies inside its page, and pages inside the column; ``ids[k]`` belongs to the token at position ``first + k``, and all ranges
lie inside ``ids``; an id is below the length of the table it is looked up in; outputs have room for one more than all
tokens of all ranges.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import inner, kernel
from paberki.kernels.kernel_types import INT, reads, types, writes
from paberki.query.index.columns_kernel import bits_at, mask_of

_ONE: Final = np.uint64(1)
USUAL: Final = 5
"""Tokens on each side in the window that is asked for most: a loop of known length is compiled without jumps."""


@inner
def range_before(start, first, low, high):
    """The range of tokens before a hit."""
    begin = max(start + min(low, 0), first)
    return begin, max(begin, start + min(high, -1) + 1) if low < 0 else begin


@inner
def range_behind(end, last, low, high):
    """The range of tokens behind a hit."""
    begin = min(end + max(low, 1) - 1, last)
    return begin, max(begin, min(end + max(high, 0), last))


@kernel(
    reads(types.int64), reads(types.int64), reads(types.uint32), reads(types.int64), INT, INT, writes(types.int64),
    writes(types.int64),
    returns=INT,
)  # fmt: skip
def window_ranges(starts, ends, pages, edges, low, high, begins, stops):
    """The ranges of every hit for a window from token ``low`` to token ``high``; how many tokens they have.

    −1 is the token before the hit, 1 the one behind it; 0, the hit itself, is never counted.
    """
    total = 0
    for k in range(len(starts)):
        page = np.uint64(pages[k])
        begin, stop = range_before(starts[k], edges[page], low, high)
        begins[2 * k] = begin
        stops[2 * k] = stop
        total += stop - begin
        begin, stop = range_behind(ends[k], edges[page + _ONE], low, high)
        begins[2 * k + 1] = begin
        stops[2 * k + 1] = stop
        total += stop - begin
    return total


@kernel(reads(types.int64), reads(types.int64), writes(types.int64), writes(types.uint32), returns=INT)
def expand_ranges(begins, stops, positions, owners):
    """Write every position of every range, and the hit it belongs to."""
    count = 0
    for k in range(len(begins)):
        for position in range(begins[k], stops[k]):
            positions[np.uint64(count)] = position
            owners[np.uint64(count)] = k >> 1
            count += 1
    return count


@inner
def _count_range(words, wide, mask, begin, stop, counts):
    """Add the ids of the tokens of a range."""
    bit = np.uint64(begin) * wide
    if stop - begin == USUAL:
        for _ in range(USUAL):
            counts[bits_at(words, bit) & mask] += np.uint32(1)
            bit += wide
    else:
        for _ in range(begin, stop):
            counts[bits_at(words, bit) & mask] += np.uint32(1)
            bit += wide


@kernel(
    reads(types.uint64), INT, reads(types.int64), reads(types.int64), reads(types.uint32), reads(types.int64), INT, INT,
    writes(types.uint32),
    returns=INT,
)  # fmt: skip
def count_windows(words, width, starts, ends, regions, edges, low, high, counts):
    """Add the ids of all tokens in all windows; ``words`` is a column of packed ids."""
    wide, mask = np.uint64(width), mask_of(width)
    for k in range(len(starts)):
        region = np.uint64(regions[k])
        begin, stop = range_before(starts[k], edges[region], low, high)
        _count_range(words, wide, mask, begin, stop, counts)
        begin, stop = range_behind(ends[k], edges[region + _ONE], low, high)
        _count_range(words, wide, mask, begin, stop, counts)
    return len(starts)


@kernel(reads(types.uint32), INT, reads(types.int64), reads(types.int64), writes(types.int64), returns=INT)
def count_ranges(ids, first, begins, stops, counts):
    """Add the ids of all tokens of all ranges."""
    for k in range(len(begins)):
        for at in range(begins[k] - first, stops[k] - first):
            counts[np.uint64(ids[np.uint64(at)])] += 1
    return len(begins)


@kernel(
    reads(types.uint64), INT, reads(types.uint32), reads(types.int64), reads(types.int64), INT, INT, writes(types.uint64),
    returns=INT,
)  # fmt: skip
def list_ranks(words, width, ranks, firsts, ends, step, offset, out):
    """The rank, plus one, of the token so many steps from each first one; 0 from the end on; how many have one.

    A step is 1 or −1, and all tokens from the first one to before the end lie inside the column.
    """
    wide, mask = np.uint64(width), mask_of(width)
    count = 0
    for k in range(len(firsts)):
        rest = (ends[np.uint64(k)] - firsts[np.uint64(k)]) * step
        rank = np.uint64(0)
        if offset < rest:
            at = np.uint64(firsts[np.uint64(k)] + step * offset)
            rank = np.uint64(ranks[bits_at(words, at * wide) & mask]) + _ONE
            count += 1
        out[np.uint64(k)] = rank
    return count
