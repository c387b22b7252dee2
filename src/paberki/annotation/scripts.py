"""Serbian in Cyrillic, read as Latin: models are trained on Latin text, forms and lemmas come back in Cyrillic."""

from __future__ import annotations

import re
from typing import Final

from paberki.serbian import LATIN

_LATIN: Final = {**LATIN, **{one.upper(): two.capitalize() for one, two in LATIN.items()}}
_CYRILLIC: Final = {latin: cyrillic for cyrillic, latin in _LATIN.items()}
_CYRILLIC.update({"LJ": "Љ", "NJ": "Њ", "DŽ": "Џ"})
_BACK: Final = re.compile("|".join(sorted(map(re.escape, _CYRILLIC), key=len, reverse=True)))
_SOME: Final = re.compile("[Ѐ-ӿ]")


def has_cyrillic(text: str) -> bool:
    """Whether any letter is Cyrillic."""
    return _SOME.search(text) is not None


def to_latin(text: str) -> tuple[str, list[int]]:
    """The text in Latin script, and for each of its characters the place it comes from; at the end the text's length."""
    pieces: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        latin = _LATIN.get(letter, letter)
        if len(latin) == 2 and latin[0].isupper() and text[place + 1 : place + 2].isupper():
            latin = latin.upper()
        pieces.append(latin)
        places += [place] * len(latin)
    places.append(len(text))
    return "".join(pieces), places


def to_cyrillic(word: str) -> str:
    """A Serbian word in Cyrillic; where two letters may be one (*nj*), they are taken as one."""
    return _BACK.sub(lambda found: _CYRILLIC[found.group()], word)
