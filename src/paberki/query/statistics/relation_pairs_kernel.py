# mypy: ignore-errors
"""Tokens that depend on other tokens, compiled: see :mod:`paberki.query.statistics.relation_pairs`.

Invariants: ranges lie inside ``heads``, and heads inside their segment; the outputs have room for all tokens of all ranges;
``counts`` has a row of ``size`` cells for each of the ``rows``. Three widths of one column.
"""

from __future__ import annotations

import numpy as np

from paberki.kernels import inner, kernel
from paberki.kernels.kernel_types import INT, reads, record, types, writes
from paberki.query.index.columns_kernel import bits_at, mask_of
from paberki.query.statistics.tree_columns import TreeColumns

_ONE = np.uint64(1)


_COLUMNS = record(
    TreeColumns, lemmas=reads(types.uint64), lemma_width=INT, names=reads(types.uint64), name_width=INT, size=INT
)


@inner
def _dependents(heads, tokens, lows, highs, owners, others):
    count = 0
    for k in range(len(tokens)):
        token = tokens[k]
        for at in range(lows[k], highs[k]):
            if heads[at] != 0 and at + heads[at] == token:
                owners[count] = token
                others[count] = at
                count += 1
    return count


@kernel(
    reads(types.int8), reads(types.int64), reads(types.int64), reads(types.int64), writes(types.int64),
    writes(types.int64),
    returns=INT,
)  # fmt: skip
def dependents_8(heads, tokens, lows, highs, owners, others):
    """Write every token between ``low`` and ``high`` whose head is ``token``, and that token; how many there are."""
    return _dependents(heads, tokens, lows, highs, owners, others)


@kernel(
    reads(types.int16), reads(types.int64), reads(types.int64), reads(types.int64), writes(types.int64),
    writes(types.int64),
    returns=INT,
)  # fmt: skip
def dependents_16(heads, tokens, lows, highs, owners, others):
    """The same for distances of 16 bits."""
    return _dependents(heads, tokens, lows, highs, owners, others)


@kernel(
    reads(types.int32), reads(types.int64), reads(types.int64), reads(types.int64), writes(types.int64),
    writes(types.int64),
    returns=INT,
)  # fmt: skip
def dependents_32(heads, tokens, lows, highs, owners, others):
    """The same for distances of 32 bits."""
    return _dependents(heads, tokens, lows, highs, owners, others)


@inner
def _count_relations(columns, heads, low, high, first, counts):
    wide, mask = np.uint64(columns.lemma_width), mask_of(columns.lemma_width)
    name_wide, name_mask = np.uint64(columns.name_width), mask_of(columns.name_width)
    size, first_row = np.uint64(columns.size), np.uint64(first)
    rows = np.uint64(len(counts)) // max(size, _ONE)
    total = 0
    for at in range(low, high):
        distance = np.int64(heads[np.uint64(at)])
        row = (bits_at(columns.names, np.uint64(at) * name_wide) & name_mask) * np.uint64(2) - first_row
        if distance != 0 and row < rows:  # a row before the first one is a very large number
            dependent = bits_at(columns.lemmas, np.uint64(at) * wide) & mask
            governor = bits_at(columns.lemmas, np.uint64(at + distance) * wide) & mask
            counts[row * size + dependent] += np.uint32(1)
            counts[(row + _ONE) * size + governor] += np.uint32(1)
            total += 1
    return total


@kernel(_COLUMNS, reads(types.int8), INT, INT, INT, writes(types.uint32), returns=INT)
def count_relations_8(columns, heads, low, high, first, counts):
    """Count how often each lemma is the dependent (even rows) and the head (odd rows) of each relation from ``first`` on."""
    return _count_relations(columns, heads, low, high, first, counts)


@kernel(_COLUMNS, reads(types.int16), INT, INT, INT, writes(types.uint32), returns=INT)
def count_relations_16(columns, heads, low, high, first, counts):
    """The same for distances of 16 bits."""
    return _count_relations(columns, heads, low, high, first, counts)


@kernel(_COLUMNS, reads(types.int32), INT, INT, INT, writes(types.uint32), returns=INT)
def count_relations_32(columns, heads, low, high, first, counts):
    """The same for distances of 32 bits."""
    return _count_relations(columns, heads, low, high, first, counts)
