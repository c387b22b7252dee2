"""Counting over the whole corpus: SQL on the views, so that memory does not grow with the number of pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import duckdb

from paberki.errors import StoreError
from paberki.store.built_layers import Layout
from paberki.store.directory import Directory
from paberki.store.reading import LayerTable, open_table
from paberki.store.sql.views import Views


@dataclass(frozen=True, slots=True)
class Counter:
    """An open corpus to count in."""

    table: LayerTable
    views: Views

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query whose answer is small."""
        rows: list[tuple[Any, ...]] = self.views.execute(query, values).fetchall()
        return rows

    def stream(self, query: str) -> Iterator[tuple[Any, ...]]:
        """Rows of a query whose answer may be large."""
        cursor = self.views.execute(query)
        while rows := cursor.fetchmany(10_000):
            yield from rows

    def has(self, *names: str) -> bool:
        """Whether the corpus has these columns."""
        return all(name in self.table.columns for name in names)


@contextmanager
def counting(directory: Directory, plan: Layout) -> Iterator[Counter]:
    """Count in a corpus whose pages are selected."""
    table = open_table(directory, plan)
    if "keep" not in table.columns:
        raise StoreError(f"nothing is selected yet; run: paberki build {directory.root}")
    views = Views(table, plan.layers)
    try:
        yield Counter(table, views)
    except duckdb.Error as error:
        raise StoreError(f"{directory.root}: counting failed: {' '.join(str(error).split())}") from error
    finally:
        views.close()


def share(part: int, whole: int) -> float:
    """A share in 0..1; of nothing, nothing."""
    return part / whole if whole else 0.0
