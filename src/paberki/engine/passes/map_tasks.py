"""Map stages over one chunk, fused: every page is read and decoded once however many stages look at it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from paberki.engine.task import Work
from paberki.engine.workers.machine_faults import not_of_a_page
from paberki.engine.workers.peak_memory import forget_peak, peak_bytes
from paberki.errors import ContractError, PaberkiError
from paberki.model import Model, load_model
from paberki.stage import Columns, Stage, find
from paberki.store import layer
from paberki.store.batch import Batch
from paberki.store.columns import ERROR, schema
from paberki.store.directory import Directory
from paberki.store.taken_down.hiding import committing, hide_late, rows_of_keys

BATCH_ROWS = 32
BATCH_BYTES = 4 << 20
"""A batch of pages in flight: small enough that payload, text and tokens of all its pages fit into little memory."""
LIGHT = 2
"""Factor for stages that read columns only: these are in memory already, so a batch may have more pages."""
WATCHED = 8
"""Of so many batches the memory of one is looked at: that takes a tenth of a millisecond for each stage."""
LOGGED = 100
"""Failed records that a task tells the log of."""
DETAIL = 300
"""Characters kept of an error message."""


@dataclass(frozen=True, slots=True)
class StageRun:
    """A stage with everything that decides its output."""

    name: str
    config: Any
    needs: tuple[str, ...]
    key: str
    models: tuple[Path, ...] = ()
    solve_needs: tuple[str, ...] = ()
    """Columns that check and solve of a join read."""


@dataclass(slots=True)
class Output:
    """What one stage made of the rows so far."""

    rows: list[int] = field(default_factory=list)
    columns: dict[str, list[pa.Array]] = field(default_factory=dict)
    errors: dict[int, dict[str, str]] = field(default_factory=dict)
    cpu_seconds: float = 0.0
    peak_bytes: int = 0


@dataclass(frozen=True, slots=True)
class StageCost:
    """What one stage did in a task."""

    pages: int
    """Pages that came to it."""
    bytes: int
    """Their payloads."""
    errors: int
    cpu_seconds: float
    peak_bytes: int
    """Most memory that the worker held meanwhile."""
    failures: tuple[tuple[int, str, str], ...] = ()
    """Row, code and detail of the first failed records, for the log."""


@dataclass(frozen=True, slots=True)
class MapTask:
    """Run map stages over one chunk of a shard and leave one part file for each."""

    root: Path
    shard: int
    chunk: int
    runs: tuple[StageRun, ...]
    reads: tuple[str, ...]
    """Columns that come from layers on disk."""
    failed_layers: tuple[str, ...]
    """Layers whose failed rows are not looked at."""
    tombstones: frozenset[int]
    """Rows of the chunk that were taken down."""

    @property
    def title(self) -> str:
        """For error messages."""
        names = ", ".join(run.name for run in self.runs)
        return f"running {names} on shard {self.shard:05d}, chunk {self.chunk}"

    def run(self, work: Work) -> tuple[StageCost, ...]:
        """Write the parts; the result is what each stage did."""
        chunk = _Chunk(self)
        times = LIGHT if all("." in need for run in self.runs for need in run.needs) else 1
        for rows in _batches(chunk.active, chunk.sizes, work.caution.alone, times):
            banned_rows = [row for row in rows if row in work.caution.banned_rows]
            for row in banned_rows:
                code, detail = work.caution.banned_rows[row]
                chunk.fail(0, row, code, detail)
            if rows := [row for row in rows if row not in work.caution.banned_rows]:
                work.beat(rows[0], rows[-1] + 1)
                chunk.process(rows)
        work.beat(0, 0)
        return chunk.write()


@dataclass(frozen=True, slots=True)
class JoinPartsTask:
    """Make the layer file of a shard from its parts."""

    root: Path
    shard: int
    stage: StageRun
    keys: str
    chunks: int

    @property
    def title(self) -> str:
        """For error messages."""
        return f"joining {self.stage.name} of shard {self.shard:05d}"

    def run(self, work: Work) -> int:
        """Write the layer; the result is the number of its failed rows."""
        directory, stage = Directory(self.root), find(self.stage.name)
        paths = [directory.part(stage.layer, self.shard, chunk) for chunk in range(self.chunks)]
        out = directory.layer(stage.layer, self.shard)
        with committing(directory):
            errors = layer.join_parts(out, paths, key=self.stage.key, keys=self.keys)
            hide_late(directory, out, stage.layer, self.shard, 0, ())
        return errors


class _Chunk:
    """The rows of one chunk on their way through the stages."""

    def __init__(self, task: MapTask) -> None:
        self.task = task
        self.directory = Directory(task.root)
        self.stages = [find(run.name) for run in task.runs]
        self.models = [tuple(load_model(path) for path in run.models) for run in task.runs]
        self.columns, self.rows, failed_rows = _read(self.directory, task)
        self.outputs = [Output() for _ in task.runs]
        self.batches = 0
        # A page that was taken down since the build began may be hidden in the layers already.
        late_tombstones = rows_of_keys(self.directory, task.shard, self.directory.tombstones(), task.chunk)
        self.tombstones = task.tombstones | late_tombstones
        self.active = [row for row in range(self.rows) if row not in failed_rows and row not in self.tombstones]
        self.sizes = self.columns["archive.payload_bytes"].fill_null(0).to_numpy(zero_copy_only=False)
        self.first_page = task.shard * layer.SHARD + task.chunk * layer.CHUNK

    def process(self, rows: Sequence[int]) -> None:
        """Run all stages over these rows; where one raises, find out which row it was."""
        try:
            results = self._run(rows)
        except Exception as error:  # a bad page may raise anything; it becomes data
            if fault := not_of_a_page(error):
                raise fault from error
            if len(rows) > 1:
                for row in rows:
                    self.process([row])
                return
            failing = getattr(error, "_paberki_stage", 0)
            self._keep(rows, getattr(error, "_paberki_results", []))
            code = "error" if isinstance(error, PaberkiError) else "exception"
            code = "memory" if isinstance(error, MemoryError) else code
            self.fail(failing, rows[0], getattr(error, "code", code), _in_words(error))
            return
        self._keep(rows, results)

    def _run(self, rows: Sequence[int]) -> list[dict[str, pa.Array]]:
        batch = self._batch(rows)
        results: list[dict[str, pa.Array]] = []
        is_watched = self.batches % WATCHED == 0
        self.batches += 1
        for number, (stage, run, models) in enumerate(zip(self.stages, self.task.runs, self.models, strict=True)):
            start = time.process_time()
            if is_watched:
                forget_peak()
            try:
                columns, values = run_map(stage, run, batch, models)
            except Exception as error:
                error._paberki_stage, error._paberki_results = number, results  # type: ignore[attr-defined]
                raise
            finally:
                output = self.outputs[number]
                output.cpu_seconds += time.process_time() - start
                if is_watched:
                    output.peak_bytes = max(output.peak_bytes, peak_bytes())
            batch.add({f"{stage.layer}.{name}": array for name, array in columns.items()}, values)
            results.append(columns)
        return results

    def _batch(self, rows: Sequence[int]) -> Batch:
        take = pa.array(rows, pa.int64())
        columns = {name: array.take(take) for name, array in self.columns.items()}
        pages = self.first_page + np.asarray(rows, np.int64)
        return Batch(pages, columns, warc=self.directory.warc)

    def _keep(self, rows: Sequence[int], results: Sequence[Mapping[str, pa.Array]]) -> None:
        for output, columns in zip(self.outputs, results, strict=False):
            output.rows.extend(rows)
            for name, array in columns.items():
                output.columns.setdefault(name, []).append(array)

    def fail(self, stage: int, row: int, code: str, detail: str) -> None:
        """Give a row its error, in the layer of the stage that failed."""
        error = {"stage": self.task.runs[stage].name, "code": code, "detail": detail[:DETAIL]}
        self.outputs[stage].errors[row] = error

    def write(self) -> tuple[StageCost, ...]:
        """One part file per stage; rows that were not worked on are null."""
        costs = tuple(
            StageCost(
                len(output.rows) + len(output.errors),
                int(self.sizes[[*output.rows, *output.errors]].sum()),
                len(output.errors),
                output.cpu_seconds,
                output.peak_bytes,
                tuple((row, error["code"], error["detail"]) for row, error in list(output.errors.items())[:LOGGED]),
            )
            for output in self.outputs
        )
        for stage, run, output in zip(self.stages, self.task.runs, self.outputs, strict=True):
            shape = schema(stage.adds)
            # The pieces of a column go when it is whole: all of them twice would be the most that a worker ever holds.
            arrays = {column.name: _concat(output.columns.pop(column.name, []), column.type) for column in stage.adds}
            arrays = layer.aligned(arrays, output.rows, self.rows)
            arrays["error"] = pa.array([output.errors.get(row) for row in range(self.rows)], ERROR)
            table = pa.table([arrays[name] for name in shape.names], schema=shape)
            path = self.directory.part(stage.layer, self.task.shard, self.task.chunk)
            with committing(self.directory):
                layer.write_part(path, table, shape, key=run.key)
                hide_late(
                    self.directory, path, stage.layer, self.task.shard, self.task.chunk * layer.CHUNK, self.tombstones
                )
        return costs


def run_map(
    stage: Stage, run: StageRun, batch: Batch, models: Sequence[Model]
) -> tuple[dict[str, pa.Array], dict[str, Sequence[Any]]]:
    """Run one map stage on one batch and check that it returns what it declares."""
    answer = stage.map.run(batch.view(run.needs), run.config, *models)
    columns = check_columns(stage, answer, len(batch))
    return columns, {name: answer[name] for name in stage.provides if name in answer}


def run_apply(stage: Stage, run: StageRun, batch: Batch, decisions: pa.Table) -> dict[str, pa.Array]:
    """Run apply of a join on one batch and check that it returns what it declares."""
    return check_columns(stage, stage.join.apply(batch.view(run.needs), decisions, run.config), len(batch))


def check_columns(stage: Stage, answer: Columns, rows: int) -> dict[str, pa.Array]:
    """The columns that a stage returned, as declared; anything else is a broken contract."""
    declared_types = {column.name: column.type for column in stage.adds}
    if extra := set(answer) - set(declared_types) - set(stage.provides):
        raise ContractError(f"{stage.name} returned undeclared columns: {', '.join(sorted(extra))}")
    if lacking := set(declared_types) - set(answer):
        raise ContractError(f"{stage.name} did not return: {', '.join(sorted(lacking))}")
    if short := [name for name, values in answer.items() if len(values) != rows]:
        raise ContractError(f"{stage.name} returned the wrong number of rows in {', '.join(short)}")
    return {name: _array(answer[name], declared_types[name]) for name in declared_types}


def _array(values: Any, kind: pa.DataType) -> pa.Array:
    if isinstance(values, pa.Array | pa.ChunkedArray):
        array = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
        return array if array.type == kind else array.cast(kind)
    return pa.array(values, kind)


def _concat(arrays: list[pa.Array], kind: pa.DataType) -> pa.Array:
    return pa.concat_arrays(arrays) if arrays else pa.array([], kind)


def _in_words(error: Exception) -> str:
    text = str(error).strip().splitlines()
    first = text[0] if text else ""
    return first if isinstance(error, PaberkiError) else f"{type(error).__name__}: {first}".rstrip(": ")


def _batches(active: Sequence[int], sizes: Any, alone: frozenset[int], times: int) -> Iterator[list[int]]:
    """Rows in small groups, bounded in number and bytes; rows under suspicion go alone."""
    most_rows, most_bytes = times * BATCH_ROWS, times * BATCH_BYTES
    rows: list[int] = []
    size = 0
    for row in active:
        if rows and (row in alone or rows[-1] in alone or len(rows) >= most_rows or size + sizes[row] > most_bytes):
            yield rows
            rows, size = [], 0
        rows.append(row)
        size += int(sizes[row])
    if rows:
        yield rows


def _read(directory: Directory, task: MapTask) -> tuple[dict[str, pa.Array], int, frozenset[int]]:
    """The columns of the chunk, its number of rows, and the rows that failed before."""
    columns: dict[str, pa.Array] = {}
    failed_rows: set[int] = set()
    needs = layer.grouped_by_layer((*task.reads, "archive.payload_bytes"))
    for name in dict.fromkeys((*needs, *task.failed_layers)):
        names = [*dict.fromkeys(needs.get(name, ())), *(["error"] if name in task.failed_layers else [])]
        with layer.LayerFile(directory.layer(name, task.shard)) as file:
            read = file.read(task.chunk, names)
        if "error" in read:
            failed_rows.update(np.flatnonzero(read.pop("error").is_valid().to_numpy(zero_copy_only=False)).tolist())
        columns.update({f"{name}.{column}": array for column, array in read.items()})
    return columns, len(columns["archive.payload_bytes"]), frozenset(failed_rows)
