"""A pass of one fit stage: reuse the pinned model, or learn it from all shards and pin it."""

from __future__ import annotations

import shutil
import time

from paberki.engine.build_state import BuildState, StageTally
from paberki.engine.passes.fit_tasks import MergeTask, ObserveTask
from paberki.engine.plan import Step
from paberki.errors import ContractError
from paberki.model import Pin, pin, pins


def run_fit_pass(state: BuildState, step: Step) -> None:
    """Make sure that the model of this step is there and in force."""
    name, folder = step.stage.layer, state.directory.models
    pinned_model = pins(folder).get(name)
    usable = usable_pin(state, step)
    if usable is not None and not state.options.refit:
        state.models[name] = usable
        state.tallies.append(StageTally(step.stage.name, 0, state.manifest.pages))
        return
    if not state.manifest.shards:
        raise ContractError("the corpus has no pages yet; type: paberki import DIR FILE… or paberki crawl DIR")
    start, cpu_before, _ = time.monotonic(), state.engine.cpu_seconds, state.engine.take_peak()
    new = _learn(state, step)
    pin(folder, name, new)
    if pinned_model is not None and pinned_model.file != new.file:
        (folder / pinned_model.file).unlink(missing_ok=True)
    state.models[name] = new
    pages, cpu_seconds = state.manifest.pages, state.engine.cpu_seconds - cpu_before
    tally = StageTally(
        step.stage.name, pages, seconds=time.monotonic() - start, pages_in=pages, cpu_seconds=cpu_seconds
    )
    tally.bytes_in, tally.peak_bytes = state.payload_bytes(), state.engine.take_peak()
    state.tallies.append(tally)


def usable_pin(state: BuildState, step: Step) -> Pin | None:
    """The model in force, if it was learnt with the settings of this recipe and is there."""
    folder = state.directory.models
    pinned_model = pins(folder).get(step.stage.layer)
    usable = (
        pinned_model is not None
        and pinned_model.settings == state.settings(step)
        and (folder / pinned_model.file).exists()
    )
    return pinned_model if usable else None


def _learn(state: BuildState, step: Step) -> Pin:
    run = state.stage_run(step, step.settings)
    out = state.directory.private / "fit" / step.stage.layer
    tasks = [ObserveTask(state.directory.root, shard, run, out / f"{shard:05d}.arrow") for shard in state.shards]
    state.report.begin(step.stage.layer, state.manifest.pages)
    for task, _ in state.engine.run(tasks):
        state.report.advance(state.rows(task.shard))
    merge = MergeTask(state.directory.root, run, tuple(task.out for task in tasks))
    _, (file, content) = next(iter(state.engine.run([merge])))
    shutil.rmtree(out, ignore_errors=True)
    return Pin(step.stage.name, file, content, state.settings(step), state.manifest.pages)
