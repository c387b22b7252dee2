"""Word lists: every value of an attribute in the corpus, or in a part of it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.kernels import load
from paberki.query.counting.list_table import ListOptions, arrow_numbers, table_of
from paberki.query.counting.spread import Spread, grouped_spread, occurrences_of
from paberki.query.counting.token_scope import TokenScope
from paberki.query.counting.values import AttributeValues, values_of

__all__ = ["counts_in", "spread_in", "wordlist"]

_AT_ONCE: Final = 1 << 24
"""Occurrences that are grouped by value at a time."""


def wordlist(
    scope: TokenScope, attribute: str = "word", options: ListOptions | None = None, *, limit: int | None = None
) -> Any:
    """All values, the most frequent first; with a limit those that are among the first so many, and their equals."""
    values = values_of(scope.places.index, attribute)
    counts = counts_in(scope, values)
    rows = (options or ListOptions()).rows(lambda: values.strings, counts)
    if limit is not None and len(rows) > limit:
        least = np.partition(counts[rows], len(rows) - limit)[len(rows) - limit]
        rows = rows[counts[rows] >= least]
    spread = spread_in(scope, values, rows)
    return table_of({attribute: values.strings.take(arrow_numbers(rows))}, spread.columns(scope.tokens))


def counts_in(scope: TokenScope, values: AttributeValues) -> NDArray[np.int64]:
    """How often each value occurs in a scope."""
    if scope.is_whole:
        return values.counts
    memory: dict[str, NDArray[np.int64]] = scope.__dict__.setdefault("_counts", {})
    if values.name not in memory:
        counts = np.zeros(values.size, np.int64)
        for tokens in scope.pieces(values):
            load("paberki.query.counting.windows_kernel").count_ranges(
                tokens.ids, tokens.first, tokens.begins, tokens.stops, counts
            )
        memory[values.name] = counts
    return memory[values.name]


def spread_in(scope: TokenScope, values: AttributeValues, rows: NDArray[np.int64]) -> Spread:
    """How evenly some values occur; of many values, some at a time."""
    counts = counts_in(scope, values)[rows]
    parts, low = [], 0
    while low < len(rows):
        sums = np.cumsum(counts[low:])
        high = low + max(1, int(np.searchsorted(sums, _AT_ONCE, "right")))
        parts.append(_spread_part(scope, values, rows[low:high], counts[low:high]))
        low = high
    if not parts:
        none, nothing = np.zeros(0, np.int64), np.zeros(0)
        return Spread(none, none, none, nothing, nothing)
    return Spread(*(np.concatenate([getattr(part, name) for part in parts]) for name in Spread.fields))


def _spread_part(
    scope: TokenScope, values: AttributeValues, rows: NDArray[np.int64], counts: NDArray[np.int64]
) -> Spread:
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    positions = _positions(scope, values, rows, bounds)
    where = occurrences_of(scope, positions)
    return grouped_spread(bounds, np.arange(len(positions), dtype=np.uint32), where, scope)


def _positions(
    scope: TokenScope, values: AttributeValues, rows: NDArray[np.int64], bounds: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Positions of all occurrences, value by value."""
    if (lists := values.position_lists(rows)) is not None:
        return lists if scope.is_whole else lists[scope.runs_of(lists) >= 0]
    table = np.full(values.size, -1, np.int64)
    table[rows] = bounds[:-1]
    positions = np.empty(int(bounds[-1]), np.int64)
    kernel = load("paberki.query.counting.counting_kernel")
    for tokens in scope.pieces(values):
        kernel.list_positions(tokens.ids, tokens.first, tokens.begins, tokens.stops, table, positions)
    return positions
