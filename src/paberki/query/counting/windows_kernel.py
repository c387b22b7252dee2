# mypy: ignore-errors
"""What stands around hits, compiled: see :mod:`paberki.query.counting.windows`.

Every hit has two ranges of tokens, one before and one behind it: ranges 2k and 2k + 1 belong to hit k. Invariants: a range
lies inside its page; ``ids[k]`` belongs to the token at position ``first + k``, and all ranges lie inside ``ids``; an id is
below the length of the table it is looked up in; outputs have room for all tokens of all ranges.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernel_types import INT, filled, given, types
from paberki.kernels import kernel

NO_ROW: Final = 65535
"""The row of a value that is not counted."""
_NONE: Final = np.uint16(NO_ROW)


@kernel(
    given(types.int64), given(types.int64), given(types.uint32), given(types.int64), INT, INT, filled(types.int64),
    filled(types.int64),
    returns=INT,
)  # fmt: skip
def window_ranges(starts, ends, pages, edges, low, high, begins, stops):
    """The ranges of every hit for a window from token ``low`` to token ``high``; how many tokens they have.

    −1 is the token before the hit, 1 the one behind it; 0, the hit itself, is never counted.
    """
    total = 0
    for k in range(len(starts)):
        page = pages[k]
        first, last = edges[page], edges[page + 1]
        begin = max(starts[k] + min(low, 0), first)
        stop = max(begin, starts[k] + min(high, -1) + 1 if low < 0 else begin)
        begins[2 * k] = begin
        stops[2 * k] = stop
        total += stop - begin
        begin = min(ends[k] + max(low, 1) - 1, last)
        stop = max(begin, min(ends[k] + max(high, 0), last))
        begins[2 * k + 1] = begin
        stops[2 * k + 1] = stop
        total += stop - begin
    return total


@kernel(given(types.int64), given(types.int64), filled(types.int64), filled(types.uint32), returns=INT)
def expand_ranges(begins, stops, positions, owners):
    """Write every position of every range, and the hit it belongs to."""
    count = 0
    for k in range(len(begins)):
        for position in range(begins[k], stops[k]):
            positions[np.uint64(count)] = position
            owners[np.uint64(count)] = k >> 1
            count += 1
    return count


@kernel(given(types.uint32), INT, given(types.int64), given(types.int64), filled(types.int64), returns=INT)
def count_ranges(ids, first, begins, stops, counts):
    """Add the ids of all tokens of all ranges."""
    for k in range(len(begins)):
        for at in range(begins[k] - first, stops[k] - first):
            counts[np.uint64(ids[np.uint64(at)])] += 1
    return len(begins)


@kernel(
    given(types.uint32), INT, given(types.int64), given(types.int64), given(types.uint16), filled(types.uint16),
    filled(types.uint32),
    returns=INT,
)  # fmt: skip
def list_ranges(ids, first, begins, stops, slots, rows, owners):
    """Write the rows of all tokens of all ranges that have one, and the hits they belong to; how many there are."""
    count = np.uint64(0)
    for k in range(len(begins)):
        owner = np.uint32(k >> 1)
        for at in range(begins[k] - first, stops[k] - first):
            row = slots[np.uint64(ids[np.uint64(at)])]
            rows[count] = row
            owners[count] = owner
            count += np.uint64(row != _NONE)
    return np.int64(count)


@kernel(
    given(types.uint32), INT, given(types.int64), given(types.int64), given(types.uint16), filled(types.uint16),
    filled(types.int64),
    returns=INT,
)  # fmt: skip
def list_tokens(ids, first, begins, stops, slots, rows, positions):
    """The same for runs of tokens that belong to no hit: rows, and positions of tokens."""
    count = np.uint64(0)
    for k in range(len(begins)):
        for at in range(begins[k] - first, stops[k] - first):
            row = slots[np.uint64(ids[np.uint64(at)])]
            rows[count] = row
            positions[count] = at + first
            count += np.uint64(row != _NONE)
    return np.int64(count)
