"""Fit stages: partial observations per shard, merged in shard order, pinned by content."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from paberki.engine.passes.map_tasks import StageRun
from paberki.engine.task import Work
from paberki.model import save_model
from paberki.stage import find
from paberki.store import layer
from paberki.store.batch import Batch
from paberki.store.directory import Directory
from paberki.store.files import replacing
from paberki.store.taken_down.hiding import layer_files, rows_of_keys, without_lists

TOGETHER = 8
"""Chunks whose observations are merged in one go: merging may cost as much as observing."""


@dataclass(frozen=True, slots=True)
class ObserveTask:
    """Observe one shard, chunk by chunk."""

    root: Path
    shard: int
    stage: StageRun
    out: Path

    @property
    def title(self) -> str:
        """For error messages."""
        return f"observing shard {self.shard:05d} for {self.stage.name}"

    def run(self, work: Work) -> int:
        """Write the partial; the result is its number of rows."""
        fit, directory = find(self.stage.name).fit, Directory(self.root)
        needs = layer.grouped_by_layer(self.stage.needs)
        partial: pa.Table | None = None
        waiting: list[pa.Table] = []
        with ExitStack() as stack:
            files = layer_files(stack, directory, self.shard, needs)
            tombstone_keys = directory.tombstones()
            for chunk in range(next(iter(files.values())).groups):
                columns = {
                    f"{name}.{column}": array
                    for name, file in files.items()
                    for column, array in file.read(chunk, list(dict.fromkeys(needs[name]))).items()
                }
                first = self.shard * layer.SHARD + chunk * layer.CHUNK
                rows = len(next(iter(columns.values())))
                columns = without_lists(columns, rows_of_keys(directory, self.shard, tombstone_keys, chunk))
                batch = Batch(first + np.arange(rows, dtype=np.int64), columns)
                waiting.append(fit.observe(batch.view(self.stage.needs), self.stage.config, partial))
                if len(waiting) == TOGETHER:
                    partial = fit.merge([*([] if partial is None else [partial]), *waiting], self.stage.config)
                    waiting = []
        partial = fit.merge([*([] if partial is None else [partial]), *waiting], self.stage.config)
        with (
            replacing(self.out) as beside,
            pa.OSFile(str(beside), "wb") as sink,
            pa.ipc.new_file(sink, partial.schema) as writer,
        ):
            writer.write_table(partial)
        return int(partial.num_rows)


@dataclass(frozen=True, slots=True)
class MergeTask:
    """Merge the partials of all shards into a model."""

    root: Path
    stage: StageRun
    partials: tuple[Path, ...]

    @property
    def title(self) -> str:
        """For error messages."""
        return f"learning {self.stage.name}"

    def run(self, work: Work) -> tuple[str, str]:
        """Save the model; the result is its file name and digest."""
        stage = find(self.stage.name)
        model: pa.Table | None = None
        for path in self.partials:
            partial = pa.ipc.open_file(pa.OSFile(str(path))).read_all()
            # Two at a time, in shard order: memory does not grow with the corpus.
            model = stage.fit.merge([partial] if model is None else [model, partial], self.stage.config)
        assert model is not None
        model = stage.fit.finish(model, self.stage.config)
        return save_model(Directory(self.root).models, stage.layer, model)
