"""A pass of fused map stages: tasks for the chunks that are missing, and layer files from finished parts."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from typing import Any

import pyarrow.parquet as pq

from paberki.engine.build_state import BuildState, StageTally
from paberki.engine.error_limit import Failures, failed_count
from paberki.engine.passes.failure_log import log_failures
from paberki.engine.passes.map_tasks import JoinPartsTask, MapTask, StageCost
from paberki.engine.plan import Step
from paberki.stage import find
from paberki.store import layer
from paberki.store.columns import schema

EARLY = 1000
"""Rows after which a build that fails too often stops without waiting for the rest."""


def run_map_pass(state: BuildState, steps: tuple[Step, ...]) -> None:
    """Bring the layers of these steps up to date in every shard."""
    start = time.monotonic()
    state.want(steps)
    work = MapPass(state, steps)
    try:
        work.run()
    finally:
        for tally in work.tallies.values():
            tally.seconds = time.monotonic() - start
    state.settle_all(steps)


def unfinished_chunks(state: BuildState, steps: Sequence[Step], shard: int) -> list[int]:
    """Chunks of a shard that no task has finished yet."""
    stale = stale_steps(state, steps, shard)
    chunks = range(chunk_count(state, shard)) if stale else ()
    return [chunk for chunk in chunks if not all(part_done(state, step, shard, chunk) for step in stale)]


def stale_steps(state: BuildState, steps: Sequence[Step], shard: int) -> list[Step]:
    """Steps whose layer of a shard is not up to date."""
    stale: list[Step] = []
    for step in steps:
        stale_layers = {one.stage.layer for one in stale}
        fresh = state.options.part is None and parts_complete(state, step, shard)
        if fresh or not state.is_up_to_date(step.stage.layer, shard) or stale_layers & set(step.after):
            stale.append(step)
    return stale


def parts_complete(state: BuildState, step: Step, shard: int) -> bool:
    """Whether the files of all chunks of a shard are there: a layer can be made of them."""
    name, key = step.stage.layer, state.due_keys[step.stage.layer][shard]
    paths = [state.directory.part(name, shard, chunk) for chunk in range(chunk_count(state, shard))]
    footers = map(layer.part_footer, paths if paths[0].parent.is_dir() else ())
    return paths[0].parent.is_dir() and all(one is not None and one.key == key for one in footers)


def chunk_count(state: BuildState, shard: int) -> int:
    """Number of chunks in a shard."""
    return -(-state.rows(shard) // layer.CHUNK)


def owner(shard: int, chunk: int, count: int) -> int:
    """Number of the part, of so many, that works on a chunk; from 1 on."""
    return (shard + chunk) % count + 1


def part_done(state: BuildState, step: Step, shard: int, chunk: int) -> bool:
    """Whether the file of a finished chunk is there and up to date."""
    about = layer.part_footer(state.directory.part(step.stage.layer, shard, chunk))
    if about is None or about.key != state.due_keys[step.stage.layer][shard]:
        return False
    return not (state.options.retry_errors and about.failed)


class MapPass:
    """Which steps are stale in which shard, and what is left to do."""

    def __init__(self, state: BuildState, steps: tuple[Step, ...]) -> None:
        self.state, self.steps = state, steps
        self.tallies = {step.stage.layer: StageTally(step.stage.name) for step in steps}
        state.tallies.extend(self.tallies.values())
        self._error_counts: dict[tuple[str, int], int] = {}
        """Failed rows of layers that are not made yet, by shard."""
        if state.options.part is None:
            self._remove_leftovers()
        self.stale = {shard: stale_steps(state, steps, shard) for shard in state.shards}
        for shard, stale in self.stale.items():
            for step in steps:
                tally = self.tallies[step.stage.layer]
                if step in stale:
                    tally.pages += sum(self._rows_of(shard, chunk) for chunk in self._own_chunks(shard))
                else:
                    tally.skipped += state.rows(shard)

    def _remove_leftovers(self) -> None:
        """Remove chunk files of layers that are up to date. A complete set of chunk files stays: it replaces the layer."""
        for shard in self.state.shards:
            for step in self.steps:
                folder = self.state.directory.part(step.stage.layer, shard, 0).parent
                whole = parts_complete(self.state, step, shard)
                if self.state.is_up_to_date(step.stage.layer, shard) and not whole:
                    shutil.rmtree(folder, ignore_errors=True)

    def run(self) -> None:
        """Run what is missing; join the parts of each shard as soon as they are complete."""
        tasks = {shard: self._tasks(shard, stale) for shard, stale in self.stale.items() if stale}
        todo = [task for mine in tasks.values() for task in mine]
        missing = {shard: len(mine) for shard, mine in tasks.items()}
        title = " ".join(step.stage.layer for step in self.steps)
        if tasks:
            self.state.report.begin(title, sum(self._rows(task) for task in todo))
        self._count_finished(failures := Failures(self.state, title))
        failures.check(self.state.manifest.pages)
        ready = [one for shard, count in missing.items() if count == 0 for one in self._join_tasks(shard)]

        def follow(task: Any, result: Any) -> Sequence[Any]:
            if isinstance(task, JoinPartsTask):
                return ()
            failures.add(task.shard, task.chunk, self._layers(task), self._count(task, result), self._rows(task))
            failures.check(max(failures.record_count, EARLY))
            missing[task.shard] -= 1
            if missing[task.shard] == 0 and not failures.too_many(self.state.manifest.pages):
                return self._join_tasks(task.shard)
            return ()

        for task, result in self.state.engine.run([*ready, *todo], follow):
            if isinstance(task, JoinPartsTask):
                self._drop_parts(task, result)
            else:
                self.state.report.advance(self._rows(task), sum(one.errors for one in result))
        failures.check(self.state.manifest.pages)

    def _layers(self, task: MapTask) -> tuple[str, ...]:
        return tuple(find(run.name).layer for run in task.runs)

    def _count(self, task: MapTask, costs: Sequence[StageCost]) -> int:
        """Add what a task did to the tallies; the number of failed rows."""
        log_failures(self.state.directory, task, costs)
        for name, one in zip(self._layers(task), costs, strict=True):
            self.tallies[name].pages_in += one.pages
            tally = self.tallies[name]
            tally.bytes_in += one.bytes
            tally.cpu_seconds += one.cpu_seconds
            tally.peak_bytes = max(tally.peak_bytes, one.peak_bytes)
            tally.errors += one.errors
            self._error_counts[name, task.shard] = self._error_counts.get((name, task.shard), 0) + one.errors
        return sum(one.errors for one in costs)

    def _count_finished(self, failures: Failures) -> None:
        """Count the chunks that other parts, or an earlier build that was stopped, have finished."""
        for shard, stale in self.stale.items():
            names = tuple(step.stage.layer for step in stale)
            for chunk in range(chunk_count(self.state, shard)) if stale else ():
                if all(part_done(self.state, step, shard, chunk) for step in stale):
                    errors = sum(failed_count(self.state, name, shard, chunk) for name in names)
                    failures.add(shard, chunk, names, errors, self._rows_of(shard, chunk))

    def _rows(self, task: MapTask) -> int:
        return self._rows_of(task.shard, task.chunk)

    def _rows_of(self, shard: int, chunk: int) -> int:
        return min(layer.CHUNK, self.state.rows(shard) - chunk * layer.CHUNK)

    def _own_chunks(self, shard: int) -> list[int]:
        """Chunks that this build works on: all, those of its part, or none if it only runs joins."""
        if self.state.options.joins:
            return []
        number, count = self.state.options.part or (1, 1)
        return [chunk for chunk in range(chunk_count(self.state, shard)) if owner(shard, chunk, count) == number]

    def _tasks(self, shard: int, steps: list[Step]) -> list[MapTask]:
        """Tasks for the chunks that are ours and not finished."""
        if self.state.options.retry_errors:
            for step in steps:
                self._keep_good_chunks(step, shard)
        return [
            self._task(shard, chunk, steps)
            for chunk in self._own_chunks(shard)
            if not all(part_done(self.state, step, shard, chunk) for step in steps)
        ]

    def _keep_good_chunks(self, step: Step, shard: int) -> None:
        """Before failed rows are tried again, turn chunks without failures into parts, so that only the others are redone."""
        path = self.state.directory.layer(step.stage.layer, shard)
        footer = layer.footer(path)
        if footer is None or footer.key != self.state.due_keys[step.stage.layer][shard]:
            return
        with pq.ParquetFile(path) as file:
            for chunk in range(file.num_row_groups):
                table = file.read_row_group(chunk, use_threads=False)
                self.tallies[step.stage.layer].mended += table.num_rows - table.column("error").null_count
                if table.column("error").null_count == table.num_rows:
                    part = self.state.directory.part(step.stage.layer, shard, chunk)
                    layer.write_part(part, table, schema(step.stage.adds), key=footer.key)

    def _task(self, shard: int, chunk: int, steps: list[Step]) -> MapTask:
        stale_layers = {step.stage.layer for step in steps}
        reads = [read for step in steps for read in step.reads if read.partition(".")[0] not in stale_layers]
        failure_layers = [name for step in steps for name in step.after if name not in stale_layers]
        first = chunk * layer.CHUNK
        runs = (self.state.stage_run(step, self.state.due_keys[step.stage.layer][shard]) for step in steps)
        return MapTask(
            self.state.directory.root,
            shard,
            chunk,
            tuple(runs),
            tuple(dict.fromkeys(reads)),
            tuple(dict.fromkeys(failure_layers)),
            frozenset(row - first for row in self.state.tombstones[shard] if first <= row < first + layer.CHUNK),
        )

    def _join_tasks(self, shard: int) -> list[JoinPartsTask]:
        """Tasks that make the layer files of a shard; none while a chunk is missing, and none for a part of a build: other
        parts may be at work on the same shard."""
        state, stale = self.state, self.stale[shard]
        if state.options.part or not all(parts_complete(state, step, shard) for step in stale):
            return []
        keys, chunks = state.manifest.shards[shard].keys, chunk_count(state, shard)
        runs = (state.stage_run(step, state.due_keys[step.stage.layer][shard]) for step in stale)
        return [JoinPartsTask(state.directory.root, shard, run, keys, chunks) for run in runs]

    def _drop_parts(self, task: JoinPartsTask, errors: int) -> None:
        """The layer is there: its parts can go."""
        name = find(task.stage.name).layer
        self.tallies[name].errors += errors - self._error_counts.pop((name, task.shard), 0)
        self.tallies[name].mended = max(0, self.tallies[name].mended - errors)
        shutil.rmtree(self.state.directory.part(name, task.shard, 0).parent, ignore_errors=True)
