"""SQL over a corpus: the layers of each shard joined by position, as read-only views without a way out.

``pages`` has one row for each page and all page columns; ``blocks`` one row for each block of text. Statements other
than queries are refused, and the connection can reach nothing but the layer files of this corpus.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb

from paberki.errors import QueryError
from paberki.store.directory import Directory
from paberki.store.reading import Table, open_table, shard_paths

BLOCK_LISTS = ("block_lang", "repeated", "repeats_of", "block_keep", "block_reason", "neardupe", "neardupe_of")
PAGE_IN_BLOCKS = ("id", "key", "url", "host", "lang", "keep")


def query(directory: Directory, plan: Any, text: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Column names and all rows of one query."""
    names, batches = stream(directory, plan, text)
    return names, [row for batch in batches for row in batch]


def stream(directory: Directory, plan: Any, text: str) -> tuple[list[str], Any]:
    """Column names and an iterator over batches of rows."""
    connection = connect(open_table(directory, plan), plan.layers)
    try:
        statements = connection.extract_statements(text)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise QueryError("only a single SELECT is allowed here; the corpus is read-only")
        cursor = connection.execute(statements[0])
    except duckdb.Error as error:
        raise QueryError(_in_words(error)) from error
    return [column[0] for column in cursor.description or []], _batches(cursor)


def _batches(cursor: Any) -> Any:
    try:
        while rows := cursor.fetchmany(10_000):
            yield rows
    except duckdb.Error as error:
        raise QueryError(_in_words(error)) from error


def _in_words(error: Exception) -> str:
    return " ".join(str(error).split("\n\nLINE")[0].split())


def connect(table: Table, layers: Sequence[str]) -> duckdb.DuckDBPyConnection:
    """A connection with the views, locked down."""
    connection = duckdb.connect(":memory:")
    connection.execute("SET autoinstall_known_extensions = false")
    connection.execute("SET autoload_known_extensions = false")
    connection.execute(f"SET allowed_directories = [{_quoted(str(table.directory.layers.resolve()) + '/')}]")
    connection.execute("SET enable_external_access = false")
    present = [name for name in layers if any(column.layer == name for column in table.columns.values())]
    connection.execute(f"CREATE VIEW pages AS {_pages(table, present)}")
    if "extract" in present:
        connection.execute(f"CREATE VIEW blocks AS {_blocks(table)}")
    connection.execute("SET lock_configuration = true")
    return connection


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _pages(table: Table, layers: Sequence[str]) -> str:
    """Shard by shard: a positional join pads a short file with nulls silently, and so would shift all after it."""
    columns = [f'"{column.layer}"."{column.name}"' for column in table.columns.values()]
    errors = ", ".join(f'"{name}".error' for name in layers)
    head = f"SELECT {', '.join(columns)}, coalesce({errors}) AS error FROM "
    shards = []
    for number in range(table.shards):
        files = zip(layers, shard_paths(table.directory, layers, number), strict=True)
        joined = [f'read_parquet({_quoted(str(path.resolve()))}) AS "{name}"' for name, path in files]
        shards.append(head + " POSITIONAL JOIN ".join(joined))
    return " UNION ALL ".join(shards)


def _blocks(table: Table) -> str:
    page = [name for name in PAGE_IN_BLOCKS if name in table.columns]
    lists = [name for name in BLOCK_LISTS if name in table.columns]
    inner = [*page, "unnest(blocks) AS block", "generate_subscripts(blocks, 1) - 1 AS number"]
    inner += [f"unnest({name}) AS {name}" for name in lists]
    outer = [*(f"{name} AS page_{name}" if name == "keep" else name for name in page), "number", "block.*", *lists]
    return f"SELECT {', '.join(outer)} FROM (SELECT {', '.join(inner)} FROM pages)"
