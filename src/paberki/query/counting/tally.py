"""Pages, hosts, ARF and DP of chosen rows, while a corpus goes by in pieces: nothing is kept for each occurrence.

:func:`paberki.query.counting.spread.grouped_spread` gives the same numbers for occurrences that are sorted by row.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.kernels import load
from paberki.query.counting.scope import Scope

__all__ = ["MOST_ROWS", "Tally", "rows_at_once", "slots_of"]

MOST_ROWS: Final = 60_000
"""Rows that one tally can have."""
_HOSTS_AT_ONCE: Final = 255
"""So many marks can be summed in one byte."""
_MOST_CELLS: Final = 1 << 28
"""Rows times hosts: a byte for each."""


def rows_at_once(scope: Scope) -> int:
    """How many rows a tally may have in this corpus."""
    return max(1, min(MOST_ROWS, _MOST_CELLS // max(len(scope.places.host_names), 1)))


def slots_of(numbers: NDArray[Any], size: int) -> NDArray[np.uint16]:
    """A table from the number of a value to its row in a tally."""
    kernel = load("paberki.query.counting.windows_kernel")
    slots = np.full(size, kernel.NO_ROW, np.uint16)
    slots[numbers] = np.arange(len(numbers), dtype=np.uint16)
    return slots


class Tally:
    """Takes occurrences in corpus order; ``hits`` says how many each row will have in the end."""

    def __init__(self, hits: NDArray[np.int64], scope: Scope) -> None:
        size = len(hits)
        self._scope = scope
        self._weights = 1 / np.maximum(hits, 1)
        self._stretches = max(scope.tokens, 1) / np.maximum(hits, 1)
        self._limits = np.ceil(self._stretches).astype(np.int64)
        self._firsts, self._lasts = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
        self._near, self._far = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self._together, self._in_page = np.zeros(size), np.zeros(size, np.int64)
        self._touched, self._page_counts = np.zeros(size + 1, np.uint16), np.zeros(size, np.int64)
        self._seen = np.zeros((max(len(scope.places.host_names), 1), size), np.uint8)

    def add(
        self,
        rows: NDArray[np.uint16],
        owners: NDArray[np.uint32],
        positions: NDArray[np.int64],
        pages: NDArray[np.uint32],
    ) -> None:
        """The next occurrences, whole pages of them: their rows, the hits they belong to, and positions and pages of hits."""
        kernel = load("paberki.query.counting.tally_kernel")
        kernel.tally_pages(
            rows, owners, pages, self._scope.places.hosts, self._scope.shares, self._weights, self._in_page,
            self._touched, self._page_counts, self._together, self._seen,
        )  # fmt: skip
        kernel.tally_distances(
            rows, owners, positions, self._limits, self._firsts, self._lasts, self._near, self._far
        )  # fmt: skip

    def follow(self, later: Tally) -> None:
        """Add what was counted in a later part of the corpus, which has none of the pages of this one."""
        self._together += later._together
        self._page_counts += later._page_counts
        self._seen |= later._seen
        both = (self._lasts >= 0) & (later._lasts >= 0)
        distances = later._firsts - self._lasts
        is_near = both & (distances < self._limits)
        self._near += later._near + np.where(is_near, distances, 0)
        self._far += later._far + (both & ~is_near)
        self._firsts = np.where(self._firsts < 0, later._firsts, self._firsts)
        self._lasts = np.where(later._lasts < 0, self._lasts, later._lasts)

    def result(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Pages, hosts, ARF and DP of every row."""
        present = self._lasts >= 0
        around = np.minimum(self._firsts + self._scope.tokens - self._lasts, self._stretches)
        arf = (self._near + self._far * self._stretches + around) / self._stretches
        dp = np.maximum(0.0, 1 - self._together)
        hosts = np.zeros(len(present), np.int64)
        for low in range(0, len(self._seen), _HOSTS_AT_ONCE):
            hosts += self._seen[low : low + _HOSTS_AT_ONCE].sum(axis=0, dtype=np.uint8)
        return self._page_counts, hosts, np.where(present, arf, 0.0), np.where(present, dp, 0.0)
