"""A pass of one join stage over all shards."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from paberki.engine.build_state import State, Tally
from paberki.engine.keys import digest
from paberki.engine.passes.apply_tasks import ApplyTask, Made
from paberki.engine.passes.join_files import outside_emitted, saved_key
from paberki.engine.passes.join_tasks import (
    CheckTask,
    EmitTask,
    LinkTask,
    OutsideTask,
    ResolveTask,
    memory_of,
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
"""Files of checked pairs, one for each build that brought pages, before they are put together."""


def run_join_pass(state: State, step: Step) -> None:
    """Bring the layer of this step up to date; unchanged shards keep their files."""
    started = time.monotonic()
    name = step.stage.layer
    folder = _folder(state, name)
    chunks, inputs, whole = join_inputs(state, step)
    tally = Tally(step.stage.name)
    state.tallies.append(tally)
    _forget(step, folder)
    if resolved_before(state, name, whole):
        tally.skipped = state.manifest.pages
        return
    used = state.engine.cpu_seconds
    state.report.begin(name, 2 * state.manifest.pages)
    outside = _outside(state, step, folder)
    emitted = _emit(state, step, folder, chunks, inputs)
    if step.stage.check is None:
        decided = _resolve(state, step, folder, emitted, whole)
    else:
        checked = _checked(state, step, folder, outside, emitted, inputs)
        decided = _link(state, step, folder, checked, whole)
    tally.note = note_of(decided[0]) if step.stage.link else ""
    made = _apply(state, step, chunks, inputs, decided)
    write_json(folder / "state.json", {"whole": whole, "made": [asdict(one) for one in made]})
    _depend_on(state, name, made)
    for path in (*decided, *folder.glob("decided-*.parquet")):
        path.unlink(missing_ok=True)
    tally.pages = tally.pages_in = state.manifest.pages
    tally.seconds, tally.cpu_seconds = time.monotonic() - started, state.engine.cpu_seconds - used


def _folder(state: State, name: str) -> Path:
    return state.directory.private / "join" / name


def join_inputs(state: State, step: Step) -> tuple[list[tuple[str, ...]], list[str], str]:
    """Key of the input of every chunk of every shard, of every shard, and of all of them together."""
    chunks = [state.chunk_keys(step, shard) for shard in state.shards]
    inputs = [digest(keys, state.rows(shard)) for shard, keys in enumerate(chunks)]
    foreign = [source.digest for source in _sources(state, step)]
    revisits = state.manifest.revisits if step.stage.revisits else []
    return chunks, inputs, digest(step.stage.name, inputs, revisits, *([foreign] if foreign else []))


def _sources(state: State, step: Step) -> Sequence[Elsewhere]:
    elsewhere = step.stage.elsewhere
    return elsewhere(step.config, state.directory.root) if elsewhere else ()


def _outside(state: State, step: Step, folder: Path) -> list[Path]:
    """What pages of other corpora emit; taken in again when one of these corpora has changed."""
    sources = _sources(state, step)
    key = digest(step.stage.name, plain(step.config), [source.digest for source in sources])
    try:
        said = read_json(folder / "outside.json")
    except FileNotFoundError:
        said = {}
    count = int(said.get("files", 0)) if said.get("key") == key else 0
    if said.get("key") != key:
        for source in sources:
            task = OutsideTask(state.stage_run(step, key), source, folder, count)
            count += sum(number for _, number in state.engine.run([task]))
        if sources or said:
            write_json(folder / "outside.json", {"key": key, "files": count})
    return [outside_emitted(folder, number) for number in range(count)]


def resolved_before(state: State, name: str, whole: str) -> bool:
    """Whether the join was resolved from exactly this input and all its layers are in place."""
    resolved, made = _made_before(_folder(state, name))
    if resolved != whole or len(made) != len(state.shards):
        return False
    _depend_on(state, name, made)
    return all(state.done(name, shard) for shard in state.shards)


def _made_before(folder: Path) -> tuple[str, list[Made]]:
    """Key of the input that a join was resolved from, and what it made of every shard."""
    try:
        said = read_json(folder / "state.json")
    except FileNotFoundError:
        return "", []
    return said["whole"], [
        Made(one["key"], tuple(one["chunks"]), {name: tuple(column) for name, column in one["columns"].items()})
        for one in said.get("made", [])
    ]


def _depend_on(state: State, name: str, made: list[Made]) -> None:
    state.made[name] = made
    state.wanted[name] = state.keys[name] = [one.key for one in made]


def _emit(state: State, step: Step, folder: Path, chunks: list[tuple[str, ...]], inputs: list[str]) -> list[Path]:
    """Emitted rows of all shards; those of unchanged shards are kept from the build before."""
    paths = [folder / f"emitted-{shard:05d}.parquet" for shard in state.shards]
    todo = []
    for shard, (path, key) in enumerate(zip(paths, inputs, strict=True)):
        if saved_key(path) == key:
            state.report.advance(state.rows(shard))
        else:
            run = state.stage_run(step, key)
            todo.append(EmitTask(state.directory.root, shard, run, state.gone[shard], path, chunks[shard]))
    for task, _ in state.engine.run(todo):
        state.report.advance(state.rows(task.shard))
    if step.stage.revisits:
        paths += [state.directory.layers / "archive" / name for name in state.manifest.revisits]
    return paths


def _resolve(state: State, step: Step, folder: Path, emitted: list[Path], whole: str) -> list[Path]:
    run = state.stage_run(step, whole)
    tasks = [
        ResolveTask(run, tuple(emitted), low, high, folder / f"decided-{number:05d}.parquet")
        for number, (low, high) in enumerate(ranges(emitted))
    ]
    for _ in state.engine.run([task for task in tasks if saved_key(task.out) != whole]):
        pass
    decided = [task.out for task in tasks]
    if step.stage.link is None:
        return decided
    linked = _link(state, step, folder, decided, whole)
    for path in decided:
        path.unlink(missing_ok=True)
    return linked


def _link(state: State, step: Step, folder: Path, decided: list[Path], whole: str) -> list[Path]:
    linked = folder / "linked.parquet"
    if saved_key(linked) != whole:
        run = state.stage_run(step, whole)
        for _ in state.engine.run(
            [LinkTask(state.directory.root, run, tuple(decided), linked, _for_memory(state, step))]
        ):
            pass
        _forget(step, folder)
    return [linked]


def _forget(step: Step, folder: Path) -> None:
    """Remove what earlier links, and those that were killed, have left."""
    if step.stage.remembers:
        step.stage.remembers(memory_of(folder))


def _for_memory(state: State, step: Step) -> tuple[tuple[str, ...], ...]:
    """What a link that remembers is told about the chunks of all shards."""
    if not step.stage.remembers:
        return ()
    return tuple(state.chunk_keys(step, shard, step.stage.told) for shard in state.shards)


def _checked(
    state: State, step: Step, folder: Path, outside: list[Path], emitted: list[Path], inputs: list[str]
) -> list[Path]:
    """All pairs that hold: those of the builds before, as far as their shards are the same, and those with new pages.

    A pair is found among the rows of one group and never goes away when pages are added, so a file of checked pairs
    is good as long as the shards that it covers, the first ones of the corpus, are what they were.
    """
    known, covered = _known_pairs(folder, outside, inputs)
    if covered == len(inputs):
        return known
    key = _pairs_key(outside, inputs, covered, len(inputs))
    files = [*outside, *emitted]
    old = len(outside) + covered if covered else 0
    run = state.stage_run(step, key)
    since = covered * SHARD if covered else None
    tasks = [
        ResolveTask(run, tuple(files), low, high, folder / f"decided-{number:05d}.parquet", old, since)
        for number, (low, high) in enumerate(ranges(files[old:]))
    ]
    for _ in state.engine.run([task for task in tasks if saved_key(task.out) != key]):
        pass
    decided = tuple(task.out for task in tasks)
    new = folder / f"checked-{covered:05d}-{len(inputs):05d}.parquet"
    for _ in state.engine.run([CheckTask(state.directory.root, run, decided, new)]):
        pass
    for path in decided:
        path.unlink(missing_ok=True)
    return [*known, new]


def _known_pairs(folder: Path, outside: list[Path], inputs: list[str]) -> tuple[list[Path], int]:
    """Files of checked pairs that are still good, and how many shards they cover; the others are removed."""
    good: list[Path] = []
    covered = 0
    for path in sorted(folder.glob("checked-*.parquet")):
        first, last = (int(number) for number in path.stem.split("-")[1:])
        if first == covered and saved_key(path) == _pairs_key(outside, inputs, first, last):
            good.append(path)
            covered = last
        else:
            path.unlink(missing_ok=True)
    if len(good) > MANY:
        one = folder / f"checked-{0:05d}-{covered:05d}.parquet"
        merge_checked(good, one, _pairs_key(outside, inputs, 0, covered))
        for path in good:
            path.unlink(missing_ok=True)
        good = [one]
    return good, covered


def _pairs_key(outside: list[Path], inputs: list[str], first: int, last: int) -> str:
    return digest("by page", [saved_key(path) for path in outside], inputs[:last], first)


def _apply(
    state: State, step: Step, chunks: list[tuple[str, ...]], inputs: list[str], decided: list[Path]
) -> list[Made]:
    before: list[Made | None] = [*_made_before(_folder(state, step.stage.layer))[1]]
    before += [None] * (len(inputs) - len(before))
    tasks = [
        ApplyTask(
            state.directory.root,
            shard,
            state.stage_run(step, inputs[shard]),
            state.gone[shard],
            about.keys,
            tuple(decided),
            chunks[shard],
            before[shard],
        )
        for shard, about in enumerate(state.manifest.shards)
    ]
    made: dict[int, Made] = {}
    for task, one in state.engine.run(tasks):
        made[task.shard] = one
        state.report.advance(state.rows(task.shard))
    return [made[shard] for shard in state.shards]
