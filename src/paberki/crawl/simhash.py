"""A fingerprint of a text in 64 bits; near-duplicates differ in few of them (Charikar 2002)."""

from __future__ import annotations

import zlib

import numpy as np

_FEWEST_WORDS = 8
_CHARS = 3000
_ODD = np.array((0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9), np.uint64)
_MIX = np.uint64(0xFF51AFD7ED558CCD)
_HALF = np.uint64(32)
_WEIGHTS = np.uint64(1) << np.arange(63, -1, -1, dtype=np.uint64)


def simhash(text: str) -> int:
    """Majority of the bits of the hashes of all runs of three words; 0 for a text of fewer than eight words.

    The beginning of a long text stands for the whole. Where no spaces are written, pairs of characters take the place of
    words.
    """
    text = text[:_CHARS]
    words = text.encode("utf-8", "replace").split()
    if len(words) < len(text) // 25:
        words = [text[at : at + 2].encode("utf-8", "replace") for at in range(min(len(text), _CHARS // 4))]
    if len(words) < _FEWEST_WORDS:
        return 0
    hashes = np.fromiter(map(zlib.crc32, words), np.uint64, len(words))
    runs = hashes[:-2] * _ODD[0] + hashes[1:-1] * _ODD[1] + hashes[2:] * _ODD[2]
    runs ^= runs >> _HALF
    runs *= _MIX
    runs ^= runs >> _HALF
    bits = np.unpackbits(runs.astype(">u8").view(np.uint8)).reshape(-1, 64)
    majority = bits.sum(axis=0, dtype=np.uint32) * 2 > len(runs)
    return int((_WEIGHTS * majority).sum())


def distance(one: int, other: int) -> int:
    """In how many bits two fingerprints differ; up to about six mean near-duplicates."""
    return (one ^ other).bit_count()
