"""Aliases: the same stage once more under a word of the user's, with a layer, settings and columns of its own.

``quality.linear.register.v1`` is ``quality.linear.v1`` with the layer ``linear_register``, which is also the table of its
settings in the recipe, and the columns ``register_label``, ``register_score`` and so on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from paberki.stage.contract import Columns, Join, Map, Stage

_ALIAS: Final = re.compile(r"(?P<stem>.+)\.(?P<word>[a-z][a-z0-9_]{0,40})\.(?P<version>v[1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class _Renaming:
    """A function of a stage, whose columns get the names of the alias."""

    function: Callable[..., Columns]
    names: Mapping[str, str]

    def __call__(self, *arguments: Any) -> Columns:
        return {self.names.get(name, name): values for name, values in self.function(*arguments).items()}

    @property
    def __wrapped__(self) -> Callable[..., Columns]:
        return self.function


def alias_of(name: str, stage_by_name: Mapping[str, Stage]) -> Stage | None:
    """The stage that a name with a word of the user's stands for; None if there is none."""
    match = _ALIAS.fullmatch(name)
    stage = stage_by_name.get(f"{match['stem']}.{match['version']}") if match else None
    return _alias(stage, match["word"]) if match and stage else None


def _alias(stage: Stage, word: str) -> Stage:
    names, layer = _column_names(stage, word), f"{stage.layer}_{word}"
    parts = stage.parts
    if isinstance(parts, Map):
        parts = Map(_Renaming(parts.run, names))
    elif isinstance(parts, Join):
        parts = replace(parts, apply=_Renaming(parts.apply, names))
    return replace(
        stage,
        name=f"{stage.name.removesuffix(stage.version)}{word}.{stage.version}",
        layer=layer,
        adds=tuple(replace(column, name=names[column.name], layer=layer) for column in stage.adds),
        parts=parts,
    )


def _column_names(stage: Stage, word: str) -> dict[str, str]:
    """Names of the columns under the alias: the word and the last part of the name, or the whole name if parts repeat."""
    names = [column.name for column in stage.adds]
    endings = [name.rpartition("_")[2] for name in names]
    if len(set(endings)) < len(endings):
        endings = names
    return {name: f"{word}_{ending}" for name, ending in zip(names, endings, strict=True)}
