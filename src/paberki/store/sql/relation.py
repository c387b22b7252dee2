"""Answers that can be taken in the form somebody works with: rows, Arrow, pandas, polars."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from paberki.errors import PaberkiError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from paberki.store.built_layers import Layout
    from paberki.store.directory import Directory

__all__ = ["Pages", "SqlAnswer", "lazy_frame"]

_SHOWN = 10
"""Rows that a notebook shows."""


class _Relation:
    """A table that is made when it is asked for."""

    def arrow(self) -> pa.Table:
        """The rows as an Arrow table."""
        raise NotImplementedError

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self.arrow().column_names)

    def fetchall(self) -> list[tuple[Any, ...]]:
        """The rows as tuples."""
        return list(zip(*(column.to_pylist() for column in self.arrow().columns), strict=True))

    def df(self) -> pd.DataFrame:
        """The rows as a frame of pandas."""
        _need("pandas")
        frame: pd.DataFrame = self.arrow().to_pandas()
        return frame

    def pl(self) -> pl.DataFrame:
        """The rows as a frame of polars."""
        frame: pl.DataFrame = _need("polars").from_arrow(self.arrow())
        return frame

    def __len__(self) -> int:
        return int(self.arrow().num_rows)

    def __repr__(self) -> str:
        return f"<{len(self):,} rows: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        from paberki.markup.html import table

        rows = [[_cell(value) for value in row.values()] for row in self.arrow().slice(0, _SHOWN).to_pylist()]
        return f"{table(self.columns, rows, words=len(self.columns))}<p>{len(self):,} rows</p>"


class SqlAnswer(_Relation):
    """What a query gave. It can be taken apart like a pair: ``names, rows = answer``."""

    def __init__(
        self, names: list[str], rows: list[tuple[Any, ...]], arrow: Callable[[], pa.Table], types: list[str]
    ) -> None:
        self._names, self._rows, self._arrow = names, rows, arrow
        self.types = types
        """Types of the columns, as DuckDB calls them."""

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._names)

    def fetchall(self) -> list[tuple[Any, ...]]:
        """The rows as tuples."""
        return self._rows

    def arrow(self) -> pa.Table:
        """The rows as an Arrow table; the query runs once more, so that every type is as DuckDB has it."""
        return self._table

    @cached_property
    def _table(self) -> pa.Table:
        return self._arrow()

    def __iter__(self) -> Iterator[Any]:
        return iter((self.columns, self._rows))

    def __getitem__(self, at: int) -> Any:
        return (self.columns, self._rows)[at]

    def __len__(self) -> int:
        return len(self._rows)


class Pages(_Relation):
    """Pages of a corpus: a loop over them reads chunk by chunk, everything else reads them all once."""

    def __init__(self, read: Callable[[], Iterator[pa.Table]], empty: Callable[[], pa.Table]) -> None:
        self._read = read
        self.empty = empty
        """A table with the columns and no row."""

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        for chunk in self._read():
            yield from chunk.to_pylist()

    def batches(self) -> Iterator[pa.Table]:
        """The pages as Arrow tables, one after the other."""
        return self._read()

    def arrow(self) -> pa.Table:
        """All pages as one Arrow table."""
        return self._table

    @cached_property
    def _table(self) -> pa.Table:
        chunks = list(self._read())
        return pa.concat_tables(chunks) if chunks else self.empty()


def lazy_frame(directory: Directory, layout: Layout, columns: Sequence[str], *, kept: bool) -> pl.LazyFrame:
    """A frame of polars that reads the columns and rows that a question needs, chunk by chunk."""
    polars, plugins = _need("polars"), _need("polars.io.plugins")
    from paberki.store.reading import DEFAULT_COLUMNS, read_pages

    names = list(columns) or list(DEFAULT_COLUMNS)
    schema = polars.from_arrow(read_pages(directory, layout, names, kept=kept).empty()).schema

    def source(
        column_names: list[str] | None, predicate: pl.Expr | None, rows: int | None, size: int | None
    ) -> Iterator[pl.DataFrame]:
        for chunk in read_pages(directory, layout, column_names or names, kept=kept).batches():
            frame = polars.from_arrow(chunk)
            frame = frame if predicate is None else frame.filter(predicate)
            frame = frame if rows is None else frame.head(rows)
            rows = None if rows is None else rows - len(frame)
            yield frame
            if rows == 0:
                return

    frame: pl.LazyFrame = plugins.register_io_source(source, schema=schema)
    return frame


def _need(package: str) -> Any:
    from importlib import import_module

    try:
        return import_module(package)
    except ImportError as error:
        raise PaberkiError(f"{package} is not installed; type: pip install {package}, or use .arrow()") from error


def _cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= 200 else text[:199] + "…"
