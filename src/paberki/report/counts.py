"""Counting over the whole corpus: SQL on the views, so that memory does not grow with the number of pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import duckdb

from paberki.engine.plan import Plan
from paberki.errors import StoreError
from paberki.store.directory import Directory
from paberki.store.reading import Table, open_table
from paberki.store.views import connect


@dataclass(frozen=True, slots=True)
class Counter:
    """An open corpus to count in."""

    table: Table
    connection: duckdb.DuckDBPyConnection

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query whose answer is small."""
        return self.connection.execute(query, list(values)).fetchall()

    def stream(self, query: str) -> Iterator[tuple[Any, ...]]:
        """Rows of a query whose answer may be large."""
        cursor = self.connection.execute(query)
        while rows := cursor.fetchmany(10_000):
            yield from rows

    def has(self, *names: str) -> bool:
        """Whether the corpus has these columns."""
        return all(name in self.table.columns for name in names)


@contextmanager
def counting(directory: Directory, plan: Plan) -> Iterator[Counter]:
    """Count in a corpus whose pages are selected."""
    table = open_table(directory, plan)
    if "keep" not in table.columns:
        raise StoreError(f"nothing is selected yet; run: paberki build {directory.root}")
    connection = connect(table, plan.layers)
    try:
        yield Counter(table, connection)
    except duckdb.Error as error:
        raise StoreError(f"{directory.root}: counting failed: {' '.join(str(error).split())}") from error
    finally:
        connection.close()


def share(part: int, whole: int) -> float:
    """A share in 0..1; of nothing, nothing."""
    return part / whole if whole else 0.0
