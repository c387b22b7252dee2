"""Reading a finished corpus shard by shard: chosen columns of kept pages, conditions applied, memory bounded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final, Literal

import numpy as np
import pyarrow as pa

from paberki.errors import QueryError, StoreError
from paberki.nearest import nearest
from paberki.store import layer
from paberki.store.blocks import kept_texts, lengths_of
from paberki.store.built_layers import built_layers
from paberki.store.columns import Column
from paberki.store.completeness import complete_layers
from paberki.store.directory import TAKEN_DOWN, Directory
from paberki.store.selection.condition import Condition, parse
from paberki.store.sql.relation import Pages

TEXT = "text"
"""Not a column: the selected blocks of a page, one per line."""
_READ_AHEAD: Final = 4 << 20
"""Bytes of a column of a shard that may be read at once."""
PageSet = Literal["kept", "dropped", "all"]
"""Which pages: those in the corpus, those left out of it, or both."""


@dataclass(frozen=True, slots=True)
class LayerTable:
    """The layers of a corpus that are complete, as one wide table."""

    directory: Directory
    columns: Mapping[str, Column]
    """By short name."""
    shards: int
    pages: int
    tombstones: frozenset[str] = frozenset()
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


def open_table(directory: Directory, plan: Any = None) -> LayerTable:
    """The complete layers of a plan as one table; without a plan, all layers on disk.

    A layer that an earlier version of a stage wrote may lack columns that the plan has; they come with the next build.
    """
    plan = plan or built_layers(directory)
    manifest = directory.manifest()
    if not manifest.shards:
        raise StoreError(f"{directory.root}: no pages yet; type: paberki build {directory.root}")
    layers = complete_layers(directory, plan.layers)
    stored_columns = {name: layer.column_names(directory.layer(name, 0)) for name in layers}
    columns = {
        column.name: column for column in plan.columns.values() if column.name in stored_columns.get(column.layer, ())
    }
    return LayerTable(directory, columns, len(manifest.shards), manifest.pages, directory.tombstones())


DEFAULT_COLUMNS = ("id", "key", "url", "date", "title", "lang", TEXT)


def read_pages(
    directory: Directory, plan: Any = None, names: Sequence[str] = (), *, where: str | None = None, kept: bool = True
) -> Pages:
    """Pages as dictionaries or frames; ``text`` is the selected text."""
    table = open_table(directory, plan)
    columns = list(names) or list(DEFAULT_COLUMNS)

    def empty() -> pa.Table:
        types = [(name, pa.string() if name == TEXT else table.column(name).type) for name in columns]
        return pa.schema(types).empty_table()

    return Pages(lambda: read_chunks(table, columns, where=where, kept=kept), empty)


def read_chunks(
    table: LayerTable, names: Sequence[str], *, where: str | None = None, kept: bool = True
) -> Iterator[pa.Table]:
    """The same as Arrow tables, one for each row group that has any page left."""
    condition = parse(where) if where else None
    condition_names = condition.names if condition else ()
    for name in (*condition_names, *names):
        if name != TEXT:
            table.column(name)
    if kept and "keep" not in table.columns:
        raise StoreError(f"nothing is selected yet; run: paberki build {table.directory.root}")
    if TEXT in names or TEXT in condition_names:
        table.column("block_keep")
    for shard in range(table.shards):
        yield from _shard_chunks(table, shard, names, condition, kept)


def _shard_chunks(
    table: LayerTable, shard: int, names: Sequence[str], condition: Condition | None, kept_only: bool
) -> Iterator[pa.Table]:
    with ShardFiles(table, shard) as files:
        for group in range(files.groups):
            page_mask = chosen_rows(files, group, condition, "kept" if kept_only else "all")
            if page_mask.any():
                yield read_rows(files, group, names, page_mask)


def chosen_rows(files: ShardFiles, group: int, condition: Condition | None, pages: PageSet) -> Any:
    """Which pages of a row group belong to a set and meet a condition; kept pages that were taken down do not."""
    tests = [*(["keep"] if pages != "all" else []), *(condition.names if condition else ())]
    page_mask = _page_mask(files, group, tests, condition, pages)
    if pages == "kept" and page_mask.any():
        page_mask &= ~taken_down(files, group)
    return page_mask


def read_rows(files: ShardFiles, group: int, names: Sequence[str], page_mask: Any) -> pa.Table:
    """Columns of the chosen pages of a row group. ``text`` is the selected text; the content of pages that were taken down
    is null."""
    mask = None if page_mask.all() else pa.array(page_mask)
    columns = files.read(group, [name for name in names if name != TEXT])
    if columns and mask is not None:
        rows = pa.table(columns).filter(mask)
        columns = dict(zip(rows.column_names, rows.columns, strict=True))
    if TEXT in names:
        columns[TEXT] = _text(files, group, mask)
    hidden_rows = taken_down(files, group)[page_mask]
    return pa.table({name: _without_content(files.table, name, columns[name], hidden_rows) for name in names})


def taken_down(files: ShardFiles, group: int) -> Any:
    """Which pages of a row group are taken down by now, also since the last build."""
    if not files.table.tombstones:
        return np.zeros(files.rows(group), bool)
    keys = files.read(group, ["key"])["key"].to_pylist()
    return np.array([key in files.table.tombstones for key in keys], bool)


def _without_content(table: LayerTable, name: str, values: pa.Array, hidden_rows: Any) -> pa.Array:
    """A column without the content of pages that were taken down, as in the SQL views."""
    if not hidden_rows.any():
        return values
    import pyarrow.compute as pc  # when needed: it takes a while to import

    mask = pa.array(hidden_rows)
    if name == "keep":
        return pc.and_(values, pc.invert(mask))
    if name == "reason":
        return pc.if_else(mask, TAKEN_DOWN, values)
    if name == TEXT or table.columns[name].holds_content:
        return values.filter(pa.array(~hidden_rows)).take(_places(~hidden_rows))
    return values


def _places(shown_rows: Any) -> pa.Array:
    """Where each row is among the rows that are shown; null for the others."""
    return pa.array(np.cumsum(shown_rows) - 1, mask=~shown_rows)


def _page_mask(files: ShardFiles, group: int, tests: Sequence[str], condition: Condition | None, pages: PageSet) -> Any:
    columns = files.read(group, [name for name in dict.fromkeys(tests) if name != TEXT] or ["id"])
    if TEXT in tests:
        columns[TEXT] = _text(files, group, None)
    rows = len(next(iter(columns.values())))
    page_mask = np.ones(rows, bool)
    if pages != "all":
        kept_pages = columns["keep"].fill_null(False).to_numpy(zero_copy_only=False)
        page_mask &= kept_pages if pages == "kept" else ~kept_pages
    if condition:
        holds = condition.evaluate(lambda name: columns[name])
        if isinstance(holds, pa.Scalar):
            return page_mask & bool(holds.as_py())
        page_mask &= holds.fill_null(False).to_numpy(zero_copy_only=False)
    return page_mask


def _text(files: ShardFiles, group: int, mask: pa.BooleanArray | None) -> pa.Array:
    """The selected text of the pages of a row group, or of some of them."""
    texts = files.read(group, ["blocks"], field="text")["blocks"]
    stays = files.read(group, ["block_keep"])["block_keep"]
    if mask is not None:
        texts, stays = texts.filter(mask), stays.filter(mask)
    return selected_text(texts, stays)


def selected_text(texts: pa.Array, stays: pa.Array) -> pa.Array:
    """Selected blocks of each page, one per line; empty where there are none."""
    if (lengths_of(texts) == lengths_of(stays)).all():
        return kept_texts(texts, stays).joined()
    page_texts = []
    for blocks, keep in zip(texts.to_pylist(), stays.to_pylist(), strict=True):
        pairs = zip(blocks or (), keep or (), strict=False)
        page_texts.append("\n".join(text for text, stay in pairs if stay))
    return pa.array(page_texts, pa.string())


class ShardFiles:
    """The layer files of one shard, opened as they are needed.

    Whoever reads all of it says ``ahead``: plain columns that take little room are then read for the whole shard at once,
    which takes half the time. With ``together``, row groups with little text are read several at a time as if they were one.
    """

    def __init__(self, table: LayerTable, number: int, *, ahead: bool = False, together: bool = False) -> None:
        self.table, self.number, self._ahead, self._together = table, number, ahead, together
        self._files: dict[str, layer.LayerFile] = {}
        self._whole: dict[str, pa.Array | None] = {}
        self._portions: list[range] = []
        self._starts: list[int] = []

    def __enter__(self) -> ShardFiles:
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
        """Number of row groups, or of what is read as one."""
        return len(self._ranges())

    def rows(self, group: int) -> int:
        """Number of pages in a row group."""
        return self._extent(group)[1]

    def first(self, group: int) -> int:
        """Row of the shard with which a row group begins."""
        return self._extent(group)[0]

    def _ranges(self) -> list[range]:
        """Row groups that are read as one."""
        if not self._portions:
            sizes = self._text_sizes() if self._together else []
            first, count = 0, self._file("archive").groups
            for group in range(1, count + 1):
                if group == count or sum(sizes[first : group + 1]) > _READ_AHEAD or not sizes:
                    self._portions.append(range(first, group))
                    first = group
        return self._portions

    def _text_sizes(self) -> list[int]:
        """Bytes of text in each row group; none where it cannot be told."""
        if "blocks" not in self.table.columns:
            return []
        return self._file(self.table.columns["blocks"].layer).group_bytes("blocks.list.element.text")

    def read(self, group: int, names: Sequence[str], field: str = "") -> dict[str, pa.Array]:
        """Columns of a row group; ``field`` picks one of each block."""
        whole = {name: values for name in names if self._ahead and (values := self._read_ahead(name)) is not None}
        arrays = {name: values.slice(*self._extent(group)) for name, values in whole.items()}
        layers: dict[str, dict[str, str]] = {}
        for name in names:
            if name not in whole:
                column = self.table.column(name)
                layers.setdefault(column.layer, {})[name] = f"{name}.{field}" if field else name
        for layer_name, keys in layers.items():
            columns = self._file(layer_name).read(self._ranges()[group], list(keys.values()))
            arrays.update({name: columns[key] for name, key in keys.items()})
        return {name: arrays[name] for name in names}

    def _extent(self, group: int) -> tuple[int, int]:
        """First row and number of rows of a row group."""
        if not self._starts:
            archive = self._file("archive")
            counts = [sum(map(archive.group_rows, groups)) for groups in self._ranges()]
            self._starts = list(accumulate(counts, initial=0))
        return self._starts[group], self._starts[group + 1] - self._starts[group]

    def _read_ahead(self, name: str) -> pa.Array | None:
        """A plain column of the whole shard; None where it is not plain or takes much room."""
        if name not in self._whole:
            column = self.table.column(name)
            file = self._file(column.layer)
            is_plain = not pa.types.is_nested(column.type) and 0 < sum(file.group_bytes(name)) < _READ_AHEAD
            self._whole[name] = file.read_all([name])[name] if is_plain else None
        return self._whole[name]
