"""A pass of one join stage over all shards."""

from __future__ import annotations

import time
from pathlib import Path

import pyarrow.parquet as pq

from paberki.engine.joining import ApplyTask, EmitTask, LinkTask, ResolveTask, ranges, saved_key
from paberki.engine.keys import digest
from paberki.engine.plan import Step
from paberki.engine.state import State, Tally
from paberki.store.files import read_json, write_json


def run_join_pass(state: State, step: Step) -> None:
    """Bring the layer of this step up to date; unchanged shards keep their files."""
    started = time.monotonic()
    name = step.stage.layer
    folder = _folder(state, name)
    inputs, whole = join_inputs(state, step)
    tally = Tally(step.stage.name)
    state.tallies.append(tally)
    if resolved_before(state, name, whole):
        tally.skipped = state.manifest.pages
        return
    state.report.begin(name, 2 * state.manifest.pages)
    emitted = _emit(state, step, folder, inputs)
    decided = _resolve(state, step, folder, emitted, whole)
    keys = _apply(state, step, inputs, decided)
    write_json(folder / "state.json", {"whole": whole, "keys": keys})
    state.wanted[name] = state.keys[name] = keys
    for path in decided:
        path.unlink(missing_ok=True)
    tally.pages, tally.seconds = state.manifest.pages, time.monotonic() - started


def _folder(state: State, name: str) -> Path:
    return state.directory.private / "join" / name


def join_inputs(state: State, step: Step) -> tuple[list[str], str]:
    """Key of the input of every shard, and of all of them together."""
    inputs = [state.key(step, shard) for shard in state.shards]
    return inputs, digest(step.stage.name, inputs, state.manifest.revisits if step.stage.revisits else [])


def resolved_before(state: State, name: str, whole: str) -> bool:
    """Whether the join was resolved from exactly this input and all its layers are in place."""
    try:
        said = read_json(_folder(state, name) / "state.json")
    except FileNotFoundError:
        return False
    if said["whole"] != whole or len(said["keys"]) != len(state.shards):
        return False
    state.wanted[name] = state.keys[name] = list(said["keys"])
    return all(state.done(name, shard) for shard in state.shards)


def _emit(state: State, step: Step, folder: Path, inputs: list[str]) -> list[Path]:
    """Emitted rows of all shards; those of unchanged shards are kept from the build before."""
    paths = [folder / f"emitted-{shard:05d}.parquet" for shard in state.shards]
    todo = []
    for shard, (path, key) in enumerate(zip(paths, inputs, strict=True)):
        if saved_key(path) == key:
            state.report.advance(state.rows(shard))
        else:
            todo.append(EmitTask(state.directory.root, shard, state.stage_run(step, key), state.gone[shard], path))
    for task, _ in state.engine.run(todo):
        state.report.advance(state.rows(task.shard))
    if step.stage.revisits:
        paths += [state.directory.layers / "archive" / name for name in state.manifest.revisits]
    return paths


def _resolve(state: State, step: Step, folder: Path, emitted: list[Path], whole: str) -> list[Path]:
    rows = sum(pq.read_metadata(path).num_rows for path in emitted)
    run = state.stage_run(step, whole)
    tasks = [
        ResolveTask(run, tuple(emitted), low, high, folder / f"decided-{number:05d}.parquet")
        for number, (low, high) in enumerate(ranges(rows))
    ]
    for _ in state.engine.run([task for task in tasks if saved_key(task.out) != whole]):
        pass
    decided = [task.out for task in tasks]
    if step.stage.link is None:
        return decided
    linked = folder / "linked.parquet"
    if saved_key(linked) != whole:
        for _ in state.engine.run([LinkTask(state.directory.root, run, tuple(decided), linked)]):
            pass
    for path in decided:
        path.unlink(missing_ok=True)
    return [linked]


def _apply(state: State, step: Step, inputs: list[str], decided: list[Path]) -> list[str]:
    tasks = [
        ApplyTask(
            state.directory.root,
            shard,
            state.stage_run(step, inputs[shard]),
            state.gone[shard],
            about.keys,
            tuple(decided),
        )
        for shard, about in enumerate(state.manifest.shards)
    ]
    keys = [""] * len(tasks)
    for task, key in state.engine.run(tasks):
        keys[task.shard] = key
        state.report.advance(state.rows(task.shard))
    return keys
