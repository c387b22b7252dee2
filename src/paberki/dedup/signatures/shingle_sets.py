"""Exact resemblance of pairs: the sets of shingles of all texts that are in one, and their comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.dedup.near.spool import Spool
from paberki.dedup.signatures.shingles import Hashes, Ints, TextShingles, kernel, make_sets

SHINGLES_AT_ONCE: Final = 4_000_000
"""Shingles of the sets that are in memory at a time."""
_PAIRS_AT_ONCE: Final = 100_000


class SetFile:
    """Sorted sets of shingles, numbered as they come."""

    def __init__(self) -> None:
        self._spool = Spool()
        self._sizes: list[Ints] = [np.empty(0, np.int64)]

    def append(self, shingles: TextShingles) -> None:
        """Put down the sets of some texts; their shingles are sorted in place."""
        sizes = make_sets(shingles)
        places = np.repeat(shingles.offsets[:-1] - np.r_[0, np.cumsum(sizes)[:-1]], sizes) + np.arange(sizes.sum())
        self.append_sets(shingles.values[places], sizes)

    def append_sets(self, values: Hashes, sizes: Ints) -> None:
        """Put down sets that lie one after the other."""
        self._spool.append(values)
        self._sizes.append(sizes)

    @property
    def sizes(self) -> Ints:
        """How large each set is."""
        if len(self._sizes) > 1:
            self._sizes = [np.concatenate(self._sizes)]
        return self._sizes[0]

    def resemblances(self, left: Ints, right: Ints) -> npt.NDArray[np.float64]:
        """Share of the shingles that both have among those that either has, for pairs of sets."""
        alike = np.zeros(len(left))
        for mine, set_arrays, one, other in self.some(left, right):
            kernel().resemblance(*set_arrays, one, other, alike[mine])
        return alike

    def some(self, left: Ints, right: Ints) -> Iterator[tuple[slice, tuple[Hashes, Ints, Ints], Ints, Ints]]:
        """Pairs with the sets that they need, as many at a time as there is memory for: which pairs, values of the sets,
        where each begins and how large it is, and the two sets of each pair among them.
        """
        sizes = self.sizes
        starts = np.cumsum(sizes) - sizes
        if not self._spool.size:
            return
        if (memory := self._spool.in_memory()) is not None:
            yield slice(None), (np.frombuffer(memory, np.uint64), starts, sizes), left, right
            return
        first, count = 0, _PAIRS_AT_ONCE
        while first < len(left):
            which, count = self._as_many_as_fit(left, right, first, count)
            mine = slice(first, first + count)
            values = np.frombuffer(self._spool.gather(8 * starts[which], 8 * sizes[which]), np.uint64)
            set_arrays = values, np.cumsum(sizes[which]) - sizes[which], sizes[which]
            yield mine, set_arrays, np.searchsorted(which, left[mine]), np.searchsorted(which, right[mine])
            first, count = first + count, min(2 * count, _PAIRS_AT_ONCE)

    def _as_many_as_fit(self, left: Ints, right: Ints, first: int, count: int) -> tuple[Ints, int]:
        """Sets of as many of the next pairs as there is memory for, and how many pairs these are."""
        while True:
            count = min(count, len(left) - first)
            mine = slice(first, first + count)
            some: Any = np.unique(np.concatenate([left[mine], right[mine]]))
            if count == 1 or self.sizes[some].sum() <= SHINGLES_AT_ONCE:
                return some, count
            count //= 2
