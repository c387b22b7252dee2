"""Pages, hosts, ARF and DP of chosen rows, while a corpus goes by in pieces: nothing is kept for each occurrence.

:func:`paberki.query.counting.spread.grouped_spread` gives the same numbers for occurrences that are sorted by row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.kernels import load
from paberki.query.counting.tally_records import HitPlaces, PageShares, PageSums, RowTallies, TokenWindows
from paberki.query.counting.token_scope import TokenScope

if TYPE_CHECKING:
    from paberki.query.counting.values import Packed

__all__ = ["MOST_ROWS", "Tally", "rows_at_once", "slots_of"]

MOST_ROWS: Final = 60_000
"""Rows that one tally can have."""
_HOSTS_AT_ONCE: Final = 255
"""So many marks can be summed in one byte."""
_MOST_CELLS: Final = 1 << 31
"""Rows times hosts: a bit for each."""
_WORD_BITS: Final = 64
_SPARE: Final = 16
"""Rows for all that is not asked for. One would not do: the processor would wait for the sum before each addition."""
_ROWS_PER_TOKEN: Final = 8
"""A page is closed for all rows at once unless there are more than so many for each token in windows."""
_MOST_IN_PAGE: Final = 1 << 16
_MOST_SUM: Final = 1 << 32
"""What is counted for all rows at once has sixteen bits for a page and 32 for all."""


def rows_at_once(scope: TokenScope) -> int:
    """How many rows a tally may have in this corpus."""
    return max(1, min(MOST_ROWS, _MOST_CELLS // max(len(scope.places.host_names), 1)))


def slots_of(numbers: NDArray[Any], size: int) -> NDArray[np.uint16]:
    """A table from the number of a value to its row in a tally; values that are not asked for share the rows behind all."""
    slots = (len(numbers) + np.arange(size) % _SPARE).astype(np.uint16)
    slots[numbers] = np.arange(len(numbers), dtype=np.uint16)
    return slots


class Tally:
    """Takes occurrences in corpus order; ``hits`` says how many each row will have in the end. Rows whose windows are taken
    come in the order of falling hits."""

    def __init__(self, hits: NDArray[np.int64], scope: TokenScope) -> None:
        self._size, size = len(hits), -(-(len(hits) + _SPARE) // _WORD_BITS) * _WORD_BITS
        counts = np.ones(size, np.int64)
        counts[: len(hits)] = np.maximum(hits, 1)
        self._tokens = max(scope.tokens, 1)
        hosts = scope.places.hosts
        hosts = np.where(hosts < 0, np.int32(len(scope.places.host_names)), hosts)
        self._facts = PageShares(hosts, scope.shares, scope.page_tokens)
        self._stretches = self._tokens / counts
        lasts = np.zeros(size, np.uint64)  # rows that are not asked for need not be waited for
        lasts[: len(hits)] = _kernel().NEVER
        self._rows = RowTallies(
            weights=1 / counts,
            limits=(self._stretches.astype(np.uint64) << _kernel().SHIFT) + 1,
            firsts=np.zeros(size, np.int64),
            lasts=lasts,
            distances=np.zeros(size, np.uint64),
            in_page=np.zeros(size, np.int64),
            page_rows=np.zeros(size + 1, np.uint16),
            pages=np.zeros(size, np.int64),
            together=np.zeros(size),
            host_rows=np.zeros((len(scope.places.host_names) + 1, size // _WORD_BITS), np.uint64),
        )

    def add(self, rows: NDArray[np.uint32], positions: NDArray[np.int64], pages: NDArray[np.uint32]) -> None:
        """The next occurrences, whole pages of them: their rows, positions and pages."""
        _kernel().tally_list(rows, positions, pages, self._facts, self._rows)

    def add_windows(self, column: Packed, windows: TokenWindows, slots: NDArray[np.uint16], hits: HitPlaces) -> None:
        """The tokens around the next hits, whole pages of them."""
        kernel, arguments = _kernel(), (column.words, column.width, windows, slots, hits, self._facts, self._rows)
        if not self._is_dense(windows, hits.pages):
            kernel.tally_windows(*arguments)
            return
        size = len(self._rows.weights)
        frequencies = (1 / self._rows.weights).astype(np.float32)
        sums = PageSums(frequencies, np.zeros(size, np.uint16), *(np.zeros(size, np.uint32) for _ in range(3)))
        kernel.tally_pages(*arguments, sums)
        self._rows.pages[:] += sums.pages
        self._rows.together[:] += sums.light_tokens / self._tokens + sums.beyond * self._rows.weights

    def _is_dense(self, windows: TokenWindows, pages: NDArray[np.uint32]) -> bool:
        """Whether it is better to close pages for all rows at once, and none has too many tokens in windows for that."""
        width, size = max(0, -windows.low) + max(0, windows.high), len(pages)
        if not size or size * width >= _MOST_SUM:
            return False
        apart = pages[:: max(1, _MOST_IN_PAGE // width // 2)]  # a page with too many hits has two of these
        if np.any(apart[1:] == apart[:-1]):
            return False
        return (int(pages[-1]) - int(pages[0]) + 1) * len(self._rows.weights) <= _ROWS_PER_TOKEN * size * width

    def follow(self, later: Tally) -> None:
        """Add what was counted in a later part of the corpus, which has none of the pages of this one."""
        mine, other = self._rows, later._rows
        here, there = mine.lasts != _kernel().NEVER, other.lasts != _kernel().NEVER
        distances = (other.firsts.astype(np.uint64) << _kernel().SHIFT) - mine.lasts
        between = np.where(here & there, np.minimum(distances, mine.limits), 0)
        self._rows = mine._replace(
            distances=mine.distances + other.distances + between,
            together=mine.together + other.together,
            pages=mine.pages + other.pages,
            host_rows=mine.host_rows | other.host_rows,
            firsts=np.where(here, mine.firsts, other.firsts),
            lasts=np.where(there, other.lasts, mine.lasts),
        )

    def result(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Pages, hosts, ARF and DP of every row."""
        rows, shift, stretches = self._rows, _kernel().SHIFT, self._stretches
        present = rows.lasts != _kernel().NEVER
        around = np.minimum(rows.firsts + self._tokens - (rows.lasts >> shift).astype(np.int64), stretches)
        longer = (rows.distances & ((1 << shift) - 1)).astype(np.int64)
        distances = (rows.distances >> shift).astype(np.int64) + longer * (stretches - np.floor(stretches))
        arf = np.where(present, (distances + around) / stretches, 0.0)
        dp = np.where(present, np.maximum(0.0, 1 - rows.together), 0.0)
        hosts = np.zeros(len(present), np.int64)
        bits = rows.host_rows[:-1].view(np.uint8)
        for low in range(0, len(bits), _HOSTS_AT_ONCE):
            flags = np.unpackbits(bits[low : low + _HOSTS_AT_ONCE], axis=1, bitorder="little")
            hosts += flags.sum(axis=0, dtype=np.uint8)
        return rows.pages[: self._size], hosts[: self._size], arf[: self._size], dp[: self._size]


def _kernel() -> Any:
    return load("paberki.query.counting.tally_kernel")
