"""What all passes of one build share: the sealed shards, the keys of their layers, the models, the counts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

from paberki.corpus_file import content_digest, files_of, shipped
from paberki.engine.keys import digest
from paberki.engine.passes.apply_tasks import JoinLayer
from paberki.engine.passes.map_tasks import StageRun
from paberki.engine.plan import Step
from paberki.engine.progress import Reporter
from paberki.engine.task import Engine, RecordBudget
from paberki.model import Pin
from paberki.recipe.settings import plain
from paberki.store import layer
from paberki.store.directory import Directory, Manifest
from paberki.store.taken_down.hiding import rows_of_keys

Part = tuple[int, int]
"""A share of the map work: (i, n) with i from 1 to n."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to run a build; none of it changes what comes out."""

    jobs: int = 1
    refit: bool = False
    retry_errors: bool = False
    max_errors: float | None = None
    """Share of records that may fail; None is the default of 1 %, with some grace for small corpora."""
    part: Part | None = None
    """Do only this share of the map work."""
    joins: bool = False
    """Run only the joins and fits that are due."""
    limits: RecordBudget = field(default_factory=RecordBudget)


@dataclass(slots=True)
class StageTally:
    """What one stage did in this build."""

    stage: str
    pages: int = 0
    skipped: int = 0
    errors: int = 0
    seconds: float = 0.0
    """Wall-clock time; map stages that run together have the same."""
    note: str = ""
    """Message of the stage to the user."""
    pages_in: int = 0
    """Pages that reached the stage: those that failed in an earlier stage or were taken down do not."""
    bytes_in: int = 0
    """Bytes of these pages as they were fetched."""
    cpu_seconds: float = 0.0
    peak_bytes: int = 0
    """Most memory of a worker while it ran the stage."""
    mended: int = 0
    """Pages that had failed in earlier builds and no longer do."""


@dataclass(slots=True)
class BuildState:
    """The state of a running build."""

    directory: Directory
    engine: Engine
    options: Options
    report: Reporter
    manifest: Manifest = field(default_factory=Manifest)
    due_keys: dict[str, list[str]] = field(default_factory=dict)
    """Key that each layer file of each shard must carry after this build."""
    keys: dict[str, list[str]] = field(default_factory=dict)
    """The same keys with a digest of the failed rows: what later stages depend on."""
    join_layers: dict[str, list[JoinLayer]] = field(default_factory=dict)
    """Layers of joins: later stages depend on the content of the columns that they read, not on the whole layer."""
    models: dict[str, Pin] = field(default_factory=dict)
    tombstones: list[frozenset[int]] = field(default_factory=list)
    """Rows of each shard that were taken down."""
    held_back: list[frozenset[int]] = field(default_factory=list)
    """Rows of each shard with copies of pages that were taken down."""
    tallies: list[StageTally] = field(default_factory=list)
    _payload_bytes: int = -1

    def payload_bytes(self) -> int:
        """Bytes of all pages as they were fetched; read once."""
        if self._payload_bytes < 0:
            paths = (self.directory.layer("archive", shard) for shard in self.shards)
            columns = (pq.read_table(path, columns=["payload_bytes"])["payload_bytes"] for path in paths)
            self._payload_bytes = sum(pc.sum(column).as_py() or 0 for column in columns)
        return self._payload_bytes

    @property
    def shards(self) -> range:
        """Numbers of all shards."""
        return range(len(self.manifest.shards))

    def rows(self, shard: int) -> int:
        """Pages in a shard."""
        return self.manifest.shards[shard].rows

    def key(self, step: Step, shard: int) -> str:
        """Hash of everything that determines the output of a step for a shard."""
        columns = self._columns(step, shard, step.reads)
        return digest(*self._parts(step, shard, self.tombstones[shard]), *([columns] if columns else []))

    def chunk_keys(self, step: Step, shard: int, reads: Collection[str] = ()) -> tuple[str, ...]:
        """Hash of everything that determines the output of a step for each chunk of a shard.

        ``reads`` limits the columns of joins that count; without it all that the step reads do.
        """
        columns = self._columns(step, shard, reads or step.reads)
        # Rows below zero stand for copies that are held back.
        rows = self.tombstones[shard] | frozenset(-1 - row for row in (self.held_back[shard] if self.held_back else ()))
        same = digest(*self._parts(step, shard, ()))
        chunks = range(0, self.rows(shard), layer.CHUNK)
        if not columns and not rows:
            return (same,) * len(chunks)
        chunk_tombstones = (
            sorted(row for row in rows if first <= (row if row >= 0 else -1 - row) < first + layer.CHUNK)
            for first in chunks
        )
        return tuple(digest(same, [column[at] for column in columns], some) for at, some in enumerate(chunk_tombstones))

    def _parts(self, step: Step, shard: int, tombstones: Collection[int]) -> list[Any]:
        """Settings, models, and the layers that map stages made."""
        return [self.inputs(step, shard), self.manifest.shards[shard].keys, sorted(tombstones)]

    def settings(self, step: Step) -> str:
        """Key of the settings of a step and of all that it builds on, with the content of files that they name."""
        contents = [file.digest() for file in step.files]
        return digest(step.settings, contents) if contents else step.settings

    def inputs(self, step: Step, shard: int) -> dict[str, Any]:
        """What a step is made from, by the names that ``plan`` gives as reasons."""
        stage, config = step.stage, step.config
        parts: dict[str, Any] = {
            "stage": stage.name,
            "settings": plain(config),
            "models": {name: self.models[name].digest for name in stage.models},
            "layers": {name: self.keys[name][shard] for name in step.after if name not in self.join_layers},
            "files": {str(file): file.digest() for _, file in files_of(config)},
            "package": {name: content_digest(shipped(name)) for name in stage.package_files(config)},
            "revision": stage.behaviour_for(config),
            "columns": {column.name: str(column.type) for column in stage.adds},
        }
        return {name: value for name, value in parts.items() if value}

    def _columns(self, step: Step, shard: int, reads: Collection[str]) -> list[tuple[str, ...]]:
        """Digests of the columns that a step reads from layers of joins, chunk by chunk."""
        names = (read.split(".")[:2] for read in step.reads if read in reads)
        columns = sorted({(name, column) for name, column in names if name in self.join_layers})
        unknown = ("",) * -(-self.rows(shard) // layer.CHUNK)  # an earlier version of the stage had fewer columns
        return [self.join_layers[name][shard].columns.get(column, unknown) for name, column in columns]

    def is_up_to_date(self, name: str, shard: int) -> bool:
        """Whether the layer of a shard is there, made by the right settings from the right input."""
        footer = layer.footer(self.directory.layer(name, shard))
        if name not in self.due_keys or footer is None or footer.key != self.due_keys[name][shard]:
            return False
        return not (self.options.retry_errors and footer.failed)

    def want(self, steps: Sequence[Step]) -> None:
        """Before a pass of map stages: the keys that their layers must carry."""
        for step in steps:
            keys = [self.key(step, shard) for shard in self.shards]
            self.due_keys[step.stage.layer] = self.keys[step.stage.layer] = keys

    def settle_all(self, steps: Sequence[Step]) -> None:
        """After a pass of map stages."""
        for step in steps:
            self.settle(step.stage.layer)

    def settle(self, name: str) -> None:
        """After a pass: later stages depend on the layer and on which of its rows failed."""
        layer_keys = []
        for shard in self.shards:
            footer = layer.footer(self.directory.layer(name, shard))
            layer_keys.append(self.due_keys[name][shard] + (footer.failed if footer else ""))
        self.keys[name] = layer_keys

    def stage_run(self, step: Step, key: str) -> StageRun:
        """The step in the form that a task carries to a worker."""
        models = tuple(self.directory.models / self.models[name].file for name in step.stage.models)
        return StageRun(step.stage.name, step.config, step.needs, key, models, step.solve_needs)


def find_taken_down(state: BuildState) -> None:
    """Note the rows of each shard that were taken down, and those of copies that are held back."""
    tombstone_keys, held_back = state.directory.tombstones(), state.directory.held_back()
    state.tombstones = [rows_of_keys(state.directory, shard, tombstone_keys) for shard in state.shards]
    state.held_back = [rows_of_keys(state.directory, shard, held_back) for shard in state.shards]
