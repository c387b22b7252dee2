"""Serbian Latin to Serbian Cyrillic, for pages that are written once and served in either script.

The pool of sentences avoids the few words in which ``nj`` or ``dž`` are two sounds, so plain longest
match is exact here; it would not be for arbitrary Serbian.
"""

from __future__ import annotations

import re

_SINGLE = dict(
    zip(
        "abvgdđežzijklmnoprstćufhcčš",
        "абвгдђежзијклмнопрстћуфхцчш",
        strict=True,
    )
)
_DIGRAPHS = {"lj": "љ", "nj": "њ", "dž": "џ"}
_TABLE = _SINGLE | _DIGRAPHS
_LETTERS = re.compile("lj|nj|dž|[" + "".join(_SINGLE) + "]", re.IGNORECASE)


def to_cyrillic(text: str) -> str:
    """Transliterate ``text``; what has no Cyrillic counterpart (digits, q, w, x, y) stays."""
    return _LETTERS.sub(_replace, text)


def _replace(match: re.Match[str]) -> str:
    latin = match.group()
    cyrillic = _TABLE[latin.lower()]
    return cyrillic.upper() if latin[0].isupper() else cyrillic
