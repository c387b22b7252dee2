"""Rows about pages in several files, each sorted by page, read together a range of pages at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROWS: Final = 250_000
"""Rows of a portion, or those of one page if there are more."""


class Portions:
    """All rows in portions. It can be iterated many times; all rows of a page are in one portion, and pages ascend.

    There is always at least one portion, which may have no rows.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths

    @classmethod
    def of(cls, *tables: pa.Table) -> Portions:
        """Portions that are in memory."""
        return _Held(tables)

    def __iter__(self) -> Iterator[pa.Table]:
        with ExitStack() as stack:
            files = [_Cursor(stack.enter_context(pq.ParquetFile(path))) for path in self._paths]
            for edge in (*_edges([file.groups() for file in files]), None):
                yield pa.concat_tables([file.until(edge) for file in files]).combine_chunks()

    def table(self) -> pa.Table:
        """All rows at once, for what is small."""
        return pa.concat_tables(list(self)).combine_chunks()


class _Held(Portions):
    def __init__(self, tables: Sequence[pa.Table]) -> None:
        super().__init__(())
        self._tables = tables

    def __iter__(self) -> Iterator[pa.Table]:
        return iter(self._tables)


def _edges(files: Sequence[Sequence[tuple[int, int]]]) -> list[int]:
    """Pages at which portions begin, from the first page and the number of rows of every row group."""
    edges, rows = [], 0
    for first, count in sorted(group for file in files for group in file):
        if rows and rows + count > ROWS:
            edges.append(first)
            rows = 0
        rows += count
    return edges


class _Cursor:
    """A file that is read from its first row to its last, with one row group in memory."""

    def __init__(self, file: pq.ParquetFile) -> None:
        self._file = file
        self._group = 0
        self._at = file.schema_arrow.get_field_index("page")
        self._rest = file.schema_arrow.empty_table().replace_schema_metadata(None)

    def groups(self) -> list[tuple[int, int]]:
        """First page and number of rows of every row group."""
        about = [self._file.metadata.row_group(group) for group in range(self._file.num_row_groups)]
        return [(group.column(self._at).statistics.min, group.num_rows) for group in about if group.num_rows]

    def until(self, edge: int | None) -> pa.Table:
        """The rows that are left of the pages before this one."""
        parts = []
        while True:
            pages = self._rest.column("page").to_numpy()
            cut = len(pages) if edge is None else int(np.searchsorted(pages, edge))
            parts.append(self._rest.slice(0, cut))
            self._rest = self._rest.slice(cut)
            if self._rest.num_rows or self._group == self._file.num_row_groups:
                return pa.concat_tables(parts)
            self._rest = self._file.read_row_group(self._group, use_threads=False).replace_schema_metadata(None)
            self._group += 1
