"""One spelling for texts that differ in diacritics or script only: *čekaj*, *cekaj* and *чекај* are the same."""

from __future__ import annotations

import unicodedata
from typing import Final

_LATIN: Final = dict(
    zip(
        "абвгдђежзијклљмнњопрстћуфхцчџшйщъыьэюяѓѕќ",
        "a b v g d d e z z i j k l lj m n nj o p r s t c u f h c c dz s j sc a y _ e ju ja g z k".split(),
        strict=True,
    )
)
_SINGLE: Final = {"đ": "d", "ð": "d", "ł": "l", "ø": "o", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe"}
_TABLE: Final = str.maketrans({**_SINGLE, **{key: value.strip("_") for key, value in _LATIN.items()}})


def folded(text: str | None) -> str:
    """The text in small letters, without marks on letters, Cyrillic as Latin.

    >>> folded("Љубав, čaj и Đak")
    'ljubav, caj i dak'
    """
    if not text:
        return ""
    if text.isascii():
        return text.lower()
    # Cyrillic first: ћ, ђ and й are letters of their own, which taking them apart would lose.
    apart = unicodedata.normalize("NFD", text.lower().translate(_TABLE))
    return "".join(char for char in apart if not unicodedata.combining(char)).translate(_TABLE)
