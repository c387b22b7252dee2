"""What a block may need a view for, as bits of characters: the questions that :mod:`paberki.extraction.repair.repair_kernel` asks of every text.

A block that they find is looked at once more; one that they miss has no view. So they are asked loosely: a bit too many
costs little, one too few loses a repair.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.kernels.array_cache import derived
from paberki.kernels.basic_plane import SIZE, table_of

FIRST_OF: Final = 0x1F
"""Bits of a character that may begin one of five pairs; the same bits, moved by SECOND_OF, say that it may end it."""
SECOND_OF: Final = 5
ALONE, SIGN, PAIRED, LETTER, HYPHEN, SPACE, STOP, CLOSER, UPPER = (1 << bit for bit in range(10, 19))
PAIRED_RUN: Final = 8
"""So many signs in a row may be a repeated pair of them."""

_PAIRED_SIGNS: Final = "!?.,~=_-"
_ASCII: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@lru_cache(maxsize=8)
def wanted_characters(
    mojibake: tuple[str, str], signs: str, *, hyphens: bool, run_ons: bool, lines: bool
) -> npt.NDArray[np.uint32]:
    """Bits of every character; ``mojibake`` holds those that may begin and follow in a wrongly decoded sequence."""
    bits = np.zeros(SIZE, np.uint32)

    def mark(chars: str, bit: int) -> None:
        bits[[ord(char) for char in chars]] |= np.uint32(bit)

    pairs = (("&", _ASCII + "#"), ("<", _ASCII + "!/"), ("]", "]"), mojibake, (".,;:!?)", "Â"))
    for number, (first, second) in enumerate(pairs):
        mark(first, 1 << number)
        mark(second, 1 << (number + SECOND_OF))
    mark("".join(map(chr, range(0x80, 0xA0))) + "\u00ad" * hyphens + "\n" * lines, ALONE)
    if signs:
        mark(signs, SIGN)
        mark(_PAIRED_SIGNS, PAIRED)
    letters = _letters()
    if hyphens:
        mark("-\u2010", HYPHEN)
        mark(" ", SPACE)
        bits[letters["letter"]] |= np.uint32(LETTER)
    if run_ons:
        mark(".!?…", STOP)
        mark('"”“»)', CLOSER)
        bits[letters["upper"]] |= np.uint32(UPPER)
    bits[0] |= np.uint32(LETTER * hyphens | UPPER * run_ons)  # stands for all beyond the basic plane
    return bits


def _letters() -> dict[str, npt.NDArray[Any]]:
    """Which characters of the basic plane are letters, and which capitals; cached on disk."""

    def make() -> dict[str, npt.NDArray[Any]]:
        return {
            "letter": table_of(lambda char: unicodedata.category(char)[0] == "L", np.bool_),
            "upper": table_of(lambda char: unicodedata.category(char) == "Lu", np.bool_),
        }

    return derived(f"letters-unicode-{unicodedata.unidata_version}", [Path(__file__)], make)
