"""The words of several corpora as one list, and how often each corpus has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from paberki.report.words.word_source import Ints, WordSource

MOST: Final = 2_000_000
"""Words of one corpus that are taken, the most frequent first: bounds memory."""


def joint_counts(sources: Sequence[WordSource]) -> tuple[Any, NDArray[np.int64]]:
    """All words (an Arrow array) and a table of counts, corpora × words."""
    word_ids = [_frequent_ids(source) for source in sources]
    parts = [
        source.values().strings.take(pa.array(ids)).cast(pa.large_string())
        for source, ids in zip(sources, word_ids, strict=True)
    ]
    dictionary_array = pa.concat_arrays(parts).dictionary_encode()
    codes = dictionary_array.indices.to_numpy(zero_copy_only=False)
    table = np.zeros((len(sources), len(dictionary_array.dictionary)), np.int64)
    begin = 0
    for row, (source, ids) in enumerate(zip(sources, word_ids, strict=True)):
        table[row, codes[begin : begin + len(ids)]] = source.counts()[ids]
        begin += len(ids)
    return dictionary_array.dictionary, table


def _frequent_ids(source: WordSource) -> Ints:
    ids = np.flatnonzero(source.is_word & (source.counts() > 0))
    if len(ids) > MOST:
        ids = ids[np.argpartition(-source.counts()[ids], MOST)[:MOST]]
    return ids.astype(np.int64)


def most_frequent_of(table: NDArray[np.int64], count: int) -> Ints:
    """Columns of the words that are most frequent in all corpora together, each corpus weighed the same."""
    sizes = np.maximum(table.sum(axis=1, keepdims=True), 1)
    weight = (table / sizes).sum(axis=0)
    return np.argsort(-weight, kind="stable")[: min(count, int((weight > 0).sum()))].astype(np.int64)
