"""Classes of characters that the rules of quality count, for the basic plane of Unicode."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.kernels.basic_plane import table_of

SPACE: Final = 1
LETTER: Final = 2
WORD: Final = 4
"""Letters, marks, digits and the underscore: what words are made of."""
DIGIT: Final = 8
MARK: Final = 16
TERMINAL: Final = 32
"""Ends a sentence (Unicode's Sentence_Terminal)."""
DIACRITIC: Final = 64
ALONE: Final = 128
"""A word by itself: Han and kana, which are written without spaces."""
UPPER: Final = 256
LOWER: Final = 512
LINE_END: Final = 1024
"""Where ``str.splitlines`` splits."""
PUNCTUATION: Final = 2048
"""Punctuation, symbols and controls."""
RUN: Final = 4096
"""Repeated, they are one sign: dots, dashes, rules across the page."""

_STROKED: Final = "đĐłŁøØħĦŧŦɨıŋŊßæÆœŒðÐþÞ"
"""Letters with a stroke or of their own kind, which Unicode does not take apart."""
_RUNS: Final = ".-_/|~^\\"
_TERMINAL: Final = (
    (0x21, 0x21), (0x2E, 0x2E), (0x3F, 0x3F), (0x589, 0x589), (0x61D, 0x61F), (0x6D4, 0x6D4), (0x700, 0x702),
    (0x7F9, 0x7F9), (0x837, 0x837), (0x839, 0x839), (0x83D, 0x83E), (0x964, 0x965), (0x104A, 0x104B),
    (0x1362, 0x1362), (0x1367, 0x1368), (0x166E, 0x166E), (0x1735, 0x1736), (0x17D4, 0x17D6), (0x17D9, 0x17DA),
    (0x1803, 0x1803), (0x1809, 0x1809), (0x1944, 0x1945), (0x1AA8, 0x1AAB), (0x1B5A, 0x1B5B), (0x1B5E, 0x1B5F),
    (0x1B7D, 0x1B7E), (0x1C3B, 0x1C3C), (0x1C7E, 0x1C7F), (0x203C, 0x203D), (0x2047, 0x2049), (0x2E2E, 0x2E2E),
    (0x2E3C, 0x2E3C), (0x2E53, 0x2E54), (0x3002, 0x3002), (0xA4FF, 0xA4FF), (0xA60E, 0xA60F), (0xA6F3, 0xA6F3),
    (0xA6F7, 0xA6F7), (0xA876, 0xA877), (0xA8CE, 0xA8CF), (0xA92F, 0xA92F), (0xA9C8, 0xA9C9), (0xAA5D, 0xAA5F),
    (0xAAF0, 0xAAF1), (0xABEB, 0xABEB), (0xFE52, 0xFE52), (0xFE56, 0xFE57), (0xFF01, 0xFF01), (0xFF0E, 0xFF0E),
    (0xFF1F, 0xFF1F), (0xFF61, 0xFF61),
)  # fmt: skip
_ALONE: Final = ((0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF))


@lru_cache(maxsize=1)
def classes() -> npt.NDArray[np.uint16]:
    """What each character of the first plane is, as bits."""
    table = table_of(_class, np.uint16)
    for first, last in _TERMINAL:
        table[first : last + 1] |= TERMINAL
    for first, last in _ALONE:
        table[first : last + 1] |= np.where(table[first : last + 1] & LETTER, ALONE, 0).astype(np.uint16)
    return table


def carries_diacritic(char: str) -> bool:
    """Whether a letter is written with a mark or a stroke: č, ž, đ, ø."""
    if char in _STROKED:
        return True
    parts = unicodedata.normalize("NFD", char)
    return len(parts) > 1 and char.isalpha() and any(map(unicodedata.combining, parts))


def _class(char: str) -> int:
    category = unicodedata.category(char)
    classes = _kind(char, category)
    if category in ("Lu", "Lt"):
        classes |= UPPER
    elif category == "Ll":
        classes |= LOWER
    if char > "\x7f" and category[0] == "L" and carries_diacritic(char):
        classes |= DIACRITIC
    if len(f"a{char}a".splitlines()) > 1:
        classes |= LINE_END
    return classes | (RUN if char in _RUNS else 0)


def _kind(char: str, category: str) -> int:
    if char.isspace():
        return SPACE
    if char == "_":
        return WORD | PUNCTUATION
    if category[0] == "L":
        return LETTER | WORD
    if category[0] == "M":
        return MARK | WORD
    if category[0] == "N":
        return DIGIT | WORD
    return PUNCTUATION if category[0] in "PSC" else 0
