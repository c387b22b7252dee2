"""The values of a lexicon in the order of a language's alphabet, or of code points."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.arrow import pa, pc

_MEMORY: Final = "400MB"
"""What sorting may take; the rest waits on disk."""
_BY_CODE_POINT: Final = frozenset({"ja", "zh", "und", ""})
_SAME_ALPHABET: Final = {"sr": "hr", "bs": "hr", "sh": "hr", "cnr": "hr"}
"""ICU's Serbian is tailored for Cyrillic; its Latin letters have the order that Croatian has."""


def code_point_order(values: pa.Array) -> npt.NDArray[np.uint32]:
    """Ids in the order of code points, which is that of the bytes of UTF-8."""
    order: npt.NDArray[np.uint32] = pc.array_sort_indices(values.cast(pa.large_binary())).to_numpy().astype(np.uint32)
    return order


def collation_ranks(
    values: pa.Array, lang: str | None, by_code_point: npt.NDArray[np.uint32]
) -> npt.NDArray[np.uint32]:
    """Rank of every id in the order of the language's alphabet; equal values in that order by code point."""
    order = by_code_point
    name = collation_of(lang)
    if name:
        order = _collation_order(values, name)
    ranks = np.empty(len(order), np.uint32)
    ranks[order] = np.arange(len(order), dtype=np.uint32)
    return ranks


def collation_of(lang: str | None) -> str | None:
    """Name of DuckDB's collation for a language; None for the order of code points."""
    code = (lang or "").partition("-")[0].lower()
    if code in _BY_CODE_POINT:
        return None
    return _SAME_ALPHABET.get(code, code)


def _collation_order(values: pa.Array, name: str) -> npt.NDArray[np.uint32]:
    connection = _connection()
    if (name,) not in connection.execute("SELECT collname FROM pragma_collations()").fetchall():
        return code_point_order(values)
    connection.register("lexicon", pa.table({"value": values, "id": pa.array(np.arange(len(values), dtype=np.uint32))}))
    try:
        rows = connection.execute(f'SELECT id FROM lexicon ORDER BY value COLLATE "{name}", value')
        order: npt.NDArray[np.uint32] = np.asarray(rows.fetchnumpy()["id"], np.uint32)
    finally:
        connection.unregister("lexicon")
    return order


@lru_cache(maxsize=1)
def _connection() -> Any:
    """One connection for all lexicons: to open one takes longer than to sort a small lexicon."""
    import duckdb

    place = {"temp_directory": tempfile.gettempdir()}
    return duckdb.connect(config={"threads": 1, "memory_limit": _MEMORY, **place})
