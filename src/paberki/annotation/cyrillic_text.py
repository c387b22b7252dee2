"""Serbian in Cyrillic, read as Latin: models are trained on Latin text; forms and lemmas are returned in Cyrillic."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.annotation.splitting.character_kinds import UPPER, kinds_of, points_of
from paberki.annotation.tagging.string_hashes import Longs
from paberki.languages.serbian import LATIN

_LATIN: Final = {**LATIN, **{one.upper(): two.capitalize() for one, two in LATIN.items()}}
_CYRILLIC: Final = {latin: cyrillic for cyrillic, latin in _LATIN.items()}
_CYRILLIC.update({"LJ": "Љ", "NJ": "Њ", "DŽ": "Џ"})
_BACK: Final = re.compile("|".join(sorted(map(re.escape, _CYRILLIC), key=len, reverse=True)))
_FIRST: Final = 0x400
_COUNT: Final = 0x100
_SOME: Final = re.compile("[Ѐ-ӿ]")


def has_cyrillic(text: str) -> bool:
    """Whether any letter is Cyrillic."""
    return _SOME.search(text) is not None


def to_latin(text: str) -> tuple[str, Longs]:
    """The text in Latin script, and for each character its place in the original."""
    points = points_of(text)
    letters = np.where(points - _FIRST < _COUNT, points - _FIRST, _COUNT)
    first, second = _table()[0][letters], _table()[1][letters]
    # Two letters for a capital: LJUBAV, but Ljubav.
    before_capital = np.append(kinds_of(points[1:]) & UPPER != 0, False)
    second = np.where(before_capital & (kinds_of(first) & UPPER != 0), _table()[2][letters], second)
    places = np.repeat(np.arange(len(points)), 1 + (second > 0))
    latin = np.where(first > 0, first, points)[places]
    latin[1:][places[1:] == places[:-1]] = second[second > 0]
    return latin.tobytes().decode("utf-32-le", "surrogatepass"), places


@lru_cache(maxsize=1)
def _table() -> npt.NDArray[np.uint32]:
    """First and second Latin letter of each Cyrillic letter, and the second as a capital; 0 if there is none."""
    table = np.zeros((3, _COUNT + 1), np.uint32)
    for letter, latin in _LATIN.items():
        table[0, ord(letter) - _FIRST] = ord(latin[0])
        if len(latin) == 2:
            table[1:, ord(letter) - _FIRST] = ord(latin[1]), ord(latin[1].upper())
    return table


def latin_forms(forms: Sequence[str]) -> dict[str, str]:
    """Latin spellings of the forms with Cyrillic letters."""
    cyrillic = [form for form in set(forms) if has_cyrillic(form) and "\n" not in form]
    return dict(zip(cyrillic, to_latin("\n".join(cyrillic))[0].split("\n"), strict=True)) if cyrillic else {}


@lru_cache(maxsize=1 << 15)
def to_cyrillic(word: str) -> str:
    """A Serbian word in Cyrillic; *nj*, *lj* and *dž* are always read as one letter."""
    return _BACK.sub(lambda match: _CYRILLIC[match.group()], word)
