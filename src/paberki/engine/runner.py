"""The build: seal what is new, then bring every layer up to date, pass by pass.

Done and unchanged work is skipped by key; finished work appears by rename. So the same command after a kill, a changed
setting or a new crawl does exactly what is missing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from paberki.engine.fit_pass import run_fit_pass
from paberki.engine.join_pass import run_join_pass
from paberki.engine.map_pass import run_map_pass
from paberki.engine.plan import Pass, Plan
from paberki.engine.progress import Progress, Reporter
from paberki.engine.sealing import seal
from paberki.engine.state import Options, State, Tally
from paberki.engine.task import Engine
from paberki.errors import StoreError
from paberki.store import layer
from paberki.store.directory import Directory
from paberki.store.files import sweep
from paberki.store.lock import held


@dataclass(slots=True)
class Result:
    """What a build did."""

    pages: int
    new_pages: int
    stages: list[Tally]
    errors: int
    seconds: float
    incomplete: str | None = None
    """Why a partial build (``--part``) went no further."""


def build(
    directory: Directory,
    plan: Plan,
    engine: Engine,
    options: Options,
    listen: Callable[[Progress], None] | None = None,
) -> Result:
    """Bring a corpus up to date."""
    started = time.monotonic()
    report = Reporter(directory.private / "build.json", listen, options.jobs)
    state = State(directory, engine, options, report)
    with ExitStack() as stack:
        _lock(stack, directory, options.part)
        try:
            before = directory.manifest().pages
            _seal(state)
            if not state.manifest.shards:
                root = directory.root
                raise StoreError(f"{root}: no pages yet; type: paberki import {root} FILE… or: paberki crawl {root}")
            incomplete = next((why for one in plan.passes if (why := _run(state, one))), None)
        finally:
            report.end()
    errors = sum(tally.errors for tally in state.tallies)
    pages = state.manifest.pages
    return Result(pages, pages - before, state.tallies, errors, time.monotonic() - started, incomplete)


def _lock(stack: ExitStack, directory: Directory, part: tuple[int, int] | None) -> None:
    """A whole build excludes every other; partial builds exclude only whole ones and their own like."""
    stack.enter_context(held(directory.lock("layers"), doing="building", shared=part is not None))
    if part:
        stack.enter_context(held(directory.lock(f"part-{part[0]}-of-{part[1]}"), doing="building this part"))
    else:
        sweep(directory.layers)
        sweep(directory.private)


def _seal(state: State) -> None:
    started, before = time.monotonic(), state.directory.manifest().pages
    with held(state.directory.lock("seal"), doing="numbering pages", wait=True):
        state.report.begin("archive", 0, "bytes")
        state.manifest, errors = seal(state.directory, state.engine, state.report.at)
    new = state.manifest.pages - before
    state.tallies.append(Tally("archive.v1", new, before, errors, time.monotonic() - started))
    state.wanted["archive"] = state.keys["archive"] = [shard.keys for shard in state.manifest.shards]
    for shard in state.shards:
        if layer.footer(path := state.directory.layer("archive", shard)) is None:
            raise StoreError(
                f"{path}: missing; restore it from a backup, or remove {state.directory.layers} and build anew"
            )
    state.gone = taken_down(state)
    state.check_errors("archive.v1", errors, new)


def taken_down(state: State) -> list[frozenset[int]]:
    """Rows of each shard that were taken down."""
    taken = state.directory.tombstones()
    if not taken:
        return [frozenset() for _ in state.shards]
    gone = []
    for shard in state.shards:
        with layer.LayerFile(state.directory.layer("archive", shard)) as file:
            keys = file.read_all(["key"])["key"].to_pylist()
        gone.append(frozenset(row for row, key in enumerate(keys) if key in taken))
    return gone


def _run(state: State, one: Pass) -> str | None:
    """Run a pass; a reason to stop where a partial build cannot go further."""
    step = one.steps[0]
    if one.kind == "map":
        run_map_pass(state, one.steps)
        return None
    if state.options.part:
        return f"{step.stage.name} needs all parts; when they are done, run the same command without --part"
    if one.kind == "fit":
        run_fit_pass(state, step)
    else:
        run_join_pass(state, step)
    return None
