"""Which script a text is in: letters are counted per script, distinctive letters one by one."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.languages.telling_words import LETTERS, SERBIAN_CYRILLIC

RANGES: Final[tuple[tuple[str, str, str], ...]] = (
    ("Latn", "A", "Z"), ("Latn", "a", "z"), ("Latn", "\xaa", "\xaa"), ("Latn", "\xba", "\xba"),
    ("Latn", "\xc0", "\xd6"), ("Latn", "\xd8", "\xf6"), ("Latn", "\xf8", "\u02af"),
    ("Latn", "\u1e00", "\u1eff"), ("Grek", "\u0370", "\u03ff"),
    ("Cyrl", "\u0400", "\u052f"), ("Armn", "\u0531", "\u0587"),
    ("Hebr", "\u05d0", "\u05ea"), ("Arab", "\u0620", "\u06d3"), ("Deva", "\u0900", "\u097f"),
    ("Thai", "\u0e01", "\u0e4e"), ("Geor", "\u10a0", "\u10ff"), ("Hira", "\u3041", "\u309f"),
    ("Kana", "\u30a1", "\u30fa"), ("Kana", "\u30fc", "\u30ff"), ("Kana", "\uff66", "\uff9f"),
    ("Hani", "\u3400", "\u4dbf"), ("Hani", "\u4e00", "\u9fff"), ("Hani", "\uf900", "\ufaff"),
    ("Hang", "\u1100", "\u11ff"), ("Hang", "\uac00", "\ud7a3"),
)  # fmt: skip

NAMES: Final = tuple(dict.fromkeys(name for name, _, _ in RANGES))
"""ISO 15924 codes in the order of the counts (Hira, Kana and Hani stand apart here)."""

TELLING: Final = "".join(sorted(set("".join(LETTERS.values()) + SERBIAN_CYRILLIC)))
"""Distinctive letters, which are counted one by one."""

# Classes: 0 no letter; 1..len(NAMES) other letters of a script; then the telling letters.
_FIRST_TELLING: Final = len(NAMES) + 1
CLASS_COUNT: Final = _FIRST_TELLING + len(TELLING)

IntArray = npt.NDArray[np.int64]


def _classes() -> npt.NDArray[np.uint8]:
    table = np.zeros(0x10000, np.uint8)
    for name, first, last in RANGES:
        table[ord(first) : ord(last) + 1] = NAMES.index(name) + 1
    for index, letter in enumerate(TELLING):
        for form in (letter, letter.upper()):
            if len(form) == 1:
                table[ord(form)] = _FIRST_TELLING + index
    return table


CLASSES: Final = _classes()
"""Class of every character of the first plane."""


def _membership() -> npt.NDArray[np.float64]:
    """Class -> script, as a matrix to multiply counts with."""
    matrix = np.zeros((CLASS_COUNT, len(NAMES)))
    for index in range(len(NAMES)):
        matrix[index + 1, index] = 1
    for index, letter in enumerate(TELLING):
        matrix[_FIRST_TELLING + index, NAMES.index("Cyrl" if letter >= "\u0400" else "Latn")] = 1
    return matrix


_MEMBERSHIP: Final = _membership()


def script_totals(counts: IntArray) -> npt.NDArray[np.float64]:
    """Letters per script of :data:`NAMES`; rows of counts give rows of totals."""
    totals: npt.NDArray[np.float64] = counts.astype(np.float64) @ _MEMBERSHIP
    return totals


def class_of_letter(letter: str) -> int:
    """Class of a telling letter."""
    return _FIRST_TELLING + TELLING.index(letter)
