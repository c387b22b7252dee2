"""Completion: values of an attribute that begin with some letters, the most frequent first."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paberki.query.counting.token_scope import TokenScope
from paberki.query.counting.values import values_of
from paberki.query.statistics.distribution import page_groups
from paberki.query.statistics.wordlist import counts_in

__all__ = ["values_beginning"]


def values_beginning(scope: TokenScope, attribute: str, prefix: str, limit: int) -> list[tuple[str, int]]:
    """Values and how often they occur: tokens with a positional attribute, pages with ``doc.host``. Case does not matter."""
    strings, counts = _value_counts(scope, attribute)
    rows = np.flatnonzero(counts > 0)
    if prefix:
        rows = rows[_begins(strings, prefix)[rows]]
    if len(rows) > limit:
        rows = rows[np.argpartition(-counts[rows], limit - 1)[:limit]] if limit else rows[:0]
    pairs = zip(strings.take(rows).to_pylist(), counts[rows].tolist(), strict=True)
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))


def _value_counts(scope: TokenScope, attribute: str) -> tuple[Any, NDArray[np.int64]]:
    import pyarrow as pa

    structure, dot, _ = attribute.partition(".")
    if not dot or structure not in ("doc", scope.places.structure):
        values = values_of(scope.places.index, attribute)
        return values.strings, counts_in(scope, values)
    groups, names = page_groups(scope.places, attribute)
    mine = groups[(groups >= 0) & (scope.page_tokens > 0)]
    return pa.array(names, pa.string()), np.bincount(mine, minlength=len(names))


def _begins(strings: Any, prefix: str) -> NDArray[np.bool_]:
    import pyarrow.compute as pc

    return np.asarray(pc.starts_with(strings, prefix, ignore_case=True).to_numpy(zero_copy_only=False), np.bool_)
