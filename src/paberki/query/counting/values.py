"""An attribute over all segments: one number per value, whatever segment it comes from.

Every segment numbers its own values. With one segment these numbers serve as they are; with several the values are
united by string, and each segment gets a table from its numbers to the common ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paberki.kernels import load

if TYPE_CHECKING:
    from paberki.query.index.reader import Index

__all__ = ["AttributeValues", "Packed", "values_of"]


_LISTED_SHARE: Final = 8
"""To read the column is faster where more than one token in so many is asked for."""


class Packed(NamedTuple):
    """The column of one segment as kernels read it: packed ids, and the common number of every id."""

    words: NDArray[np.uint64]
    width: int
    size: int
    numbers: NDArray[np.uint32] | None

    def sum_by_number(self, counts: NDArray[np.int64], size: int) -> NDArray[np.int64]:
        """Counts of ids as counts of common numbers."""
        if self.numbers is None:
            return counts
        return np.bincount(self.numbers, weights=counts, minlength=size).astype(np.int64)

    def looked_up(self, table: NDArray[Any]) -> NDArray[Any]:
        """A table of common numbers as a table of ids."""
        return table if self.numbers is None else table[self.numbers]


class AttributeValues:
    """The values of one positional attribute."""

    def __init__(self, index: Index, name: str) -> None:
        self.index = index
        self.name = index.resolve(name)
        self._parts = [segment.attribute(self.name) for segment in index.segments]

    @cached_property
    def _tables(self) -> list[NDArray[np.uint32]]:
        """For each of several segments: its numbers to common numbers."""
        import pyarrow as pa

        chunks = self._chunks()
        if not chunks:
            return []
        codes = pa.concat_arrays(chunks).dictionary_encode().indices.to_numpy(zero_copy_only=False)
        edges = np.cumsum([0, *(len(chunk) for chunk in chunks)])
        return [codes[low:high].astype(np.uint32) for low, high in pairwise(edges)]

    @property
    def _is_one(self) -> bool:
        return len(self._parts) == 1

    @cached_property
    def size(self) -> int:
        """How many values there are."""
        if self._is_one:
            return self._parts[0].size
        return 1 + max((int(table.max()) for table in self._tables if len(table)), default=-1)

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How often each value occurs in the whole index."""
        counts = np.zeros(self.size, np.int64)
        for part, table in zip(self._parts, self._tables_or_none, strict=True):
            if table is None:
                return np.asarray(part.counts, np.int64)
            np.add.at(counts, table, np.asarray(part.counts, np.int64))
        return counts

    @cached_property
    def columns(self) -> list[Packed]:
        """The columns of all segments."""
        columns = []
        for part, table in zip(self._parts, self._tables_or_none, strict=True):
            base = part if part.derived_from is None else part.derived_from
            numbers = (
                table if part.derived_from is None else part.derived_ids if table is None else table[part.derived_ids]
            )
            columns.append(Packed(base._words, base._width, base.size, numbers))
        return columns

    @property
    def _tables_or_none(self) -> list[NDArray[np.uint32] | None]:
        return [None] * len(self._parts) if self._is_one else list(self._tables)

    def at(self, positions: NDArray[np.int64]) -> NDArray[np.uint32]:
        """Numbers of the values at global positions, in any order."""
        if self._is_one and self.index.segments[0].base == 0:
            return np.asarray(self._parts[0].ids_at(positions), np.uint32)
        numbers = np.zeros(len(positions), np.uint32)
        bases = np.array([segment.base for segment in self.index.segments], np.int64)
        owners = np.searchsorted(bases, positions, "right") - 1
        for owner, (segment, part, table) in enumerate(
            zip(self.index.segments, self._parts, self._tables_or_none, strict=True)
        ):
            if len(mine := np.flatnonzero(owners == owner)):
                local = part.ids_at(positions[mine] - segment.base)
                numbers[mine] = local if table is None else table[local]
        return numbers

    def pieces(self, start: int, stop: int, size: int = 1 << 20) -> Iterator[tuple[int, NDArray[np.uint32]]]:
        """Numbers of all tokens from start to stop, some at a time, each piece with its global position."""
        for segment, part, table in zip(self.index.segments, self._parts, self._tables_or_none, strict=True):
            low, high = max(start - segment.base, 0), min(stop - segment.base, segment.tokens)
            for begin in range(low, high, size):
                local = np.asarray(part.ids_between(begin, min(begin + size, high)), np.uint32)
                yield begin + segment.base, np.ascontiguousarray(local if table is None else table[local])

    def between(self, start: int, stop: int) -> NDArray[np.uint32]:
        """Numbers of all tokens from start to stop."""
        pieces = [numbers for _, numbers in self.pieces(start, stop, max(stop - start, 1))]
        return pieces[0] if len(pieces) == 1 else np.concatenate([np.zeros(0, np.uint32), *pieces])

    def positions(self, numbers: NDArray[np.uint32]) -> NDArray[np.int64]:
        """Global positions of all tokens with one of these values, in ascending order."""
        parts = []
        for segment, part, table in zip(self.index.segments, self._parts, self._tables_or_none, strict=True):
            ids = numbers if table is None else np.flatnonzero(np.isin(table, numbers)).astype(np.uint32)
            parts.append(np.asarray(part.positions(ids), np.int64) + segment.base)
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)

    def position_lists(self, numbers: NDArray[np.int64]) -> NDArray[np.int64] | None:
        """Positions of each value, one list behind the other, where these can be had without reading the whole column."""
        total = int(self.counts[numbers].sum())
        if not self._is_one or total * _LISTED_SHARE > self.index.tokens:
            return None
        return self._parts[0].position_lists(numbers)

    def number_of(self, text: str) -> int:
        """The number of a value, −1 where the corpus does not have it."""
        for part, table in zip(self._parts, self._tables_or_none, strict=True):
            if (number := part.id_of(text)) >= 0:
                return number if table is None else int(table[number])
        return -1

    def texts(self, numbers: NDArray[Any]) -> list[str]:
        """The strings of some values, without Arrow where there is one segment."""
        if self._is_one:
            return self._parts[0].values(numbers)
        texts: list[str] = self.strings.take(np.asarray(numbers, np.int64)).to_pylist()
        return texts

    @cached_property
    def strings(self) -> Any:
        """All values as an Arrow array, by number."""
        import pyarrow as pa

        if self._is_one:
            return self._parts[0].strings
        chunks = self._chunks()
        return pa.concat_arrays(chunks).dictionary_encode().dictionary if chunks else pa.array([], pa.large_string())

    def _chunks(self) -> list[Any]:
        """The values of each segment; a corpus without annotation has no segments."""
        import pyarrow as pa

        return [part.strings.cast(pa.large_string()) for part in self._parts]

    @cached_property
    def ranks(self) -> NDArray[np.uint32]:
        """The place of every value in the order of the language's alphabet."""
        if self._is_one:
            return np.asarray(self._parts[0].collation_rank, np.uint32)
        from paberki.query.counting.collation import ranks_of

        return ranks_of(self.strings, self.index.lang)

    def ranks_from(
        self, firsts: NDArray[np.int64], ends: NDArray[np.int64], step: int, offset: int
    ) -> NDArray[np.uint64]:
        """The rank, plus one, of the token so many steps from each first one, 0 from the end on."""
        if self._is_one and self.index.segments[0].base == 0:
            [column] = self.columns
            numbers = np.empty(len(firsts), np.uint64)
            kernel = load("paberki.query.counting.windows_kernel")
            ranks, starts, stops = column.looked_up(self.ranks), *map(np.ascontiguousarray, (firsts, ends))
            kernel.list_ranks(column.words, column.width, ranks, starts, stops, step, offset, numbers)
            return numbers
        positions = firsts + step * offset
        inside = (ends - positions) * step > 0
        numbers = self.ranks[self.at(np.where(inside, positions, 0))].astype(np.uint64) + np.uint64(1)
        return np.where(inside, numbers, np.uint64(0))


def values_of(index: Index, name: str) -> AttributeValues:
    """The values of an attribute; made once per index."""
    memory: dict[str, AttributeValues] = index.__dict__.setdefault("_values_by_name", {})
    real = index.resolve(name)
    if real not in memory:
        memory[real] = AttributeValues(index, real)
    return memory[real]
