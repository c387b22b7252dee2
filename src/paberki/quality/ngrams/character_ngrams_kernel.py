# mypy: ignore-errors
"""Character n-grams of many texts, counted and scored, compiled: see :mod:`paberki.quality.ngrams.ngram_models`."""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import kernel, part
from paberki.kernels.kernel_types import reads, types, writes
from paberki.kernels.utf8_kernel import character
from paberki.quality.rules.rule_characters import DIACRITIC, SPACE

LONG: Final = 12
"""Characters of the long n-grams (P3: 12graph)."""
WINDOW: Final = 100
"""Characters of a sequence that log-probabilities are summed over (P3)."""
SOLID, MARKED = 0, 1

_BASE: Final = np.uint64(0xD6E8FEB86659FD93)
_MIX_1: Final = np.uint64(0xFF51AFD7ED558CCD)
_TWENTY_ONE: Final = np.uint64(21)
_PAIR: Final = np.uint64((1 << 42) - 1)
ROW: Final = 256
"""Places in the row of a pair of characters. Rows keep what is asked for together in one place of the memory."""
_ONE: Final = np.uint64(1)
_NOT_ASCII: Final = np.uint8(0x80)


@part
def _place(key, shift):
    """Place of a key in a table: the highest bits of a product, of which every bit of the key has its say."""
    return np.int64((key * _MIX_1) >> shift)


@part
def _column(char):
    """Place of a character in the row of the two before it: one for each of ASCII, the others share 128."""
    return char if char < 128 else 128 | (char & 127)


@part
def _last_power():
    power = _ONE
    for _ in range(LONG):
        power *= _BASE
    return power


@part
def _add_all(places, count, table):
    """Count one more at each of some places of a table. One after the other, so that many reads are under way at once."""
    for number in range(count):
        table[places[number]] += 1


@kernel(
    reads(types.uint8), reads(types.int32), writes(types.uint64), writes(types.uint64, 2), types.uint64, types.uint64,
    writes(types.uint32), writes(types.uint32), writes(types.uint32),
    returns=types.void, slices=True,
)  # fmt: skip
def count(data, offsets, ring, waiting, row_shift, long_shift, pairs, triples, longs):
    """Add the n-grams of all texts to the three tables; ``ring`` and the two rows of ``waiting`` are room to work in."""
    power = _last_power()
    triple_count = 0
    long_count = 0
    for text in range(len(offsets) - 1):
        at = np.int64(offsets[text])
        end = np.int64(offsets[text + 1])
        before = np.uint64(0)
        rolling = np.uint64(0)
        sequences = 0
        slot = 0
        while at < end:
            if data[at] < _NOT_ASCII:
                char = np.int64(data[at])
                at += 1
            else:
                char, at = character(data, at, end)
            sign = np.uint64(char)
            rolling = rolling * _BASE + sign + _ONE
            if sequences >= LONG:
                rolling -= power * (ring[slot] + _ONE)
            ring[slot] = sign
            slot = slot + 1 if slot < LONG - 1 else 0
            sequences += 1
            if sequences >= 3:
                row = _place(before, row_shift)
                pairs[row] += 1
                waiting[0, triple_count] = row * ROW + _column(char)
                triple_count += 1
            if sequences >= LONG:
                waiting[1, long_count] = _place(rolling, long_shift)
                long_count += 1
            if triple_count == waiting.shape[1]:
                _add_all(waiting[0], triple_count, triples)
                _add_all(waiting[1], long_count, longs)
                triple_count = 0
                long_count = 0
            before = ((before << _TWENTY_ONE) | sign) & _PAIR
    _add_all(waiting[0], triple_count, triples)
    _add_all(waiting[1], long_count, longs)


@kernel(reads(types.uint32), writes(types.uint32), writes(types.uint64), returns=types.int64)
def gather(table, places, counts):
    """Write the places of a table that are not empty and what is there; the result is their number."""
    filled_places = 0
    for place in range(len(table)):
        if table[place]:
            places[filled_places] = place
            counts[filled_places] = table[place]
            filled_places += 1
    return filled_places


@kernel(
    reads(types.uint8),
    reads(types.uint32),
    reads(types.uint64),
    reads(types.int64),
    writes(types.uint64),
    returns=types.void,
)
def add(sizes, places, counts, firsts, table):
    """Add counts to a table that holds those of all sizes, each from its first place on; others are ignored."""
    for row in range(len(places)):
        size = np.int64(sizes[row])
        if size + 1 < len(firsts) and np.int64(places[row]) < firsts[size + 1] - firsts[size]:
            table[firsts[size] + np.int64(places[row])] += counts[row]


@part
def _decode(data, at, end, classes, codes, totals):
    """Characters of the next sequence, from place 2 on; how many, and the offset after them."""
    count = 0
    solid = 0
    diacritic_count = 0
    while at < end and count < WINDOW:
        byte = np.int64(data[at])
        if byte < 0x80:
            codes[count + 2] = np.uint64(byte)
            solid += classes[byte] & SPACE == 0
            at += 1
        else:
            char, at = character(data, at, end)
            codes[count + 2] = np.uint64(char)
            if char < 0x10000:
                what = classes[char]
                solid += what & SPACE == 0
                diacritic_count += what & DIACRITIC != 0 or 0x300 <= char < 0x370
            else:
                solid += 1
        count += 1
    totals[SOLID] += solid
    totals[MARKED] += diacritic_count
    return count, at


@part
def _long_sum(codes, count, power, shift, places, longs):
    """Sum over the 12-grams of a sequence. Places first, then what is there: so many reads are under way at once."""
    rolling = np.uint64(0)
    for at in range(LONG - 1):
        rolling = rolling * _BASE + codes[at + 2] + _ONE
    for at in range(LONG - 1, count):
        rolling = rolling * _BASE + codes[at + 2] + _ONE
        if at >= LONG:
            rolling -= power * (codes[at + 2 - LONG] + _ONE)
        places[at] = (rolling * _MIX_1) >> shift
    total = np.int64(0)
    for at in range(LONG - 1, count):
        total += np.int64(longs[places[at]])
    return total


@kernel(
    reads(types.uint8), reads(types.int32), reads(types.uint16), writes(types.uint64), writes(types.uint64),
    types.uint64, types.uint64, reads(types.uint16), reads(types.uint16), reads(types.uint16),
    writes(types.float64, 2), writes(types.int64, 2),
    returns=types.void, slices=True,
)  # fmt: skip
def score(data, offsets, classes, codes, places, row_shift, long_shift, pairs, triples, longs, means, counts):
    """Mean logarithm of the counts of n-grams in sequences of 100 characters, per n-gram.

    The tables hold quantised logarithms. Columns of ``means``: trigrams and 12-grams within sequences, and what a
    character adds given the two before it, over the whole text; NaN where a text is too short. ``counts``: characters
    that are not space, and those with a diacritic. ``codes`` and ``places`` are room to work in.
    """
    power = _last_power()
    for text in range(len(offsets) - 1):
        at = np.int64(offsets[text])
        end = np.int64(offsets[text + 1])
        triple_sum = np.int64(0)
        long_sum = np.int64(0)
        given_sum = np.int64(0)
        scored_sequences = 0
        windows = 0
        means[text, 0] = np.nan
        means[text, 1] = np.nan
        means[text, 2] = np.nan
        while at < end:
            count, at = _decode(data, at, end, classes, codes, counts[text])
            inside = np.int64(0)
            for place in range(0 if scored_sequences else 2, count):
                before = (codes[place] << _TWENTY_ONE) | codes[place + 1]
                row = np.int64((before * _MIX_1) >> row_shift)
                value = np.int64(triples[row * ROW + _column(np.int64(codes[place + 2]))])
                given_sum += value - np.int64(pairs[row])
                inside += value if place >= 2 else 0
            if count == WINDOW:
                triple_sum += inside
                long_sum += _long_sum(codes, count, power, long_shift, places, longs)
                windows += 1
            elif windows == 0 and count >= LONG:
                means[text, 0] = inside / (count - 2)
                means[text, 1] = _long_sum(codes, count, power, long_shift, places, longs) / (count - LONG + 1)
            scored_sequences += count
            codes[0] = codes[count]
            codes[1] = codes[count + 1]
        if windows > 0:
            means[text, 0] = triple_sum / (windows * (WINDOW - 2))
            means[text, 1] = long_sum / (windows * (WINDOW - LONG + 1))
        if scored_sequences >= LONG:
            means[text, 2] = given_sum / (scored_sequences - 2)
