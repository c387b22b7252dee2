"""Pairs that share at least so many values, counted on disk: the low regime (P5 §3.4, rows of hash and document, sorted).

One column of all signatures at a time is sorted; texts with the same value make pairs; pairs are counted. Only
three columns and a bounded number of pairs are in memory (:mod:`paberki.dedup.near.spool`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from paberki.dedup.near.spool import SortedRuns
from paberki.dedup.signatures import matching
from paberki.dedup.signatures.matching import Counts
from paberki.dedup.signatures.shingles import Hashes, Ints

RUN_LIMIT: Final = 256
"""So many texts with one value in common are all paired; any more only with the first eight of them."""
PAIRS_OF_COLUMN: Final = 125_000
"""Pairs that a column may give on average, or three for each text if that is more, before fewer are paired."""
_SAVINGS: Final = 8
_NONE: Final = np.empty(0, np.uint64)
_HALF: Final = np.uint64(32)
_LOWER: Final = np.uint64(0xFFFFFFFF)
Column = Callable[[int], Any]
"""The values of one hash function for all texts, of 32 or 64 bits; all ones where a text has none."""


@dataclass(frozen=True, slots=True)
class SharedPairs:
    """Pairs of texts as two numbers in one, and in how many values they agree."""

    frequent: int
    """Values that more texts have than are all compared with each other."""
    _pairs: SortedRuns
    _least: int

    def portions(self) -> Iterator[tuple[Hashes, Counts]]:
        """All pairs in order, some at a time, with how many values they share; to be read once."""
        for pairs in self._pairs.ranges():
            pairs, counts = matching.count_runs(pairs)
            enough = counts >= self._least
            yield pairs[enough], counts[enough]


def shared_values(column: Column, columns: int, least: int, *, cap: int = 0, limit: int = RUN_LIMIT) -> SharedPairs:
    """All pairs that agree in at least ``least`` of the columns.

    Texts are numbered by their weight: in a large group the first ones are those that the others are compared with.
    ``cap``: leave out values that so many texts have, as texrex does.
    """
    frequent, budget = 0, None
    pair_runs = SortedRuns()
    for number in range(columns):
        column_values = column(number)
        values, owners = runs(column_values)
        income = max(PAIRS_OF_COLUMN, 3 * len(column_values))
        budget = _SAVINGS * income if budget is None else budget
        pairs, many = _pairs(values, owners, cap, limit, budget)
        budget = min(budget - len(pairs), (_SAVINGS - 1) * income) + income
        frequent += many
        pair_runs.add(pairs)
    return SharedPairs(frequent, pair_runs, least)


def runs(values: Any) -> tuple[Hashes, Ints]:
    """Values that more than one text has, with their owners, in the order of the values and then of the owners.

    Value and owner are sorted as one number, which is several times as fast as sorting one by the other. Where values have
    64 bits, the upper half is taken first; what agrees in it is few, and sorted again by all of it.
    """
    bits = 8 * values.itemsize
    there = values != values.dtype.type(-1 % (1 << bits))
    upper = values >> values.dtype.type(bits - 32)
    keys = (upper.astype(np.uint64) << _HALF) | np.arange(len(values), dtype=np.uint64)
    keys = matching.in_order(keys if there.all() else keys[there])
    again = (keys[1:] >> _HALF) == (keys[:-1] >> _HALF)
    in_run = np.zeros(len(keys), bool)  # most values occur once
    in_run[1:] = again
    in_run[:-1] |= again
    keys = keys[in_run]
    owners = (keys & _LOWER).astype(np.int64)
    if bits == 32:
        return keys >> _HALF, owners
    order = np.lexsort((owners, values[owners]))
    return values[owners[order]], owners[order]


def _pairs(values: Hashes, owners: Ints, cap: int, limit: int, budget: int) -> tuple[Hashes, int]:
    """Pairs of texts with the same value, and how many values are too frequent for all of them."""
    if not len(values):
        return _NONE, 0
    edges = np.flatnonzero(values[1:] != values[:-1]) + 1
    lengths = np.diff(np.r_[0, edges, len(values)])
    limit = limit if cap else _affordable(lengths, limit, budget)
    many = lengths >= cap if cap else lengths > limit
    if cap and many.any():
        mask = np.repeat(~many, lengths)
        values, owners = values[mask], owners[mask]
    return matching.pairs_of_runs(values, owners, limit), int(many.sum())


def _affordable(lengths: Ints, limit: int, budget: int) -> int:
    """The limit, halved until the pairs of a column are no more than the budget: else their number could grow with the
    square of that of the texts, where many have a footer in common. It does not depend on the order of the texts. What
    one column does not use is saved for later ones, since footers are in the same column for all.
    """
    while limit > 2 * matching.HEADS:
        all_paired = np.minimum(lengths, limit)
        if (all_paired * (all_paired - 1) // 2 + (lengths - all_paired) * matching.HEADS).sum() <= budget:
            break
        limit //= 2
    return limit
