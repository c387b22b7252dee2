"""Beside how often: on how many pages and hosts, how evenly.

For every row of a list (a word, a pair, a collocate):

* ``hits``: occurrences f;
* ``pages`` and ``hosts``: how many different pages and hosts have at least one;
* ``arf``: average reduced frequency (Savický & Hlaváčová 2002): with N tokens, v = N ÷ f and d the distance from each
  occurrence to the one before it (from the first, around the end of the corpus, to the last), the sum of min(d, v)
  divided by v;
* ``dp``: deviation of proportions (Gries 2008) over pages: half the sum of |share of the page in all tokens − share of
  the page in all occurrences|, which equals 1 − the sum of the smaller of the two; 0 is even, near 1 is on few pages;
* ``per_million``: occurrences per million tokens of what is asked.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.kernels import load
from paberki.query.counting.tally import Tally, rows_at_once
from paberki.query.counting.token_scope import TokenScope
from paberki.record import Record

__all__ = ["Occurrences", "Spread", "number_rows", "occurrences_of", "renumber", "spread_of"]

_SMALLEST_TABLE: Final = 1 << 12
_FEW_ROWS: Final = 4096
"""So many rows are counted in one go; more are sorted by row first."""


class Spread(Record):
    """Counts and measures of every row."""

    hits: NDArray[np.int64]
    pages: NDArray[np.int64]
    hosts: NDArray[np.int64]
    arf: NDArray[np.float64]
    dp: NDArray[np.float64]

    def take(self, rows: NDArray[Any]) -> Spread:
        """Some rows."""
        return Spread(*(getattr(self, name)[rows] for name in self.fields))

    def columns(self, tokens: int) -> dict[str, NDArray[Any]]:
        """The columns of a list."""
        return {
            "hits": self.hits,
            "pages": self.pages,
            "hosts": self.hosts,
            "arf": self.arf,
            "dp": self.dp,
            "per_million": self.hits * 1e6 / max(tokens, 1),
        }


class Occurrences(Record):
    """Where things occur: positions within the scope, in ascending order, and pages."""

    positions: NDArray[np.int64]
    pages: NDArray[np.uint32]

    def take(self, numbers: NDArray[Any]) -> Occurrences:
        """Some of them, or some of them several times."""
        return Occurrences(self.positions[numbers], self.pages[numbers])


def occurrences_of(scope: TokenScope, positions: NDArray[np.int64]) -> Occurrences:
    """Occurrences at global positions."""
    return Occurrences(scope.offsets(positions), scope.places.locate(positions))


def spread_of(rows: NDArray[np.uint32], size: int, where: Occurrences, scope: TokenScope) -> Spread:
    """How often and how evenly each of ``size`` rows occurs; occurrence k belongs to row ``rows[k]``."""
    kernel = _kernel()
    hits = np.zeros(size, np.int64)
    kernel.count_rows(rows, hits)
    if size <= min(_FEW_ROWS, rows_at_once(scope)):
        tally = Tally(hits, scope)
        tally.add(rows, where.positions, where.pages)
        return Spread(hits, *tally.result())
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(hits)])
    order = np.empty(len(rows), np.uint32)
    kernel.group_rows(rows, bounds[:-1].copy(), order)
    return grouped_spread(bounds, order, where, scope)


def grouped_spread(
    bounds: NDArray[np.int64], order: NDArray[np.uint32], where: Occurrences, scope: TokenScope
) -> Spread:
    """The same for occurrences that are grouped by row already."""
    kernel, size = _kernel(), len(bounds) - 1
    hosts = scope.places.hosts
    stamps = np.full(len(scope.places.host_names) + 1, -1, np.int64)
    pages, host_counts = np.zeros(size, np.int64), np.zeros(size, np.int64)
    kernel.count_places(bounds, order, where.pages, hosts, stamps, pages, host_counts)
    arf, dp = np.zeros(size), np.zeros(size)
    kernel.measure_spread(bounds, order, where.positions, where.pages, scope.shares, max(scope.tokens, 1), arf, dp)
    return Spread(np.diff(bounds), pages, host_counts, arf, dp)


def number_rows(keys: NDArray[np.uint64]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Equal keys get equal rows, numbered in the order of first occurrence; with the first occurrence of each row."""
    keys = np.ascontiguousarray(keys, np.uint64)
    rows = np.empty(len(keys), np.uint32)
    size, count = _SMALLEST_TABLE, -1
    while count < 0:
        table, numbers, firsts = np.zeros(size, np.uint64), np.zeros(size, np.uint32), np.empty(size, np.uint32)
        count = _kernel().number_keys(keys, table, numbers, rows, firsts)
        size *= 4
    return rows, firsts[:count].astype(np.int64)


def renumber(numbers: NDArray[np.uint32], size: int) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The same for numbers below ``size``."""
    table, firsts = np.zeros(size, np.uint32), np.empty(min(size, len(numbers)), np.uint32)
    rows = np.empty(len(numbers), np.uint32)
    count = _kernel().renumber(numbers, table, rows, firsts)
    return rows, firsts[:count].astype(np.int64)


def _kernel() -> Any:
    return load("paberki.query.counting.counting_kernel")
