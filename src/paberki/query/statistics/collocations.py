"""Collocations: values that stand around the hits more often than chance would have it.

``hits`` of a collocate counts tokens in the windows of all hits; a token in the windows of two hits counts twice, a token
of the hit itself does not count. Windows stop at the edges of the page (or of the structure ``within``), and where the part of
the corpus that is asked ends: blocks that were left out have no collocates. Pages, hosts, ARF and DP are those of the hits
that the collocate stands beside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.query.counting.list_table import ListOptions, arrow_numbers, table_of
from paberki.query.counting.spread import Occurrences, Spread, occurrences_of, spread_of
from paberki.query.counting.tally import Tally, rows_at_once, slots_of
from paberki.query.counting.tally_records import HitPlaces
from paberki.query.counting.token_scope import TokenScope
from paberki.query.counting.values import AttributeValues, values_of
from paberki.query.counting.windows import Windows, each_part, windows_of
from paberki.query.statistics.association_measures import measure
from paberki.query.statistics.wordlist import counts_in

if TYPE_CHECKING:
    from paberki.query.matching import HitTable

__all__ = ["LIMIT", "collocations"]

LIMIT: Final = 1000
"""Collocates that are listed unless more are asked for."""


def collocations(
    scope: TokenScope,
    hits: HitTable,
    attribute: str = "lemma",
    window: tuple[int, int] = (-5, 5),
    by: str = "logdice",
    within: str | None = None,
    limit: int | None = LIMIT,
    options: ListOptions | None = None,
) -> Any:
    """The collocates with the highest scores, the best first."""
    values = values_of(scope.places.index, attribute)
    windows = windows_of(scope, hits, window, within)
    dense = windows.is_dense(values.index.tokens)
    counts, flat = (windows.count(values), None) if dense else _count_flat(windows, values)
    rows = (options or ListOptions()).rows(lambda: values.strings, counts)
    scores = measure(by, counts[rows], len(hits.starts), counts_in(scope, values)[rows], scope.tokens)
    best = _best(scores, counts[rows], limit)
    best = best[np.argsort(-counts[rows[best]], kind="stable")]  # as a tally takes them
    rows, scores = rows[best], scores[best]
    if flat is None:
        spread = _spread_dense(scope, windows, values, rows, counts)
    else:
        spread = _spread_flat(scope, hits, flat, rows, values.size)
    columns = {**spread.columns(scope.tokens), by: scores}
    return table_of({"collocate": values.strings.take(arrow_numbers(rows))}, columns, by=(by, "hits"))


def _best(scores: NDArray[np.float64], hits: NDArray[np.int64], limit: int | None) -> NDArray[np.int64]:
    """Rows with the highest scores, in any order."""
    if limit is None or len(scores) <= limit:
        return np.arange(len(scores))
    worst = np.partition(-scores, limit - 1)[limit - 1]
    candidates = np.flatnonzero(~(-scores > worst))  # also those without a score, which sort last
    return candidates[np.lexsort((-hits[candidates], -scores[candidates]))[:limit]]


_Flat = tuple[NDArray[np.uint32], NDArray[np.uint32]]


def _count_flat(windows: Windows, values: AttributeValues) -> tuple[NDArray[np.int64], _Flat]:
    """Counts, and for every token in a window its value and its hit."""
    positions, owners = windows.flat()
    numbers = values.at(positions)
    return np.bincount(numbers, minlength=values.size).astype(np.int64), (numbers, owners)


def _spread_flat(scope: TokenScope, hits: HitTable, flat: _Flat, rows: NDArray[np.int64], size: int) -> Spread:
    numbers, owners = flat
    table = np.full(size, len(rows), np.uint32)
    table[rows] = np.arange(len(rows), dtype=np.uint32)
    token_rows = table[numbers]
    places = np.flatnonzero(token_rows < len(rows))
    where = occurrences_of(scope, hits.starts).take(owners[places])
    return spread_of(np.ascontiguousarray(token_rows[places]), len(rows), where, scope)


def _spread_dense(
    scope: TokenScope, windows: Windows, values: AttributeValues, rows: NDArray[np.int64], counts: NDArray[np.int64]
) -> Spread:
    size = rows_at_once(scope)
    parts = [
        _tally(scope, windows, values, rows[low : low + size], counts) for low in range(0, max(len(rows), 1), size)
    ]
    return Spread(*(np.concatenate([getattr(part, name) for part in parts]) for name in Spread.fields))


def _occurrences(scope: TokenScope, windows: Windows) -> Occurrences:
    """Where the hits are; their pages are known where windows stop at pages."""
    starts = windows.hits.starts
    if windows.edges is scope.places.edges:
        return Occurrences(scope.offsets(starts), windows.regions)
    return occurrences_of(scope, starts)


def _tally(
    scope: TokenScope, windows: Windows, values: AttributeValues, rows: NDArray[np.int64], counts: NDArray[np.int64]
) -> Spread:
    where, slots = _occurrences(scope, windows), slots_of(rows, values.size)
    tables = {id(column): column.looked_up(slots) for column in values.columns}

    def tally_part(part: tuple[int, int]) -> Tally:
        tally = Tally(counts[rows], scope)
        for chunk in windows.chunks(values, *part):
            places = HitPlaces(where.positions[chunk.hits], where.pages[chunk.hits])
            tally.add_windows(chunk.column, chunk.windows, tables[id(chunk.column)], places)
        return tally

    first, *others = each_part(tally_part, windows.parts())
    for other in others:
        first.follow(other)
    return Spread(counts[rows], *first.result())
