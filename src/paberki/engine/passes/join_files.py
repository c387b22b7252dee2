"""Intermediate files of join stages: emitted rows, decisions, pages of other corpora, and what a join remembers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from paberki.errors import StoreError
from paberki.store import layer
from paberki.store.batch import Batch
from paberki.store.directory import Directory
from paberki.store.files import read_json, replacing
from paberki.store.taken_down.hiding import layer_files, rows_of_keys, without_lists

GROUP_ROWS = 8_192
"""Rows that are read at a time, from many files side by side."""


def save(path: Path, tables: pa.Table | Iterable[pa.Table], key: str) -> int:
    """Write an intermediate file, with the key of what it was made from; the number of its rows.

    Several tables are written as they come; the metadata of the file is that of the first one.
    """
    rest = iter([tables] if isinstance(tables, pa.Table) else tables)
    first = next(rest)
    shape = first.schema.with_metadata({**(first.schema.metadata or {}), "paberki.key": key})
    rows = 0
    with replacing(path) as beside, pq.ParquetWriter(beside, shape, compression="zstd") as writer:
        for table in itertools.chain([first], rest):
            writer.write_table(table.replace_schema_metadata(shape.metadata), row_group_size=GROUP_ROWS)
            rows += table.num_rows
    return rows


def saved_key(path: Path) -> str | None:
    """Key of an intermediate file, None when it is not there or not whole."""
    return _key_in(metadata_of(path))


def emitted_key(path: Path, *, grouped: bool) -> str | None:
    """Key of a file of emitted rows, None when it is not there or has another form."""
    return _key_in(emitted_metadata(path, grouped=grouped))


def emitted_metadata(path: Path, *, grouped: bool) -> dict[str, str] | None:
    """Metadata of a file of emitted rows, None when it is not there or has another form.

    Earlier versions wrote groups for walks too. Their files are not in the order of pages and are written again.
    """
    try:
        names = pq.read_schema(path).names
    except (FileNotFoundError, pa.ArrowInvalid, OSError):
        return None
    return metadata_of(path) if ("group" in names) == grouped else None


def metadata_of(path: Path) -> dict[str, str] | None:
    """Metadata of an intermediate file, None when it is not there or not whole."""
    try:
        metadata = pq.read_schema(path).metadata or {}
    except (FileNotFoundError, pa.ArrowInvalid, OSError):
        return None
    return {name.decode(): value.decode("utf-8", "replace") for name, value in metadata.items()}


def _key_in(metadata: dict[str, str] | None) -> str | None:
    return None if metadata is None else metadata.get("paberki.key", "")


def read_range(path: Path, column: str, first: int, last: int) -> pa.Table:
    """Rows of a file sorted by a column whose value lies in a range; row groups outside are not read.

    The dataset layer of Arrow could do this, but costs every worker fifty megabytes.
    """
    with pq.ParquetFile(path) as file:
        at = file.schema_arrow.get_field_index(column)
        tables = []
        for group in range(file.num_row_groups):
            statistics = file.metadata.row_group(group).column(at).statistics
            if statistics is None or not statistics.has_min_max or (statistics.max >= first and statistics.min <= last):
                table = file.read_row_group(group, use_threads=False)
                kind = table.schema.field(column).type
                values = table.column(column)
                inside = pc.and_(
                    pc.greater_equal(values, pa.scalar(first, kind)), pc.less_equal(values, pa.scalar(last, kind))
                )
                tables.append(table.filter(inside))
        return pa.concat_tables(tables) if tables else file.schema_arrow.empty_table()


def read_chunks(
    directory: Directory, shard: int, needs: Sequence[str], tombstones: frozenset[int], chunks: Container[int]
) -> Iterator[Batch]:
    """The rows of some chunks of a shard, with the columns that a join needs, a row group at a time."""
    columns_by_layer = layer.grouped_by_layer((*needs, "archive.key"))
    with ExitStack() as stack:
        files = layer_files(stack, directory, shard, columns_by_layer)
        tombstone_keys, held_back = directory.tombstones(), directory.held_back()  # of all pages hidden in these files
        for group in range(files["archive"].groups):
            if group not in chunks:
                continue
            first = group * layer.CHUNK
            columns = {
                f"{name}.{column}": array
                for name, file in files.items()
                for column, array in file.read(group, list(dict.fromkeys(columns_by_layer[name]))).items()
            }
            rows = len(columns["archive.key"])
            mine = frozenset(row - first for row in tombstones if first <= row < first + rows)
            mine |= _rows_with(columns["archive.key"], tombstone_keys)
            pages = shard * layer.SHARD + first + np.arange(rows, dtype=np.int64)
            held_back_rows = _rows_with(columns["archive.key"], held_back)
            columns = without_lists(columns, mine)
            yield Batch(pages, columns, warc=directory.warc, taken_down=mine, held_back=held_back_rows)


def _rows_with(column: pa.Array, keys: frozenset[str]) -> frozenset[int]:
    return frozenset(row for row, key in enumerate(column.to_pylist()) if key in keys) if keys else frozenset()


def page_reader(directory: Directory, needs: Sequence[str], folder: Path) -> Callable[..., Iterator[Batch]]:
    """``read(pages, columns)`` as check and solve of a join get it; ``folder`` holds the intermediate files of the join."""

    def read(pages: np.ndarray, columns: Sequence[str] = ()) -> Iterator[Batch]:
        inside = pages[pages >= 0]
        yield from _read_outside(folder, pages[pages < 0], needs)
        yield from _read_pages(directory, inside, columns or needs)

    return read


def _read_pages(directory: Directory, pages: np.ndarray, needs: Sequence[str]) -> Iterator[Batch]:
    """Chosen pages in their order, with the columns that a join needs; row groups without any are not read."""
    for shard in np.unique(pages // layer.SHARD).tolist():
        mine = pages[pages // layer.SHARD == shard] - shard * layer.SHARD
        columns_by_layer = layer.grouped_by_layer(needs)
        with ExitStack() as stack:
            files = layer_files(stack, directory, shard, columns_by_layer)
            tombstone_keys = directory.tombstones()
            for group in np.unique(mine // layer.CHUNK).tolist():
                rows = mine[mine // layer.CHUNK == group]
                take = pa.array(rows - group * layer.CHUNK, pa.int64())
                hidden_rows = rows_of_keys(directory, shard, tombstone_keys, group)
                whole = {
                    f"{name}.{column}": array
                    for name, file in files.items()
                    for column, array in file.read(group, list(dict.fromkeys(columns_by_layer[name]))).items()
                }
                columns = {name: array.take(take) for name, array in without_lists(whole, hidden_rows).items()}
                yield Batch(shard * layer.SHARD + rows, columns, warc=directory.warc).view(needs)


def outside_rows(folder: Path, number: int) -> Path:
    """File with pages of other corpora."""
    return folder / f"outside-{number:05d}.parquet"


def outside_emitted(folder: Path, number: int) -> Path:
    """File with what these pages emit."""
    return folder / f"outside-emitted-{number:05d}.parquet"


def _read_outside(folder: Path, pages: np.ndarray, needs: Sequence[str]) -> Iterator[Batch]:
    """Pages of other corpora, which have negative numbers, in their order."""
    for shard in np.unique(pages // layer.SHARD).tolist():
        rows = pages[pages // layer.SHARD == shard] - shard * layer.SHARD
        table = pq.read_table(outside_rows(folder, -shard - 1), use_threads=False).take(pa.array(rows, pa.int64()))
        yield outside_batch(table, shard * layer.SHARD + rows, needs)


def outside_batch(table: pa.Table, pages: np.ndarray, needs: Sequence[str]) -> Batch:
    """Pages of another corpus as a batch: columns that the join needs by their full names, others as ``elsewhere.NAME``."""
    full_names = {need.partition(".")[2]: need for need in needs}
    columns = {full_names.get(name, f"elsewhere.{name}"): table.column(name) for name in table.column_names}
    return Batch(pages, {name: _one_chunk(column) for name, column in columns.items()})


def _one_chunk(column: pa.ChunkedArray) -> pa.Array:
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def memory_folder(folder: Path) -> Path:
    """Folder that the solve of a join keeps between builds."""
    return folder / "memory"


def remove_unnamed(folder: Path) -> None:
    """Remove the files of a memory that no JSON file in it names. Only call it while no solve is running."""
    names = {name for path in folder.glob("*.json") for name in _strings_in(_json_of(path))}
    for path in folder.glob("*"):
        if path.suffix != ".json" and path.stem not in names:
            path.unlink(missing_ok=True)


def _json_of(path: Path) -> Any:
    try:
        return read_json(path)
    except (FileNotFoundError, StoreError):
        return None


def _strings_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings_in(one)
