"""What a build would do, without doing it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from paberki.amounts import several
from paberki.engine.build_state import BuildState, Options, find_taken_down
from paberki.engine.passes.join_pass import join_inputs, resolved_before
from paberki.engine.passes.sealing import unsealed
from paberki.engine.plan import Plan, Step
from paberki.engine.progress import Reporter
from paberki.engine.stale_reasons import why
from paberki.model import Pin, pins
from paberki.store.directory import Directory

UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class Forecast:
    """What would happen to one stage."""

    stage: str
    done: int
    """Pages that are up to date."""
    todo: int
    """Pages that would be worked on."""
    note: str = ""


def forecast(directory: Directory, plan: Plan) -> tuple[int, list[Forecast]]:
    """Bytes of archive that are not numbered yet, and what each stage has to do for the pages that are."""
    manifest = directory.manifest()
    waiting = sum(source.committed - covered_bytes for source, covered_bytes in unsealed(directory, manifest))
    state = BuildState(directory, cast("Any", None), Options(), Reporter(Path("/dev/null"), None, 0), manifest)
    state.due_keys["archive"] = state.keys["archive"] = [shard.keys for shard in manifest.shards]
    find_taken_down(state)
    return waiting, [_forecast(state, step) for step in plan.steps]


def _forecast(state: BuildState, step: Step) -> Forecast:
    if step.stage.kind == "fit":
        return _fit(state, step)
    name = step.stage.layer
    if step.stage.kind == "map":
        state.due_keys[name] = state.keys[name] = [state.key(step, shard) for shard in state.shards]
        finished_shards = [shard for shard in state.shards if state.is_up_to_date(name, shard)]
        state.settle(name)
    else:
        _, inputs, whole = join_inputs(state, step)
        if resolved_before(state, name, whole):
            finished_shards = list(state.shards)
        else:
            finished_shards = []
            state.join_layers.pop(name, None)
            state.due_keys[name] = state.keys[name] = [UNKNOWN] * len(inputs)
    pages = sum(state.rows(shard) for shard in finished_shards)
    todo = state.manifest.pages - pages
    return Forecast(step.stage.name, pages, todo, why(state, step) if todo else "")


def _fit(state: BuildState, step: Step) -> Forecast:
    name = step.stage.layer
    pin = pins(state.directory.models).get(name)
    pages = state.manifest.pages
    if pin is None or pin.settings != state.settings(step):
        state.models[name] = Pin(step.stage.name, UNKNOWN, UNKNOWN, step.settings, 0)
        return Forecast(step.stage.name, 0, pages, "to be learnt")
    state.models[name] = pin
    since = pages - pin.pages
    note = f"learnt from {several(pin.pages, 'page')}" + (
        f", {since:,} have come since (--refit renews it)" if since else ""
    )
    return Forecast(step.stage.name, pages, 0, note)
