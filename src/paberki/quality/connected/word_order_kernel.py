# mypy: ignore-errors
"""Function words of many texts, counted and followed from word to word, compiled: see
:mod:`paberki.quality.connected.word_order`, which holds the tables.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import kernel, part
from paberki.kernels.byte_names import BLANK, FIRST_OF_FOUR, LINE_FEED
from paberki.kernels.hash_constants import FNV_PRIME, FNV_START_SIGNED
from paberki.kernels.kernel_types import reads, types, writes
from paberki.kernels.utf8_kernel import character
from paberki.lexicon.lexicon_kernel import is_unspaced

NO_BREAK_SPACE: Final = 0xA0
LAST: Final = 1
"""Stands before a last letter in its hash, so that it is not that of a word of one letter."""
STOPS: Final = tuple(map(ord, ".!?…؟।。！？։።"))
WIDE_STOPS: Final = tuple(map(ord, "。！？"))
CLOSING: Final = tuple(map(ord, "\"'”’»)]"))


@part
def _number_of(key, keys, numbers):
    """The number of a word or last letter; -1 for those that are not in the table."""
    slot = (key ^ (key >> 32)) & (len(keys) - 1)
    while keys[slot] != 0:
        if keys[slot] == key:
            return np.int64(numbers[slot])
        slot = (slot + 1) & (len(keys) - 1)
    return np.int64(-1)


@part
def _class_of(key, last, keys, numbers, other):
    """The number of a word; of others that of their last letter, or ``other``."""
    number = _number_of(key, keys, numbers)
    if number < 0:
        number = _number_of((((FNV_START_SIGNED ^ LAST) * FNV_PRIME) ^ last) * FNV_PRIME, keys, numbers)
    return number if number >= 0 else other


@part
def _follow(before, after, gains, orders, text):
    orders[text, 0] += gains[before, after]
    orders[text, 1] += 1


@kernel(
    reads(types.uint8), reads(types.int32), reads(types.uint16), reads(types.int64), reads(types.int32),
    reads(types.int16, 2), writes(types.int64, 2), writes(types.int64, 2),
    returns=types.void,
)  # fmt: skip
def follow_words(data, offsets, lower, keys, numbers, gains, counts, orders):
    """Occurrences of each class of words in every text; and of pairs of neighbours the sum of their gains and their number.

    Classes are the words of the table, then last letters of other words, then the rest, and last ends of sentences: a
    stop before a space. A word is a run of letters; letters of scripts without spaces are words by themselves. Neighbours
    have a space between them, unless their script has none: parts of "l'homme" stay together however its words are
    shuffled; so do a word and the stop after it, which therefore counts as neighbour of the next word only. ``gains`` has a row for the class on the left and a column for the one on the right.
    """
    other = np.int64(len(gains) - 2)
    for text in range(len(offsets) - 1):
        at = np.int64(offsets[text])
        end = np.int64(offsets[text + 1])
        key = np.int64(FNV_START_SIGNED)
        last = np.int64(0)
        before = np.int64(-1)
        apart = False
        stop = False
        inside = True
        while inside:
            char = np.int64(BLANK)
            letter = np.int64(0)
            lone = False
            if at < end:
                char, at = character(data, at, end)
                if char < FIRST_OF_FOUR:
                    letter = np.int64(lower[char])
                    lone = letter != 0 and is_unspaced(char)
            else:
                inside = False
            if letter != 0 and not lone:
                key = (key ^ letter) * FNV_PRIME
                last = letter
                stop = False
                continue
            if last != 0:
                word = _class_of(key, last, keys, numbers, other)
                counts[text, word] += 1
                if before >= 0 and apart:
                    _follow(before, word, gains, orders, text)
                before = word
                apart = False
                key = np.int64(FNV_START_SIGNED)
                last = np.int64(0)
            if lone:
                word = _class_of((key ^ letter) * FNV_PRIME, letter, keys, numbers, other)
                counts[text, word] += 1
                if before >= 0:
                    _follow(before, word, gains, orders, text)
                before = word
            space = char in (BLANK, LINE_FEED, NO_BREAK_SPACE)
            wide = char in WIDE_STOPS
            if before >= 0 and before != other + 1 and ((space and stop) or wide):
                counts[text, other + 1] += 1
                before = other + 1
            stop = char in STOPS or (stop and char in CLOSING)
            apart = apart or space or lone or wide
