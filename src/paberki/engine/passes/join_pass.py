"""A pass of one join stage over all shards."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from paberki.engine.build_state import BuildState, StageTally
from paberki.engine.keys import digest
from paberki.engine.passes.apply_tasks import ApplyTask, JoinLayer
from paberki.engine.passes.join_files import emitted_key, memory_folder, outside_emitted, remove_unnamed, saved_key
from paberki.engine.passes.join_tasks import (
    CheckTask,
    EmitTask,
    OutsideTask,
    ResolveTask,
    SolveTask,
    merge_checked,
    note_of,
    ranges,
)
from paberki.engine.plan import Step
from paberki.recipe.settings import plain
from paberki.stage import Elsewhere
from paberki.store.files import read_json, write_json
from paberki.store.layer import SHARD

MANY = 32
"""So many files of checked pairs, one for each build that brought pages, may exist before they are merged."""


def run_join_pass(state: BuildState, step: Step) -> None:
    """Bring the layer of this step up to date; unchanged shards keep their files."""
    start = time.monotonic()
    name = step.stage.layer
    folder = _folder(state, name)
    chunks, inputs, whole = join_inputs(state, step)
    tally = StageTally(step.stage.name)
    state.tallies.append(tally)
    remove_unnamed(memory_folder(folder))
    if resolved_before(state, name, whole):
        tally.skipped = state.manifest.pages
        return
    cpu_before, _ = state.engine.cpu_seconds, state.engine.take_peak()
    state.report.begin(name, 2 * state.manifest.pages)
    outside = _outside(state, step, folder)
    emitted_files = _emit(state, step, folder, chunks, inputs)
    decisions = _decide(state, step, folder, outside, emitted_files, inputs, whole)
    tally.note = note_of(decisions[0]) if step.stage.join.solve else ""
    layers = _apply(state, step, chunks, inputs, decisions)
    write_json(folder / "state.json", {"whole": whole, "made": [asdict(one) for one in layers]})
    _depend_on(state, name, layers)
    for path in (*decisions, *folder.glob("decided-*.parquet")):
        path.unlink(missing_ok=True)
    tally.pages = tally.pages_in = state.manifest.pages
    tally.bytes_in, tally.peak_bytes = state.payload_bytes(), state.engine.take_peak()
    tally.seconds, tally.cpu_seconds = time.monotonic() - start, state.engine.cpu_seconds - cpu_before


def _folder(state: BuildState, name: str) -> Path:
    return state.directory.private / "join" / name


def join_inputs(state: BuildState, step: Step) -> tuple[list[tuple[str, ...]], list[str], str]:
    """Key of the input of every chunk of every shard, of every shard, and of all of them together."""
    chunks = [state.chunk_keys(step, shard) for shard in state.shards]
    inputs = [digest(keys, state.rows(shard)) for shard, keys in enumerate(chunks)]
    foreign = [source.digest for source in _sources(state, step)]
    revisits = state.manifest.revisits if step.stage.join.revisits else []
    return chunks, inputs, digest(step.stage.name, inputs, revisits, *([foreign] if foreign else []))


def _sources(state: BuildState, step: Step) -> Sequence[Elsewhere]:
    other_corpora = step.stage.join.other_corpora
    return other_corpora(step.config, state.directory.root) if other_corpora else ()


def _outside(state: BuildState, step: Step, folder: Path) -> list[Path]:
    """Files of the rows that pages of other corpora emit; made again when one of these corpora has changed."""
    sources = _sources(state, step)
    key = digest(step.stage.name, plain(step.config), [source.digest for source in sources])
    try:
        before = read_json(folder / "outside.json")
    except FileNotFoundError:
        before = {}
    count = int(before.get("files", 0)) if before.get("key") == key else 0
    if before.get("key") != key:
        for source in sources:
            task = OutsideTask(state.stage_run(step, key), source, folder, count)
            count += sum(number for _, number in state.engine.run([task]))
        if sources or before:
            write_json(folder / "outside.json", {"key": key, "files": count})
    return [outside_emitted(folder, number) for number in range(count)]


def resolved_before(state: BuildState, name: str, whole: str) -> bool:
    """Whether the join was resolved from exactly this input and all its layers are in place."""
    resolved_key, layers = _layers_before(_folder(state, name))
    if resolved_key != whole or len(layers) != len(state.shards):
        return False
    _depend_on(state, name, layers)
    return all(state.is_up_to_date(name, shard) for shard in state.shards)


def _layers_before(folder: Path) -> tuple[str, list[JoinLayer]]:
    """Key of the input that a join was resolved from, and what it made of every shard."""
    try:
        before = read_json(folder / "state.json")
    except FileNotFoundError:
        return "", []
    return before["whole"], [
        JoinLayer(one["key"], tuple(one["chunks"]), {name: tuple(column) for name, column in one["columns"].items()})
        for one in before.get("made", [])
    ]


def _depend_on(state: BuildState, name: str, layers: list[JoinLayer]) -> None:
    state.join_layers[name] = layers
    state.due_keys[name] = state.keys[name] = [one.key for one in layers]


def _emit(state: BuildState, step: Step, folder: Path, chunks: list[tuple[str, ...]], inputs: list[str]) -> list[Path]:
    """Emitted rows of all shards; those of unchanged shards are kept from the build before."""
    paths = [folder / f"emitted-{shard:05d}.parquet" for shard in state.shards]
    todo = []
    is_grouped = step.stage.join.resolve is not None
    for shard, (path, key) in enumerate(zip(paths, inputs, strict=True)):
        if emitted_key(path, grouped=is_grouped) == key:
            state.report.advance(state.rows(shard))
        else:
            run = state.stage_run(step, key)
            todo.append(EmitTask(state.directory.root, shard, run, state.tombstones[shard], path, chunks[shard]))
    for task, _ in state.engine.run(todo):
        state.report.advance(state.rows(task.shard))
    if step.stage.join.revisits:
        paths += [state.directory.layers / "archive" / name for name in state.manifest.revisits]
    return paths


def _decide(
    state: BuildState,
    step: Step,
    folder: Path,
    outside: list[Path],
    emitted_files: list[Path],
    inputs: list[str],
    whole: str,
) -> list[Path]:
    """Files of the decisions that apply reads."""
    join = step.stage.join
    if join.resolve is None:
        return _solve(state, step, folder, emitted_files, whole)
    if join.check is not None:
        return _solve(state, step, folder, _check_pairs(state, step, folder, outside, emitted_files, inputs), whole)
    pair_files = _resolve(state, step, folder, emitted_files, whole)
    if join.solve is None:
        return pair_files
    solution_files = _solve(state, step, folder, pair_files, whole)
    for path in pair_files:
        path.unlink(missing_ok=True)
    return solution_files


def _resolve(
    state: BuildState,
    step: Step,
    folder: Path,
    emitted_files: list[Path],
    key: str,
    resolved_files: int = 0,
    since: int | None = None,
) -> list[Path]:
    run = state.stage_run(step, key)
    tasks = [
        ResolveTask(
            run, tuple(emitted_files), low, high, folder / f"decided-{number:05d}.parquet", resolved_files, since
        )
        for number, (low, high) in enumerate(ranges(emitted_files[resolved_files:]))
    ]
    _run_all(state, [task for task in tasks if saved_key(task.out) != key])
    return [task.out for task in tasks]


def _solve(state: BuildState, step: Step, folder: Path, rows: list[Path], whole: str) -> list[Path]:
    decisions = folder / "linked.parquet"
    if saved_key(decisions) != whole:
        chunks = tuple(state.chunk_keys(step, shard, step.solve_needs) for shard in state.shards)
        run = state.stage_run(step, whole)
        _run_all(state, [SolveTask(state.directory.root, run, tuple(rows), decisions, chunks)])
        remove_unnamed(memory_folder(folder))
    return [decisions]


def _run_all(state: BuildState, tasks: Sequence[Any]) -> None:
    """Run tasks whose results are files."""
    for _ in state.engine.run(tasks):
        pass


def _check_pairs(
    state: BuildState, step: Step, folder: Path, outside: list[Path], emitted_files: list[Path], inputs: list[str]
) -> list[Path]:
    """Files of all pairs that hold: those of builds before, as far as their shards have not changed, and a new one.

    A pair comes from the rows of one group and never vanishes when pages are added. So a file of checked pairs is good
    as long as the shards that it covers, the first ones of the corpus, have not changed.
    """
    files, covered_shards = _known_pairs(folder, outside, inputs)
    if covered_shards == len(inputs):
        return files
    key = _pairs_key(outside, inputs, covered_shards, len(inputs))
    resolved_files = len(outside) + covered_shards if covered_shards else 0
    since = covered_shards * SHARD if covered_shards else None
    pairs = _resolve(state, step, folder, [*outside, *emitted_files], key, resolved_files, since)
    new = folder / f"checked-{covered_shards:05d}-{len(inputs):05d}.parquet"
    _run_all(state, [CheckTask(state.directory.root, state.stage_run(step, key), tuple(pairs), new)])
    for path in pairs:
        path.unlink(missing_ok=True)
    return [*files, new]


def _known_pairs(folder: Path, outside: list[Path], inputs: list[str]) -> tuple[list[Path], int]:
    """Files of checked pairs that are still good, and how many shards they cover; the others are removed."""
    good: list[Path] = []
    covered_shards = 0
    for path in sorted(folder.glob("checked-*.parquet")):
        first, last = (int(number) for number in path.stem.split("-")[1:])
        if first == covered_shards and saved_key(path) == _pairs_key(outside, inputs, first, last):
            good.append(path)
            covered_shards = last
        else:
            path.unlink(missing_ok=True)
    if len(good) > MANY:
        one = folder / f"checked-{0:05d}-{covered_shards:05d}.parquet"
        merge_checked(good, one, _pairs_key(outside, inputs, 0, covered_shards))
        for path in good:
            path.unlink(missing_ok=True)
        good = [one]
    return good, covered_shards


def _pairs_key(outside: list[Path], inputs: list[str], first: int, last: int) -> str:
    return digest("by page", [saved_key(path) for path in outside], inputs[:last], first)


def _apply(
    state: BuildState, step: Step, chunks: list[tuple[str, ...]], inputs: list[str], decisions: list[Path]
) -> list[JoinLayer]:
    before: list[JoinLayer | None] = [*_layers_before(_folder(state, step.stage.layer))[1]]
    before += [None] * (len(inputs) - len(before))
    tasks = [
        ApplyTask(
            state.directory.root,
            shard,
            state.stage_run(step, inputs[shard]),
            state.tombstones[shard],
            about.keys,
            tuple(decisions),
            chunks[shard],
            before[shard],
        )
        for shard, about in enumerate(state.manifest.shards)
    ]
    layers: dict[int, JoinLayer] = {}
    for task, one in state.engine.run(tasks):
        layers[task.shard] = one
        state.report.advance(state.rows(task.shard))
    return [layers[shard] for shard in state.shards]
