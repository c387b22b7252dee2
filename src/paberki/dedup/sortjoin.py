"""Pairs that share at least so many values, counted on disk: the low regime (P5 §3.5, rows of hash and document, sorted).

One column of all signatures at a time is sorted; texts with the same value make pairs; pairs are counted. Only
three columns and a bounded number of pairs are in memory: the rest of the pairs waits in files, each with a range of
pairs, so that it can be counted by itself.
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
from paberki.dedup.shingles import Hashes, Ints, kernel

RUN_LIMIT: Final = 256
"""So many texts with one value in common are all paired; any more only with the first eight of them."""
PAIRS_OF_COLUMN: Final = 125_000
"""Pairs that a column may give on average, or three for each text if that is more, before fewer are paired."""
_SAVINGS: Final = 8
PAIRS_IN_MEMORY: Final = 16_000_000
FILES: Final = 64
_NONE: Final = np.empty(0, np.uint64)
_HALF: Final = np.uint64(32)
_LOWER: Final = np.uint64(0xFFFFFFFF)
Column = Callable[[int], Any]
"""The values of one hash function for all texts, of 32 or 64 bits; all ones where a text has none."""


class ColumnFile:
    """Signatures of many texts in a file, by columns; none of it stays in memory."""

    def __init__(self, file: BinaryIO, kind: Any, functions: int, texts: int) -> None:
        self._file, self._kind, self._shape = file, np.dtype(kind), (functions, texts)

    def write(self, texts: Ints, signatures: Any) -> None:
        """Put down the signatures of some texts."""
        mapped = np.memmap(self._file, self._kind, "r+" if self._begun() else "w+", 0, self._shape)
        mapped[:, texts] = signatures.T
        mapped.flush()

    def _begun(self) -> bool:
        return bool(self._file.seek(0, 2) >= self._kind.itemsize * self._shape[0] * self._shape[1])

    def column(self, number: int) -> Any:
        """The values of one hash function."""
        self._file.seek(number * self._kind.itemsize * self._shape[1])
        return np.fromfile(self._file, self._kind, self._shape[1])


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
    frequent, saved = 0, None
    with _PairFiles() as found:
        for number in range(columns):
            drawn = column(number)
            values, owners = _runs(drawn)
            income = max(PAIRS_OF_COLUMN, 3 * len(drawn))
            saved = _SAVINGS * income if saved is None else saved
            pairs, many = _pairs(values, owners, cap, limit, saved)
            saved = min(saved - len(pairs), (_SAVINGS - 1) * income) + income
            frequent += many
            found.add(pairs)
        pairs, counts = found.counted(least)
    return Shared(pairs, counts, frequent)


def _runs(values: Any) -> tuple[Hashes, Ints]:
    """Values that more than one text has, with their owners, in the order of the values and then of the owners.

    Value and owner are sorted as one number, which is several times as fast as sorting one by the other. Where values have
    64 bits, the upper half is taken first; what agrees in it is few, and sorted again by all of it.
    """
    bits = 8 * values.itemsize
    there = values != values.dtype.type(-1 % (1 << bits))
    upper = values >> values.dtype.type(bits - 32)
    keys = (upper.astype(np.uint64) << _HALF) | np.arange(len(values), dtype=np.uint64)
    keys = keys if there.all() else keys[there]
    keys.sort()
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
        chosen = np.repeat(~many, lengths)
        values, owners = values[chosen], owners[chosen]
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


class _PairFiles:
    """Pairs as they come; what does not fit into memory waits in files."""

    def __init__(self) -> None:
        self._loose: list[Hashes] = []
        self._count = 0
        self._stack = ExitStack()
        self._files: list[BinaryIO] = []
        self._edges = _NONE

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
        pairs = np.concatenate([*self._loose, _NONE])
        self._loose, self._count = [], 0
        pairs.sort()
        if not self._files:
            files = (tempfile.TemporaryFile() for _ in range(FILES))  # noqa: SIM115 - the stack closes them
            self._files = [self._stack.enter_context(file) for file in files]
            # All columns are draws from the same texts, so that what comes later falls into these ranges as evenly.
            self._edges = pairs[np.arange(1, FILES) * len(pairs) // FILES]
        cuts = np.r_[0, np.searchsorted(pairs, self._edges), len(pairs)]
        for file, low, high in zip(self._files, cuts, cuts[1:], strict=False):
            pairs[low:high].tofile(file)

    def counted(self, least: int) -> tuple[Hashes, Counts]:
        """Pairs that came often enough, in order."""
        if self._files:
            self._put_away()
        parts = map(self._read, self._files) if self._files else iter([np.concatenate([*self._loose, _NONE])])
        self._loose = []
        found = [_counted(part, least) for part in parts]
        pairs, counts = (np.concatenate(columns) for columns in zip(*found, strict=True))
        return pairs, counts

    def _read(self, file: BinaryIO) -> Hashes:
        file.seek(0)
        return np.fromfile(file, np.uint64)


def _counted(pairs: Hashes, least: int) -> tuple[Hashes, Counts]:
    pairs.sort()
    counts = np.empty(len(pairs), np.int32)
    number = kernel().count_runs(pairs, counts)
    enough = counts[:number] >= least
    return pairs[:number][enough], counts[:number][enough]
