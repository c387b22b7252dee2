"""The settings that decide about a page: rules of selection, method of extraction, limit of badness.

``paberki explain`` repeats them. A build notes them beside the layout, so that explaining a page does not import
every stage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paberki.recipe.settings import build, plain
from paberki.store.selection.select import SelectConfig

if TYPE_CHECKING:
    from paberki.recipe.corpus_recipe import Recipe


@dataclass(frozen=True, slots=True)
class Decisions:
    """What a recipe says about keeping pages."""

    select: SelectConfig
    """Settings of the selection; no rule where the recipe has no such stage."""
    method: str
    """Name of the stage that extracts text."""
    limit: float | None
    """Badness up to which a page counts as connected text."""


def decisions_of(recipe: Recipe) -> Decisions:
    """The decisions of a recipe."""
    from paberki.quality.connected.connected_stage import ConnectedConfig, limit_in

    selects = (config for _, config in recipe.stages if isinstance(config, SelectConfig))
    method = next((stage.name for stage, _ in recipe.stages if stage.layer == "extract"), "")
    quality = next((config for stage, config in recipe.stages if stage.layer == "quality"), None)
    limit = limit_in(quality) if isinstance(quality, ConnectedConfig) else getattr(quality, "limit", None)
    return Decisions(next(selects, SelectConfig()), method, limit)


def decisions_in(note: Mapping[str, Any]) -> Decisions:
    """The decisions that a note holds (see :func:`note_of`); any error where it is damaged."""
    select = build(SelectConfig, note["select"], lambda key: f"note of the last build, {key}")
    return Decisions(select, str(note["method"]), None if note["limit"] is None else float(note["limit"]))


def note_of(decisions: Decisions) -> dict[str, Any]:
    """The decisions as JSON."""
    note: dict[str, Any] = plain(decisions)
    return note
