"""Join stages: emit per shard, resolve per range of groups, check and link if groups overlap, apply per shard.

Rows with the same ``group`` meet in one resolve task. Emitted files are sorted by group, so that a resolve task reads
only its range of every file; decisions are sorted by page, so that an apply task reads only its shard. Memory is that
of one range or one shard; check and link read decisions in portions. A shard's layer is rewritten only when its
decisions have changed.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from paberki.engine.passes.join_files import (
    outside_batch,
    outside_emitted,
    outside_rows,
    read_chunks,
    read_pages,
    read_range,
    said_of,
    save,
)
from paberki.engine.passes.map_tasks import StageRun
from paberki.engine.task import Work
from paberki.stage import Elsewhere, find
from paberki.store import layer
from paberki.store.batch import Batch
from paberki.store.directory import Directory
from paberki.store.portions import Portions

RANGE_ROWS = 400_000
RANGE_BYTES = 16 << 20
"""Emitted rows that one resolve task takes on, and how much they may be."""
_CHUNKS = "paberki.chunks"


@dataclass(frozen=True, slots=True)
class EmitTask:
    """Emit the rows of one shard, sorted by group; those of chunks that are what they were are taken from the old file."""

    root: Path
    shard: int
    stage: StageRun
    gone: frozenset[int]
    out: Path
    chunks: tuple[str, ...]
    """Key of what decides about each chunk."""

    @property
    def title(self) -> str:
        """For error messages."""
        return f"collecting shard {self.shard:05d} for {self.stage.name}"

    def run(self, work: Work) -> int:
        """Write the file; the result is its number of rows."""
        stage = find(self.stage.name)
        emit = stage.emit
        assert emit is not None
        needs = light(self.stage)
        before = json.loads((said_of(self.out) or {}).get(_CHUNKS, "[]"))
        same = (chunk for chunk, key in enumerate(self.chunks) if before[chunk : chunk + 1] == [key])
        known = [] if stage.combine else list(same)  # what was left out may make a difference now
        missing = set(range(len(self.chunks))).difference(known)
        batches = read_chunks(Directory(self.root), self.shard, needs, self.gone, missing)
        tables = [emit(batch.view(needs), self.stage.config) for batch in batches]
        if known:
            tables.append(self._of_chunks(known))
        table: pa.Table = pa.concat_tables(tables).sort_by([("group", "ascending"), ("page", "ascending")])
        table = stage.combine(table, self.stage.config) if stage.combine else table
        table = table.replace_schema_metadata({_CHUNKS: json.dumps(self.chunks)})
        save(self.out, table, self.stage.key)
        return int(table.num_rows)

    def _of_chunks(self, chunks: Sequence[int]) -> pa.Table:
        """Rows that were emitted before."""
        table = pq.read_table(self.out, use_threads=False).replace_schema_metadata(None)
        mine = np.zeros(len(self.chunks), bool)
        mine[list(chunks)] = True
        chunk = (table.column("page").to_numpy() - self.shard * layer.SHARD) // layer.CHUNK
        return table.filter(pa.array(mine[chunk]))


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
                save(outside_rows(self.folder, number), part, self.stage.key)
                save(outside_emitted(self.folder, number), emitted.sort_by(order), self.stage.key)
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
        order = [("group", "ascending"), ("page", "ascending")]
        # Without a name of its own the table goes as soon as resolve has sorted it its own way.
        decided: pa.Table = resolve(self._rows().sort_by(order), self.stage.config).sort_by("page")
        if self.since is not None:
            later = pc.max_element_wise(decided.column("page"), decided.column("other"))
            decided = decided.filter(pc.greater_equal(later, pa.scalar(self.since, pa.int64())))
        save(self.out, decided, self.stage.key)
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
        read = _reader(self.root, self.stage, self.out.parent)
        return save(self.out, check(Portions(self.decided), read, self.stage.config), self.stage.key)


def _reader(root: Path, stage: StageRun, outside: Path) -> Callable[..., Iterator[Batch]]:
    def read(pages: np.ndarray, columns: Sequence[str] = ()) -> Iterator[Batch]:
        return read_pages(Directory(root), pages, columns or stage.needs, outside)

    return read


def merge_checked(paths: Sequence[Path], out: Path, key: str) -> None:
    """One file for many, so that a corpus that grows a little every day does not gather thousands of them."""
    save(out, (table.sort_by("page") for table in Portions(paths)), key)


@dataclass(frozen=True, slots=True)
class LinkTask:
    """Make the decisions that count from those of all ranges."""

    root: Path
    stage: StageRun
    decided: tuple[Path, ...]
    out: Path
    chunks: tuple[tuple[str, ...], ...] = ()
    """Key of what decides about each chunk of each shard, for stages that remember."""

    @property
    def title(self) -> str:
        """For error messages."""
        return f"linking {self.stage.name}"

    def run(self, work: Work) -> int:
        """Write the decisions; the result is their number."""
        stage = find(self.stage.name)
        assert stage.link is not None
        read = _reader(self.root, self.stage, self.out.parent)
        more = [(memory_of(self.out.parent), self.chunks)] if stage.remembers else []
        return save(self.out, stage.link(Portions(self.decided), read, self.stage.config, *more), self.stage.key)


def memory_of(folder: Path) -> Path:
    """Folder that a link keeps between builds."""
    return folder / "memory"


def note_of(path: Path) -> str:
    """What a link has to tell people."""
    return str((pq.read_schema(path).metadata or {}).get(b"note", b"").decode())


def ranges(emitted: Sequence[Path]) -> list[tuple[int, int]]:
    """Ranges of groups such that each holds a bounded number of the rows; groups are spread evenly by hashing."""
    about = [pq.read_metadata(path) for path in emitted]
    rows = sum(one.num_rows for one in about)
    size = sum(one.row_group(group).total_byte_size for one in about for group in range(one.num_row_groups))
    count = max(1, -(-rows // RANGE_ROWS), -(-size // RANGE_BYTES))
    edges = [(number << 64) // count for number in range(count + 1)]
    return [(low, high - 1) for low, high in itertools.pairwise(edges)]
