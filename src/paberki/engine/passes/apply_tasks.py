"""The last step of a join: decisions become the layer of a shard.

When a corpus grows, most decisions about old pages stay the same. Chunks with the same decisions and input are copied from
the old layer file, and a layer without any change is not written again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from paberki.engine.keys import digest
from paberki.engine.passes.join_files import read_chunks, read_range
from paberki.engine.passes.map_tasks import StageRun, run_apply
from paberki.engine.task import Work
from paberki.stage import Stage, find
from paberki.store import layer
from paberki.store.columns import ERROR, schema
from paberki.store.directory import Directory
from paberki.store.taken_down.hiding import committing, hide_late


@dataclass(frozen=True, slots=True)
class JoinLayer:
    """What the layer of a shard was made from, and what is in it."""

    key: str
    chunks: tuple[str, ...]
    """Key of the input and decisions of each chunk."""
    columns: Mapping[str, tuple[str, ...]]
    """Digest of the content of each column, chunk by chunk: what later stages depend on."""


@dataclass(frozen=True, slots=True)
class ApplyTask:
    """Turn decisions into the layer of one shard; chunks that have not changed are copied."""

    root: Path
    shard: int
    stage: StageRun
    tombstones: frozenset[int]
    keys: str
    decision_files: tuple[Path, ...]
    chunks: tuple[str, ...]
    """Key of the input of each chunk, without the decisions."""
    before: JoinLayer | None = None
    """The layer of the build before, if there is one."""

    @property
    def title(self) -> str:
        """For error messages."""
        return f"writing {self.stage.name} of shard {self.shard:05d}"

    def run(self, work: Work) -> JoinLayer:
        """Write the layer; the result describes it."""
        directory, stage = Directory(self.root), find(self.stage.name)
        path = directory.layer(stage.layer, self.shard)
        decisions = self._decisions()
        chunks = tuple(digest(key, _content(self._of_chunk(decisions, at))) for at, key in enumerate(self.chunks))
        key = digest(self.stage.key, chunks)
        there = layer.footer(path)
        before = self.before if there and self.before and there.key == self.before.key else None
        if there is None or there.key != key or there.keys != self.keys:
            same = _same(before.chunks, chunks) if before and there and there.keys == self.keys else frozenset()
            groups = self._groups(directory, stage, decisions, same)
            with committing(directory):
                layer.renew(path, schema(stage.adds), groups, same, key=key, keys=self.keys)
                hide_late(directory, path, stage.layer, self.shard, 0, self.tombstones)
        elif before:
            return before
        return JoinLayer(key, chunks, layer.column_digests(path))

    def _of_chunk(self, decisions: pa.Table, chunk: int) -> pa.Table:
        first = self.shard * layer.SHARD + chunk * layer.CHUNK
        low, high = np.searchsorted(decisions.column("page").to_numpy(), [first, first + layer.CHUNK])
        return decisions.take(pa.array(np.arange(low, high)))

    def _groups(
        self, directory: Directory, stage: Stage, decisions: pa.Table, same: Container[int]
    ) -> Iterator[pa.Table]:
        """Tables of the chunks that have changed."""
        shape = schema(stage.adds)
        chunks = [chunk for chunk in range(len(self.chunks)) if chunk not in same]
        for batch in read_chunks(directory, self.shard, self.stage.needs, self.tombstones, chunks):
            columns = run_apply(stage, self.stage, batch, one_per_page(decisions, batch.pages))
            columns["error"] = pa.nulls(len(batch), ERROR)
            yield pa.table([columns[name] for name in shape.names], schema=shape)

    def _decisions(self) -> pa.Table:
        first = self.shard * layer.SHARD
        tables = [read_range(path, "page", first, first + layer.SHARD - 1) for path in self.decision_files]
        return pa.concat_tables([one.replace_schema_metadata(None) for one in tables]).sort_by("page")


def _same(before: tuple[str, ...], now: tuple[str, ...]) -> frozenset[int]:
    return frozenset(at for at, (one, other) in enumerate(zip(before, now, strict=False)) if one == other)


def _content(table: pa.Table) -> str:
    """Digest of a table's values, whatever its chunks."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks().unify_dictionaries())
    return hashlib.blake2b(sink.getvalue(), digest_size=16).hexdigest()


def one_per_page(decisions: pa.Table, pages: np.ndarray) -> pa.Table:
    """One row for each page of a batch: its decision, or nulls where none was made."""
    decided_pages = decisions.column("page").to_numpy()
    low, high = np.searchsorted(decided_pages, [pages[0], pages[-1] + 1]) if len(pages) else (0, 0)
    where = np.full(len(pages), -1, np.int64)
    where[decided_pages[low:high] - (pages[0] if len(pages) else 0)] = np.arange(low, high)
    return decisions.take(pa.array(where, mask=where < 0)).combine_chunks()
