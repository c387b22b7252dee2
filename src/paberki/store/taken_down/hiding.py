"""Hide pages in layer files that are there already, and bring them back.

A row group with hidden rows is written anew and put in the place of the old one; all others are copied as they are. The old
row group is kept in ``.paberki/takedown``, so that a page can come back with the same bytes. A file keeps its key: the next
build sees from the tombstones what has to be made again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from paberki.store import layer
from paberki.store.columns import BUILTIN
from paberki.store.directory import TAKEN_DOWN, Directory
from paberki.store.files import TEMPORARY
from paberki.store.lock import hold
from paberki.store.splice import RowGroup, splice

ARCHIVE: Final = "archive"
COMMIT_LOCK: Final = "commit"
_COPIES: Final = frozenset((ARCHIVE, "captures", "dedup", "near", "copies", "select"))
"""Layers that lose only what is on the page: position, keys and digests are how copies of it are recognised."""
_CONTENT: Final = {name: {one.name for one in BUILTIN if one.layer == name and one.holds_content} for name in _COPIES}
_SAVED: Final = ("paberki.key", "paberki.keys", "paberki.failed")


@contextmanager
def committing(directory: Directory) -> Iterator[None]:
    """Hold this while a task of a build puts a layer file in its place: no page can be taken down meanwhile."""
    with hold(directory.lock(COMMIT_LOCK), doing="writing layers", wait=True, shared=True):
        yield


def layer_files(stack: ExitStack, directory: Directory, shard: int, names: Iterable[str]) -> dict[str, layer.LayerFile]:
    """Layers of a shard, all from before a page was taken down or all from after it: else they would not fit together."""
    with committing(directory):
        return {name: stack.enter_context(layer.LayerFile(directory.layer(name, shard))) for name in names}


@dataclass(frozen=True, slots=True)
class _File:
    """A layer file, or one finished chunk of it."""

    path: Path
    layer: str
    shard: int
    first_row: int = 0
    is_part: bool = False


def saved_groups(directory: Directory) -> Path:
    """Where row groups are kept as they were before a page was taken down."""
    return directory.private / "takedown"


def rows_of_keys(directory: Directory, shard: int, keys: Collection[str], group: int | None = None) -> frozenset[int]:
    """Rows of a shard, or of one row group of it, whose pages have these keys."""
    if not keys:
        return frozenset()
    with layer.LayerFile(directory.layer(ARCHIVE, shard)) as file:
        column = (file.read_all(["key"]) if group is None else file.read(group, ["key"]))["key"]
    return frozenset(row for row, key in enumerate(column.to_pylist()) if key in keys)


def without_lists(columns: dict[str, pa.Array], rows: Collection[int]) -> dict[str, pa.Array]:
    """The columns of a batch, but no lists on these rows, whose pages are taken down.

    Layers that were written since then have none, earlier ones may still have theirs: lists of blocks would not fit together.
    """
    if not rows:
        return columns
    hidden_mask = np.zeros(len(next(iter(columns.values()))), bool)
    hidden_mask[list(rows)] = True
    places = pa.array(np.arange(len(hidden_mask)), mask=hidden_mask)
    return {
        name: values.take(places) if pa.types.is_list(values.type) and _is_content(name) else values
        for name, values in columns.items()
    }


def _is_content(name: str) -> bool:
    """Whether a column of a layer, ``select.block_keep``, says what is on the page."""
    layer_name, _, column = name.partition(".")
    return layer_name not in _COPIES or column.partition(".")[0] in _CONTENT[layer_name]


def hide(directory: Directory, shard: int, rows: Collection[int], *, saving: bool) -> None:
    """Hide rows in all layer files of a shard. Without ``saving``, only the archive layer can be brought back."""
    for file in _files(directory, shard):
        _hide_in(directory, file, rows, saving=saving or file.layer == ARCHIVE)


def hide_late(
    directory: Directory, path: Path, name: str, shard: int, first_row: int, left_out_rows: Collection[int]
) -> None:
    """Hide in a file that was just written the pages that were taken down after its task had begun.

    ``left_out_rows`` are the rows, counted from the first of the file, that the task left out. Call it inside of
    :func:`committing`.
    """
    group = first_row // layer.CHUNK if path.parent.suffix else None
    rows = rows_of_keys(directory, shard, directory.tombstones(), group) - frozenset(left_out_rows)
    if rows:
        file = _File(path, name, shard, first_row, is_part=group is not None)
        _hide_in(directory, file, [first_row + row for row in rows], saving=False)


def hide_anchors(directory: Directory, pages: Collection[str], *, saving: bool) -> None:
    """Remove from all other pages the anchors of links that are on these pages, given by their ids."""
    for path in sorted((directory.layers / "inlinks").glob("*.parquet")):
        file = _File(path, "inlinks", int(path.stem))
        with pq.ParquetFile(path) as source:
            tables = {at: source.read_row_group(at, columns=["inlinks"]) for at in range(source.num_row_groups)}
        stale = [at for at, table in tables.items() if _anchors_from(table, pages)]
        if stale:
            _renew(directory, file, {at: _without_anchors(_group(path, at), pages) for at in stale}, saving=saving)


def shards_with_saved(directory: Directory) -> list[int]:
    """Shards of which row groups are kept."""
    return sorted({int(path.name[:5]) for path in saved_groups(directory).glob("*/*.group")})


def restore(directory: Directory, shard: int, hidden_rows: Collection[int], hidden_pages: Collection[str]) -> bool:
    """Put saved row groups back, but for rows that stay hidden and anchors on pages that do; whether all could be put back.

    A layer that a build has made again since is left to the next build.
    """
    whole = True
    for file in _files(directory, shard):
        backups = {int(path.stem.partition("-")[2]): path for path in _saved_of(directory, file)}
        if any(_key(path) != _key(file.path) for path in backups.values()):
            whole, still_needed = False, frozenset[int]()
        else:
            still_needed = _put_back(file, backups, hidden_rows, hidden_pages)
        for at, path in backups.items():
            if at not in still_needed:
                path.unlink(missing_ok=True)
    return whole


def hide_in_saved(directory: Directory, shard: int, rows: Collection[int], pages: Collection[str]) -> None:
    """Hide rows in the row groups that were kept, so that they can never be brought back."""
    for path in sorted(saved_groups(directory).glob("*/*.group")):
        file = _File(path, path.parent.name, int(path.name[:5]), int(path.stem[6:]) * layer.CHUNK, is_part=True)
        if file.shard == shard:
            _hide_in(directory, file, rows, saving=False)
        if file.layer == "inlinks" and _anchors_from(table := _group(path, 0), pages):
            _renew(directory, file, {0: _without_anchors(table, pages)}, saving=False)


def forget_key(path: Path) -> None:
    """Make a layer file stale, so that the next build writes it again; it can be read until then."""
    metadata = _metadata(path)
    with pq.ParquetFile(path) as file:
        groups = [RowGroup(path, at) for at in range(file.num_row_groups)]
    splice(path, groups, {**metadata, "paberki.key": ""})


def _files(directory: Directory, shard: int) -> list[_File]:
    files = []
    for folder in sorted(directory.layers.glob("*/")):
        path = directory.layer(folder.name, shard)
        if path.is_file():
            files.append(_File(path, folder.name, shard))
        parts = sorted(directory.part(folder.name, shard, 0).parent.glob("[0-9]*.parquet"))
        files += [_File(part, folder.name, shard, int(part.stem) * layer.CHUNK, is_part=True) for part in parts]
    return files


def _hide_in(directory: Directory, file: _File, rows: Collection[int], *, saving: bool) -> None:
    with contextlib.suppress(FileNotFoundError):  # a build removes the parts of a layer when it is whole
        with pq.ParquetFile(file.path) as source:
            counts = [source.metadata.row_group(at).num_rows for at in range(source.num_row_groups)]
        groups = {}
        for at, first in enumerate(np.cumsum([file.first_row, *counts])[:-1].tolist()):
            inside = sorted(row - first for row in rows if first <= row < first + counts[at])
            if inside and (blank := _blank(old := _group(file.path, at), file.layer, inside)) is not None:
                groups[at] = blank
                del old
        if groups:
            _renew(directory, file, groups, saving=saving)


def _renew(directory: Directory, file: _File, groups: dict[int, pa.Table], *, saving: bool) -> None:
    """Put row groups in the place of those with the same numbers."""
    path, metadata = file.path, _metadata(file.path)
    if saving and not file.is_part:
        for at in groups:
            _save(directory, file, at, metadata)
    _exchange(path, groups, {})


def _save(directory: Directory, file: _File, at: int, metadata: dict[str, str]) -> None:
    """Keep a row group as it is, unless one from before an earlier take-down is kept already."""
    target = saved_groups(directory) / file.layer / f"{file.shard:05d}-{at:03d}.group"
    if not target.is_file() or _key(target) != metadata["paberki.key"]:
        splice(target, [RowGroup(file.path, at)], metadata)


def _saved_of(directory: Directory, file: _File) -> list[Path]:
    if file.is_part:
        return []
    return sorted((saved_groups(directory) / file.layer).glob(f"{file.shard:05d}-*.group"))


def _put_back(
    file: _File, backups: dict[int, Path], hidden_rows: Collection[int], hidden_pages: Collection[str]
) -> frozenset[int]:
    """Put row groups back; the numbers of those in which something stays hidden."""
    if not backups:
        return frozenset()
    blanks: dict[int, pa.Table] = {}
    for at, path in backups.items():
        first = at * layer.CHUNK
        table = _group(path, 0)
        inside = sorted(row - first for row in hidden_rows if first <= row < first + table.num_rows)
        if inside and (blank := _blank(table, file.layer, inside)) is not None:
            table = blanks[at] = blank
        if file.layer == "inlinks" and _anchors_from(table, hidden_pages):
            blanks[at] = _without_anchors(table, hidden_pages)
    sources: dict[int, Path | RowGroup] = {at: RowGroup(path, 0) for at, path in backups.items()}
    _exchange(file.path, blanks, sources)
    return frozenset(blanks)


def _exchange(path: Path, new: dict[int, pa.Table], sources: dict[int, Path | RowGroup]) -> None:
    """Write a file anew with tables and row groups of other files in the place of those with the same numbers."""
    beside = path.parent / f"{TEMPORARY}{path.name}-exchange"
    try:
        if new:
            layer.write(beside, next(iter(new.values())).schema, new.values(), key="")
        numbers = {at: number for number, at in enumerate(new)}
        with pq.ParquetFile(path) as file:
            count = file.num_row_groups
        parts = [
            RowGroup(beside, numbers[at]) if at in numbers else sources.get(at, RowGroup(path, at))
            for at in range(count)
        ]
        splice(path, parts, _metadata(path))
    finally:
        beside.unlink(missing_ok=True)


def _metadata(path: Path) -> dict[str, str]:
    fields = pq.read_metadata(path).metadata or {}
    return {name: fields.get(name.encode(), b"").decode() for name in _SAVED}


def _key(path: Path) -> str:
    return _metadata(path)["paberki.key"]


def _group(path: Path, at: int) -> pa.Table:
    with pq.ParquetFile(path) as file:
        table = file.read_row_group(at, use_threads=False)
    return table.cast(pa.schema([pa.field(one.name, one.type) for one in table.schema])).combine_chunks()


def _blank(table: pa.Table, name: str, rows: Sequence[int]) -> pa.Table | None:
    """The table without what these rows hold; None where they hold nothing."""
    hidden_mask = np.zeros(table.num_rows, bool)
    hidden_mask[list(rows)] = True
    places = pa.array(np.arange(table.num_rows), mask=hidden_mask)
    columns = {}
    for field in table.schema:
        old = table.column(field.name).combine_chunks()
        old = old.chunk(0) if isinstance(old, pa.ChunkedArray) else old
        if name in _COPIES and field.name not in _CONTENT[name]:
            columns[field.name] = old
        else:
            columns[field.name] = _compact(old.take(places))
    if name == "select":
        columns["keep"] = pa.array(
            [False if is_hidden else one for one, is_hidden in zip(_list(columns["keep"]), hidden_mask, strict=True)]
        )
        why = [
            TAKEN_DOWN if is_hidden else one
            for one, is_hidden in zip(_list(columns["reason"]), hidden_mask, strict=True)
        ]
        columns["reason"] = pa.array(why, pa.string())
    blank = pa.table([columns[field.name] for field in table.schema], schema=table.schema)
    return None if blank.equals(table) else blank


def _list(values: pa.Array) -> list[object]:
    values_list: list[object] = values.to_pylist()
    return values_list


def _compact(values: pa.Array) -> pa.Array:
    """The same values with dictionaries that hold no others: a word that nobody uses would stay in the file."""
    kind = values.type
    if pa.types.is_dictionary(kind):
        return values.dictionary_decode().dictionary_encode().cast(kind)
    if pa.types.is_list(kind):
        missing = values.is_null() if values.null_count else None
        return pa.ListArray.from_arrays(values.offsets, _compact(values.values), type=kind, mask=missing)
    if pa.types.is_struct(kind):
        parts = [_compact(part) for part in values.flatten()]
        return pa.StructArray.from_arrays(parts, fields=list(kind), mask=values.is_null())
    return values


def _anchors_from(table: pa.Table, pages: Collection[str]) -> bool:
    sources = table.column("inlinks").combine_chunks()
    return any(link["source"] in pages for links in sources.to_pylist() for link in links or ())


def _without_anchors(table: pa.Table, pages: Collection[str]) -> pa.Table:
    kind = table.schema.field("inlinks").type
    lists = table.column("inlinks").to_pylist()
    others = [None if links is None else [one for one in links if one["source"] not in pages] for links in lists]
    at = table.schema.get_field_index("inlinks")
    return table.set_column(at, table.schema.field(at), pa.array(others, kind))
