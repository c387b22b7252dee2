"""A pass of fused map stages: tasks for the chunks that are missing, and layer files from finished parts."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from typing import Any

import pyarrow.parquet as pq

from paberki.engine.mapping import JoinPartsTask, MapTask
from paberki.engine.plan import Step
from paberki.engine.state import State, Tally
from paberki.stage import find
from paberki.store import layer
from paberki.store.columns import schema

EARLY = 1000
"""Rows after which a build that fails too often stops without waiting for the rest."""


def run_map_pass(state: State, steps: tuple[Step, ...]) -> None:
    """Bring the layers of these steps up to date in every shard."""
    started = time.monotonic()
    for step in steps:
        keys = [state.key(step, shard) for shard in state.shards]
        state.wanted[step.stage.layer] = state.keys[step.stage.layer] = keys
    work = MapPass(state, steps)
    work.run()
    for step in steps:
        state.settle(step.stage.layer)
        work.tallies[step.stage.layer].seconds = time.monotonic() - started
    state.tallies.extend(work.tallies.values())


class MapPass:
    """Which steps are stale in which shard, and what is left to do."""

    def __init__(self, state: State, steps: tuple[Step, ...]) -> None:
        self.state, self.steps = state, steps
        self.tallies = {step.stage.layer: Tally(step.stage.name) for step in steps}
        self.stale = {shard: self._stale(shard) for shard in state.shards}
        for shard, stale in self.stale.items():
            for step in steps:
                tally = self.tallies[step.stage.layer]
                if step in stale:
                    tally.pages += state.rows(shard)
                else:
                    tally.skipped += state.rows(shard)

    def _stale(self, shard: int) -> list[Step]:
        stale: list[Step] = []
        for step in self.steps:
            redone = {one.stage.layer for one in stale}
            if not self.state.done(step.stage.layer, shard) or redone & set(step.after):
                stale.append(step)
        return stale

    def run(self) -> None:
        """Run what is missing; join the parts of each shard as soon as they are complete."""
        tasks = {shard: self._tasks(shard, stale) for shard, stale in self.stale.items() if stale}
        todo = [task for mine in tasks.values() for task in mine]
        missing = {shard: len(mine) for shard, mine in tasks.items()}
        title = " ".join(step.stage.layer for step in self.steps)
        if tasks:
            self.state.report.begin(title, sum(self._rows(task) for task in todo))
        ready = [one for shard, count in missing.items() if count == 0 for one in self._join_tasks(shard)]
        failed = seen = 0

        def follow(task: Any, result: Any) -> Sequence[Any]:
            if isinstance(task, JoinPartsTask):
                return ()
            missing[task.shard] -= 1
            return self._join_tasks(task.shard) if missing[task.shard] == 0 else ()

        for task, errors in self.state.engine.run([*ready, *todo], follow):
            if isinstance(task, JoinPartsTask):
                self._joined(task, errors)
                continue
            failed, seen = failed + errors, seen + self._rows(task)
            self.state.report.advance(self._rows(task), errors)
            self.state.check_errors(title, failed, max(seen, EARLY))
        if todo:
            self.state.check_errors(title, failed, self.state.manifest.pages)

    def _rows(self, task: MapTask) -> int:
        return min(layer.CHUNK, self.state.rows(task.shard) - task.chunk * layer.CHUNK)

    def _chunks(self, shard: int) -> int:
        return -(-self.state.rows(shard) // layer.CHUNK)

    def _tasks(self, shard: int, steps: list[Step]) -> list[MapTask]:
        """Tasks for the chunks whose parts are not finished; with ``--part`` only those that are ours."""
        part, count = self.state.options.part or (1, 1)
        mine = [chunk for chunk in range(self._chunks(shard)) if (shard + chunk) % count == part - 1]
        if self.state.options.retry_errors:
            for step in steps:
                self._keep_good_chunks(step, shard)
        return [
            self._task(shard, chunk, steps)
            for chunk in mine
            if not all(self._part_done(step, shard, chunk) for step in steps)
        ]

    def _keep_good_chunks(self, step: Step, shard: int) -> None:
        """Before failed rows are tried again: chunks without any become parts, so that only the others are redone."""
        path = self.state.directory.layer(step.stage.layer, shard)
        found = layer.footer(path)
        if found is None or found.key != self.state.wanted[step.stage.layer][shard]:
            return
        with pq.ParquetFile(path) as file:
            for chunk in range(file.num_row_groups):
                table = file.read_row_group(chunk, use_threads=False)
                if table.column("error").null_count == table.num_rows:
                    part = self.state.directory.part(step.stage.layer, shard, chunk)
                    layer.write_part(part, table, schema(step.stage.adds), key=found.key)

    def _part_done(self, step: Step, shard: int, chunk: int) -> bool:
        found = layer.part_footer(self.state.directory.part(step.stage.layer, shard, chunk))
        if found is None or found.key != self.state.wanted[step.stage.layer][shard]:
            return False
        return not (self.state.options.retry_errors and found.failed)

    def _task(self, shard: int, chunk: int, steps: list[Step]) -> MapTask:
        made = {step.stage.layer for step in steps}
        reads = [read for step in steps for read in step.reads if read.partition(".")[0] not in made]
        failed = [name for step in steps for name in step.after if name not in made]
        first = chunk * layer.CHUNK
        runs = (self.state.stage_run(step, self.state.wanted[step.stage.layer][shard]) for step in steps)
        return MapTask(
            self.state.directory.root,
            shard,
            chunk,
            tuple(runs),
            tuple(dict.fromkeys(reads)),
            tuple(dict.fromkeys(failed)),
            frozenset(row - first for row in self.state.gone[shard] if first <= row < first + layer.CHUNK),
        )

    def _join_tasks(self, shard: int) -> list[JoinPartsTask]:
        """Tasks that make the layer files of a shard; none while others (``--part``) are still at work on it."""
        state, chunks = self.state, self._chunks(shard)
        tasks = []
        for step in self.stale[shard]:
            name = step.stage.layer
            key = state.wanted[name][shard]
            footers = [layer.part_footer(state.directory.part(name, shard, chunk)) for chunk in range(chunks)]
            if any(found is None or found.key != key for found in footers):
                return []
            keys = state.manifest.shards[shard].keys
            tasks.append(JoinPartsTask(state.directory.root, shard, state.stage_run(step, key), keys, chunks))
        return tasks

    def _joined(self, task: JoinPartsTask, errors: int) -> None:
        """The layer is there: its parts can go."""
        name = find(task.stage.name).layer
        self.tallies[name].errors += errors
        shutil.rmtree(self.state.directory.part(name, task.shard, 0).parent, ignore_errors=True)
