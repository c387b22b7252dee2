# mypy: ignore-errors
"""Columns of ids, compiled: numbers of any width of bits lie one after the other in words of 64 bits.

Invariants: ``words`` has one word more than the last number needs, so that two neighbours can always be read; widths are
1 to 32; every id is below ``len(table)``; ``start + len(out)`` is at most the number of tokens.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import inner, kernel
from paberki.kernels.kernel_types import reads, types, word_at, writes

_WORD: Final = np.uint64(6)
"""A word has two to the power of this many bits."""
_BYTE: Final = np.uint64(3)
_LAST_OF_BYTE: Final = np.uint64(7)
_LAST_BIT: Final = np.uint64(63)
_ONE: Final = np.uint64(1)
_TWO: Final = np.uint64(2)
_THREE: Final = np.uint64(3)
_FOUR: Final = 4
_BITS_OF_FOUR: Final = np.uint64(14)
_BITS_OF_TWO: Final = np.uint64(28)
"""Four or two numbers that are no wider lie in the 57 bits that one look reads."""


@inner
def bits_at(words, bit):
    """The bits that begin at a bit: at least 57 of them, and 64 where it is the first of a byte."""
    return word_at(words, bit >> _BYTE) >> (bit & _LAST_OF_BYTE)


@inner
def put_bits(words, bit, value, width):
    """Write a number of so many bits at a bit; the place is zero before."""
    word, shift = bit >> _WORD, bit & _LAST_BIT
    words[word] |= value << shift
    if shift + width > _LAST_BIT + _ONE:
        words[word + _ONE] |= value >> (_LAST_BIT + _ONE - shift)


@inner
def mask_of(width):
    """So many ones."""
    return (_ONE << np.uint64(width)) - _ONE


@kernel(reads(types.uint32), types.int64, types.int64, writes(types.uint64), returns=types.void)
def pack(values, width, first, words):
    """Write numbers behind the ``first`` ones that are there already."""
    wide = np.uint64(width)
    bit = np.uint64(first) * wide
    for at in range(len(values)):
        put_bits(words, bit, np.uint64(values[np.uint64(at)]), wide)
        bit += wide


@kernel(reads(types.uint64), types.int64, reads(types.uint32), types.int64, writes(types.uint32), returns=types.void)
def gather(words, width, table, start, out):
    """``out[i] |= table[id of token start + i]``."""
    wide, mask = np.uint64(width), mask_of(width)
    bit = np.uint64(start) * wide
    for at in range(len(out)):
        out[np.uint64(at)] |= table[bits_at(words, bit) & mask]
        bit += wide


@kernel(reads(types.uint64), types.int64, reads(types.uint64), types.int64, writes(types.uint64), returns=types.void)
def gather_wide(words, width, table, start, out):
    """The same for tables of 64 bits."""
    wide, mask = np.uint64(width), mask_of(width)
    bit = np.uint64(start) * wide
    for at in range(len(out)):
        out[np.uint64(at)] |= table[bits_at(words, bit) & mask]
        bit += wide


@inner
def _four_ids(words, bit, wide, mask):
    """Four numbers from a bit on, with as few looks at the words as their width allows."""
    look = bits_at(words, bit)
    if wide <= _BITS_OF_FOUR:
        second = look >> wide
        third = second >> wide
        return look & mask, second & mask, third & mask, (third >> wide) & mask
    if wide <= _BITS_OF_TWO:
        other = bits_at(words, bit + _TWO * wide)
        return look & mask, (look >> wide) & mask, other & mask, (other >> wide) & mask
    second = bits_at(words, bit + wide)
    third = bits_at(words, bit + _TWO * wide)
    return look & mask, second & mask, third & mask, bits_at(words, bit + _THREE * wide) & mask


@kernel(reads(types.uint64), types.int64, reads(types.uint8), types.int64, writes(types.uint8), returns=types.void)
def gather_bytes(words, width, table, start, out):
    """The same for tables of bytes."""
    wide, mask = np.uint64(width), mask_of(width)
    bit = np.uint64(start) * wide
    fours = len(out) // _FOUR * _FOUR
    for at in range(0, fours, _FOUR):
        place = np.uint64(at)
        one, two, three, four = _four_ids(words, bit, wide, mask)
        out[place] |= table[one]
        out[place + _ONE] |= table[two]
        out[place + _TWO] |= table[three]
        out[place + _THREE] |= table[four]
        bit += wide << _TWO
    for at in range(fours, len(out)):
        out[np.uint64(at)] |= table[bits_at(words, bit) & mask]
        bit += wide


@kernel(reads(types.uint64), types.int64, types.int64, writes(types.uint32), returns=types.void)
def between(words, width, start, out):
    """Numbers from ``start`` on."""
    wide, mask = np.uint64(width), mask_of(width)
    bit = np.uint64(start) * wide
    for at in range(len(out)):
        out[np.uint64(at)] = bits_at(words, bit) & mask
        bit += wide


@kernel(reads(types.uint64), types.int64, reads(types.int64), types.int64, writes(types.uint32), returns=types.boolean)
def at_places(words, width, places, size, out):
    """Numbers at these places; whether all of them are below the size."""
    wide, mask = np.uint64(width), mask_of(width)
    for at in range(len(out)):
        place = np.uint64(places[np.uint64(at)])  # one below 0 becomes a very large one
        if place >= np.uint64(size):
            return False
        out[np.uint64(at)] = bits_at(words, place * wide) & mask
    return True


@kernel(
    reads(types.uint64), types.int64, reads(types.uint8), types.int64, types.int64, writes(types.int64),
    returns=types.int64,
)  # fmt: skip
def scan(words, width, table, start, stop, out):
    """Write places from ``start`` to ``stop`` whose id has a 1 in the table; the result is their number.

    The place is written always and counted where it belongs: cheaper than a jump that nobody can foretell.
    ``out`` has room for one more.
    """
    wide, mask = np.uint64(width), mask_of(width)
    bit = np.uint64(start) * wide
    count = np.uint64(0)
    for place in range(start, stop):
        out[count] = place
        count += np.uint64(table[bits_at(words, bit) & mask])
        bit += wide
    return np.int64(count)


@kernel(
    reads(types.int32), reads(types.int32), reads(types.int32), reads(types.int64), writes(types.int64),
    returns=types.void,
)  # fmt: skip
def innermost(starts, ends, outer, places, out):
    """Number of the innermost region that holds each place, −1 for none.

    Regions are sorted by start, the longer one of several first. ``outer`` has for each the last region before it that
    ends later, −1 for none; it is empty where no two regions overlap. Places in rising order are found fastest.
    """
    low = np.int64(0)
    for at in range(len(places)):
        place = places[at]
        if low > 0 and starts[low - 1] > place:
            low = np.int64(0)
        step, high = np.int64(1), low
        while high < len(starts) and starts[high] <= place:
            low = high + 1
            high += step
            step *= 2
        high = min(high, np.int64(len(starts)))
        while low < high:
            middle = (low + high) // 2
            if starts[middle] <= place:
                low = middle + 1
            else:
                high = middle
        region = low - 1
        while region >= 0 and ends[region] <= place:
            region = np.int64(outer[region]) if len(outer) else np.int64(-1)
        out[at] = region


@kernel(reads(types.int32), writes(types.int32), returns=types.boolean)
def enclose(ends, outer):
    """For each region the last one before it that ends later, −1 for none; whether any has one."""
    is_nested = False
    for at in range(len(ends)):
        before = np.int64(at) - 1
        while before >= 0 and ends[before] <= ends[at]:
            before = np.int64(outer[before])
        outer[at] = before
        is_nested = is_nested or before >= 0
    return is_nested


@kernel(reads(types.uint32), writes(types.int64), returns=types.void)
def count(values, counts):
    """Add how often each number occurs."""
    for at in range(len(values)):
        counts[np.uint64(values[np.uint64(at)])] += 1


@kernel(
    reads(types.int32), reads(types.int32), reads(types.int32), types.int64, writes(types.int32), returns=types.void
)
def head_offsets(numbers, starts, ends, first, out):
    """Distance from each token to its head; 0 for roots and for heads outside of the sentence.

    ``numbers`` are heads of the tokens from ``first`` on, counted from 1 in their sentences; sentences are sorted and do
    not overlap.
    """
    sentence, high = np.int64(-1), np.int64(len(starts))
    while sentence + 1 < high:
        middle = (sentence + high) // 2
        if starts[middle] <= first:
            sentence = middle
        else:
            high = middle
    for at in range(len(numbers)):
        place = first + at
        while sentence + 1 < len(starts) and starts[sentence + 1] <= place:
            sentence += 1
        out[at] = 0
        if numbers[at] > 0 and sentence >= 0:
            head = np.int64(starts[sentence]) + numbers[at] - 1
            if place < ends[sentence] and head < ends[sentence]:
                out[at] = head - place
