"""The build: number new pages, then bring every layer up to date, pass by pass.

Work whose key has not changed is skipped, and finished files appear by rename. So the same command after a kill, a changed
setting or a new crawl does exactly what is missing.
"""

from __future__ import annotations

import contextlib
import shlex
import shutil
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field

from paberki.archive.unchanged import check_unchanged
from paberki.engine import build_parts
from paberki.engine.build_state import BuildState, Options, Part, StageTally, find_taken_down
from paberki.engine.build_summary import KEEP, BuildSummary, summarise
from paberki.engine.error_limit import failed_in_archive, give_up, too_many
from paberki.engine.passes.fit_pass import run_fit_pass
from paberki.engine.passes.join_pass import run_join_pass
from paberki.engine.passes.map_pass import run_map_pass
from paberki.engine.passes.sealing import seal
from paberki.engine.plan import Pass, Plan
from paberki.engine.progress import Progress, Reporter
from paberki.engine.stale_reasons import remember
from paberki.engine.task import Engine
from paberki.errors import PaberkiError, StoreError
from paberki.store import layer
from paberki.store.directory import Directory
from paberki.store.files import sweep
from paberki.store.lock import hold
from paberki.store.scratch import sweep_scratch
from paberki.store.sql.failed import forget_failed
from paberki.store.taken_down.blocked_pages import renew_changed, take_down_blocked


@dataclass(slots=True)
class BuildResult:
    """What a build did."""

    pages: int
    new_pages: int
    stages: list[StageTally]
    errors: int
    seconds: float
    incomplete: str | None = None
    """Why a partial build (``--part``, ``--joins``) went no further."""
    advice: list[str] = field(default_factory=list)
    """What to do next, in sentences."""
    summary: BuildSummary | None = None
    """What is in the corpus; None before the first selection."""


def build(
    directory: Directory,
    plan: Plan,
    engine: Engine,
    options: Options,
    listen: Callable[[Progress], None] | None = None,
    log: Callable[[BuildResult], None] | None = None,
) -> BuildResult:
    """Bring a corpus up to date; ``log`` gets what was done, also by a build that was stopped."""
    start = time.monotonic()
    report = Reporter(directory.private / progress_file(options.part), listen, options.jobs)
    state = BuildState(directory, engine, options, report)
    with ExitStack() as stack:
        _lock(stack, directory, options.part)
        try:
            before = directory.manifest().pages
            _seal(state)
            if not state.manifest.shards:
                root = directory.root
                raise StoreError(f"{root}: no pages yet; type: paberki import {root} FILE… or: paberki crawl {root}")
            if options.part or options.joins:
                build_parts.begin(directory)
            incomplete = next((why for one in plan.passes if (why := _run(state, one))), None)
            forget_failed(directory)
            if incomplete is None and not options.part:
                build_parts.end(directory)
            if incomplete is None:
                remember(state, plan)
            result = _result(state, state.manifest.pages - before, start)
            result.incomplete, result.advice = incomplete, _advice(state, plan)
            if incomplete is None and KEEP in plan.columns:
                result.summary = summarise(directory, state.manifest)
            if log:
                log(result)
        except PaberkiError as error:
            partial_result = _result(state, 0, start)
            partial_result.incomplete = str(error)
            with contextlib.suppress(OSError, PaberkiError):  # what stopped it may be the disk
                if log and state.tallies:
                    log(partial_result)
            raise
        finally:
            report.end()
    return result


def _result(state: BuildState, new: int, start: float) -> BuildResult:
    errors, seconds = sum(tally.errors for tally in state.tallies), time.monotonic() - start
    return BuildResult(state.manifest.pages, new, state.tallies, errors, seconds)


def _advice(state: BuildState, plan: Plan) -> list[str]:
    """After ``--retry-errors``: models that were learnt without pages that are fine now."""
    mended_pages = {tally.stage: tally.mended for tally in state.tallies}
    learnt_stages = {tally.stage for tally in state.tallies if tally.skipped == 0}
    words, pages = [], 0
    for step in plan.steps:
        pages += mended_pages.get(step.stage.name, 0)  # a page that fails in one stage comes to none of those after it
        if step.stage.kind == "fit" and pages and step.stage.name not in learnt_stages:
            words.append(
                f"{step.stage.name} was learnt without pages that had failed then ({pages:,}); to learn it again: "
                f"{_command(state, '--refit')}"
            )
    return words


def progress_file(part: Part | None) -> str:
    """Name of the file that tells how far a build is; parts that run at the same time have one each."""
    return f"build-{part[0]}-of-{part[1]}.json" if part else "build.json"


def _lock(stack: ExitStack, directory: Directory, part: Part | None) -> None:
    """A whole build excludes every other build; a part excludes whole builds and another run of the same part."""
    stack.enter_context(hold(directory.lock("layers"), doing="building", shared=part is not None))
    if part:
        stack.enter_context(hold(directory.lock(f"part-{part[0]}-of-{part[1]}"), doing="building this part"))
    else:
        _remove_leftovers(directory)


def _remove_leftovers(directory: Directory) -> None:
    """Remove what killed builds left: half-written files, and files of tasks that are over.

    Only call it while no other build can run.
    """
    for folder in (directory.layers, directory.private, directory.models, directory.runs):
        sweep(folder)
    for name in ("scan", "fit"):
        shutil.rmtree(directory.private / name, ignore_errors=True)
    for path in directory.private.glob("build-*-of-*.json"):
        path.unlink(missing_ok=True)
    sweep_scratch()
    renew_changed(directory)


def _seal(state: BuildState) -> None:
    start, cpu_before = time.monotonic(), state.engine.cpu_seconds
    manifest = state.directory.manifest()
    before, old_shards = manifest.pages, len(manifest.shards)
    with hold(state.directory.lock("seal"), doing="numbering pages", wait=True):
        check_unchanged(state.directory)
        state.report.begin("archive", 0, "bytes")
        state.manifest, errors = seal(state.directory, state.engine, state.report.at)
    new = state.manifest.pages - before
    cpu_seconds = state.engine.cpu_seconds - cpu_before
    seconds = time.monotonic() - start
    tally = StageTally("archive.v1", new, before, errors, seconds, pages_in=new, cpu_seconds=cpu_seconds)
    tally.peak_bytes = state.engine.take_peak()
    state.tallies.append(tally)
    state.due_keys["archive"] = state.keys["archive"] = [shard.keys for shard in state.manifest.shards]
    for shard in state.shards:
        if layer.footer(path := state.directory.layer("archive", shard)) is None:
            raise StoreError(
                f"{path}: missing; restore it from a backup, or remove {state.directory.layers} and build anew"
            )
    take_down_blocked(state.directory, range(old_shards, len(state.manifest.shards)))
    find_taken_down(state)
    if too_many(state, errors, new):
        raise give_up(state, "archive.v1", errors, new, failed_in_archive(state, old_shards))
    tally.bytes_in = state.payload_bytes() if new else 0


def _run(state: BuildState, one: Pass) -> str | None:
    """Run a pass; the result is a reason to stop if a partial build cannot go further."""
    if one.kind == "map":
        run_map_pass(state, one.steps)
        return _stop_after_map(state, one)
    if state.options.part and build_parts.due(state, one):
        return f"{one.steps[0].stage.name} needs all pages; next: {_command(state, '--joins')}"
    if one.kind == "fit":
        run_fit_pass(state, one.steps[0])
    else:
        run_join_pass(state, one.steps[0])
    return None


def _stop_after_map(state: BuildState, one: Pass) -> str | None:
    """Where a build in parts stops: after its own share, or before work that parts have not done."""
    if not state.options.part and not state.options.joins:
        return None
    if state.options.part:
        build_parts.mark_done(state, one, state.options.part)
        if all(state.is_up_to_date(step.stage.layer, shard) for step in one.steps for shard in state.shards):
            return None
        absent = build_parts.missing_parts(state, one)
        number, count = state.options.part
        message = f"part {number}/{count} is done"
        return (
            f"{message}; missing: {', '.join(absent)}" if absent else f"{message}; next: {_command(state, '--joins')}"
        )
    if absent := build_parts.missing_parts(state, one):
        return f"missing: {', '.join(absent)}; type: {_command(state, '--part I/N')} for every part, or a plain build"
    return None


def _command(state: BuildState, option: str) -> str:
    return f"paberki build {shlex.quote(str(state.directory.root))} {option}"
