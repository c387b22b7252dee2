"""Has this host shown nearly the same text before? Simhashes of its texts, eight bytes each.

Pages of a counter, a soft 404 or a calendar differ in a few words, so their fingerprints differ in a few bits.
"""

from __future__ import annotations

import numpy as np

DISTANCE = 3
"""Bits of 64 in which fingerprints of near-duplicates may differ (Manku, Jain and Das Sarma 2007)."""
MOST_HASHES = 4096
"""Fingerprints kept per host, the newest ones."""


class SimilarTexts:
    """The fingerprints of one host."""

    def __init__(self, saved_hashes: bytes = b"") -> None:
        hashes = np.frombuffer(saved_hashes, np.uint64)[-MOST_HASHES:]
        self._hashes = np.zeros(max(16, hashes.size), np.uint64)
        self._hashes[: hashes.size] = hashes
        self._count = hashes.size
        self._fresh: list[int] = []

    def meet(self, simhash: int) -> bool:
        """Whether a fingerprint is near an earlier one; if not, remember it."""
        mark = np.uint64(simhash)
        hashes = self._hashes[: min(self._count, self._hashes.size)]
        if hashes.size and int(np.bitwise_count(hashes ^ mark).min()) <= DISTANCE:
            return True
        if self._count == self._hashes.size < MOST_HASHES:
            self._hashes = np.concatenate((self._hashes, np.zeros_like(self._hashes)))[:MOST_HASHES]
        self._hashes[self._count % self._hashes.size] = mark
        self._count += 1
        self._fresh.append(simhash)
        return False

    def unsaved_hashes(self) -> bytes:
        """Fingerprints since the last call, to be saved."""
        fresh, self._fresh = self._fresh, []
        return np.array(fresh, np.uint64).tobytes()
