"""Why a layer is to be made again: what it was made from, compared with what it would be made from now."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from paberki.engine.build_state import BuildState
from paberki.engine.plan import Plan, Step
from paberki.errors import PaberkiError
from paberki.store.files import read_memory, write_json

_MEMORY: Final = "made-from.json"


def remember(state: BuildState, plan: Plan) -> None:
    """Write down what the layers of a finished build were made from."""
    inputs = {step.stage.layer: state.inputs(step, 0) for step in plan.steps}
    with contextlib.suppress(OSError, PaberkiError):  # nothing depends on it
        path = state.directory.private / _MEMORY
        write_json(path, {**read_memory(path), **inputs})


def why(state: BuildState, step: Step) -> str:
    """The reason in a few words; empty where it is not known."""
    before = read_memory(state.directory.private / _MEMORY).get(step.stage.layer)
    if not isinstance(before, dict) or not state.manifest.shards:
        return ""
    return "; ".join(_differences(before, state.inputs(step, 0))) or "pages have come or changed"


def _differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    if before.get("stage") != now.get("stage"):
        yield f"made by {before.get('stage')} before"
        return
    if names := _changed_names(before, now, "settings"):
        yield f"settings changed: {', '.join(names)}"
    if names := _changed_names(before, now, "files"):
        yield f"files changed: {', '.join(names)}"
    if names := _changed_names(before, now, "package"):
        yield f"another version of the package: {', '.join(names)}"
    if before.get("revision") != now.get("revision") or before.get("columns") != now.get("columns"):
        yield "another version of the stage"
    if names := _changed_names(before, now, "models"):
        yield f"models renewed: {', '.join(names)}"
    if names := _changed_names(before, now, "layers"):
        yield f"made from what changes: {', '.join(names)}"


def _changed_names(before: Mapping[str, Any], now: Mapping[str, Any], part: str) -> list[str]:
    old, new = before.get(part) or {}, now.get(part) or {}
    return sorted(name for name in {*old, *new} if old.get(name) != new.get(name))
