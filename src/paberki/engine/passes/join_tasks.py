"""Tasks of join stages: emit per shard, resolve per range of groups, check and solve over all decisions, apply per shard.

Rows with the same ``group`` meet in one resolve task. Emitted files are sorted by group, so that a resolve task reads only
its range of every file; those of walks, which have no groups, are sorted by page. Decisions are sorted by page, so that an
apply task reads only its shard. A task holds one range or one shard in memory; check and solve read decisions in portions.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from paberki.engine.passes.join_files import (
    emitted_metadata,
    memory_folder,
    outside_batch,
    outside_emitted,
    outside_rows,
    page_reader,
    read_chunks,
    read_range,
    save,
)
from paberki.engine.passes.map_tasks import StageRun
from paberki.engine.task import Work
from paberki.stage import Elsewhere, Memory, find
from paberki.store import layer
from paberki.store.directory import Directory
from paberki.store.portions import Portions

RANGE_ROWS = 400_000
RANGE_BYTES = 16 << 20
"""Emitted rows that one resolve task takes on, and how much they may be."""
_CHUNKS = "paberki.emitted_chunks"
"""Where an emitted file keeps the keys of its chunks. Files with ``paberki.chunks`` come from earlier versions, which left
out rows that an unchanged copy in the same shard made superfluous; their chunks cannot be reused one by one."""
_BY_GROUP = [("group", "ascending"), ("page", "ascending")]


@dataclass(frozen=True, slots=True)
class EmitTask:
    """Emit the rows of one shard. Rows of chunks that have not changed are taken from the file of the build before."""

    root: Path
    shard: int
    stage: StageRun
    tombstones: frozenset[int]
    out: Path
    chunks: tuple[str, ...]
    """Key of the input of each chunk."""

    @property
    def title(self) -> str:
        """For error messages."""
        return f"collecting shard {self.shard:05d} for {self.stage.name}"

    def run(self, work: Work) -> int:
        """Write the file; the result is its number of rows."""
        join = find(self.stage.name).join
        before = emitted_metadata(self.out, grouped=join.resolve is not None) or {}
        keys_before = json.loads(before.get(_CHUNKS, "[]"))
        same = [chunk for chunk, key in enumerate(self.chunks) if keys_before[chunk : chunk + 1] == [key]]
        stale = set(range(len(self.chunks))).difference(same)
        batches = read_chunks(Directory(self.root), self.shard, self.stage.needs, self.tombstones, stale)
        tables = [join.emit(batch.view(self.stage.needs), self.stage.config) for batch in batches]
        if same:
            tables.append(self._of_chunks(same))
        table = pa.concat_tables(tables).sort_by(_BY_GROUP if join.resolve else "page")
        table = table.replace_schema_metadata({_CHUNKS: json.dumps(self.chunks)})
        save(self.out, table, self.stage.key)
        return int(table.num_rows)

    def _of_chunks(self, chunks: Sequence[int]) -> pa.Table:
        """Rows that the build before has emitted for these chunks."""
        table = pq.read_table(self.out, use_threads=False).replace_schema_metadata(None)
        mine = np.zeros(len(self.chunks), bool)
        mine[list(chunks)] = True
        chunk = (table.column("page").to_numpy() - self.shard * layer.SHARD) // layer.CHUNK
        return table.filter(pa.array(mine[chunk]))


@dataclass(frozen=True, slots=True)
class OutsideTask:
    """Store the pages of another corpus, as many as a shard has at a time, and the rows that they emit."""

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
        emit, needs = find(self.stage.name).join.emit, self.stage.needs
        number = self.first
        for table in self.source.tables():
            for begin in range(0, table.num_rows, layer.SHARD):
                part = table.slice(begin, layer.SHARD)
                pages = np.arange(part.num_rows, dtype=np.int64) - (number + 1) * layer.SHARD
                rows = emit(outside_batch(part, pages, needs), self.stage.config)
                save(outside_rows(self.folder, number), part, self.stage.key)
                save(outside_emitted(self.folder, number), rows.sort_by(_BY_GROUP), self.stage.key)
                number += 1
        return number - self.first


@dataclass(frozen=True, slots=True)
class ResolveTask:
    """Decide about all groups in one range."""

    stage: StageRun
    emitted_files: tuple[Path, ...]
    first: int
    last: int
    """Groups from first up to and including last."""
    out: Path
    resolved_files: int = 0
    """So many of the files, the first ones, were resolved before: only groups that occur in the others are looked at."""
    since: int | None = None
    """Then pairs in which both pages come before this one were checked before."""

    @property
    def title(self) -> str:
        """For error messages."""
        return f"deciding {self.stage.name}"

    def run(self, work: Work) -> int:
        """Write the decisions; the result is their number."""
        resolve = find(self.stage.name).join.resolve
        assert resolve is not None
        # The rows have no name here: their memory is freed as soon as resolve has sorted them its own way.
        decisions: pa.Table = resolve(self._rows().sort_by(_BY_GROUP), self.stage.config).sort_by("page")
        if self.since is not None:
            last = pc.max_element_wise(decisions.column("page"), decisions.column("other"))
            decisions = decisions.filter(pc.greater_equal(last, pa.scalar(self.since, pa.int64())))
        save(self.out, decisions, self.stage.key)
        return int(decisions.num_rows)

    def _rows(self) -> pa.Table:
        new = [read_range(path, "group", self.first, self.last) for path in self.emitted_files[self.resolved_files :]]
        if not self.resolved_files:
            return pa.concat_tables([one.replace_schema_metadata(None) for one in new])
        groups = np.unique(np.concatenate([one.column("group").to_numpy() for one in new]))
        old = (
            _with_groups(read_range(path, "group", self.first, self.last), groups)
            for path in self.emitted_files[: self.resolved_files]
        )
        return pa.concat_tables([one.replace_schema_metadata(None) for one in (*old, *new)])


def _with_groups(table: pa.Table, groups: np.ndarray) -> pa.Table:
    mine = table.column("group").to_numpy()
    places = np.minimum(np.searchsorted(groups, mine), max(len(groups) - 1, 0))
    return table.filter(pa.array(groups[places] == mine)) if len(groups) else table.slice(0, 0)


@dataclass(frozen=True, slots=True)
class CheckTask:
    """Check the pairs that no build before has checked."""

    root: Path
    stage: StageRun
    pairs: tuple[Path, ...]
    out: Path

    @property
    def title(self) -> str:
        """For error messages."""
        return f"checking pairs of {self.stage.name}"

    def run(self, work: Work) -> int:
        """Write the pairs that hold; the result is their number."""
        check = find(self.stage.name).join.check
        assert check is not None
        read = page_reader(Directory(self.root), self.stage.solve_needs, self.out.parent)
        return save(self.out, check(Portions(self.pairs), read, self.stage.config), self.stage.key)


def merge_checked(paths: Sequence[Path], out: Path, key: str) -> None:
    """Put many files together, so that a corpus that grows a little every day does not gather thousands of them."""
    save(out, (table.sort_by("page") for table in Portions(paths)), key)


@dataclass(frozen=True, slots=True)
class SolveTask:
    """Make the decisions that count from the decisions of all groups, or from the pages of a walk."""

    root: Path
    stage: StageRun
    rows: tuple[Path, ...]
    out: Path
    chunks: tuple[tuple[str, ...], ...]
    """For each chunk of each shard the key of all that solve reads from it."""

    @property
    def title(self) -> str:
        """For error messages."""
        return f"linking {self.stage.name}"

    def run(self, work: Work) -> int:
        """Write the decisions; the result is their number."""
        solve = find(self.stage.name).join.solve
        assert solve is not None
        read = page_reader(Directory(self.root), self.stage.solve_needs, self.out.parent)
        memory = Memory(memory_folder(self.out.parent), self.chunks)
        return save(self.out, solve(Portions(self.rows), read, self.stage.config, memory), self.stage.key)


def note_of(path: Path) -> str:
    """What a solve has to tell the user."""
    return str((pq.read_schema(path).metadata or {}).get(b"note", b"").decode())


def ranges(emitted_files: Sequence[Path]) -> list[tuple[int, int]]:
    """Ranges of groups such that each holds a bounded number of the rows; groups are spread evenly by hashing."""
    footers = [pq.read_metadata(path) for path in emitted_files]
    rows = sum(one.num_rows for one in footers)
    size = sum(one.row_group(group).total_byte_size for one in footers for group in range(one.num_row_groups))
    count = max(1, -(-rows // RANGE_ROWS), -(-size // RANGE_BYTES))
    edges = [(number << 64) // count for number in range(count + 1)]
    return [(low, high - 1) for low, high in itertools.pairwise(edges)]
