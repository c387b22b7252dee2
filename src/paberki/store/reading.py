"""Reading a finished corpus shard by shard: chosen columns of kept pages, conditions applied, memory bounded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.errors import QueryError, StoreError
from paberki.nearest import nearest
from paberki.store import layer
from paberki.store.built_layers import built_layers
from paberki.store.columns import Column
from paberki.store.completeness import complete_layers
from paberki.store.directory import TAKEN_DOWN, Directory
from paberki.store.selection.condition import Condition, parse

TEXT = "text"
"""Not a column: the selected blocks of a page, one per line."""


@dataclass(frozen=True, slots=True)
class Table:
    """The layers of a corpus that are complete, as one wide table."""

    directory: Directory
    columns: Mapping[str, Column]
    """By short name."""
    shards: int
    pages: int
    gone: frozenset[str] = frozenset()
    """Keys of pages that were taken down: their content is hidden from every reader at once."""

    def column(self, name: str) -> Column:
        """The column of that name, or an error with the nearest one."""
        if name not in self.columns:
            adders = adders_of(name)
            hint = (
                f"; {adders}"
                if adders
                else f"{nearest(name, self.columns)}; see: paberki columns {self.directory.root}"
            )
            raise QueryError(f"there is no column {name!r}{hint}")
        return self.columns[name]


def adders_of(name: str) -> str:
    """Which stages add a column that this corpus does not have, and how to get it; empty if no stage adds it."""
    from paberki.stage import stages

    adders = [stage.name for stage in stages().values() if any(name in (one.name, *one.aliases) for one in stage.adds)]
    if not adders:
        return ""
    return f'{" or ".join(adders)} adds it: put add = ["{adders[0]}"] into the recipe and build'


def open_table(directory: Directory, plan: Any = None) -> Table:
    """The complete layers of a plan as one table; without a plan, all layers on disk.

    A layer that an earlier version of a stage wrote may lack columns that the plan has; they come with the next build.
    """
    plan = plan or built_layers(directory)
    manifest = directory.manifest()
    if not manifest.shards:
        raise StoreError(f"{directory.root}: no pages yet; type: paberki build {directory.root}")
    layers = complete_layers(directory, plan.layers)
    written = {name: layer.column_names(directory.layer(name, 0)) for name in layers}
    columns = {column.name: column for column in plan.columns.values() if column.name in written.get(column.layer, ())}
    return Table(directory, columns, len(manifest.shards), manifest.pages, directory.tombstones())


def read_pages(
    directory: Directory, plan: Any = None, names: Sequence[str] = (), *, where: str | None = None, kept: bool = True
) -> Iterator[dict[str, Any]]:
    """Pages as dictionaries; ``text`` is the selected text."""
    table = open_table(directory, plan)
    columns = list(names) or ["id", "key", "url", "date", "title", "lang", TEXT]
    for chunk in read_chunks(table, columns, where=where, kept=kept):
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
    table: Table, shard: int, names: Sequence[str], condition: Condition | None, kept_only: bool
) -> Iterator[pa.Table]:
    tests = [*(["keep"] if kept_only else []), *(condition.names if condition else ())]
    fields = [name for name in names if name != TEXT] + (["block_keep"] if TEXT in names else [])
    reader = _Shard(table, shard)
    with reader:
        for group in range(reader.groups):
            chosen = _chosen(reader, group, tests, condition, kept_only)
            if not chosen.any():
                continue
            columns = reader.read(group, fields)
            if TEXT in names:
                texts = reader.read(group, ["blocks"], field="text")["blocks"]
                columns[TEXT] = selected_text(texts, columns["block_keep"])
            hidden = _taken_down(reader, group)
            if kept_only:
                chosen &= ~hidden
            mask = pa.array(chosen)
            yield pa.table({name: _shown(table, name, columns[name], hidden).filter(mask) for name in names})


def _taken_down(reader: _Shard, group: int) -> Any:
    """Which pages of a row group are taken down by now, also since the last build."""
    if not reader.table.gone:
        return np.zeros(reader.rows(group), bool)
    keys = reader.read(group, ["key"])["key"].to_pylist()
    return np.array([key in reader.table.gone for key in keys], bool)


def _shown(table: Table, name: str, values: pa.Array, hidden: Any) -> pa.Array:
    """A column without the content of pages that were taken down, as in the SQL views."""
    if not hidden.any():
        return values
    mask = pa.array(hidden)
    if name == "keep":
        return pc.and_(values, pc.invert(mask))
    if name == "reason":
        return pc.if_else(mask, TAKEN_DOWN, values)
    if name == TEXT or table.columns[name].holds_content:
        return values.filter(pa.array(~hidden)).take(_places(~hidden))
    return values


def _places(shown: Any) -> pa.Array:
    """Where each row is among the rows that are shown; null for the others."""
    return pa.array(np.cumsum(shown) - 1, mask=~shown)


def _chosen(reader: _Shard, group: int, tests: Sequence[str], condition: Condition | None, kept_only: bool) -> Any:
    columns = reader.read(group, [*dict.fromkeys(tests)] or ["id"])
    rows = len(next(iter(columns.values())))
    chosen = np.ones(rows, bool)
    if kept_only:
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

    def rows(self, group: int) -> int:
        """Number of pages in a row group."""
        return self._file("archive").group_rows(group)

    def read(self, group: int, names: Sequence[str], field: str = "") -> dict[str, pa.Array]:
        arrays: dict[str, pa.Array] = {}
        for name in names:
            column = self.table.column(name)
            key = f"{name}.{field}" if field else name
            arrays[name] = self._file(column.layer).read(group, [key])[key]
        return arrays
