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
_TWO: Final = np.uint64(2)
_THREE: Final = np.uint64(3)
_FOUR: Final = np.uint64(4)
_BITS_OF_TWO: Final = np.uint64(28)
_BITS_OF_THREE: Final = np.uint64(19)
"""Two or three ids that are no wider lie in the 57 bits that one look reads."""
USUAL: Final = 5
"""Tokens on each side in the window that is asked for most: its ids are read without loops and jumps."""


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
def is_usual(start, end, first, last, low, high):
    """Whether a hit has five tokens in its window on each side."""
    return low == -USUAL and high == USUAL and start - USUAL >= first and end + USUAL <= last


@inner
def five_ids(words, token, wide, mask):
    """The ids of a token and of the four behind it."""
    bit = token * wide
    look = bits_at(words, bit)
    one = look & mask
    if wide <= _BITS_OF_THREE:
        look >>= wide
        two = look & mask
        three = (look >> wide) & mask
        look = bits_at(words, bit + _THREE * wide)
        return one, two, three, look & mask, (look >> wide) & mask
    if wide <= _BITS_OF_TWO:
        two = (look >> wide) & mask
        look = bits_at(words, bit + _TWO * wide)
        return one, two, look & mask, (look >> wide) & mask, bits_at(words, bit + _FOUR * wide) & mask
    two = bits_at(words, bit + wide) & mask
    three = bits_at(words, bit + _TWO * wide) & mask
    four = bits_at(words, bit + _THREE * wide) & mask
    return one, two, three, four, bits_at(words, bit + _FOUR * wide) & mask


@inner
def _count_five(words, token, wide, mask, counts):
    one, two, three, four, five = five_ids(words, token, wide, mask)
    counts[one] += np.uint32(1)
    counts[two] += np.uint32(1)
    counts[three] += np.uint32(1)
    counts[four] += np.uint32(1)
    counts[five] += np.uint32(1)


@inner
def _count_range(words, wide, mask, begin, stop, counts):
    """Add the ids of the tokens of a range."""
    bit = np.uint64(begin) * wide
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
        first, last = edges[region], edges[region + _ONE]
        if is_usual(starts[k], ends[k], first, last, low, high):
            _count_five(words, np.uint64(starts[k] - USUAL), wide, mask, counts)
            _count_five(words, np.uint64(ends[k]), wide, mask, counts)
        else:
            begin, stop = range_before(starts[k], first, low, high)
            _count_range(words, wide, mask, begin, stop, counts)
            begin, stop = range_behind(ends[k], last, low, high)
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
