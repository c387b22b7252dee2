"""SQL over a corpus: the layers joined by position, as read-only views without access to anything else.

``pages`` has one row for each page, all page columns and the selected ``text``; ``blocks`` one row for each block of text.
Statements other than queries are refused, and the connection can reach nothing but the layer files of this corpus.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import duckdb
import pyarrow as pa

from paberki.errors import QueryError
from paberki.store import layer
from paberki.store.columns import Column
from paberki.store.directory import TAKEN_DOWN, Directory
from paberki.store.old_blocks import REPAIRED, is_old
from paberki.store.reading import TEXT, LayerTable, adders_of, open_table
from paberki.store.sql.failed import SCHEMA as FAILED_SCHEMA
from paberki.store.sql.failed import failed_file
from paberki.store.sql.interrupting import Interruptible
from paberki.store.sql.quoting import quote, quote_name
from paberki.store.sql.relation import SqlAnswer

PAGE_IN_BLOCKS: Final = ("id", "key", "url", "host", "lang", "keep")
_GONE: Final = "is_gone"
_MISSING: Final = re.compile('Referenced column "([^"]+)" (?:was )?not found')
_COUNT: Final = re.compile(r"\bcount\s*\(\s*\*\s*\)", re.IGNORECASE)
_NAMES: Final = re.compile(r'"((?:[^"]|"")+)"|(\w+)')
_LITERAL: Final = re.compile(r"'(?:[^']|'')*'")
_ALL_COLUMNS: Final = frozenset(
    ("describe", "summarize", "show", "pragma", "columns", "exclude", "pivot", "unpivot", "natural")
)
"""Words of a query that may ask for any column."""
_NO_SELECT: Final = re.compile(r"(?:^|[(;])\s*(?:from|table)\b", re.IGNORECASE)
"""So may ``FROM pages`` alone, which is short for all columns."""
_FAILED: Final = re.compile(r"\bfrom\s+failed\b", re.IGNORECASE)
_OF_TEXT: Final = ("blocks", "block_keep")
"""Columns that the text of a page is made of."""
_FETCH: Final = 10_000


def query(
    directory: Directory, plan: Any, text: str, *, seconds: float | None = None
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Column names and all rows of one query."""
    names, batches = stream(directory, plan, text, seconds=seconds)
    return names, [row for batch in batches for row in batch]


def answer(directory: Directory, plan: Any, text: str, *, seconds: float | None = None) -> SqlAnswer:
    """The rows of one query, also as Arrow and as frames."""
    cursor, running = _cursor(directory, plan, text, seconds)
    names = [column[0] for column in cursor.description or []]
    types = [str(column[1]).lower() for column in cursor.description or []]
    rows = [row for batch in _batches(cursor, running) for row in batch]
    return SqlAnswer(names, rows, lambda: _arrow(directory, plan, text, seconds), types)


def _arrow(directory: Directory, plan: Any, text: str, seconds: float | None) -> pa.Table:
    """The same rows as Arrow has them; that the query is fine is known by now."""
    cursor, running = _cursor(directory, plan, f"SELECT * FROM ({text.rstrip().rstrip(';')}) LIMIT 0", seconds)
    cursor.fetchall()
    try:
        return running.run(lambda: running.connection.sql(text).to_arrow_table())
    except duckdb.Error as error:
        raise QueryError(_in_words(error)) from error


def stream(directory: Directory, plan: Any, text: str, *, seconds: float | None = None) -> tuple[list[str], Any]:
    """Column names and an iterator over batches of rows; ``seconds`` limit the time until the last of them."""
    cursor, running = _cursor(directory, plan, text, seconds)
    return [column[0] for column in cursor.description or []], _batches(cursor, running)


def _cursor(directory: Directory, plan: Any, text: str, seconds: float | None) -> tuple[Any, Interruptible]:
    views = FailedRecords(directory) if _FAILED.search(text) else Views(open_table(directory, plan), plan.layers)
    running = Interruptible(views.connection, seconds)
    try:
        statements = views.connection.extract_statements(text)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise QueryError("only a single SELECT is allowed here; the corpus is read-only")
        cursor = running.run(lambda: views.execute(text))
    except duckdb.Error as error:
        raise QueryError(_in_words(error)) from error
    return cursor, running


def _batches(cursor: Any, running: Interruptible) -> Iterator[list[tuple[Any, ...]]]:
    try:
        while rows := running.run(lambda: cursor.fetchmany(_FETCH)):
            yield rows
    except duckdb.Error as error:
        raise QueryError(_in_words(error)) from error


def _in_words(error: Exception) -> str:
    message = " ".join(str(error).split("\n\nLINE")[0].split())
    missing = _MISSING.search(message)
    if missing and (adders := adders_of(missing[1])):
        return f"{message.split('!')[0]}; {adders}"
    return message


class Views:
    """A locked-down connection with the views ``pages`` and ``blocks``.

    The views of a query hold only the layers that it names: every file of a join has to be opened, and a corpus may
    have a thousand shards with twenty layers each.
    """

    def __init__(self, table: LayerTable, layers: Sequence[str]) -> None:
        self.table = table
        self._layers = [name for name in layers if any(column.layer == name for column in table.columns.values())]
        self.connection = _locked_connection(table.directory, table.tombstones)

    def execute(self, text: str, values: Sequence[Any] = ()) -> Any:
        """Run one query."""
        self._define(self._layers_in(text))
        try:
            return self.connection.execute(text, list(values))
        except duckdb.BinderException:
            self._define(self._layers)  # the message names the nearest of all columns
            return self.connection.execute(text, list(values))

    def close(self) -> None:
        """Give the connection back."""
        self.connection.close()

    def _layers_in(self, text: str) -> list[str]:
        """Layers with a column that a query may mean."""
        text = _COUNT.sub(" ", text)
        words = {(quoted_name or word).lower() for quoted_name, word in _NAMES.findall(text)}
        words |= {word.removeprefix("page_") for word in words}
        if "*" in text or words & _ALL_COLUMNS or _NO_SELECT.search(text) or _names_error(text):
            return self._layers
        layer_names = {
            column.layer
            for column in self.table.columns.values()
            if words & {name.lower() for name in (column.name, *column.aliases)}
            or (column.name in _OF_TEXT and TEXT in words)
        }
        return [name for name in self._layers if name in layer_names or name == "archive"]

    def _define(self, layers: Sequence[str]) -> None:
        columns = [column for column in self.table.columns.values() if column.layer in layers]
        self.connection.execute(f"CREATE OR REPLACE TEMP VIEW pages AS {_pages(self.table, layers, columns)}")
        if "extract" in layers:
            self.connection.execute(f"CREATE OR REPLACE TEMP VIEW blocks AS {_blocks(self.table, columns)}")


def _names_error(text: str) -> bool:
    """Whether a query may mean the column that every layer has; ``error`` is also a reason for which pages are left out."""
    return "error" in text.lower() and "error" in _LITERAL.sub(" ", text).lower()


class FailedRecords:
    """The same for ``failed``, the records that ended the last build: its layers are not whole, so ``pages`` is not there."""

    def __init__(self, directory: Directory) -> None:
        self.connection = _locked_connection(directory, ())
        path = failed_file(directory)
        rows = f"read_parquet({quote(str(path.resolve()))})" if path.exists() else _no_rows()
        self.connection.execute(f"CREATE TEMP VIEW failed AS SELECT * FROM {rows}")

    def execute(self, text: str, values: Sequence[Any] = ()) -> Any:
        """Run one query."""
        return self.connection.execute(text, list(values))


def _no_rows() -> str:
    columns = ", ".join(f"NULL::VARCHAR AS {quote_name(name)}" for name in FAILED_SCHEMA.names)
    return f"(SELECT {columns} WHERE false)"


def _locked_connection(directory: Directory, tombstones: Iterable[str]) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(":memory:")
    connection.execute("SET autoinstall_known_extensions = false")
    connection.execute("SET autoload_known_extensions = false")
    connection.execute(f"SET allowed_directories = [{quote(str(directory.layers.resolve()) + '/')}]")
    connection.execute("SET enable_external_access = false")
    if tombstones:
        connection.execute("CREATE TEMP TABLE taken_down (key VARCHAR PRIMARY KEY)")
        connection.executemany("INSERT INTO taken_down VALUES (?)", [[key] for key in sorted(tombstones)])
    connection.execute("SET lock_configuration = true")
    return connection


def _pages(table: LayerTable, layers: Sequence[str], columns: Sequence[Column]) -> str:
    """Layers side by side, under the columns' own names and under those that papers gave them."""
    expressions = [f"{_column_sql(table, column)} AS {quote_name(column.name)}" for column in columns]
    names = {name.lower() for name in table.columns} | {"error"}
    for column in columns:
        for alias in column.aliases:
            if alias.lower() not in names:
                names.add(alias.lower())
                expressions.append(f"{_column_sql(table, column)} AS {quote_name(alias)}")
    if TEXT not in names and {column.name for column in columns} >= set(_OF_TEXT):
        expressions.append(f"{_text_sql(table)} AS {TEXT}")
    return f"SELECT {', '.join(expressions)}, error FROM ({_join_sql(table, layers, columns)})"


def _join_sql(table: LayerTable, layers: Sequence[str], columns: Iterable[Column]) -> str:
    """One join by position over the files of all shards: ``complete_layers`` has checked that each shard has the same rows
    in every layer, so that nothing can shift."""
    expressions = [f"{quote_name(column.layer)}.{quote_name(column.name)}" for column in columns]
    if table.tombstones:
        expressions.append(f'"archive".key IN (SELECT key FROM taken_down) AS {_GONE}')
    errors = ", ".join(f"{quote_name(name)}.error" for name in layers)
    sources = []
    for name in layers:
        paths = ", ".join(quote(str(table.directory.layer(name, at).resolve())) for at in range(table.shards))
        sources.append(f"read_parquet([{paths}]) AS {quote_name(name)}")
    return f"SELECT {', '.join(expressions)}, coalesce({errors}) AS error FROM {' POSITIONAL JOIN '.join(sources)}"


def _column_sql(table: LayerTable, column: Column) -> str:
    """The column, without what pages that were taken down hold."""
    name = quote_name(column.name)
    if not table.tombstones:
        return name
    if column.name == "keep":
        return f"(keep AND NOT {_GONE})"
    if column.name == "reason":
        return f"CASE WHEN {_GONE} THEN {quote(TAKEN_DOWN)} ELSE reason END"
    return f"CASE WHEN {_GONE} THEN NULL ELSE {name} END" if column.holds_content else name


def _text_sql(table: LayerTable) -> str:
    """The selected blocks, one per line, as everywhere; nothing for pages that were taken down."""
    block_text = f"coalesce(pair[1].{REPAIRED}, pair[1].text)" if _has_old_blocks(table) else "pair[1].text"
    blocks = f"[{block_text} for pair in list_zip(blocks, block_keep) if pair[2]]"
    text = f"coalesce(array_to_string({blocks}, chr(10)), '')"
    return f"CASE WHEN {_GONE} THEN NULL ELSE {text} END" if table.tombstones else text


def _has_old_blocks(table: LayerTable) -> bool:
    return is_old(layer.column_type(table.directory.layer("extract", 0), "blocks"))


def _blocks(table: LayerTable, columns: Sequence[Column]) -> str:
    """One row for each block: fields of ``blocks``, then every column that has a value for each block."""
    present = {column.name for column in columns}
    page = [name for name in PAGE_IN_BLOCKS if name in present]
    lists = [column.name for column in columns if column.level == "block"]
    inner = [*page, "unnest(blocks) AS block", "generate_subscripts(blocks, 1) - 1 AS number"]
    inner += [f"unnest({quote_name(name)}) AS {quote_name(name)}" for name in lists]
    outer = [*(f"{name} AS page_{name}" if name == "keep" else name for name in page), "number"]
    outer += [*_fields(table), *map(quote_name, lists)]
    return f"SELECT {', '.join(outer)} FROM (SELECT {', '.join(inner)} FROM pages)"


def _fields(table: LayerTable) -> list[str]:
    block_type = layer.column_type(table.directory.layer("extract", 0), "blocks")
    if not _has_old_blocks(table):
        return [f"block.{quote_name(field.name)}" for field in block_type.value_type]
    stored_fields = [
        f"block.{quote_name(one.name)}" for one in block_type.value_type if one.name not in ("text", REPAIRED)
    ]
    source = f"CASE WHEN block.{REPAIRED} IS NULL THEN NULL ELSE block.text END AS source"
    return [f"coalesce(block.{REPAIRED}, block.text) AS text", *stored_fields, source]
