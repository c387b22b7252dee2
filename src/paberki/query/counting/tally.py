"""Pages, hosts, ARF and DP of chosen rows, while a corpus goes by in pieces: nothing is kept for each occurrence.

:func:`paberki.query.counting.spread.grouped_spread` gives the same numbers for occurrences that are sorted by row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.kernels import load
from paberki.query.counting.scope import TokenScope
from paberki.query.counting.tally_records import PageShares, RowTallies, TokenWindows

if TYPE_CHECKING:
    from paberki.query.counting.values import Packed

__all__ = ["MOST_ROWS", "Tally", "rows_at_once", "slots_of"]

MOST_ROWS: Final = 60_000
"""Rows that one tally can have."""
_HOSTS_AT_ONCE: Final = 255
"""So many marks can be summed in one byte."""
_MOST_CELLS: Final = 1 << 28
"""Rows times hosts: a byte for each."""


def rows_at_once(scope: TokenScope) -> int:
    """How many rows a tally may have in this corpus."""
    return max(1, min(MOST_ROWS, _MOST_CELLS // max(len(scope.places.host_names), 1)))


def slots_of(numbers: NDArray[Any], size: int) -> NDArray[np.uint16]:
    """A table from the number of a value to its row in a tally; values that are not asked for share the row behind all."""
    slots = np.full(size, len(numbers), np.uint16)
    slots[numbers] = np.arange(len(numbers), dtype=np.uint16)
    return slots


class Tally:
    """Takes occurrences in corpus order; ``hits`` says how many each row will have in the end."""

    def __init__(self, hits: NDArray[np.int64], scope: TokenScope) -> None:
        size, counts = len(hits) + 1, np.maximum(np.append(hits, 1), 1)
        self._tokens = max(scope.tokens, 1)
        self._facts = PageShares(scope.places.hosts, scope.shares)
        self._rows = RowTallies(
            weights=1 / counts,
            stretches=self._tokens / counts,
            firsts=np.full(size, -1, np.int64),
            lasts=np.full(size, -1, np.int64),
            reduced=np.zeros(size),
            in_page=np.zeros(size, np.int64),
            touched=np.zeros(size + 1, np.uint16),
            pages=np.zeros(size, np.int64),
            together=np.zeros(size),
            seen=np.zeros((max(len(scope.places.host_names), 1), size), np.uint8),
        )

    def add(self, rows: NDArray[np.uint32], positions: NDArray[np.int64], pages: NDArray[np.uint32]) -> None:
        """The next occurrences, whole pages of them: their rows, positions and pages."""
        _kernel().tally_list(rows, positions, pages, self._facts, self._rows)

    def add_windows(
        self,
        column: Packed,
        windows: TokenWindows,
        slots: NDArray[np.uint16],
        positions: NDArray[np.int64],
        pages: NDArray[np.uint32],
    ) -> None:
        """The tokens around the next hits, whole pages of them; positions and pages are those of hits."""
        kernel = _kernel()
        kernel.tally_windows(column.words, column.width, windows, slots, positions, pages, self._facts, self._rows)

    def follow(self, later: Tally) -> None:
        """Add what was counted in a later part of the corpus, which has none of the pages of this one."""
        mine, other = self._rows, later._rows
        both = (mine.lasts >= 0) & (other.lasts >= 0)
        between = np.where(both, np.minimum(other.firsts - mine.lasts, mine.stretches), 0.0)
        self._rows = mine._replace(
            reduced=mine.reduced + other.reduced + between,
            together=mine.together + other.together,
            pages=mine.pages + other.pages,
            seen=mine.seen | other.seen,
            firsts=np.where(mine.firsts < 0, other.firsts, mine.firsts),
            lasts=np.where(other.lasts < 0, mine.lasts, other.lasts),
        )

    def result(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Pages, hosts, ARF and DP of every row."""
        rows = self._rows
        present = rows.lasts >= 0
        around = np.minimum(rows.firsts + self._tokens - rows.lasts, rows.stretches)
        arf = np.where(present, (rows.reduced + around) / rows.stretches, 0.0)
        dp = np.where(present, np.maximum(0.0, 1 - rows.together), 0.0)
        hosts = np.zeros(len(present), np.int64)
        for low in range(0, len(rows.seen), _HOSTS_AT_ONCE):
            hosts += rows.seen[low : low + _HOSTS_AT_ONCE].sum(axis=0, dtype=np.uint8)
        return rows.pages[:-1], hosts[:-1], arf[:-1], dp[:-1]


def _kernel() -> Any:
    return load("paberki.query.counting.tally_kernel")
