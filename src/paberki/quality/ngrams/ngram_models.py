"""Character n-gram models of the corpus itself: ``3graph``, ``12graph``, their perplexity (P3 §6).

P(g) = (c(g) + 1) ÷ Σ (c(v) + 1) over all n-grams g; a text's score is the mean log-probability of its consecutive
sequences of 100 characters, so that its length does not matter. Counts are hashed into tables of fixed size: 8 MB rank
texts as half a gigabyte does. Low trigram scores point at odd case, addresses, formulas, lists of prices.

**12graph measures redundancy rather than quality.** It is high where the corpus repeats itself and low in rare genres
such as fiction; it ranks texts quite differently from 3graph. Use it to find text that is repeated, not to throw
away text that occurs once.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.kernels import load
from paberki.lexicon import buffers, texts_of
from paberki.quality.rules.rule_characters import classes

ROW_BITS: Final = 13
BITS: Final = (ROW_BITS, ROW_BITS + 8, 22)
"""Sizes of the tables of pairs, triples (a row for each pair) and 12-grams, as powers of two: at most 13 MB together."""
SCALE: Final = 2048.0
"""Steps per unit of a logarithm in the tables of a model."""
DECIMALS: Final = 2
"""Scores are rounded, so that they are few and percentages of pages below each are exact."""
COUNTS: Final = pa.schema([("size", pa.uint8()), ("place", pa.uint32()), ("count", pa.uint64())])
MODEL: Final = pa.schema([("log_count", pa.uint16())])
_DENSE: Final = 100_000
_WAITING: Final = 256
"""Places that are worked out before anything is read from them."""
_TRIPLE_CHARS: Final = 98
_LONG_CHARS: Final = 89


@dataclass(frozen=True, slots=True)
class NgramScores:
    """Scores of some texts; NaN for texts of less than twelve characters."""

    ngram3: npt.NDArray[np.float64]
    ngram12: npt.NDArray[np.float64]
    perplexity: npt.NDArray[np.float64]
    diacr_perc: npt.NDArray[np.float64]


def count(texts: pa.StringArray) -> pa.Table:
    """The n-grams of some texts: table, place in it and count."""
    tables = [np.zeros(1 << bits, np.uint32) for bits in BITS]
    data, offsets = buffers(texts)
    room = np.zeros(16, np.uint64), np.zeros((2, _WAITING), np.uint64)
    _kernel().count(data, offsets, *room, *_shifts(ROW_BITS, BITS[2]), *tables)
    return _sparse(tables)


def _sparse(tables: Sequence[npt.NDArray[np.uint32]]) -> pa.Table:
    lengths = [np.count_nonzero(table) for table in tables]
    edges = np.cumsum([0, *lengths]).tolist()
    places, counts = np.empty(edges[-1], np.uint32), np.empty(edges[-1], np.uint64)
    for table, (first, last) in zip(tables, itertools.pairwise(edges), strict=True):
        _kernel().gather(table, places[first:last], counts[first:last])
    sizes = np.repeat(np.arange(len(tables), dtype=np.uint8), lengths)
    return pa.table([sizes, places, counts], schema=COUNTS)


def merge(tables: Sequence[pa.Table]) -> pa.Table:
    """Counts added up."""
    if len(tables) == 1:
        return tables[0]
    if sum(table.num_rows for table in tables) > _DENSE:
        return _merged_densely(tables)
    sizes, places, counts = (pa.concat_tables(tables).column(name).to_numpy() for name in COUNTS.names)
    keys, index = np.unique(sizes.astype(np.uint64) << np.uint64(32) | places, return_inverse=True)
    sums = np.zeros(len(keys), np.uint64)
    np.add.at(sums, index, counts)
    return pa.table([keys >> np.uint64(32), keys & np.uint64(0xFFFFFFFF), sums], COUNTS.names).cast(COUNTS)


def _merged_densely(tables: Sequence[pa.Table]) -> pa.Table:
    """The same through one table with a place for every n-gram, which is quicker than sorting when there are many."""
    firsts = np.r_[0, np.cumsum([1 << bits for bits in BITS])].astype(np.int64)
    dense = np.zeros(firsts[-1], np.uint64)
    for table in tables:
        _kernel().add(*(np.ascontiguousarray(table.column(name).to_numpy()) for name in COUNTS.names), firsts, dense)
    places = np.flatnonzero(dense)
    lengths = np.diff(np.searchsorted(places, firsts))
    sizes = np.repeat(np.arange(len(BITS), dtype=np.uint8), lengths)
    inside = (places - np.repeat(firsts[:-1], lengths)).astype(np.uint32)
    return pa.table([sizes, inside, dense[places]], schema=COUNTS)


def _shifts(row_bits: int, long_bits: int) -> tuple[np.uint64, np.uint64]:
    return np.uint64(64 - row_bits), np.uint64(64 - long_bits)


def finish(table: pa.Table) -> pa.Table:
    """The model: quantised logarithms of counts, in tables that are folded while they would be nearly empty."""
    sizes, places, counts = (table.column(name).to_numpy() for name in COUNTS.names)
    edges = np.searchsorted(sizes, np.arange(len(BITS) + 1))  # all of a size stand together
    lengths = np.diff(edges).tolist()
    row_bits = min(ROW_BITS, max(4, (4 * lengths[0]).bit_length()))
    long_bits = min(BITS[2], max(10, (2 * lengths[2]).bit_length()))
    parts, metadata = [], {"rows": str(row_bits), "longs": str(long_bits)}
    for size, bits in enumerate((row_bits, row_bits + 8, long_bits)):
        mine = slice(edges[size], edges[size + 1])
        slots = _fold(places[mine], size, row_bits, long_bits)
        sums = np.bincount(slots, counts[mine].astype(np.float64), 1 << bits)
        there = np.flatnonzero(sums)
        logs = np.zeros(len(sums), np.uint16)
        logs[there] = np.minimum(np.rint(np.log1p(sums[there]) * SCALE), 0xFFFF)
        parts.append(logs)
        metadata[f"total{size}"] = str(int(counts[mine].sum()))
        metadata[f"types{size}"] = str(len(there))
    return pa.table([np.concatenate(parts)], MODEL.with_metadata(metadata))


def _fold(places: npt.NDArray[np.uint32], size: int, row_bits: int, long_bits: int) -> npt.NDArray[np.integer[Any]]:
    """Places in smaller tables: of pairs, of triples in the rows of these, or of 12-grams."""
    if size == 1:
        return places >> (8 + ROW_BITS - row_bits) << 8 | places & 0xFF
    return places >> (ROW_BITS - row_bits if size == 0 else BITS[2] - long_bits)


class CharacterModel:
    """A fitted model, ready to score."""

    def __init__(self, table: pa.Table) -> None:
        numbers = {key.decode(): int(value) for key, value in (table.schema.metadata or {}).items()}
        logs = table.column("log_count").combine_chunks().to_numpy(zero_copy_only=True)
        self._bits = numbers["rows"], numbers["longs"]
        edges = np.cumsum([0, 1 << numbers["rows"], 256 << numbers["rows"], 1 << numbers["longs"]])
        self._tables = [logs[first:last] for first, last in itertools.pairwise(edges)]
        self._totals = [math.log(max(1, numbers[f"total{size}"] + numbers[f"types{size}"])) for size in range(3)]
        self._spread = math.log1p(numbers["types1"] / max(1, numbers["types0"]))

    @property
    def empty(self) -> bool:
        """Nothing was learnt."""
        return self._totals[1] == 0.0

    def score(self, texts: pa.StringArray) -> NgramScores:
        """The scores of an Arrow array of texts."""
        data, offsets = buffers(texts)
        means, counts = np.empty((len(texts), 3)), np.zeros((len(texts), 2), np.int64)
        room = np.zeros(128, np.uint64), np.zeros(128, np.uint64)
        _kernel().score(data, offsets, classes(), *room, *_shifts(*self._bits), *self._tables, means, counts)
        means /= SCALE
        return NgramScores(
            np.round((means[:, 0] - self._totals[1]) * _TRIPLE_CHARS, DECIMALS),
            np.round((means[:, 1] - self._totals[2]) * _LONG_CHARS, DECIMALS),
            np.exp(-means[:, 2] + self._spread),
            100.0 * counts[:, 1] / np.maximum(counts[:, 0], 1),
        )


def learn(texts: Sequence[str]) -> CharacterModel:
    """A model of some texts."""
    return CharacterModel(finish(count(texts_of(texts))))


@lru_cache(maxsize=1)
def _kernel() -> Any:
    return load("paberki.quality.ngrams.character_ngrams_kernel")
