"""Pages that were imported with attributes keep them: what the file said stands in place of what stages computed.

The id written in the file is the id of the export. Other attributes replace the columns of their names; those that are
no columns stay in ``attributes``, and formats write them after the columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from paberki.export.pages.imported_places import with_given_labels, with_given_places
from paberki.export.words.token_table import IMPORTED as OF_IMPORTED
from paberki.store.columns import IMPORTED_PAGE, TIME, Column
from paberki.store.layer import LayerFile
from paberki.store.reading import LayerTable

IMPORTED: Final = "attributes"
SOURCE_ID: Final = "source_id"
NEEDED: Final = (SOURCE_ID, IMPORTED, "block_attributes")
_OURS: Final = frozenset(("id", "keep", "reason", "dup_of"))


def without_imported(names: Sequence[str]) -> list[str]:
    """Columns without those that only imported pages have."""
    return [name for name in names if name not in (*NEEDED, *OF_IMPORTED)]


def has_imported(table: LayerTable) -> bool:
    """Some page of the corpus was imported with annotation or attributes."""
    if SOURCE_ID not in table.columns:
        return False
    for shard in range(table.shards):
        with LayerFile(table.directory.layer("archive", shard)) as file:
            mime = file.read_all(["mime"])["mime"]
        if pc.any(pc.equal(mime, IMPORTED_PAGE)).as_py():
            return True
    return False


def with_given_values(chunk: pa.Table, columns: Mapping[str, Column]) -> pa.Table:
    """The chunk with the values of imported pages in place."""
    imported_values = [
        {pair["name"]: pair["value"] for pair in one or ()} for one in chunk.column(IMPORTED).to_pylist()
    ]
    for at, name in enumerate(chunk.column_names):
        column = columns.get(name)
        if name == "id":
            chunk = chunk.set_column(at, name, pc.coalesce(chunk.column(SOURCE_ID), chunk.column(name)))
        elif (
            column is not None and column.level == "page" and name not in _OURS and not pa.types.is_nested(column.type)
        ):
            chunk = _with_imported(chunk, at, column, imported_values)
    return with_given_labels(with_given_places(_with_block_values(chunk, columns)))


def _with_imported(chunk: pa.Table, at: int, column: Column, imported_values: list[dict[str, str]]) -> pa.Table:
    names = (column.output_name, column.name)
    rows = [next((one[name] for name in names if name in one), None) for one in imported_values]
    if all(row is None for row in rows):
        return chunk
    old = chunk.column(at).to_pylist()
    kind = pa.string() if pa.types.is_dictionary(column.type) else column.type
    values = [own if row is None else _value(row, kind, own) for row, own in zip(rows, old, strict=True)]
    return chunk.set_column(at, column.name, pa.array(values, kind).cast(column.type))


def _value(text: str, kind: pa.DataType, otherwise: Any) -> Any:
    """The text as a value of a column; what stages computed where it is none."""
    try:
        if pa.types.is_boolean(kind):
            return {"1": True, "true": True, "0": False, "false": False}[text.lower()]
        if pa.types.is_integer(kind):
            return int(text)
        if pa.types.is_floating(kind):
            return float(text)
        if kind == TIME:
            return datetime.fromisoformat(text.removesuffix("Z"))
        if pa.types.is_date(kind):
            return date.fromisoformat(text)
    except (ValueError, KeyError, OverflowError):
        return otherwise
    return text if pa.types.is_string(kind) else otherwise


def _with_block_values(chunk: pa.Table, columns: Mapping[str, Column]) -> pa.Table:
    """The same for columns of blocks."""
    if "block_attributes" not in chunk.column_names or chunk.column("block_attributes").null_count == chunk.num_rows:
        return chunk
    pages = chunk.column("block_attributes").to_pylist()
    for at, name in enumerate(chunk.column_names):
        column = columns.get(name)
        if (
            column is None
            or column.level != "block"
            or not column.exported
            or pa.types.is_nested(column.type.value_type)
        ):
            continue
        rows = chunk.column(at).to_pylist()
        for number, (imported_pairs, own) in enumerate(zip(pages, rows, strict=True)):
            if imported_pairs is not None and any(
                imported_pairs
            ):  # a file without attributes of paragraphs says nothing about them
                rows[number] = _block_values(imported_pairs, own, column)
        chunk = chunk.set_column(at, name, pa.array(rows, column.type))
    return chunk


def _block_values(imported_pairs: list[Any], own: list[Any] | None, column: Column) -> list[Any]:
    values = own if own and len(own) == len(imported_pairs) else [None] * len(imported_pairs)
    texts = [{pair["name"]: pair["value"] for pair in one or ()}.get(column.output_name) for one in imported_pairs]
    kind = column.type.value_type
    return [None if text is None else _value(text, kind, value) for text, value in zip(texts, values, strict=True)]
