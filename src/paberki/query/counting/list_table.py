"""What all lists have in common: which rows they show, and the Arrow table they become."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paberki.errors import InputError, QueryError
from paberki.nearest import nearest

__all__ = ["ListOptions", "arrow_numbers", "arrow_texts", "read_words", "table_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOptions:
    """Which rows of a list are wanted."""

    include: frozenset[str] | None = None
    """Only these values."""
    exclude: frozenset[str] = frozenset()
    """Not these values."""
    regex: str | None = None
    """Only values that match it as a whole (RE2)."""
    min: int = 1
    """Only rows with at least so many hits."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> ListOptions:
        """From keyword arguments; sets of words may be any collection."""
        unknown = [name for name in options if name not in cls.__slots__]
        if unknown:
            raise QueryError(f"no option {unknown[0]!r}{nearest(unknown[0], cls.__slots__)}")
        sets = {name: frozenset(options[name]) for name in ("include", "exclude") if options.get(name) is not None}
        return cls(**{**options, **sets})

    def rows(self, values: Any, hits: NDArray[np.int64]) -> NDArray[np.int64]:
        """Numbers of the rows to show; ``values`` is an Arrow array of strings or a function that makes it."""
        rows = np.flatnonzero(hits >= max(self.min, 1))
        if self.include is None and not self.exclude and self.regex is None:
            return rows
        strings = (values() if callable(values) else values).take(arrow_numbers(rows))
        return rows[self._mask(strings)]

    def _mask(self, strings: Any) -> NDArray[np.bool_]:
        import pyarrow as pa
        import pyarrow.compute as pc

        mask = np.ones(len(strings), np.bool_)
        if self.include is not None:
            mask &= _flags(pc.is_in(strings, pa.array(sorted(self.include), strings.type)))
        if self.exclude:
            mask &= ~_flags(pc.is_in(strings, pa.array(sorted(self.exclude), strings.type)))
        if self.regex is not None:
            try:
                mask &= _flags(pc.match_substring_regex(strings, f"^(?:{self.regex})$"))
            except pa.ArrowInvalid as error:
                raise QueryError(f"--regex {self.regex!r}: {str(error).splitlines()[0]}") from error
        return mask


def _flags(booleans: Any) -> NDArray[np.bool_]:
    return np.asarray(booleans.to_numpy(zero_copy_only=False), np.bool_)


def read_words(file: Path | str) -> frozenset[str]:
    """Words of a file, one per line; empty lines and what follows a tab do not count."""
    try:
        text = Path(file).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{file}: cannot be read ({error}); give a text file in UTF-8 with one value per line"
        ) from error
    words = (re.split("[\t\r\n]", line, maxsplit=1)[0].strip() for line in text.split("\n"))
    return frozenset(word for word in words if word)


def arrow_numbers(column: NDArray[Any]) -> Any:
    """Numbers as an Arrow array that shares their memory. ``pa.array`` would import pandas where that is installed, which
    takes longer than most lists."""
    import pyarrow as pa

    column = np.ascontiguousarray(column)
    return pa.Array.from_buffers(pa.from_numpy_dtype(column.dtype), len(column), [None, pa.py_buffer(column)])


def arrow_texts(texts: Sequence[str]) -> Any:
    """Strings as an Arrow array, without pandas too."""
    import pyarrow as pa

    byte_strings = [text.encode("utf-8", "replace") for text in texts]
    offsets = np.cumsum([0, *map(len, byte_strings)], dtype=np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(byte_strings))]
    return pa.Array.from_buffers(pa.string(), len(byte_strings), buffers)


def table_of(values: Mapping[str, Any], columns: Mapping[str, NDArray[Any]], by: Sequence[str] = ("hits",)) -> Any:
    """An Arrow table: the values first, then the numbers; sorted by columns in descending order, then by value."""
    import pyarrow as pa

    texts = {name: _plain(column) for name, column in values.items()}
    table = pa.table({**texts, **{name: arrow_numbers(column) for name, column in columns.items()}})
    keys = [(name, "descending") for name in by] + [(name, "ascending") for name in values]
    return table.sort_by(keys) if table.num_rows else table


def _plain(column: Any) -> Any:
    import pyarrow as pa

    return column.cast(pa.string()) if isinstance(column, pa.Array) else pa.array(column, pa.string())
