"""Tables over the basic plane of Unicode, by which kernels look characters up: every such table is made here.

What counts as a letter or a digit depends on who asks, and these tables differ on purpose:

- ``annotation/splitting/character_kinds.py``: what ``re`` and ``str`` say, beyond the basic plane too, since the tables
  stand for regular expressions of the splitter's plain version;
- ``quality/rules/rule_characters.py``: bits, for a character may be a letter, a capital and carry a diacritic at once;
  digits are all numbers, as in datatrove;
- ``extraction/learned/feature_characters.py``: one class for each character, fixed by the model that was learnt with
  them; scripts without spaces have a class of their own;
- ``extraction/repair/repair_signs.py``: what may stand in text that needs a repair;
- ``quality/diacritics/restoration.py``: letters without their diacritics, digits as one;
- ``identification/alphabet.py``: scripts;
- ``lexicon``: small letters, 0 for all that is in no word.

Bytes of ASCII are told apart by :mod:`paberki.kernels.characters_kernel`; ``decoding/letter_counts.py`` has a table of
its own, for the symbols of its model.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

_Number = TypeVar("_Number", bound=np.generic)

SIZE: Final = 0x10000


def table_of(value: Callable[[str], int], kind: type[_Number]) -> npt.NDArray[_Number]:
    """The value of each character of the basic plane."""
    return np.array([value(chr(code)) for code in range(SIZE)], kind)
