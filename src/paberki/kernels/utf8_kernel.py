# mypy: ignore-errors
"""Characters of UTF-8 text, for compiled loops: the one reader of all kernels.

Nothing is read from ``end`` on, whatever stands before it, and every call moves on by at least one byte. A byte that
begins no character, or one that is cut at the end, counts as a character of its own.
"""

from __future__ import annotations

import numpy as np

from paberki.kernels import inner, part
from paberki.kernels.byte_names import CONTINUATION, CONTINUATION_MASK

_TWO, _THREE, _FOUR = 0xC0, 0xE0, 0xF0
"""The smallest first bytes of characters of two, three and four bytes."""
_LAST = 0x10FFFF
_BASIC = 0x10000


@part
def _low(data, at):
    """The six bits of a later byte."""
    return np.int64(data[np.uint64(at)]) & 0x3F


@part
def character(data, at, end):
    """Character at an offset before ``end``, and the offset after it."""
    byte = np.int64(data[np.uint64(at)])
    if byte < CONTINUATION:
        return byte, at + 1
    if _TWO <= byte < _THREE and at + 2 <= end:
        return ((byte & 0x1F) << 6) | _low(data, at + 1), at + 2
    if _THREE <= byte < _FOUR and at + 3 <= end:
        return ((byte & 0x0F) << 12) | (_low(data, at + 1) << 6) | _low(data, at + 2), at + 3
    if byte >= _FOUR and at + 4 <= end:
        char = ((byte & 0x07) << 18) | (_low(data, at + 1) << 12) | (_low(data, at + 2) << 6) | _low(data, at + 3)
        if char <= _LAST:
            return char, at + 4
    return byte, at + 1


@part
def basic_character(data, at, end):
    """The same; 0 stands for characters that are not of the basic plane, so that tables of 65,536 are enough."""
    char, after = character(data, at, end)
    return (char if char < _BASIC else np.int64(0)), after


@inner
def forward(data, at, end, characters):
    """The offset so many characters further, at most ``end``."""
    while characters > 0 and at < end:
        at += 1
        while at < end and data[np.uint64(at)] & CONTINUATION_MASK == CONTINUATION:
            at += 1
        characters -= 1
    return at
