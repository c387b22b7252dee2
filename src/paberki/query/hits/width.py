"""How many cells of a terminal a text takes: two for wide characters (CJK), none for marks that combine."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

__all__ = ["cells", "is_right_to_left", "shorten", "shorten_left"]

_NONE: Final = frozenset({"Mn", "Me", "Cf"})
_SOFT_HYPHEN: Final = "\u00ad"
_HANGUL_TAILS: Final = range(0x1160, 0x1200)
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "RLE", "RLO", "RLI", "AN"})


@lru_cache(maxsize=65536)
def _width(char: str) -> int:
    if char == _SOFT_HYPHEN:
        return 1
    if unicodedata.category(char) in _NONE or ord(char) in _HANGUL_TAILS:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cells(text: str) -> int:
    """The width of a text without control characters."""
    return len(text) if text.isascii() else sum(map(_width, text))


def shorten(text: str, room: int) -> str:
    """The beginning of a text, at most so wide; marks stay with the letter before them."""
    width = 0
    for at, char in enumerate(text):
        width += _width(char)
        if width > room:
            return text[:at]
    return text


def shorten_left(text: str, room: int) -> str:
    """The end of a text, at most so wide; it does not begin with a mark that has lost its letter."""
    width, begin = 0, len(text)
    for at in range(len(text) - 1, -1, -1):
        width += _width(text[at])
        if width > room:
            break
        if _width(text[at]):
            begin = at
    else:
        return text
    return text[begin:]


def is_right_to_left(text: str) -> bool:
    """Whether a text has letters that are written from right to left."""
    return not text.isascii() and any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in text)
