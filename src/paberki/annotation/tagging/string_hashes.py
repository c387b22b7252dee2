"""Hashes of strings that are the same on every machine and in every process, unlike Python's ``hash``.

Two kinds: keys are columns of a model, and its weights depend on them; hashes of 64 bits stand for strings in tables, so
that a lexicon of a hundred thousand words is an array and not as many objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

from paberki.kernels import load

Keys = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

_SPREAD: Final = 0x9E3779B97F4A7C15
_MASK: Final = (1 << 64) - 1
_POLYNOMIAL: Final = 0xEDB88320
HASH: Final = -1
CLASS_HASH: Final = -2
NOTHING: Final = 1000
"""As in :mod:`paberki.annotation.tagging.word_features_kernel`, which is not imported for them."""


@lru_cache(maxsize=1 << 13)
def key(text: str, kind: int = 0) -> int:
    """A column of a model for a string; ``kind`` keeps prefixes, suffixes and tags apart."""
    value = crc32(text.encode("utf-8", "surrogatepass"), kind * 0x01000193 & 0xFFFFFFFF)
    mixed = (value + (kind << 32) + 1) * _SPREAD & _MASK
    return mixed ^ (mixed >> 31)


class HashedStrings:
    """Many strings as one array of bytes, to be hashed piece by piece."""

    def __init__(self, strings: Sequence[str]) -> None:
        utf8 = [string.encode("utf-8", "surrogatepass") for string in strings]
        self.text: Bytes = np.frombuffer(b"".join(utf8) or b"\0", np.uint8)
        self.edges: Longs = np.zeros(len(utf8) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, utf8), np.int64, len(utf8)), out=self.edges[1:])

    @classmethod
    def from_arrays(cls, text: Bytes, edges: Longs) -> HashedStrings:
        """Strings whose arrays are there already."""
        strings = cls(())
        strings.text, strings.edges = text, edges
        return strings

    def __len__(self) -> int:
        return len(self.edges) - 1

    def __getitem__(self, number: int) -> str:
        return self.text[self.edges[number] : self.edges[number + 1]].tobytes().decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return map(self.__getitem__, range(len(self)))

    def columns(self, columns: Sequence[tuple[int, int]], classes: npt.NDArray[np.uint8] | None = None) -> Keys:
        """A row for each string; a column is a kind and a length: an ending, below zero a beginning, 0 all of it."""
        count = len(self)
        out = np.zeros((count, len(columns)), np.uint64)
        load("paberki.annotation.tagging.word_features_kernel").keys(
            self.text, self.edges, np.zeros(max(count, 1), np.uint8) if classes is None else classes,
            np.array(columns, np.int64).reshape(-1, 2), crc_table(), out,
        )  # fmt: skip
        return out

    def keys(self, kind: int) -> Keys:
        """:func:`key` of each string."""
        return self.columns([(kind, 0)])[:, 0]

    def hashes(self) -> Keys:
        """64 bits for each string."""
        return self.columns([(HASH, 0)])[:, 0]


@lru_cache(maxsize=1)
def crc_table() -> Keys:
    """What a byte does to a checksum."""
    values = np.arange(256, dtype=np.uint64)
    for _ in range(8):
        odd = (values & np.uint64(1)).astype(bool)
        values = (values >> np.uint64(1)) ^ np.where(odd, np.uint64(_POLYNOMIAL), np.uint64(0))
    return values


def pair_hashes(words: Keys, tags: Keys) -> Keys:
    """One hash for a word with a tag."""
    mixed = (words ^ (tags * np.uint64(_SPREAD))) * np.uint64(0xD6E8FEB86659FD93)
    hashes: Keys = mixed ^ (mixed >> np.uint64(29))
    return hashes


class HashTable:
    """Maps hashes to their first place in an array."""

    def __init__(self, hashes: Keys) -> None:
        order = np.argsort(hashes, kind="stable")
        self.order = order.astype(np.int32)
        self.hashes = hashes[order]

    @classmethod
    def from_arrays(cls, hashes: Keys, order: Ints) -> HashTable:
        """A table whose arrays are there already."""
        table = cls(hashes[:0])
        table.hashes, table.order = hashes, order
        return table

    def __len__(self) -> int:
        return len(self.hashes)

    def find(self, hashes: Keys) -> Ints:
        """Places, -1 for what is not there."""
        return values_of(self.hashes, self.order, hashes)


def values_of(sorted_hashes: Keys, values: Ints, hashes: Keys) -> Ints:
    """Values of hashes in a sorted array; -1 for a hash that is not in it."""
    if not len(sorted_hashes):
        return np.full(hashes.shape, -1, np.int32)
    at = np.minimum(np.searchsorted(sorted_hashes, hashes), len(sorted_hashes) - 1)
    return np.where(sorted_hashes[at] == hashes, values[at], np.int32(-1))


def is_in(sorted_hashes: Keys, hashes: Keys) -> npt.NDArray[np.bool_]:
    """Whether each hash is in a sorted array."""
    if not len(sorted_hashes):
        return np.zeros(hashes.shape, np.bool_)
    hits: npt.NDArray[np.bool_] = (
        sorted_hashes[np.minimum(np.searchsorted(sorted_hashes, hashes), len(sorted_hashes) - 1)] == hashes
    )
    return hits
