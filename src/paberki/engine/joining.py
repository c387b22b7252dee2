"""Join stages: emit per shard, resolve per range of groups, check and link if groups overlap, apply per shard.

Rows with the same ``group`` meet in one resolve task. Emitted files are sorted by group, so that a resolve task reads
only its range of every file; decisions are sorted by page, so that an apply task reads only its shard. Memory is that
of one range or one shard, or of all decisions where they are linked. A shard's layer is rewritten only when its
decisions have changed.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from paberki.engine.mapping import StageRun, run_apply
from paberki.engine.task import Work
from paberki.stage import Elsewhere, Stage, find
from paberki.store import layer
from paberki.store.batch import Batch
from paberki.store.columns import ERROR, schema
from paberki.store.directory import Directory
from paberki.store.files import replacing

RANGE_ROWS = 1_000_000
"""Emitted rows that one resolve task takes on."""
GROUP_ROWS = 50_000


def _save(path: Path, table: pa.Table, key: str) -> None:
    said = {**(table.schema.metadata or {}), "paberki.key": key}
    with replacing(path) as beside:
        pq.write_table(table.replace_schema_metadata(said), beside, row_group_size=GROUP_ROWS, compression="zstd")


def saved_key(path: Path) -> str | None:
    """Key of an intermediate file, None when it is not there or not whole."""
    try:
        return str((pq.read_schema(path).metadata or {}).get(b"paberki.key", b"").decode())
    except (FileNotFoundError, pa.ArrowInvalid, OSError):
        return None


def read_range(path: Path, column: str, first: int, last: int) -> pa.Table:
    """Rows of a file sorted by a column whose value lies in a range; row groups outside are not read.

    By hand: the dataset layer of Arrow, which could do it, costs every worker fifty megabytes.
    """
    with pq.ParquetFile(path) as file:
        at = file.schema_arrow.get_field_index(column)
        tables = []
        for group in range(file.num_row_groups):
            seen = file.metadata.row_group(group).column(at).statistics
            if seen is None or not seen.has_min_max or (seen.max >= first and seen.min <= last):
                table = file.read_row_group(group, use_threads=False)
                kind = table.schema.field(column).type
                values = table.column(column)
                inside = pc.and_(
                    pc.greater_equal(values, pa.scalar(first, kind)), pc.less_equal(values, pa.scalar(last, kind))
                )
                tables.append(table.filter(inside))
        return pa.concat_tables(tables) if tables else file.schema_arrow.empty_table()


def read_chunks(directory: Directory, shard: int, needs: Sequence[str], gone: frozenset[int]) -> Iterator[Batch]:
    """The rows of a shard with the columns that a join needs, a row group at a time."""
    wanted = layer.grouped_by_layer((*needs, "archive.key"))
    with ExitStack() as stack:
        files = {name: stack.enter_context(layer.LayerFile(directory.layer(name, shard))) for name in wanted}
        first = 0
        for group in range(files["archive"].groups):
            columns = {
                f"{name}.{column}": array
                for name, file in files.items()
                for column, array in file.read(group, list(dict.fromkeys(wanted[name]))).items()
            }
            rows = len(columns["archive.key"])
            mine = frozenset(row - first for row in gone if first <= row < first + rows)
            pages = shard * layer.SHARD + first + np.arange(rows, dtype=np.int64)
            yield Batch(pages, columns, warc=directory.warc, gone=mine)
            first += rows


def read_pages(directory: Directory, pages: np.ndarray, needs: Sequence[str], outside: Path) -> Iterator[Batch]:
    """Chosen pages, given in order, with the columns that a join needs; row groups without any are not read.

    Pages with negative numbers are those of other corpora, which lie in the folder ``outside``.
    """
    for shard in np.unique(pages // layer.SHARD).tolist():
        mine = pages[pages // layer.SHARD == shard] - shard * layer.SHARD
        if shard < 0:
            yield from _read_outside(outside_rows(outside, -shard - 1), shard, mine)
            continue
        wanted = layer.grouped_by_layer(needs)
        with ExitStack() as stack:
            files = {name: stack.enter_context(layer.LayerFile(directory.layer(name, shard))) for name in wanted}
            for group in np.unique(mine // layer.CHUNK).tolist():
                rows = mine[mine // layer.CHUNK == group]
                take = pa.array(rows - group * layer.CHUNK, pa.int64())
                columns = {
                    f"{name}.{column}": array.take(take)
                    for name, file in files.items()
                    for column, array in file.read(group, list(dict.fromkeys(wanted[name]))).items()
                }
                yield Batch(shard * layer.SHARD + rows, columns, warc=directory.warc).view(needs)


def outside_rows(folder: Path, number: int) -> Path:
    """File with pages of other corpora."""
    return folder / f"outside-{number:05d}.parquet"


def outside_emitted(folder: Path, number: int) -> Path:
    """File with what these pages emit."""
    return folder / f"outside-emitted-{number:05d}.parquet"


def _read_outside(path: Path, shard: int, rows: np.ndarray) -> Iterator[Batch]:
    table = pq.read_table(path, use_threads=False).take(pa.array(rows, pa.int64()))
    yield outside_batch(table, shard * layer.SHARD + rows)


def outside_batch(table: pa.Table, pages: np.ndarray) -> Batch:
    """Pages of another corpus as a batch: all columns but key and corpus are those of the signatures layer."""
    layers = {"key": "archive", "corpus": "elsewhere"}
    columns = {f"{layers.get(name, 'signatures')}.{name}": table.column(name) for name in table.column_names}
    return Batch(pages, {name: _one_chunk(column) for name, column in columns.items()})


def _one_chunk(column: pa.ChunkedArray) -> pa.Array:
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


@dataclass(frozen=True, slots=True)
class EmitTask:
    """Emit the rows of one shard, sorted by group."""

    root: Path
    shard: int
    stage: StageRun
    gone: frozenset[int]
    out: Path

    @property
    def title(self) -> str:
        """For error messages."""
        return f"collecting shard {self.shard:05d} for {self.stage.name}"

    def run(self, work: Work) -> int:
        """Write the file; the result is its number of rows."""
        emit = find(self.stage.name).emit
        assert emit is not None
        needs = light(self.stage)
        batches = read_chunks(Directory(self.root), self.shard, needs, self.gone)
        tables = [emit(batch.view(needs), self.stage.config) for batch in batches]
        table: pa.Table = pa.concat_tables(tables).sort_by([("group", "ascending"), ("page", "ascending")])
        _save(self.out, table, self.stage.key)
        return int(table.num_rows)


def light(run: StageRun) -> tuple[str, ...]:
    """What emit and apply read."""
    later = find(run.name).later
    return tuple(need for need in run.needs if need not in later)


@dataclass(frozen=True, slots=True)
class OutsideTask:
    """Take in the pages of another corpus: their rows, as many as a shard at a time, and what they emit."""

    stage: StageRun
    source: Elsewhere
    folder: Path
    first: int
    """Number of the first file."""

    @property
    def title(self) -> str:
        """For error messages."""
        return f"taking in other corpora for {self.stage.name}"

    def run(self, work: Work) -> int:
        """Write the files; the result is their number."""
        emit = find(self.stage.name).emit
        assert emit is not None
        number = self.first
        for table in self.source.tables():
            for begin in range(0, table.num_rows, layer.SHARD):
                part = table.slice(begin, layer.SHARD)
                pages = np.arange(part.num_rows, dtype=np.int64) - (number + 1) * layer.SHARD
                emitted = emit(outside_batch(part, pages), self.stage.config)
                order = [("group", "ascending"), ("page", "ascending")]
                _save(outside_rows(self.folder, number), part, self.stage.key)
                _save(outside_emitted(self.folder, number), emitted.sort_by(order), self.stage.key)
                number += 1
        return number - self.first


@dataclass(frozen=True, slots=True)
class ResolveTask:
    """Decide about all groups in one range."""

    stage: StageRun
    emitted: tuple[Path, ...]
    first: int
    last: int
    """Groups from first up to and including last."""
    out: Path
    known: int = 0
    """So many of the files were resolved before: only groups that occur in the others are looked at."""
    since: int | None = None
    """Then, decisions about pairs of pages before this one are known."""

    @property
    def title(self) -> str:
        """For error messages."""
        return f"deciding {self.stage.name}"

    def run(self, work: Work) -> int:
        """Write the decisions; the result is their number."""
        resolve = find(self.stage.name).resolve
        assert resolve is not None
        table = self._rows().sort_by([("group", "ascending"), ("page", "ascending")])
        decided: pa.Table = resolve(table, self.stage.config).sort_by("page")
        if self.since is not None:
            decided = decided.filter(pc.greater_equal(decided.column("other"), pa.scalar(self.since, pa.int64())))
        _save(self.out, decided, self.stage.key)
        return int(decided.num_rows)

    def _rows(self) -> pa.Table:
        new = [read_range(path, "group", self.first, self.last) for path in self.emitted[self.known :]]
        if not self.known:
            return pa.concat_tables([one.replace_schema_metadata(None) for one in new])
        groups = np.unique(np.concatenate([one.column("group").to_numpy() for one in new]))
        old = (
            _with_groups(read_range(path, "group", self.first, self.last), groups)
            for path in self.emitted[: self.known]
        )
        return pa.concat_tables([one.replace_schema_metadata(None) for one in (*old, *new)])


def _with_groups(table: pa.Table, groups: np.ndarray) -> pa.Table:
    mine = table.column("group").to_numpy()
    places = np.minimum(np.searchsorted(groups, mine), max(len(groups) - 1, 0))
    return table.filter(pa.array(groups[places] == mine)) if len(groups) else table.slice(0, 0)


@dataclass(frozen=True, slots=True)
class CheckTask:
    """Check the pairs that were not there before."""

    root: Path
    stage: StageRun
    decided: tuple[Path, ...]
    out: Path

    @property
    def title(self) -> str:
        """For error messages."""
        return f"checking pairs of {self.stage.name}"

    def run(self, work: Work) -> int:
        """Write the pairs that hold; the result is their number."""
        check = find(self.stage.name).check
        assert check is not None
        checked: pa.Table = check(
            _together(self.decided), _reader(self.root, self.stage, self.out.parent), self.stage.config
        )
        _save(self.out, checked, self.stage.key)
        return int(checked.num_rows)


def _together(paths: Sequence[Path]) -> pa.Table:
    return pa.concat_tables(
        [pq.read_table(path, use_threads=False).replace_schema_metadata(None) for path in paths]
    ).combine_chunks()


def _reader(root: Path, stage: StageRun, outside: Path) -> Callable[..., Iterator[Batch]]:
    def read(pages: np.ndarray, columns: Sequence[str] = ()) -> Iterator[Batch]:
        return read_pages(Directory(root), pages, columns or stage.needs, outside)

    return read


def merge_checked(paths: Sequence[Path], out: Path, key: str) -> None:
    """One file for many, so that a corpus that grows a little every day does not gather thousands of them."""
    _save(out, _together(paths), key)


@dataclass(frozen=True, slots=True)
class LinkTask:
    """Make the decisions that count from those of all ranges."""

    root: Path
    stage: StageRun
    decided: tuple[Path, ...]
    out: Path

    @property
    def title(self) -> str:
        """For error messages."""
        return f"linking {self.stage.name}"

    def run(self, work: Work) -> int:
        """Write the decisions; the result is their number."""
        link = find(self.stage.name).link
        assert link is not None
        read = _reader(self.root, self.stage, self.out.parent)
        linked: pa.Table = link(_together(self.decided), read, self.stage.config).sort_by("page")
        _save(self.out, linked, self.stage.key)
        return int(linked.num_rows)


def note_of(path: Path) -> str:
    """What a link has to tell people."""
    return str((pq.read_schema(path).metadata or {}).get(b"note", b"").decode())


@dataclass(frozen=True, slots=True)
class ApplyTask:
    """Turn decisions into the layer of one shard, if they differ from what is there."""

    root: Path
    shard: int
    stage: StageRun
    gone: frozenset[int]
    keys: str
    decided: tuple[Path, ...]

    @property
    def title(self) -> str:
        """For error messages."""
        return f"writing {self.stage.name} of shard {self.shard:05d}"

    def run(self, work: Work) -> str:
        """Write the layer; the result is its key."""
        directory = Directory(self.root)
        stage = find(self.stage.name)
        path = directory.layer(stage.layer, self.shard)
        decisions = self._decisions()
        key = hashlib.blake2b(f"{self.stage.key}{_content(decisions)}".encode(), digest_size=16).hexdigest()
        known = layer.footer(path)
        if known and known.key == key and known.keys == self.keys:
            return key
        layer.write(path, schema(stage.adds), self._groups(directory, stage, decisions), key=key, keys=self.keys)
        return key

    def _groups(self, directory: Directory, stage: Stage, decisions: pa.Table) -> Iterator[pa.Table]:
        shape = schema(stage.adds)
        for batch in read_chunks(directory, self.shard, light(self.stage), self.gone):
            columns = run_apply(stage, self.stage, batch, _one_per_page(decisions, batch.pages))
            columns["error"] = pa.nulls(len(batch), ERROR)
            yield pa.table([columns[name] for name in shape.names], schema=shape)

    def _decisions(self) -> pa.Table:
        first = self.shard * layer.SHARD
        tables = [read_range(path, "page", first, first + layer.SHARD - 1) for path in self.decided]
        return pa.concat_tables([one.replace_schema_metadata(None) for one in tables]).sort_by("page")


def _content(table: pa.Table) -> str:
    """Digest of a table's values, whatever its chunks."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks().unify_dictionaries())
    return hashlib.blake2b(sink.getvalue(), digest_size=16).hexdigest()


def _one_per_page(decisions: pa.Table, pages: np.ndarray) -> pa.Table:
    """Decisions stretched to all pages of a batch, null where none was made."""
    made = decisions.column("page").to_numpy()
    low, high = np.searchsorted(made, [pages[0], pages[-1] + 1]) if len(pages) else (0, 0)
    where = np.full(len(pages), -1, np.int64)
    where[made[low:high] - (pages[0] if len(pages) else 0)] = np.arange(low, high)
    return decisions.take(pa.array(where, mask=where < 0)).combine_chunks()


def ranges(rows: int) -> list[tuple[int, int]]:
    """Ranges of groups such that each holds about :data:`RANGE_ROWS` rows; groups are spread evenly by hashing."""
    count = max(1, -(-rows // RANGE_ROWS))
    edges = [(number << 64) // count for number in range(count + 1)]
    return [(low, high - 1) for low, high in itertools.pairwise(edges)]
