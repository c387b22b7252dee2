"""Classes of characters that features count. They know scripts, not languages."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.kernels.array_cache import derived
from paberki.kernels.basic_plane import SIZE, table_of

(
    OTHER, LOWER, UPPER, CASELESS, DIGIT, SPACE, STOP, COMMA, BRACKET, DASH, SEPARATOR, SYMBOL, UNSPACED,
) = range(13)  # fmt: skip
LOWER_START, UPPER_START, SENTENCE_END = 13, 14, 15
"""Events counted beside the classes: words that start in a small letter or in one of a script without case, words that
start in a capital, stops that end a sentence."""
COUNTS: Final = 16

_STOPS: Final = ".!?。！？…।؟"
_COMMAS: Final = ",;:、，；：،"
_SEPARATORS: Final = "|»›•·/>«‹→←▶►▼▲"
_UNSPACED: Final = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x3400, 0x9FFF))
"""Thai, Lao, Burmese, Khmer, kana and Han characters: scripts that do not put spaces between words."""


@lru_cache(maxsize=1)
def classes() -> npt.NDArray[np.uint8]:
    """Class of every character of the basic plane; all others count as OTHER."""
    return np.array(_tables()["classes"])  # a copy, since the compiled part takes arrays that can be written to


@lru_cache(maxsize=1)
def small_letters() -> npt.NDArray[np.uint16]:
    """The small letter of every capital of the basic plane, all other characters as they are."""
    return np.array(_tables()["small"])


def _tables() -> dict[str, npt.NDArray[Any]]:
    """Cached on disk: making them takes as long as some hundred pages."""
    return derived(f"characters-unicode-{unicodedata.unidata_version}", [Path(__file__)], _make_tables)


def _make_tables() -> dict[str, npt.NDArray[Any]]:
    return {"classes": table_of(_class, np.uint8), "small": table_of(_small_letter, np.uint16)}


def _small_letter(char: str) -> int:
    small = char.lower()
    return ord(small if len(small) == 1 and ord(small) < SIZE else char)


def _class(char: str) -> int:
    category = unicodedata.category(char)
    for members, number in ((_STOPS, STOP), (_COMMAS, COMMA), (_SEPARATORS, SEPARATOR)):
        if char in members:
            return number
    if any(first <= ord(char) <= last for first, last in _UNSPACED) and category[0] in "LM":
        return UNSPACED
    if char.isspace():
        return SPACE
    if category in ("Ps", "Pe", "Pi", "Pf") or char in "\"'":
        return BRACKET
    by_category = {"Ll": LOWER, "Lu": UPPER, "Lt": UPPER, "Pd": DASH}
    by_kind = {"L": CASELESS, "M": CASELESS, "N": DIGIT, "S": SYMBOL, "P": SYMBOL}
    return by_category.get(category) or by_kind.get(category[0], OTHER)
