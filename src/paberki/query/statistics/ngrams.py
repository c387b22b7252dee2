"""N-grams: runs of n tokens in the corpus. Runs do not go over the edge of a page, or of a smaller structure.

All runs are written as numbers, a part of them at a time so that memory is bounded; each part is sorted, and equal
numbers are one n-gram.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paberki.errors import QueryError
from paberki.kernels import load
from paberki.query.counting.list_table import ListOptions, table_of
from paberki.query.counting.places import partition
from paberki.query.counting.radix import group_pairs
from paberki.query.counting.spread import Spread, grouped_spread, occurrences_of
from paberki.query.counting.token_scope import TokenScope
from paberki.query.counting.values import AttributeValues, values_of

__all__ = ["LIMIT", "ngrams"]

LIMIT: Final = 10_000
"""N-grams that are listed unless more are asked for."""
_PART: Final = 1 << 24
"""Runs that are sorted at a time."""
_LONGEST: Final = 20
_SIZES: Final = 1 << 16
"""Runs of so many equal keys and more are counted together."""


class _NgramGroup(NamedTuple):
    """Some n-grams: a first position and the spread of each."""

    firsts: NDArray[np.int64]
    spread: Spread


def ngrams(
    scope: TokenScope,
    attribute: str = "word",
    n: int = 2,
    *,
    within: str | None = None,
    limit: int | None = LIMIT,
    options: ListOptions | None = None,
) -> Any:
    """The most frequent n-grams."""
    if not 1 <= n <= _LONGEST:
        raise QueryError(f"n-grams of {n} tokens: give a number from 1 to {_LONGEST}")
    values, options = values_of(scope.places.index, attribute), options or ListOptions()
    edges = scope.places.edges if within is None else partition(scope.places.index, within)
    parts = max(1, -(-scope.tokens // _PART))
    plain = options.include is None and not options.exclude and options.regex is None
    groups = [
        _part(scope, values, edges, n, (parts, part), options.min, limit if plain else None) for part in range(parts)
    ]
    firsts = np.concatenate([group.firsts for group in groups])
    spread = Spread(*(np.concatenate([getattr(group.spread, name) for group in groups]) for name in Spread.fields))
    if plain and limit is not None and len(firsts) > limit:
        best = np.argsort(-spread.hits, kind="stable")[:limit]
        firsts, spread = firsts[best], spread.take(best)
    strings = _strings(values, firsts, n)
    rows = options.rows(strings, spread.hits)
    table = table_of({attribute: strings.take(rows)}, spread.take(rows).columns(scope.tokens))
    return table if limit is None else table.slice(0, limit)


def _part(
    scope: TokenScope,
    values: AttributeValues,
    edges: NDArray[np.int64],
    n: int,
    part: tuple[int, int],
    least: int,
    limit: int | None,
) -> _NgramGroup:
    """N-grams of one part: those with enough hits, and of these the most frequent ones."""
    keys, positions = _list_runs(scope, values, edges, n, part)
    keys, order = group_pairs(keys, np.arange(len(keys), dtype=np.uint32))
    begins, lengths = _groups(keys, max(least, 1), limit)
    inner = np.append(0, np.cumsum(lengths))
    members = np.repeat(begins - inner[:-1], lengths) + np.arange(int(inner[-1]))
    mine = positions[order[members]]
    where = occurrences_of(scope, mine)
    spread = grouped_spread(inner, np.arange(len(mine), dtype=np.uint32), where, scope)
    return _NgramGroup(mine[inner[:-1]], spread)


def _groups(keys: NDArray[np.uint64], least: int, limit: int | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Begin and length of runs of equal keys: those with enough members, and of these the longest."""
    kernel, sizes = load("paberki.query.statistics.ngrams_kernel"), np.zeros(_SIZES, np.int64)
    kernel.count_sizes(keys, sizes)
    longer = np.cumsum(sizes[::-1])[::-1]
    size, most = least, len(keys)
    if limit is not None and least < _SIZES and longer[least] > limit:
        size = int(np.flatnonzero(longer > limit)[-1])
        most = limit - int(longer[size + 1]) if size + 1 < _SIZES else len(keys)
    room = int(longer[min(size, _SIZES - 1)])
    begins, lengths = np.empty(room, np.int64), np.empty(room, np.int64)
    count = kernel.list_groups(keys, size, most, begins, lengths)
    return begins[:count], lengths[:count]


def _list_runs(
    scope: TokenScope, values: AttributeValues, edges: NDArray[np.int64], n: int, part: tuple[int, int]
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Keys and positions of all runs of a part."""
    kernel, (parts, number) = load("paberki.query.statistics.ngrams_kernel"), part
    bits = max(int(values.size).bit_length(), 1)
    all_keys, all_positions = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
    for first, ids, ends in _pieces(scope, values, edges):
        keys, places = np.empty(len(ids) + 1, np.uint64), np.empty(len(ids) + 1, np.uint32)
        count = kernel.list_ngrams(ids, ends, n, bits, parts, number, keys, places)
        all_keys.append(keys[:count].copy())
        all_positions.append(places[:count] + np.int64(first))
    return np.concatenate(all_keys), np.concatenate(all_positions)


def _pieces(scope: TokenScope, values: AttributeValues, edges: NDArray[np.int64]) -> Any:
    """Tokens of the scope, some whole regions at a time, with the ends of regions in them."""
    cuts = np.unique(np.concatenate([scope.starts, scope.ends, edges]))
    lows, highs = cuts[:-1], cuts[1:]
    inside = scope.runs_of(lows) >= 0
    lows, highs = lows[inside], highs[inside]
    begin = 0
    while begin < len(lows):
        far = int(np.searchsorted(highs, lows[begin] + (1 << 20), "right"))
        end = max(begin + 1, far)
        breaks = np.flatnonzero(lows[begin + 1 : end] != highs[begin : end - 1])
        end = begin + int(breaks[0]) + 1 if len(breaks) else end
        first = int(lows[begin])
        yield first, values.between(first, int(highs[end - 1])), np.ascontiguousarray(highs[begin:end] - first)
        begin = end


def _strings(values: AttributeValues, firsts: NDArray[np.int64], n: int) -> Any:
    """The n-grams that begin at these positions."""
    import pyarrow as pa
    import pyarrow.compute as pc

    tokens = [values.strings.take(pa.array(values.at(firsts + offset))).cast(pa.string()) for offset in range(n)]
    return pc.binary_join_element_wise(*tokens, " ") if n > 1 else tokens[0]
