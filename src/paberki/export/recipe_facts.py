"""What an export must know of the recipe.

A build notes it beside the layout of the corpus. Reading it from there takes a hundredth of the time that making the plan
takes, which imports every stage.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paberki.errors import ConfigError
from paberki.store.built_layers import BuiltLayers, Layout
from paberki.store.directory import Directory

if TYPE_CHECKING:
    from paberki.recipe.corpus_recipe import Recipe

__all__ = ["RecipeFacts", "facts_of", "recipe_facts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipeFacts:
    """Facts from the recipe of a corpus and the settings of its stages."""

    name: str
    """Of the corpus."""
    lang: tuple[str, ...] = ()
    """Languages of the corpus."""
    taggers: tuple[str, ...] = ()
    """Who annotates; empty where no stage does."""
    has_frames: bool = False
    """Tokens have valency frames."""
    annotated_languages: tuple[str, ...] | None = None
    """Languages that are annotated; None: any."""
    min_chars: int = 0
    """Pages with less kept text are not annotated."""
    masked_types: tuple[str, ...] = ()
    """Which personal data the recipe names; all types by default."""

    def as_json(self) -> dict[str, Any]:
        """For the note of a build."""
        return dataclasses.asdict(self)


def recipe_facts(directory: Directory, layout: Layout) -> RecipeFacts:
    """Facts of a corpus: those that its build noted, or those of its recipe."""
    if isinstance(layout, BuiltLayers) and (facts := layout.facts.get("export")):
        return _from_json(facts)
    from paberki.recipe.corpus_recipe import load

    try:
        return facts_of(load(directory.recipe))
    except ConfigError:
        if isinstance(layout, BuiltLayers):  # the recipe or one of its stages is not here: the files must do
            return RecipeFacts(name=directory.root.resolve().name)
        raise


def facts_of(recipe: Recipe) -> RecipeFacts:
    """Facts of a recipe."""
    from paberki.annotation.annotate_config import AnnotateConfig
    from paberki.quality.permissions.personal import PersonalConfig

    configs = [config for _, config in recipe.stages]
    annotate = next((one for one in configs if isinstance(one, AnnotateConfig)), None)
    personal = next((one for one in configs if isinstance(one, PersonalConfig)), None)
    own = RecipeFacts(name=recipe.name, lang=tuple(map(str, recipe.lang)))
    own = dataclasses.replace(own, masked_types=tuple(personal.types) if personal else ())
    if annotate is None:
        return own
    languages = annotate.known_languages()
    return dataclasses.replace(
        own,
        taggers=tuple(map(str, annotate.taggers)),
        has_frames=bool(annotate.valency),
        annotated_languages=None if languages is None else tuple(sorted(languages)),
        min_chars=annotate.min_chars,
    )


def _from_json(facts: Mapping[str, Any]) -> RecipeFacts:
    values: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in facts.items()}
    return RecipeFacts(**values)
