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
        self._scope, self._hits = scope, hits
        self._weights = 1 / np.maximum(hits, 1)
        self._stretches = max(scope.tokens, 1) / np.maximum(hits, 1)
        self._limits = np.ceil(self._stretches).astype(np.int64)
        self._first = np.full(size, -1, np.int64)
        self._last, self._near, self._far = (np.zeros(size, np.int64) for _ in range(3))
        self._together, self._in_page = np.zeros(size), np.zeros(size, np.int64)
        self._pages, self._share_pages = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
        self._page_counts, self._host_counts = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self._seen = np.zeros((size, max(len(scope.places.host_names), 1)), np.uint8)
        self._are_new = True

    def add(
        self,
        rows: NDArray[np.uint16],
        owners: NDArray[np.uint32],
        positions: NDArray[np.int64],
        pages: NDArray[np.uint32],
    ) -> None:
        """The next occurrences: their rows, the hits they belong to, and positions and pages of hits."""
        kernel = load("paberki.query.counting.tally_kernel")
        if self._are_new:
            self._note_first(rows, positions[owners])
        hosts = self._scope.places.hosts
        kernel.tally_pages(
            rows, owners, pages, hosts, self._pages, self._page_counts, self._host_counts, self._seen
        )  # fmt: skip
        kernel.tally_shares(
            rows, owners, pages, self._scope.shares, self._weights, self._share_pages, self._in_page, self._together
        )  # fmt: skip
        kernel.tally_distances(rows, owners, positions, self._limits, self._last, self._near, self._far)

    def _note_first(self, rows: NDArray[np.uint16], positions: NDArray[np.int64]) -> None:
        """A row that comes for the first time has no distance yet: it gets one of 0."""
        present, at = np.unique(rows, return_index=True)
        fresh = self._first[present] < 0
        self._first[present[fresh]] = self._last[present[fresh]] = positions[at[fresh]]
        self._are_new = bool((self._first < 0).any())

    def result(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Pages, hosts, ARF and DP of every row."""
        present = self._share_pages >= 0
        last = self._scope.shares[np.maximum(self._share_pages, 0)]
        together = self._together + np.minimum(last, self._in_page * self._weights)
        around = np.minimum(self._first + self._scope.tokens - self._last, self._stretches)
        arf = (self._near + self._far * self._stretches + around) / self._stretches
        dp = np.maximum(0.0, 1 - together)
        return self._page_counts, self._host_counts, np.where(present, arf, 0.0), np.where(present, dp, 0.0)
