# mypy: ignore-errors
"""Strings to numbers, compiled: an open hash table over bytes that lie one after the other.

An entry is two bytes for the column, then the bytes of the value, so that all columns of a segment share one table. A slot
holds the upper half of the hash and the number of the entry plus one; 0 is free.

Invariants: ``len(slots)`` is a power of two; ``edges[sizes[0]]`` is the number of bytes in use; spans lie inside ``data``.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import inner, kernel, part
from paberki.kernels.kernel_types import reads, types, writes

_FNV_OFFSET: Final = np.uint64(0xCBF29CE484222325)
_FNV_PRIME: Final = np.uint64(0x100000001B3)
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_HALF: Final = np.uint64(32)
_LOW: Final = np.uint64(0xFFFFFFFF)
_BYTE: Final = 8
PREFIX: Final = 2
"""Bytes for the number of the column before each value."""


@inner
def _mix(key):
    key = (key ^ (key >> _HALF)) * _MIX
    return key ^ (key >> _HALF)


@inner
def _hash(data, low, high, column):
    key = _FNV_OFFSET ^ np.uint64(column)
    for at in range(low, high):
        key = (key ^ np.uint64(data[np.uint64(at)])) * _FNV_PRIME
    return _mix(key)


@part
def _same(data, low, high, column, arena, begin, end):
    """Whether an entry is this value of this column."""
    if end - begin != high - low + PREFIX:
        return False
    if np.int64(arena[begin]) + (np.int64(arena[begin + 1]) << _BYTE) != column:
        return False
    for at in range(high - low):
        if arena[np.uint64(begin + PREFIX + at)] != data[np.uint64(low + at)]:
            return False
    return True


@kernel(
    reads(types.uint8), reads(types.int32), reads(types.int32), types.int64, writes(types.uint64),
    writes(types.int64), writes(types.uint8), writes(types.int64), writes(types.uint32),
    returns=types.int64,
)  # fmt: skip
def intern(data, starts, ends, column, slots, edges, arena, sizes, out):
    """Numbers of the values in these spans of the data; new values become entries.

    Stops where the table has no room for another entry; the result is the number of spans that are done.
    """
    mask = np.uint64(len(slots) - 1)
    entries = sizes[0]
    for at in range(len(starts)):
        low, high = np.int64(starts[at]), np.int64(ends[at])
        key = _hash(data, low, high, column)
        slot, tag = key & mask, key & ~_LOW
        number = np.int64(-1)
        while slots[slot]:
            if slots[slot] & ~_LOW == tag:
                number = np.int64(slots[slot] & _LOW) - 1
                if _same(data, low, high, column, arena, edges[number], edges[number + 1]):
                    break
                number = np.int64(-1)
            slot = (slot + np.uint64(1)) & mask
        if number < 0:
            begin = edges[entries]
            end = begin + PREFIX + high - low
            if 2 * (entries + 1) > len(slots) or entries + 2 > len(edges) or end > len(arena):
                sizes[0] = entries
                return at
            arena[begin] = column
            arena[begin + 1] = column >> _BYTE
            for k in range(high - low):
                arena[begin + PREFIX + k] = data[low + k]
            number = entries
            entries += 1
            edges[entries] = end
            slots[slot] = tag | np.uint64(entries)
        out[at] = number
    sizes[0] = entries
    return len(starts)


@kernel(reads(types.int64), reads(types.uint8), types.int64, writes(types.uint64), returns=types.void)
def fill_slots(edges, arena, entries, slots):
    """Put all entries into an empty table."""
    mask = np.uint64(len(slots) - 1)
    for number in range(entries):
        begin, end = edges[number], edges[number + 1]
        column = np.int64(arena[begin]) + (np.int64(arena[begin + 1]) << _BYTE)
        key = _hash(arena, begin + PREFIX, end, column)
        slot = key & mask
        while slots[slot]:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = (key & ~_LOW) | np.uint64(number + 1)


@kernel(reads(types.uint8), reads(types.int64), reads(types.int64), writes(types.uint8), returns=types.void)
def copy_spans(arena, begins, offsets, out):
    """Copy values one behind the other: value ``k`` goes to ``out[offsets[k]:offsets[k + 1]]``."""
    for number in range(len(begins)):
        begin, low = begins[number], offsets[number]
        for at in range(low, offsets[number + 1]):
            out[at] = arena[begin + at - low]
