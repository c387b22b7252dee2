"""Constants of the hashes that kernels and Python compute alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

FNV_START: Final = 0xCBF29CE484222325
FNV_PRIME: Final = 0x100000001B3
"""64-bit FNV-1a: ``key = (key ^ byte) * FNV_PRIME``, from ``FNV_START`` on (Fowler, Noll, Vo)."""
FNV_START_SIGNED: Final = FNV_START - (1 << 64)
"""The same for kernels that compute in signed numbers, as array indices are."""
GOLDEN: Final = 0x9E3779B97F4A7C15
"""2⁶⁴ divided by the golden ratio: multiplying by it spreads neighbouring numbers (Knuth, vol. 3, §6.4)."""
MIXER: Final = 0xBF58476D1CE4E5B9
"""First multiplier of the finaliser of SplitMix64 (Steele, Lea, Flood 2014)."""
_MASK: Final = (1 << 64) - 1


def fnv(numbers: Iterable[int]) -> int:
    """64-bit FNV-1a of bytes, or of the numbers of characters, as a signed number: what kernels compute."""
    key = FNV_START
    for number in numbers:
        key = ((key ^ number) * FNV_PRIME) & _MASK
    return key - (1 << 64) if key >> 63 else key
