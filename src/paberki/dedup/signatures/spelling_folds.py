"""One spelling for texts that differ in diacritics or script only: *čekaj*, *cekaj* and *чекај* are the same."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_CYRILLIC: Final = "абвгдђежзијклљмнњопрстћуфхцчџшйщъыьэюяѓѕќ"
_LATIN: Final = re.split(
    " ", "a b v g d d e z z i j k l lj m n nj o p r s t c u f h c c dz s j sc a y  e ju ja g z k"
)  # fmt: skip
_SINGLE: Final = {"đ": "d", "ð": "d", "ł": "l", "ø": "o", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe"}
_TABLE: Final = str.maketrans({**_SINGLE, **dict(zip(_CYRILLIC, _LATIN, strict=True))})


def fold_letters(text: str | None) -> str:
    """The text in small letters, without marks on letters, Cyrillic as Latin.

    >>> fold_letters("Љубав, čaj и Đak")
    'ljubav, caj i dak'
    """
    if not text:
        return ""
    if text.isascii():
        return text.lower()
    # Cyrillic first: ћ, ђ and й are letters of their own, which taking them apart would lose.
    apart = unicodedata.normalize("NFD", text.lower().translate(_TABLE))
    return "".join(char for char in apart if not unicodedata.combining(char)).translate(_TABLE)
