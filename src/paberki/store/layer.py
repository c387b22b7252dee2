"""Layers: one Parquet file per stage and shard, rows aligned with the archive layer of that shard.

A row group is a chunk of :data:`CHUNK` pages, the unit of work. The footer carries the key of what made the file, the
digest of the page keys it is aligned with and the number of failed rows; nothing in it depends on path, clock or host.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from paberki.errors import StoreError
from paberki.store.batch import field_of_blocks
from paberki.store.files import replacing
from paberki.store.old_blocks import renewed, stored_fields
from paberki.store.splice import RowGroup, splice

SHARD = 10_000
"""Pages in a shard (P4 §3.2: page set)."""
CHUNK = 250
"""Pages in a row group and in a task."""
LEVEL = 1
"""Level of zstd; higher ones take a third more time and save a tenth of the space."""


@dataclass(frozen=True, slots=True)
class Footer:
    """What a layer file says about itself."""

    key: str
    keys: str
    rows: int
    failed: str
    """Digest of the errors in its rows; empty when there are none."""


def damaged(path: Path) -> StoreError:
    """How to mend a damaged file: a layer can be made again, but without the archive layer all others must go."""
    if path.parent.name == "archive":
        return StoreError(
            f"{path}: damaged layer file; restore it from a backup, or remove {path.parent.parent} and run "
            "'paberki build' to number and process all pages again"
        )
    return StoreError(f"{path}: damaged layer file; remove it and run 'paberki build' to make it again")


def footer(path: Path) -> Footer | None:
    """Footer of a layer file; None when it is not there. A damaged file is an error that says how to mend it."""
    try:
        meta = pq.read_metadata(path)
    except FileNotFoundError:
        return None
    except (pa.ArrowInvalid, OSError) as error:
        raise damaged(path) from error
    return _footer_of(meta)


def _footer_of(meta: Any) -> Footer:
    fields = meta.metadata or {}
    return Footer(
        fields.get(b"paberki.key", b"").decode(),
        fields.get(b"paberki.keys", b"").decode(),
        meta.num_rows,
        fields.get(b"paberki.failed", b"").decode(),
    )


def column_names(path: Path) -> frozenset[str]:
    """Columns of a layer file."""
    return frozenset(pq.read_schema(path).names)


def schema_of(path: Path) -> pa.Schema:
    """Schema of a layer file."""
    return pq.read_schema(path)


def column_type(path: Path, name: str) -> pa.DataType:
    """Type of one column of a layer file."""
    return pq.read_schema(path).field(name).type


def write(path: Path, schema: pa.Schema, groups: Iterable[pa.Table], *, key: str, keys: str = "") -> int:
    """Write a layer file atomically, one row group for each table; the number of failed rows."""
    errors, failure_digest = 0, _no_failures()
    words = _dictionary_columns(schema)
    # Smallest and largest value help queries on plain columns; of blocks and links they cost time and help nobody.
    plain = [field.name for field in schema if not pa.types.is_nested(field.type)]
    parquet_options: dict[str, Any] = {"compression": "zstd", "compression_level": LEVEL, "use_dictionary": words}
    parquet_options["write_statistics"] = plain
    with replacing(path) as beside, pq.ParquetWriter(beside, schema, **parquet_options) as writer:
        for table in groups:
            writer.write_table(_whole(table, schema), row_group_size=max(1, table.num_rows))
            errors += _add_failures(failure_digest, table)
        writer.add_key_value_metadata(_footer_fields(key, keys, errors, failure_digest))
    return errors


def renew(
    path: Path, schema: pa.Schema, groups: Iterable[pa.Table], same: Container[int], *, key: str, keys: str
) -> None:
    """Write a layer file anew: ``groups`` in their order, and between them the row groups of the file that is there whose
    numbers are in ``same``. Same bytes as :func:`write` of all of them. No row may have failed.
    """
    if not same:
        write(path, schema, groups, key=key, keys=keys)
        return
    with pq.ParquetFile(path) as old:
        count = old.num_row_groups
    with replacing(path) as beside:
        write(beside, schema, groups, key=key)
        new = itertools.count()
        parts = [RowGroup(path, at) if at in same else RowGroup(beside, next(new)) for at in range(count)]
        splice(beside, parts, _footer_fields(key, keys, 0, _no_failures()))


def column_digests(path: Path) -> dict[str, tuple[str, ...]]:
    """For every column a digest of its content, row group by row group.

    Packed bytes are taken, since only these are the same whenever the values are.
    """
    digests: dict[str, list[str]] = {}
    with pq.ParquetFile(path) as file, open(path, "rb") as source:
        for number in range(file.num_row_groups):
            group = file.metadata.row_group(number)
            hashes: dict[str, Any] = {}
            for at in range(group.num_columns):
                column = group.column(at)
                source.seek(column.dictionary_page_offset or column.data_page_offset)
                one = hashes.setdefault(column.path_in_schema.partition(".")[0], hashlib.blake2b(digest_size=8))
                one.update(source.read(column.total_compressed_size))
            for name, one in hashes.items():
                digests.setdefault(name, []).append(one.hexdigest())
    return {name: tuple(values) for name, values in digests.items()}


def _footer_fields(key: str, keys: str, errors: int, failure_digest: Any) -> dict[str, str]:
    return {"paberki.key": key, "paberki.keys": keys, "paberki.failed": failure_digest.hexdigest() if errors else ""}


def _no_failures() -> Any:
    """Digest that grows with the failed rows of one table after the other."""
    return hashlib.blake2b(digest_size=8)


def _add_failures(failure_digest: Any, table: pa.Table | None) -> int:
    """Add the failed rows of a table to the digest; their number. None stands for a table without any."""
    wrong = []
    if table is not None and (column := table.column("error")).null_count < table.num_rows:
        wrong = [(row, error) for row, error in enumerate(column.to_pylist()) if error]
    failure_digest.update(repr(wrong).encode("utf-8", "backslashreplace"))
    return len(wrong)


def write_part(path: Path, table: pa.Table, schema: pa.Schema, *, key: str) -> int:
    """Write one finished chunk atomically, as a Parquet file of one row group; the number of failed rows."""
    return write(path, schema, [table], key=key)


def part_footer(path: Path) -> Footer | None:
    """What a finished chunk says about itself; None when it is not there or not whole: then it is made again."""
    try:
        return footer(path)
    except StoreError:
        return None


def join_parts(path: Path, parts: Sequence[Path], *, key: str, keys: str) -> int:
    """Make a layer file of its finished chunks; the number of failed rows. Same bytes as :func:`write` of all of them."""
    errors, failure_digest = 0, _no_failures()
    for part in parts:
        part_metadata = footer(part)
        if part_metadata is None:
            raise StoreError(f"{part} is missing; run 'paberki build' again to make it")
        if part_metadata.failed:
            with LayerFile(part) as file:
                errors += _add_failures(failure_digest, file.table(["error"]))
        else:
            _add_failures(failure_digest, None)
    splice(path, parts, _footer_fields(key, keys, errors, failure_digest))
    return errors


def _whole(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """The table in the given schema and in one piece, copied only where it is not."""
    if not table.schema.equals(schema):
        table = table.cast(schema)
    return table.combine_chunks() if any(column.num_chunks > 1 for column in table.columns) else table


def _dictionary_columns(schema: pa.Schema) -> list[str]:
    """Columns whose values repeat. A dictionary for running text and offsets costs time and saves nothing."""
    names = []
    for field in schema:
        if pa.types.is_list(field.type) and pa.types.is_struct(field.type.value_type):
            inner = field.type.value_type
            names += [f"{field.name}.list.element.{one.name}" for one in inner if pa.types.is_dictionary(one.type)]
        elif pa.types.is_list(field.type):
            names.append(f"{field.name}.list.element")
        elif pa.types.is_struct(field.type):
            names += [f"{field.name}.{one.name}" for one in field.type]
        else:
            names.append(field.name)
    return names


def leaf_paths(names: Sequence[str], schema: pa.Schema) -> list[str]:
    """Parquet column paths for ``column`` or ``column.field`` (a field of a list of structs)."""
    paths = []
    for name in names:
        column, _, field = name.partition(".")
        if column not in schema.names:
            raise StoreError(f"the layer has no column {column!r}; it has {', '.join(schema.names)}")
        if not field:
            paths.append(column)
            continue
        fields = stored_fields(field, schema.field(column).type)
        paths += [f"{column}.list.element.{one}" for one in fields]
    return paths


@lru_cache(maxsize=32)
def _metadata(path: Path, version: tuple[int, int, int]) -> pq.FileMetaData:
    """Parsed footer of a file: a task reads one chunk, and the next task of the process one of the same file."""
    return pq.read_metadata(path)


class LayerFile:
    """An open layer file: reads chosen columns of chosen row groups, and never more."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            about = path.stat()
            version = (about.st_ino, about.st_mtime_ns, about.st_size)
            self._file = pq.ParquetFile(path, metadata=_metadata(path, version), memory_map=False, pre_buffer=False)
            self._schema = self._file.schema_arrow
        except FileNotFoundError as error:
            raise StoreError(f"{path} is missing; run 'paberki build' to make it") from error
        except (pa.ArrowInvalid, OSError) as error:
            raise damaged(path) from error

    def __enter__(self) -> LayerFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def footer(self) -> Footer:
        """What the file says about itself."""
        return _footer_of(self._file.metadata)

    @property
    def names(self) -> frozenset[str]:
        """Its columns."""
        return frozenset(self._schema.names)

    @property
    def rows(self) -> int:
        """Number of pages in the shard."""
        return int(self._file.metadata.num_rows)

    def group_rows(self, group: int) -> int:
        """Number of pages in a row group."""
        return int(self._file.metadata.row_group(group).num_rows)

    @property
    def groups(self) -> int:
        """Number of row groups."""
        return int(self._file.num_row_groups)

    def group_bytes(self, path: str) -> list[int]:
        """Bytes of a column of the file before compression, in each row group; none where the file does not have it."""
        # Not by ``metadata.schema``: schema and metadata would hold each other, and stay in memory after the file is closed.
        columns = [self._file.metadata.row_group(group).column for group in range(self.groups)]
        count = self._file.metadata.num_columns
        places = [at for at in range(count) if columns and columns[0](at).path_in_schema == path]
        return [column(places[0]).total_uncompressed_size for column in columns] if places else []

    def read(self, groups: int | range, names: Sequence[str]) -> dict[str, pa.Array]:
        """Columns of a row group, or of several, by the names asked for; ``blocks.text`` reads that field only."""
        paths = leaf_paths(names, self._schema)
        numbers = [groups] if isinstance(groups, int) else list(groups)
        table = self._file.read_row_groups(numbers, columns=paths, use_threads=False)
        return _pick(table, names)

    def table(self, names: Sequence[str] | None = None) -> pa.Table:
        """Columns of the whole file, all of them if none are named, as they lie there."""
        return self._file.read(columns=names, use_threads=False)

    def read_all(self, names: Sequence[str]) -> dict[str, pa.Array]:
        """The same for the whole shard."""
        table = self._file.read(columns=leaf_paths(names, self._schema), use_threads=False)
        return _pick(table, names)


def _pick(table: pa.Table, names: Sequence[str]) -> dict[str, pa.Array]:
    columns = {}
    for name in names:
        column, _, field = name.partition(".")
        values = table.column(column)
        # A row group comes in one piece as a rule, and combining would copy it.
        values = values.chunk(0) if values.num_chunks == 1 else values.combine_chunks()
        if isinstance(values, pa.ChunkedArray):
            values = values.chunk(0) if values.num_chunks else pa.array([], values.type)
        values = renewed(values)
        columns[name] = field_of_blocks(values, field) if field else values
    return columns


def grouped_by_layer(needs: Iterable[str]) -> Mapping[str, list[str]]:
    """``{"extract": ["blocks.text", "title"], …}`` for the columns among ``needs``."""
    layers: dict[str, list[str]] = {}
    for need in needs:
        if "." in need:
            layer, _, name = need.partition(".")
            layers.setdefault(layer, []).append(name)
    return layers


def aligned(arrays: Mapping[str, pa.Array], indices: Any, rows: int) -> dict[str, pa.Array]:
    """Stretch arrays that cover only some rows to all of them, null elsewhere."""
    if len(indices) == rows:
        return dict(arrays)
    import numpy as np

    where = np.full(rows, -1, np.int64)
    where[np.asarray(indices, np.int64)] = np.arange(len(indices))
    take = pa.array(where, mask=where < 0)
    return {name: values.take(take) for name, values in arrays.items()}
