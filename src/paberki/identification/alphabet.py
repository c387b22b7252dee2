"""Tables over the characters of the first plane: small letters, scripts, Cyrillic letters of Serbian in Latin ones."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.identification.scripts import NAMES, RANGES
from paberki.kernels.basic_plane import SIZE
from paberki.languages.serbian import LATIN
from paberki.lexicon import small_letters

Codes = npt.NDArray[np.uint16]
Homes = npt.NDArray[np.int8]

PARTICLES: Final = "がをにはので"
"""Japanese particles by which WWW2sf knows a Japanese page (P4 §3.2)."""
PARTICLE_CLASS: Final = len(NAMES) + 1
CLASS_COUNT: Final = len(NAMES) + 2


@lru_cache(maxsize=1)
def script_classes() -> npt.NDArray[np.uint8]:
    """Class of each character: 1 + the index of its script in :data:`NAMES`, a class of its own for particles, 0 for others."""
    table = np.zeros(SIZE, np.uint8)
    for name, first, last in RANGES:
        table[ord(first) : ord(last) + 1] = NAMES.index(name) + 1
    for particle in PARTICLES:
        table[ord(particle)] = PARTICLE_CLASS
    return table


def homes_of(scripts: tuple[str, ...]) -> Homes:
    """Index of the script of each character among these, −1 for other characters."""
    homes = np.full(SIZE, -1, np.int8)
    for name, first, last in RANGES:
        if name in scripts:
            homes[ord(first) : ord(last) + 1] = scripts.index(name)
    return homes


@lru_cache(maxsize=1)
def no_seconds() -> Codes:
    """No second letters, for texts that are not transliterated."""
    return np.zeros(SIZE, np.uint16)


@lru_cache(maxsize=1)
def latinised() -> tuple[Codes, Codes, Homes]:
    """Small letters, second letters and homes under which Serbian in Cyrillic letters reads as in Latin ones."""
    letters, seconds, homes = small_letters().copy(), np.zeros(SIZE, np.uint16), homes_of(("Latn",))
    for cyrillic, latin in LATIN.items():
        for char in (cyrillic, cyrillic.upper()):
            letters[ord(char)] = ord(latin[0])
            seconds[ord(char)] = ord(latin[1]) if len(latin) > 1 else 0
            homes[ord(char)] = 0
    return letters, seconds, homes
