"""A fingerprint of a text in 64 bits; near-duplicates differ in few of them (Charikar 2002)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_FEWEST_BYTES = 60
_MOST_BYTES = 4000
_WIDTH = 8
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xFF51AFD7ED558CCD)
_HALF = np.uint64(32)
_SAMPLED = np.uint64(1 << 61)
_WEIGHTS = np.uint64(1) << np.arange(63, -1, -1, dtype=np.uint64)


def simhash(text: str) -> int:
    """Majority of the bits of the hashes of runs of eight bytes; 0 for a text of fewer than sixty.

    Of all runs, those count whose product begins with three zeros: an eighth, chosen by what is in them and not by where they
    are, so that an insertion moves nothing. The beginning of a long text stands for the whole.
    """
    data = text[:_MOST_BYTES].encode("utf-8", "replace")[:_MOST_BYTES]
    if len(data) < _FEWEST_BYTES:
        return 0
    runs = np.ndarray(len(data) - _WIDTH + 1, "<u8", data, strides=(1,))
    products = runs * _FACTOR
    chosen = products[products < _SAMPLED]
    chosen ^= chosen >> _HALF
    chosen *= _MIX
    chosen ^= chosen >> _HALF
    majority = _counts(chosen) * 2 > len(chosen)
    return int((_WEIGHTS * majority).sum())


def _counts(hashes: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """How many of the hashes have each bit set; eight counters of a byte are added up at once."""
    bytes_of_bits = np.unpackbits(hashes.astype(">u8").view(np.uint8)).view(np.uint64).reshape(-1, 8)
    counts = np.zeros(64, np.uint16)
    for start in range(0, len(hashes), 255):
        counts += bytes_of_bits[start : start + 255].sum(axis=0).view(np.uint8)
    return counts


def distance(one: int, other: int) -> int:
    """In how many bits two fingerprints differ; up to about six mean near-duplicates."""
    return (one ^ other).bit_count()
