"""Look-up of capitalised words in lists of first names, family names, countries and towns.

Names are looked up without the last vowel, and words without up to three last letters, because that is where the cases
of a name differ. The lists come with the package; ``python benchmarks/name_lists.py`` makes them and names their sources.
"""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from paberki.annotation.tagging.string_hashes import HashedStrings, HashTable

FILE: Final = Path(__file__).parents[1] / "models" / "names.txt.xz"
NOTHING: Final = "-"
_VOWELS: Final = frozenset("aeo")
_SHORTEST: Final = 3
_CUTS: Final = range(4)


def base(name: str) -> str:
    """A name as it stands in the lists: *Ljubljana* → *ljubljan*, *Maribor* → *maribor*."""
    lower = name.lower()
    return lower[:-1] if len(lower) > _SHORTEST and lower[-1] in _VOWELS else lower


@lru_cache(maxsize=1)
def _lists() -> tuple[HashTable, list[str]]:
    """Hashes of the names, and what each is: f first name, l last name, c country, t town, or several of these."""
    lines = lzma.decompress(FILE.read_bytes()).decode("utf-8").splitlines()
    names, kinds = zip(*(line.split("\t") for line in lines), strict=True)
    return HashTable(HashedStrings(names).hashes()), list(kinds)


def listed_kinds(forms: Sequence[str]) -> list[str]:
    """Kinds of name of each word in the lists; only capitalised words are looked up."""
    table, kinds = _lists()
    capital = [at for at, form in enumerate(forms) if form[:1].isupper()]
    kinds_of_forms = [NOTHING] * len(forms)
    lowers = [forms[at].lower() for at in capital]
    open_ = np.ones(len(capital), bool)
    for cut in _CUTS:
        stems = [lower[: len(lower) - cut] if len(lower) - cut >= _SHORTEST else "" for lower in lowers]
        rows = table.find(HashedStrings(stems).hashes())
        for number in np.flatnonzero(open_ & (rows >= 0)).tolist():
            kinds_of_forms[capital[number]] = kinds[rows[number]]
            open_[number] = False
    return kinds_of_forms
