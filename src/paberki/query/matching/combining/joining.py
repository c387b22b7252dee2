"""Tables of hits put in order and joined."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from paberki.query.matching.hit_table import HitTable

Places = npt.NDArray[np.int64]


def sort_spans(table: HitTable) -> HitTable:
    """Spans in order, equal ones (with equal labels) once."""
    edges = [column for one in table.edges for column in (one.relation, one.target, one.source)]
    keys = [*edges, *table.label_ends.values(), *table.labels.values(), table.ends, table.starts]
    order = np.lexsort(keys)
    new = np.ones(len(order), np.bool_)
    if len(order) > 1:
        new[1:] = np.logical_or.reduce([np.diff(key[order]) != 0 for key in keys])
    return table.take(order[new])


def join(left: HitTable, right: HitTable, room: Callable[[int], None]) -> HitTable:
    """Every span of the left side with every span of the right side that begins where it ends."""
    order = np.argsort(right.starts, kind="stable")
    right = right.take(order)
    low = np.searchsorted(right.starts, left.ends)
    counts = np.searchsorted(right.starts, left.ends, "right") - low
    return pair_rows(left, right, low, counts, room)


def pair_rows(left: HitTable, right: HitTable, low: Places, counts: Places, room: Callable[[int], None]) -> HitTable:
    """Row i of the left side with rows ``low[i]`` and following of the right side."""
    total = int(counts.sum())
    room(total * 8 * (4 + len(left.labels) + len(right.labels)))
    numbers = np.repeat(np.arange(len(left)), counts)
    others = np.repeat(low - np.cumsum(counts) + counts, counts) + np.arange(total)
    first, second = left.take(numbers), right.take(others)
    return HitTable(
        first.starts,
        second.ends,
        {**first.labels, **second.labels},
        {**first.label_ends, **second.label_ends},
        [*first.edges, *second.edges],
    )
