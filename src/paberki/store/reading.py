"""Reading a finished corpus shard by shard: chosen columns of kept pages, conditions applied, memory bounded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from paberki.errors import QueryError, StoreError
from paberki.nearest import nearest
from paberki.store import layer
from paberki.store.columns import Column
from paberki.store.condition import Condition, parse
from paberki.store.directory import Directory

TEXT = "text"
"""Not a column but what people want most: the selected blocks of a page, one per line."""


@dataclass(frozen=True, slots=True)
class Table:
    """The layers of a corpus that are complete, as one wide table."""

    directory: Directory
    columns: Mapping[str, Column]
    """By short name."""
    shards: int
    pages: int

    def column(self, name: str) -> Column:
        """The column of that name, or an error with the nearest one."""
        if name not in self.columns:
            raise QueryError(f"there is no column {name!r}{nearest(name, self.columns)}; see: paberki columns")
        return self.columns[name]


def complete_layers(directory: Directory, layers: Sequence[str]) -> list[str]:
    """Layers that cover every shard. One that covers only some is refused: joined by position it would lie."""
    shards = directory.manifest().shards
    found = []
    for name in layers:
        there = [layer.footer(directory.layer(name, number)) for number in range(len(shards))]
        if any(there) and not all(there):
            missing = next(number for number, one in enumerate(there) if one is None)
            raise StoreError(f"layer {name} has no shard {missing:05d}; run: paberki build {directory.root}")
        for number, (one, shard) in enumerate(zip(there, shards, strict=True)):
            if one is not None and (one.rows != shard.rows or one.keys != shard.keys):
                path = directory.layer(name, number)
                raise StoreError(f"{path}: belongs to other pages; remove it and run: paberki build {directory.root}")
        if shards and all(there):
            found.append(name)
    return found


def open_table(directory: Directory, plan: Any) -> Table:
    """The complete layers of a plan as one table.

    A layer that an earlier version of a stage wrote may lack columns that the plan has; they come with the next build.
    """
    manifest = directory.manifest()
    if not manifest.shards:
        raise StoreError(f"{directory.root}: no pages yet; type: paberki build {directory.root}")
    layers = complete_layers(directory, plan.layers)
    written = {name: layer.column_names(directory.layer(name, 0)) for name in layers}
    columns = {column.name: column for column in plan.columns.values() if column.name in written.get(column.layer, ())}
    return Table(directory, columns, len(manifest.shards), manifest.pages)


def read_pages(
    directory: Directory, plan: Any, names: Sequence[str] = (), *, where: str | None = None, kept: bool = True
) -> Iterator[dict[str, Any]]:
    """Pages as dictionaries; ``text`` is the selected text."""
    table = open_table(directory, plan)
    wanted = list(names) or ["id", "key", "url", "date", "title", "lang", TEXT]
    for chunk in read_chunks(table, wanted, where=where, kept=kept):
        yield from chunk.to_pylist()


def read_chunks(
    table: Table, names: Sequence[str], *, where: str | None = None, kept: bool = True
) -> Iterator[pa.Table]:
    """The same as Arrow tables, one for each row group that has any page left."""
    condition = parse(where) if where else None
    for name in (*(condition.names if condition else ()), *(name for name in names if name != TEXT)):
        table.column(name)
    if kept and "keep" not in table.columns:
        raise StoreError(f"nothing is selected yet; run: paberki build {table.directory.root}")
    if TEXT in names:
        table.column("block_keep")
    for shard in range(table.shards):
        yield from _shard_chunks(table, shard, names, condition, kept)


def _shard_chunks(
    table: Table, shard: int, names: Sequence[str], condition: Condition | None, kept: bool
) -> Iterator[pa.Table]:
    tests = [*(["keep"] if kept else []), *(condition.names if condition else ())]
    fields = [name for name in names if name != TEXT] + (["block_keep"] if TEXT in names else [])
    reader = _Shard(table, shard)
    with reader:
        for group in range(reader.groups):
            chosen = _chosen(reader, group, tests, condition, kept)
            if not chosen.any():
                continue
            columns = reader.read(group, fields)
            if TEXT in names:
                texts = reader.read(group, ["blocks"], field="text")["blocks"]
                columns[TEXT] = selected_text(texts, columns["block_keep"])
            mask = pa.array(chosen)
            yield pa.table({name: columns[name].filter(mask) for name in names})


def _chosen(reader: _Shard, group: int, tests: Sequence[str], condition: Condition | None, kept: bool) -> Any:
    columns = reader.read(group, [*dict.fromkeys(tests)] or ["id"])
    rows = len(next(iter(columns.values())))
    chosen = np.ones(rows, bool)
    if kept:
        chosen &= columns["keep"].fill_null(False).to_numpy(zero_copy_only=False)
    if condition:
        holds = condition.evaluate(lambda name: columns[name])
        if isinstance(holds, pa.Scalar):
            return chosen & bool(holds.as_py())
        chosen &= holds.fill_null(False).to_numpy(zero_copy_only=False)
    return chosen


def selected_text(texts: pa.Array, stays: pa.Array) -> pa.Array:
    """Selected blocks of each page, one per line; empty where there are none."""
    joined = []
    for blocks, keep in zip(texts.to_pylist(), stays.to_pylist(), strict=True):
        pairs = zip(blocks or (), keep or (), strict=True)
        joined.append("\n".join(text for text, stay in pairs if stay))
    return pa.array(joined, pa.string())


class _Shard:
    """The layer files of one shard, opened as they are needed."""

    def __init__(self, table: Table, number: int) -> None:
        self.table, self.number = table, number
        self._files: dict[str, layer.LayerFile] = {}

    def __enter__(self) -> _Shard:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files.values():
            file.__exit__()

    def _file(self, name: str) -> layer.LayerFile:
        if name not in self._files:
            self._files[name] = layer.LayerFile(self.table.directory.layer(name, self.number))
        return self._files[name]

    @property
    def groups(self) -> int:
        return self._file("archive").groups

    def read(self, group: int, names: Sequence[str], field: str = "") -> dict[str, pa.Array]:
        found: dict[str, pa.Array] = {}
        for name in names:
            column = self.table.column(name)
            key = f"{name}.{field}" if field else name
            found[name] = self._file(column.layer).read(group, [key])[key]
        return found


def shard_paths(directory: Directory, layers: Sequence[str], shard: int) -> list[Path]:
    """Files of one shard in the order of the layers."""
    return [directory.layer(name, shard) for name in layers]
