"""Pairs that share at least so many values, counted on disk: the low regime (P5 §3.5, rows of hash and document, sorted).

One column of all signatures at a time is sorted by radix; texts with the same value make pairs; pairs are counted. Only
three columns and a bounded number of pairs are in memory: the rest of the pairs waits in files, divided by a hash of the
pair, so that each file can be counted by itself.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

import numpy as np

from paberki.dedup import matching
from paberki.dedup.matching import Counts
from paberki.dedup.shingles import Hashes, Ints
from paberki.dedup.shingles import kernel as shingle_kernel
from paberki.dedup.tuples import kernel

RUN_LIMIT: Final = 256
"""So many texts with one value in common are all paired; any more only with the first eight of them."""
PAIRS_IN_MEMORY: Final = 16_000_000
FILES: Final = 64
_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)
Column = Callable[[int], Any]
"""The values of one hash function for all texts, of 32 or 64 bits; all ones where a text has none."""


@dataclass(frozen=True, slots=True)
class Shared:
    """Pairs of texts as two numbers in one, and in how many values they agree."""

    pairs: Hashes
    counts: Counts
    frequent: int
    """Values that more texts have than are all compared with each other."""


def shared_values(column: Column, columns: int, least: int, *, cap: int = 0, limit: int = RUN_LIMIT) -> Shared:
    """All pairs that agree in at least ``least`` of the columns.

    Texts are numbered by their weight: in a large group the first ones are those that the others are compared with.
    ``cap``: leave out values that so many texts have, as texrex does.
    """
    frequent = 0
    with _PairFiles() as found:
        for number in range(columns):
            values, owners = _sorted(column(number))
            pairs, many = _pairs(values, owners, cap, limit)
            frequent += many
            found.add(pairs)
        pairs, counts = found.counted(least)
    return Shared(pairs, counts, frequent)


def _sorted(values: Any) -> tuple[Hashes, Ints]:
    """Values with their owners in the order of the values, without those that are not there."""
    bits = 8 * values.itemsize
    there = values != values.dtype.type(-1 % (1 << bits))
    owners = np.flatnonzero(there)
    keys = values[there].astype(np.uint64)
    kernel().radix_sort(keys, owners, np.empty_like(keys), np.empty_like(owners), bits, np.empty(1 << 11, np.int64))
    return keys, owners


def _pairs(values: Hashes, owners: Ints, cap: int, limit: int) -> tuple[Hashes, int]:
    """Pairs of texts with the same value, and how many values are too frequent for all of them."""
    edges = np.flatnonzero(values[1:] != values[:-1]) + 1
    lengths = np.diff(np.r_[0, edges, len(values)]) if len(values) else np.empty(0, np.int64)
    wanted = lengths > 1
    if cap:
        wanted &= lengths < cap
    chosen = np.repeat(wanted, lengths)
    pairs = matching.pairs_of_runs(values[chosen], owners[chosen], limit)
    return pairs, int((lengths >= cap).sum() if cap else (lengths > limit).sum())


class _PairFiles:
    """Pairs as they come; what does not fit into memory waits in files."""

    def __init__(self) -> None:
        self._loose: list[Hashes] = []
        self._count = 0
        self._stack = ExitStack()
        self._files: list[BinaryIO] = []

    def __enter__(self) -> _PairFiles:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def add(self, pairs: Hashes) -> None:
        """Take in some."""
        for first in range(0, len(pairs), PAIRS_IN_MEMORY):
            some = pairs[first : first + PAIRS_IN_MEMORY]
            if self._count + len(some) > PAIRS_IN_MEMORY:
                self._put_away()
            self._loose.append(some)
            self._count += len(some)

    def _put_away(self) -> None:
        if not self._files:
            files = (tempfile.TemporaryFile() for _ in range(FILES))  # noqa: SIM115 - the stack closes them
            self._files = [self._stack.enter_context(file) for file in files]
        pairs = np.concatenate(self._loose) if self._loose else np.empty(0, np.uint64)
        self._loose, self._count = [], 0
        which = ((pairs * _MULTIPLIER) >> np.uint64(58)).astype(np.uint8)
        order = np.argsort(which, kind="stable")
        edges = np.searchsorted(which[order], np.arange(FILES + 1))
        pairs = pairs[order]
        for number, file in enumerate(self._files):
            pairs[edges[number] : edges[number + 1]].tofile(file)

    def counted(self, least: int) -> tuple[Hashes, Counts]:
        """Pairs that came often enough, in order."""
        if self._files:
            self._put_away()
        parts = map(self._read, self._files) if self._files else iter([np.concatenate([*self._loose, _NONE])])
        self._loose = []
        found = [_counted(part, least) for part in parts]
        pairs, counts = (np.concatenate(columns) for columns in zip(*found, strict=True))
        order = np.argsort(pairs, kind="stable")
        return pairs[order], counts[order]

    def _read(self, file: BinaryIO) -> Hashes:
        file.seek(0)
        return np.fromfile(file, np.uint64)


_NONE: Final = np.empty(0, np.uint64)


def _counted(pairs: Hashes, least: int) -> tuple[Hashes, Counts]:
    pairs.sort()
    counts = np.empty(len(pairs), np.int32)
    number = shingle_kernel().count_runs(pairs, counts)
    enough = counts[:number] >= least
    return pairs[:number][enough], counts[:number][enough]
