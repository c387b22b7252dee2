"""What kind of character: the classes that regular expressions and strings tell apart, as one number for each.

The kernels that cut text into tokens look characters up here; a table for a quarter of a million of them is made once
per machine and shared. What lies beyond is taken for signs.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.kernels.array_cache import derived

SPACE, WORD, DECIMAL, ALPHA, DIGIT, LOWER, UPPER, TITLE = (1 << bit for bit in range(8))
HEAD, MARK, CJK, PICTURE, SIGN, STOP, TAIL, MAIL = (1 << bit for bit in range(8, 16))
"""A letter or digit that may begin a word; what may stand inside one; ideographs and kana; emoji; hyphens and
apostrophes; what ends an address, what may be its last character; what may stand before the sign of a mail address."""

IDEOGRAPHS: Final = "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
MARKS: Final = "\u00ad\u0300-\u036f\u0483-\u0487\u200c\u200d\ufe0e\ufe0f"
PICTURES: Final = "\U0001f300-\U0001faff\u2600-\u27bf"
SIGNS: Final = "-‐‑’'&"
_PATTERNS: Final = {
    SPACE: r"\s",
    WORD: r"\w",
    DECIMAL: r"\d",
    HEAD: rf"[^\W_{IDEOGRAPHS}]",
    MARK: f"[{MARKS}]",
    CJK: f"[{IDEOGRAPHS}]",
    PICTURE: f"[{PICTURES}]",
    SIGN: f"[{SIGNS}]",
    STOP: r"[\s<>\"„“”«»]",
    TAIL: r"[\w/#=&%~+-]",
    MAIL: r"[\w.+-]",
}
_METHODS: Final = {ALPHA: str.isalpha, DIGIT: str.isdigit, LOWER: str.islower, UPPER: str.isupper}
_COUNT: Final = 0x40000
_CASED: Final = 0x20000

Points = npt.NDArray[np.uint32]
Kinds = npt.NDArray[np.uint16]


def points_of(text: str) -> Points:
    """The characters of a text as numbers."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def kinds_of(points: Points) -> Kinds:
    """What kind each character is."""
    kinds: Kinds = _tables()["kinds"]
    return kinds[np.minimum(points, _COUNT)]


def lower_of(points: Points) -> Points:
    """Characters in lower case, each by itself."""
    lower: Points = _tables()["lower"]
    return np.where(points < _CASED, lower[np.minimum(points, _CASED - 1)], points)


def simple(lower: str) -> str:
    """Text in lower case as :func:`lower_of` has it: no final sigma, and the capital that would become two letters."""
    return lower.replace("ς", "σ").replace("i\u0307", "\u0130")


@lru_cache(maxsize=1)
def _tables() -> dict[str, npt.NDArray[Any]]:
    return derived(f"characters-{unicodedata.unidata_version}", [Path(__file__)], _make)


def _make() -> dict[str, npt.NDArray[Any]]:
    text = "".join(map(chr, range(_COUNT)))
    kinds = np.zeros(_COUNT + 1, np.uint16)  # the last stands for all that lie beyond
    for flag, pattern in _PATTERNS.items():
        for match in re.finditer(f"(?:{pattern})+", text):
            kinds[match.start() : match.end()] |= flag
    for flag, method in _METHODS.items():
        kinds[:-1] |= np.fromiter(map(method, text), bool, _COUNT) * np.uint16(flag)
    kinds[:-1] |= np.fromiter((unicodedata.category(one) == "Lt" for one in text), bool, _COUNT) * np.uint16(TITLE)
    lower = np.fromiter((ord(simple(one.lower())) for one in text[:_CASED]), np.uint32, _CASED)
    return {"kinds": kinds, "lower": lower}
