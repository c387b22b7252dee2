"""The stages of a recipe: those of its preset or its own list, with some added and some removed.

``add = ["metadata.page.v1"]`` puts a stage at the first place where all columns that it needs exist, so that later stages
and the rules of select can use its columns. ``remove`` takes stages out by name or by layer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from paberki.errors import ConfigError, PaberkiError
from paberki.nearest import nearest
from paberki.recipe.settings import Place
from paberki.stage import Stage, ephemerals, find
from paberki.store.batch import base_column
from paberki.store.columns import builtin


def stage_names(table: Mapping[str, Any], place: Place) -> list[str]:
    """Names of the stages of a recipe on top of its preset, in order."""
    names = [str(name) for name in table.get("stages", ())]
    for changed_name in _stage_names(table, "remove", place):
        names = _without(names, changed_name, place)
    for changed_name in _stage_names(table, "add", place):
        names = _with(names, changed_name, place)
    return names


def stage_of(name: str, place: Place, key: str = "stages") -> Stage:
    """The stage of a name; an unknown name is an error with its place in the recipe."""
    try:
        return find(name)
    except PaberkiError as error:
        raise ConfigError(f"{place(key)}: {error}") from error


def _stage_names(table: Mapping[str, Any], key: str, place: Place) -> list[str]:
    names = table.get(key, ())
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise ConfigError(f'{place(key)}: {key} should be a list of stages, e.g. {key} = ["metadata.page.v1"]')
    return list(names)


def _without(names: Sequence[str], removed_name: str, place: Place) -> list[str]:
    layers = {name: stage_of(name, place).layer for name in names}
    if removed_name not in names and removed_name not in layers.values():
        stage_names_in_order = ", ".join(names)
        raise ConfigError(
            f"{place('remove')}: the recipe has no stage {removed_name!r}{nearest(removed_name, names)}; it has {stage_names_in_order}"
        )
    return [name for name in names if removed_name not in (name, layers[name])]


def _with(names: Sequence[str], added_name: str, place: Place) -> list[str]:
    stage = stage_of(added_name, place, "add")
    if added_name in names:
        return list(names)
    others = [stage_of(name, place) for name in names]
    if same := next((one.name for one in others if one.layer == stage.layer), None):
        raise ConfigError(
            f"{place('add')}: {added_name} writes the layer {stage.layer!r}, as {same} does; "
            f'say remove = ["{same}"] as well, or name it under another word where it can have one'
        )
    for at in range(len(others) + 1):
        if _is_ready(stage, others[:at]):
            return [*names[:at], added_name, *names[at:]]
    return [*names, added_name]  # the plan says what is missing


def _is_ready(stage: Stage, before: Sequence[Stage]) -> bool:
    """Whether these stages give all that a stage needs."""
    columns = [*builtin("archive"), *(column for one in before for column in one.adds)]
    short = {column.name: column.full for column in columns}
    try:
        config = stage.config()
        needs = (*stage.needs_for(config, short), *stage.solve_needs_for(config, short))
    except PaberkiError:
        return False
    model_layers = {one.layer for one in before if one.kind == "fit"}
    return set(stage.models) <= model_layers and all(_is_there(need, set(short.values())) for need in needs)


def _is_there(need: str, columns: set[str]) -> bool:
    if "." in need:
        return base_column(need) in columns or need.endswith(".error")
    provider = ephemerals().get(need)
    return provider is not None and all(_is_there(one, columns) for one in provider.needs)
