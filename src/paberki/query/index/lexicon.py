"""The values of an attribute: their bytes one after the other, in the order of their ids, and in two other orders."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from paberki.arrow import pa
from paberki.query.index.alphabet_order import code_point_order
from paberki.query.index.container import Container
from paberki.query.index.folding import Kind, fold_strings

Ids = npt.NDArray[np.uint32]


def lexicon_strings(content: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]) -> pa.Array:
    """Values as Arrow has them, without a copy."""
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(content)]
    return pa.Array.from_buffers(pa.large_string(), len(offsets) - 1, buffers)


class ValueLexicon:
    """Values by id, ids by value."""

    def __init__(self, content: npt.NDArray[np.uint8], lengths: npt.NDArray[Any]) -> None:
        self.lexicon_bytes = content
        self._lengths = lengths

    @classmethod
    def in_container(cls, container: Container, prefix: str) -> ValueLexicon:
        """A lexicon of an index file."""
        return cls(container.array(f"{prefix}/bytes"), container.array(f"{prefix}/lengths"))

    @classmethod
    def of_strings(cls, values: pa.Array) -> ValueLexicon:
        """A lexicon of these values, the first of which has the id 0."""
        values = values.cast(pa.large_string())
        _, offsets, content = values.buffers()
        edges = np.frombuffer(offsets, np.int64, len(values) + 1, values.offset * 8)
        data = np.frombuffer(content, np.uint8) if content is not None else np.zeros(0, np.uint8)
        return cls(data[edges[0] : edges[-1]], np.diff(edges))

    @property
    def size(self) -> int:
        """Number of values."""
        return len(self._lengths)

    def __len__(self) -> int:
        return self.size

    @cached_property
    def lexicon_offsets(self) -> npt.NDArray[np.int64]:
        """Where each value begins in the bytes, and last where they end."""
        offsets = np.zeros(len(self._lengths) + 1, np.int64)
        np.cumsum(self._lengths, out=offsets[1:])
        return offsets

    @cached_property
    def strings(self) -> pa.Array:
        """The values as an Arrow array."""
        return lexicon_strings(self.lexicon_bytes, self.lexicon_offsets)

    def raw(self, number: int) -> bytes:
        """The bytes of a value."""
        return self.lexicon_bytes[self.lexicon_offsets[number] : self.lexicon_offsets[number + 1]].tobytes()

    def value(self, number: int) -> str:
        """The value with this id."""
        return self.raw(int(number)).decode("utf-8", "replace")

    def values(self, ids: Iterable[int] | npt.NDArray[Any]) -> list[str]:
        """The values with these ids."""
        numbers = np.asarray(ids if isinstance(ids, np.ndarray) else list(ids), np.int64)
        starts, ends = self.lexicon_offsets[numbers].tolist(), self.lexicon_offsets[numbers + 1].tolist()
        content = np.ascontiguousarray(self.lexicon_bytes).data
        return [str(content[start:end], "utf-8", "replace") for start, end in zip(starts, ends, strict=True)]

    @cached_property
    def by_code_point(self) -> Ids:
        """Ids in the order of code points."""
        return code_point_order(self.strings)

    @cached_property
    def code_point_rank(self) -> Ids:
        """Rank of each id in the order of code points."""
        ranks = np.empty(self.size, np.uint32)
        ranks[self.by_code_point] = np.arange(self.size, dtype=np.uint32)
        return ranks

    @property
    def collation_rank(self) -> Ids:
        """Rank of each id in the alphabet of the language; here that of code points."""
        return self.code_point_rank

    def _place(self, text: bytes) -> int:
        """Number of values below these bytes in the order of code points."""
        low, high, order = 0, self.size, self.by_code_point
        while low < high:
            middle = (low + high) // 2
            if self.raw(int(order[middle])) < text:
                low = middle + 1
            else:
                high = middle
        return low

    def id_of(self, text: str) -> int:
        """The id of a value; −1 where it does not occur."""
        raw = text.encode("utf-8", "surrogatepass")
        place = self._place(raw)
        if place < self.size and self.raw(int(self.by_code_point[place])) == raw:
            return int(self.by_code_point[place])
        return -1

    def prefix_ids(self, prefix: str) -> Ids:
        """Ids of all values that begin so, in rising order."""
        raw = prefix.encode("utf-8", "surrogatepass")
        ids: Ids = np.sort(self.by_code_point[self._place(raw) : self._place(raw + b"\xff")])
        return ids


class Folded(ValueLexicon):
    """Values without capitals, without diacritics, or without both; ``ids`` says which one each value folds to.

    Lemmas that are made from ``lempos`` are kept in the same way.
    """

    def __init__(self, content: npt.NDArray[np.uint8], lengths: npt.NDArray[Any], ids: Ids) -> None:
        super().__init__(content, lengths)
        self.ids = ids


def fold(lexicon: ValueLexicon, counts: npt.NDArray[Any], kind: Kind) -> Folded:
    """The folded lexicon of a lexicon, its ids by descending frequency."""
    return merged_values(fold_strings(lexicon.strings, kind), counts)


def merged_values(strings: pa.Array, counts: npt.NDArray[Any]) -> Folded:
    """What the values of a lexicon become, each once, by descending frequency."""
    dictionary_array = strings.dictionary_encode()
    first = dictionary_array.indices.to_numpy()
    totals = np.bincount(first, weights=counts, minlength=len(dictionary_array.dictionary))
    order = np.argsort(-totals, kind="stable")
    ranks = np.empty(len(order), np.uint32)
    ranks[order] = np.arange(len(order), dtype=np.uint32)
    values = ValueLexicon.of_strings(dictionary_array.dictionary.take(pa.array(order)))
    return Folded(values.lexicon_bytes, np.diff(values.lexicon_offsets), ranks[first])
