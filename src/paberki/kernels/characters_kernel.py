# mypy: ignore-errors
"""Classes of single characters, for compiled loops: letters and digits of ASCII, white space of Unicode.

Kernels that need classes of all of Unicode look them up in a table (:mod:`paberki.kernels.basic_plane`).
"""

from __future__ import annotations

from typing import Final

from paberki.kernels import inner
from paberki.kernels.byte_names import (
    BLANK,
    CARRIAGE_RETURN,
    DIGIT_0,
    DIGIT_9,
    LOWER_A,
    LOWER_Z,
    TAB,
    UPPER_A,
    UPPER_Z,
)

_CASE: Final = LOWER_A - UPPER_A
"""The bit by which a small ASCII letter differs from its capital."""
_FIRST_SEPARATOR: Final = 0x1C
"""Four separators of records end the controls; ``str.isspace`` counts them."""
_NEXT_LINE, _NO_BREAK, _OGHAM = 0x85, 0xA0, 0x1680
_EN_QUAD, _HAIR = 0x2000, 0x200A
_LINE, _PARAGRAPH, _NARROW, _MATHEMATICAL, _IDEOGRAPHIC = 0x2028, 0x2029, 0x202F, 0x205F, 0x3000


@inner
def is_letter(char):
    """Whether it is a letter of ASCII."""
    return LOWER_A <= (char | _CASE) <= LOWER_Z


@inner
def is_digit(char):
    """Whether it is a digit of ASCII."""
    return DIGIT_0 <= char <= DIGIT_9


@inner
def small(char):
    """The small letter of a capital of ASCII; all else as it is."""
    return char + _CASE if UPPER_A <= char <= UPPER_Z else char


@inner
def is_space(char):
    """Whether it is white space, as ``str.isspace`` and ``str.split`` say."""
    if char <= BLANK:
        return TAB <= char <= CARRIAGE_RETURN or char >= _FIRST_SEPARATOR
    if char < _NEXT_LINE:
        return False
    return (
        char == _NEXT_LINE or char == _NO_BREAK or char == _OGHAM or _EN_QUAD <= char <= _HAIR or char == _LINE
        or char == _PARAGRAPH or char == _NARROW or char == _MATHEMATICAL or char == _IDEOGRAPHIC
    )  # fmt: skip
