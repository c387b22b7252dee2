"""Pages, hosts, ARF and DP of chosen rows, while a corpus goes by in pieces: nothing is kept for each occurrence.

:func:`paberki.query.counting.spread.spread_of` gives the same numbers for occurrences that are in memory at once.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.kernels import load
from paberki.query.counting.scope import Scope
from paberki.query.counting.spread import Spread

__all__ = ["MOST_ROWS", "Tally", "slots_of"]

MOST_ROWS: Final = 60_000
"""Rows that one tally can have."""


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
        self._stretches = max(scope.tokens, 1) / np.maximum(hits, 1)
        self._weights = np.ascontiguousarray(scope.page_tokens, np.float64)
        self._first = np.full(size, -1, np.int64)
        self._last = np.full(size, -scope.tokens - 1, np.int64)
        self._reduced, self._together, self._in_page = np.zeros(size), np.zeros(size), np.zeros(size)
        self._pages, self._spread_pages = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
        self._page_counts = np.zeros(size, np.int64)
        self._seen = np.zeros((size, max(len(scope.places.host_names), 1)), np.uint8)

    def add(self, rows: NDArray[np.uint16], positions: NDArray[np.int64], pages: NDArray[np.uint32]) -> None:
        """The next occurrences."""
        kernel = load("paberki.query.counting.windows_kernel")
        new = np.flatnonzero(self._first < 0)
        if len(new):
            self._note_first(rows, positions)
        kernel.tally_places(rows, pages, self._scope.places.hosts, self._pages, self._page_counts, self._seen)
        kernel.tally_spread(
            rows, positions, pages, self._weights, self._stretches, self._last, self._in_page, self._spread_pages,
            self._reduced, self._together,
        )  # fmt: skip

    def _note_first(self, rows: NDArray[np.uint16], positions: NDArray[np.int64]) -> None:
        present, at = np.unique(rows, return_index=True)
        fresh = self._first[present] < 0
        self._first[present[fresh]] = positions[at[fresh]]
        self._last[present[fresh]] = positions[at[fresh]]

    def result(self) -> Spread:
        """What has come together."""
        on_pages = self._spread_pages >= 0
        together = self._together.copy()
        last = np.maximum(self._spread_pages, 0)
        together += np.where(on_pages, np.minimum(self._weights[last], self._in_page), 0.0)
        around = self._first + self._scope.tokens - self._last
        reduced = self._reduced + np.where(on_pages, np.minimum(around, self._stretches), 0.0)
        dp = np.where(on_pages, np.maximum(0.0, 1 - together / max(self._scope.tokens, 1)), 0.0)
        hosts = self._seen.sum(axis=1, dtype=np.int64)
        return Spread(self._hits, self._page_counts, hosts, reduced / self._stretches, dp)
