# mypy: ignore-errors
"""The words of many texts looked up in a table, compiled: see :mod:`paberki.lexicon`, which holds the tables."""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import kernel, part
from paberki.kernels.byte_names import FIRST_OF_FOUR, LOWER_A, LOWER_Z
from paberki.kernels.hash_constants import FNV_PRIME, FNV_START_SIGNED
from paberki.kernels.kernel_types import reads, types
from paberki.kernels.utf8_kernel import character

SHORT_STEM: Final = 5
LONG_STEM: Final = 7
STEM: Final = 0x5BD1E9955BD1E995
"""Stems are in the table beside whole words, under a key of their own."""
_SYMBOLS: Final = 0x1F000  # beyond the first plane, letters lie below and above the emoji
_SYMBOLS_END: Final = 0x20000


@part
def is_unspaced(char):
    """Whether a letter is of a script without spaces between words: Thai, Lao, Burmese, Khmer, kana, Han."""
    if char < 0x3040:
        return 0x0E00 <= char <= 0x0EFF or 0x1000 <= char <= 0x109F or 0x1780 <= char <= 0x17FF
    return char <= 0x30FF or 0x3400 <= char <= 0x9FFF


@part
def _add(key, keys, firsts, columns, weights, scores, text):
    """Add what a word or stem weighs to the scores of its text, if the table has it."""
    slot = (key ^ (key >> 32)) & (len(keys) - 1)
    while keys[slot] != 0:
        if keys[slot] == key:
            for item in range(firsts[slot], firsts[slot + 1]):
                scores[text, columns[item]] += weights[item]
            return
        slot = (slot + 1) & (len(keys) - 1)


@kernel(
    reads(types.uint8, 1), reads(types.int32, 1), reads(types.uint16, 1), reads(types.uint8, 1),
    reads(types.int64, 1), reads(types.int32, 1), reads(types.int32, 1), reads(types.int64, 1), types.boolean,
    types.boolean, types.boolean, types.Array(types.int64, 2, "C"), types.Array(types.int64, 2, "C"),
    types.Array(types.int64, 1, "C"),
    returns=types.void,
)  # fmt: skip
def look_up(
    data, offsets, lower, classes, keys, firsts, columns, weights, counted_class, stems, apart, scores, class_counts,
    word_counts,
):  # fmt: skip
    """Scores, characters per class and words of every text, added to the three last arrays.

    ``lower`` gives the small letter of a character of the first plane, 0 for what is no letter. A word is a run of
    letters; with ``apart`` each letter of a script without spaces is one. With ``counted_class`` the characters of each class are counted.
    ``firsts`` and the two arrays after it hold the weights of each slot of ``keys``.
    """
    for text in range(len(offsets) - 1):
        at = np.int64(offsets[text])
        end = np.int64(offsets[text + 1])
        key = np.int64(FNV_START_SIGNED)
        length = 0
        short = key
        long = key
        inside = True
        while inside:
            if not counted_class:  # small letters of ASCII, which most of a text is, are themselves
                while at < end and LOWER_A <= data[at] <= LOWER_Z:
                    key = (key ^ np.int64(data[at])) * FNV_PRIME
                    length += 1
                    at += 1
                    if length == SHORT_STEM:
                        short = key
                    elif length == LONG_STEM:
                        long = key
            letter = np.int64(0)
            lone = False
            if at < end:
                char, at = character(data, at, end)
                if char < FIRST_OF_FOUR:
                    if counted_class:
                        class_counts[text, classes[char]] += 1
                    letter = np.int64(lower[char])
                    lone = apart and char >= 0x0E00 and letter != 0 and is_unspaced(char)
                elif not _SYMBOLS <= char < _SYMBOLS_END:
                    letter = char
            else:
                inside = False
            if letter != 0 and not lone:
                key = (key ^ letter) * FNV_PRIME
                length += 1
                if length == SHORT_STEM:
                    short = key
                elif length == LONG_STEM:
                    long = key
            elif length > 0:
                word_counts[text] += 1
                _add(key, keys, firsts, columns, weights, scores, text)
                if stems:
                    _add((short if length > SHORT_STEM else key) ^ STEM, keys, firsts, columns, weights, scores, text)
                    if length >= LONG_STEM:
                        _add(long ^ STEM, keys, firsts, columns, weights, scores, text)
                key = np.int64(FNV_START_SIGNED)
                length = 0
            if lone:
                word_counts[text] += 1
                _add((key ^ letter) * FNV_PRIME, keys, firsts, columns, weights, scores, text)
