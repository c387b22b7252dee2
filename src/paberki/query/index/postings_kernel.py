# mypy: ignore-errors
"""Postings, compiled: where each value occurs, as differences in few bits.

The list of a value begins at a byte. Up to :data:`RAW` places stand there as they are, in 32 bits. Longer lists are cut
into blocks of :data:`BLOCK` places: first a table with the first place of every block and its distance in bytes from the
beginning of the list (the place alone if there is one block), then the blocks. A block has a byte for the width of its
differences, a byte for the number of exceptions, the differences less one in that many bits, and the exceptions: number of
the difference and the bits above the width, in 8 bits each, or 8 and 32 where the highest bit of the first byte is set.

Invariants: places of one value grow; ``words`` is zero where it is written to, and ends a word behind the last list.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import inner, kernel, part
from paberki.kernels.kernel_types import reads, trailing_zeros, types, writes
from paberki.query.index.columns_kernel import bits_at, mask_of, put_bits

RAW: Final = 3
BLOCK: Final = 128
_BYTE: Final = np.uint64(8)
_PLACE: Final = np.uint64(32)
_PLACE_MASK: Final = np.uint64(0xFFFFFFFF)
_BYTE_MASK: Final = np.uint64(0xFF)
_WIDE: Final = np.uint64(0x80)
_WIDTH_MASK: Final = np.uint64(0x7F)
_SEVEN: Final = np.uint64(7)
_TWO: Final = np.uint64(2)
_ONE: Final = np.uint64(1)
_WIDEST: Final = 32
_WORD: Final = np.uint64(6)
_WORD_SHIFT: Final = 6
_LAST_BIT: Final = np.uint64(63)
_NARROW_EXCEPTION: Final = 16
_WIDE_EXCEPTION: Final = 40


@kernel(reads(types.uint32), types.int64, types.int64, types.int64, writes(types.int64), writes(types.uint32),
        returns=types.void)  # fmt: skip
def invert(ids, first, low, high, following, places):
    """Sort tokens with ids from ``low`` to ``high`` by id: ``following[id - low]`` says where the next one of it goes.

    ``ids`` are those of the tokens from ``first`` on.
    """
    for at in range(len(ids)):
        number = np.int64(ids[np.uint64(at)])
        if low <= number < high:
            slot = np.uint64(number - low)
            places[np.uint64(following[slot])] = first + at
            following[slot] += 1


@inner
def _bits_of(number):
    """How many bits a number needs."""
    bits = np.uint64(0)
    while number:
        number >>= _ONE
        bits += _ONE
    return bits


@part
def _best_width(places, low, high, widths):
    """Width of the differences of ``places[low:high]`` that takes least room; ``widths`` is for counting."""
    for width in range(_WIDEST + 1):
        widths[width] = 0
    longest = 0
    for at in range(low + 1, high):
        bits = np.int64(_bits_of(np.uint64(places[at]) - np.uint64(places[at - 1]) - _ONE))
        widths[bits] += 1
        longest = max(longest, bits)
    best, least, exceptions = longest, (high - low - 1) * longest, 0
    for width in range(longest - 1, -1, -1):
        exceptions += widths[width + 1]
        size = (high - low - 1) * width
        size += exceptions * (_NARROW_EXCEPTION if longest - width <= 8 else _WIDE_EXCEPTION)
        if size < least:
            best, least = width, size
    return np.uint64(best), longest - best > 8


@part
def _pack_block(places, low, high, words, bit, widths):
    """Write one block; the bit behind it, at the beginning of a byte."""
    width, wide = _best_width(places, low, high, widths)
    mask, head = mask_of(width), bit
    bit += _TWO * _BYTE
    exceptions = np.uint64(0)
    for at in range(low + 1, high):
        delta = np.uint64(places[at]) - np.uint64(places[at - 1]) - _ONE
        if width:
            put_bits(words, bit, delta & mask, width)
        bit += width
        exceptions += np.uint64(delta > mask)
    bit = (bit + _SEVEN) & ~_SEVEN
    if exceptions:
        for at in range(low + 1, high):
            delta = np.uint64(places[at]) - np.uint64(places[at - 1]) - _ONE
            if delta > mask:
                put_bits(words, bit, np.uint64(at - low), _BYTE)
                put_bits(words, bit + _BYTE, delta >> width, _PLACE if wide else _BYTE)
                bit += _BYTE + (_PLACE if wide else _BYTE)
    put_bits(words, head, width | (_WIDE if wide else np.uint64(0)) | (exceptions << _BYTE), _TWO * _BYTE)
    return bit


@kernel(
    reads(types.uint32), reads(types.int64), writes(types.uint64), writes(types.int64), writes(types.int64),
    returns=types.int64,
)  # fmt: skip
def pack_lists(places, edges, words, begins, widths):
    """Write the lists ``places[edges[k]:edges[k + 1]]``; ``begins`` gets the byte of each and, last, of the end.

    The result is the number of bytes.
    """
    bit = np.uint64(0)
    for number in range(len(edges) - 1):
        low, high = edges[number], edges[number + 1]
        start = bit
        begins[number] = np.int64(start // _BYTE)
        if high - low <= RAW:
            for at in range(low, high):
                put_bits(words, bit, np.uint64(places[at]), _PLACE)
                bit += _PLACE
            continue
        blocks = (high - low + BLOCK - 1) // BLOCK
        table = bit
        bit += np.uint64(blocks) * _TWO * _PLACE if blocks > 1 else _PLACE
        for block in range(blocks):
            first = low + block * BLOCK
            put_bits(words, table, np.uint64(places[first]), _PLACE)
            if blocks > 1:
                put_bits(words, table + _PLACE, (bit - start) // _BYTE, _PLACE)
            table += _TWO * _PLACE
            bit = _pack_block(places, first, min(first + BLOCK, high), words, bit, widths)
    begins[len(edges) - 1] = np.int64(bit // _BYTE)
    return np.int64(bit // _BYTE)


@part
def _unpack_block(words, bit, place, count, out, at):
    """Write the places of a block from ``out[at]`` on."""
    head = bits_at(words, bit)
    width, exceptions = head & _WIDTH_MASK, (head >> _BYTE) & _BYTE_MASK
    value_bits = _PLACE if head & _WIDE else _BYTE
    mask = mask_of(width)
    bit += _TWO * _BYTE
    out[at] = place
    if exceptions == np.uint64(0):
        for k in range(1, count):
            place += np.int64(bits_at(words, bit) & mask) + 1
            bit += width
            out[at + k] = place
        return
    for k in range(1, count):
        out[at + k] = np.int64(bits_at(words, bit) & mask) + 1
        bit += width
    bit = (bit + _SEVEN) & ~_SEVEN
    for _ in range(exceptions):
        k = np.int64(bits_at(words, bit) & _BYTE_MASK)
        out[at + k] += np.int64((bits_at(words, bit + _BYTE) & mask_of(value_bits)) << width)
        bit += _BYTE + value_bits
    for k in range(1, count):
        out[at + k] += out[at + k - 1]


@part
def _first_block(words, bit, blocks, start):
    """The last block that begins at or before ``start``; the first if none does."""
    low, high = np.int64(0), np.int64(blocks)
    while low < high:
        middle = (low + high) // 2
        if np.int64(bits_at(words, bit + np.uint64(middle) * _TWO * _PLACE) & _PLACE_MASK) <= start:
            low = middle + 1
        else:
            high = middle
    return max(low - 1, np.int64(0))


@part
def _only_between(out, low, high, start, stop):
    """Keep the places of ``out[low:high]``, which are in order, that lie between; where they end."""
    while high > low and out[high - 1] >= stop:
        high -= 1
    first = low
    while first < high and out[first] < start:
        first += 1
    if first > low:
        for at in range(first, high):
            out[low + at - first] = out[at]
    return low + high - first


@kernel(
    reads(types.uint64), reads(types.int64), reads(types.int64), types.int64, types.int64, writes(types.int64),
    returns=types.int64,
)  # fmt: skip
def unpack_lists(words, begins, counts, start, stop, out):
    """Write the places from ``start`` to ``stop`` of the lists that begin at these bytes; the result is their number.

    Each list is in order. ``out`` has room for all places of all lists, and a block more.
    """
    at = np.int64(0)
    for number in range(len(begins)):
        bit, count = np.uint64(begins[number]) * _BYTE, counts[number]
        list_at = at
        if count <= RAW:
            for _ in range(count):
                out[at] = np.int64(bits_at(words, bit) & _PLACE_MASK)
                bit += _PLACE
                at += 1
        elif count <= BLOCK:
            place = np.int64(bits_at(words, bit) & _PLACE_MASK)
            _unpack_block(words, bit + _PLACE, place, count, out, at)
            at += count
        else:
            blocks = (count + BLOCK - 1) // BLOCK
            block = _first_block(words, bit, blocks, start)
            while block < blocks:
                entry = bits_at(words, bit + np.uint64(block) * _TWO * _PLACE)
                place = np.int64(entry & _PLACE_MASK)
                if place >= stop:
                    break
                size = min(np.int64(BLOCK), count - block * BLOCK)
                _unpack_block(words, bit + (entry >> _PLACE) * _BYTE, place, size, out, at)
                at += size
                block += 1
        at = _only_between(out, list_at, at, start, stop)
    return at


@kernel(writes(types.int64), types.int64, writes(types.uint64), returns=types.int64)
def sort_places(places, start, bits):
    """Sort places that lie from ``start`` on, in place, by a bit for each place that there may be.

    Equal places become one; the result is their number. ``bits`` are zero before.
    """
    for at in range(len(places)):
        place = np.uint64(places[at] - start)
        bits[place >> _WORD] |= _ONE << (place & _LAST_BIT)
    count = 0
    for word in range(len(bits)):
        rest = bits[np.uint64(word)]
        while rest:
            places[count] = start + (word << _WORD_SHIFT) + np.int64(trailing_zeros(rest))
            count += 1
            rest &= rest - _ONE
    return count
