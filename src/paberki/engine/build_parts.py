"""Builds in parts: who does which share of the map work, which parts are done, and what is missing.

A part runs map stages over its chunks and leaves a file for each chunk. Joins and fits need all pages: ``build --joins``
puts the files of finished chunks together and runs them. Parts may run at the same time, on several machines that share a file
system; they write no file that another part writes.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any, cast

from paberki.engine.build_state import BuildState, Options, Part, find_taken_down
from paberki.engine.keys import digest
from paberki.engine.passes.fit_pass import usable_pin
from paberki.engine.passes.join_pass import join_inputs, resolved_before
from paberki.engine.passes.map_pass import owner, unfinished_chunks
from paberki.engine.plan import Pass, Plan
from paberki.engine.progress import Reporter
from paberki.errors import StoreError
from paberki.store.directory import Directory
from paberki.store.files import read_json, write_json

_MARK = re.compile(r"(\d+)-of-(\d+)")


def begin(directory: Directory) -> None:
    """Note that this corpus is built in parts: ``status`` then says what is missing."""
    _folder(directory).mkdir(parents=True, exist_ok=True)


def end(directory: Directory) -> None:
    """Forget about parts after a build that left nothing to do."""
    shutil.rmtree(_folder(directory), ignore_errors=True)


def mark_done(state: BuildState, one: Pass, part: Part) -> None:
    """Note that a part has done its share of a pass."""
    path = _folder(state.directory) / f"{part[0]}-of-{part[1]}.json"
    write_json(path, {"pass": _pass_key(state, one)})


def missing(directory: Directory, plan: Plan) -> list[str]:
    """What must run next before a build in parts can go on, in the words of the command line.

    The list is empty when all is done, and for a corpus that is not built in parts.
    """
    if not _folder(directory).is_dir():
        return []
    manifest = directory.manifest()
    state = BuildState(directory, cast("Any", None), Options(), Reporter(Path("/dev/null"), None, 0), manifest)
    state.due_keys["archive"] = state.keys["archive"] = [shard.keys for shard in manifest.shards]
    find_taken_down(state)
    for one in plan.passes if manifest.shards else ():
        if one.kind == "map":
            state.want(one.steps)
            if names := missing_parts(state, one):
                return names
            if not all(state.is_up_to_date(step.stage.layer, shard) for step in one.steps for shard in state.shards):
                return _parts_without_mark(state, one) or ["joins"]
            state.settle_all(one.steps)
        elif due(state, one):
            return ["joins"]
    return []


def due(state: BuildState, one: Pass) -> bool:
    """Whether a join or a fit has something to do."""
    step = one.steps[0]
    if one.kind == "fit":
        pin = usable_pin(state, step)
        if pin is not None:
            state.models[step.stage.layer] = pin
        return pin is None
    return not resolved_before(state, step.stage.layer, join_inputs(state, step)[2])


def missing_parts(state: BuildState, one: Pass) -> list[str]:
    """Parts that have not finished their share of a pass; the stages of the pass while the number of parts is unknown."""
    chunks = [(shard, chunk) for shard in state.shards for chunk in unfinished_chunks(state, one.steps, shard)]
    if not chunks:
        return []
    if (count := _count(state.directory)) is None:
        return [" ".join(step.stage.layer for step in one.steps)]
    owners = {owner(shard, chunk, count) for shard, chunk in chunks}
    return [f"part {number}/{count}" for number in sorted(owners)]


def _parts_without_mark(state: BuildState, one: Pass) -> list[str]:
    """Parts that were not run for a pass whose chunks are all done: a small corpus has fewer chunks than parts."""
    count, key = _count(state.directory), _pass_key(state, one)
    if count is None:
        return []
    ran = {number for number in range(1, count + 1) if _mark(state.directory, number, count) == key}
    return [f"part {number}/{count}" for number in range(1, count + 1) if ran and number not in ran]


def _pass_key(state: BuildState, one: Pass) -> str:
    return digest([state.due_keys[step.stage.layer] for step in one.steps])


def _folder(directory: Directory) -> Path:
    return directory.parts


def _mark(directory: Directory, number: int, count: int) -> str:
    try:
        return str(read_json(_folder(directory) / f"{number}-of-{count}.json").get("pass", ""))
    except (FileNotFoundError, StoreError, AttributeError):
        return ""


def _count(directory: Directory) -> int | None:
    """Into how many parts the build was last cut."""
    marks = {path: match for path in _folder(directory).glob("*.json") if (match := _MARK.fullmatch(path.stem))}
    latest = max(marks, key=lambda path: path.stat().st_mtime_ns, default=None)
    return int(marks[latest][2]) if latest else None
