"""Sets of ids of a lexicon: a few ids, or a table with a truth value for each."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from paberki.query.matching.distinct import distinct

Bools = npt.NDArray[np.bool_]


class IdSet:
    """Ids below ``size``. Small sets are kept as ids and become a table when somebody needs one."""

    __slots__ = ("_ids", "_table", "size")

    def __init__(self, size: int, ids: npt.NDArray[Any] | None = None, table: Bools | None = None) -> None:
        self.size = size
        self._ids = None if ids is None else np.asarray(ids, np.int64)
        self._table = table

    @classmethod
    def of_ids(cls, size: int, *ids: int) -> IdSet:
        """A set of single ids; negative ones (values that do not occur) are left out."""
        return cls(size, np.array(sorted({one for one in ids if one >= 0}), np.int64))

    @property
    def ids(self) -> npt.NDArray[np.int64]:
        """The ids in rising order."""
        if self._ids is None:
            assert self._table is not None
            self._ids = np.flatnonzero(self._table)
        return self._ids

    @property
    def table(self) -> Bools:
        """Whether each id is in the set."""
        if self._table is None:
            assert self._ids is not None
            self._table = np.zeros(self.size, np.bool_)
            self._table[self._ids] = True
        return self._table

    @property
    def index(self) -> npt.NDArray[Any]:
        """The set as something that numpy can index with: ids if they are there, else the table."""
        return self.table if self._ids is None else self._ids

    def holds(self, ids: npt.NDArray[Any]) -> Bools:
        """Which of these ids are in the set."""
        if self._table is None and self._ids is not None and len(self._ids) <= 1:
            return ids == self._ids[0] if len(self._ids) else np.zeros(len(ids), np.bool_)
        return np.asarray(self.table[ids])

    def total(self, counts: npt.NDArray[np.int64]) -> int:
        """Sum of the counts of all ids of the set."""
        if self._ids is not None:
            return int(counts[self._ids].sum())
        return int(counts[self.table].sum())

    def __invert__(self) -> IdSet:
        return IdSet(self.size, table=~self.table)

    def __and__(self, other: IdSet) -> IdSet:
        return IdSet(self.size, table=self.table & other.table)

    def __or__(self, other: IdSet) -> IdSet:
        if self._table is None and other._table is None:
            return IdSet(self.size, np.union1d(self.ids, other.ids))
        return IdSet(self.size, table=self.table | other.table)


def union(size: int, sets: list[IdSet]) -> IdSet:
    """All ids of many sets at once."""
    if all(one._table is None for one in sets):
        return IdSet(size, distinct(np.concatenate([one.ids for one in sets])) if sets else np.zeros(0, np.int64))
    table = np.zeros(size, np.bool_)
    for one in sets:
        table[one.index] = True
    return IdSet(size, table=table)
