"""A fingerprint of a text in 64 bits; near-duplicates differ in few of them (Charikar 2002)."""

from __future__ import annotations

import numpy as np

_FEWEST_BYTES = 60
_MOST_BYTES = 2000
_MOST_RUNS = 255
"""The largest number that a one-byte counter holds."""
_WIDTH = 8
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xFF51AFD7ED558CCD)
_HALF = np.uint64(32)
_SAMPLED = np.uint64(1 << 61)


def simhash(text: str) -> int:
    """Bitwise majority over the hashes of runs of eight bytes; 0 for a text of fewer than sixty bytes.

    Only runs whose product begins with three zero bits count: an eighth of all, chosen by content and not by position,
    so that an insertion changes little. The beginning of a long text represents the whole.
    """
    data = text[:_MOST_BYTES].encode("utf-8", "replace")[:_MOST_BYTES]
    if len(data) < _FEWEST_BYTES:
        return 0
    runs = np.ndarray(len(data) - _WIDTH + 1, "<u8", data, strides=(1,))
    products = runs * _FACTOR
    hashes = products[products < _SAMPLED][:_MOST_RUNS]
    hashes ^= hashes >> _HALF
    hashes *= _MIX
    hashes ^= hashes >> _HALF
    # Every bit becomes a byte, so that one addition of 64 bits updates eight counters.
    bits = np.unpackbits(hashes.astype(">u8").view(np.uint8)).view(np.uint64).reshape(-1, 8)
    majority = bits.sum(axis=0).view(np.uint8) > len(hashes) // 2
    return int.from_bytes(np.packbits(majority).tobytes(), "big")


def distance(one: int, other: int) -> int:
    """Number of bits in which two fingerprints differ; up to about six for near-duplicates."""
    return (one ^ other).bit_count()
