"""The rules of presets, asked of a corpus that was built with another one: its pages have most of the same columns."""

from __future__ import annotations

from functools import lru_cache

from paberki.errors import QueryError
from paberki.nearest import nearest
from paberki.query.hits.what_if import Rules

__all__ = ["preset_names", "rules_of_preset"]


def preset_names() -> list[str]:
    """All presets."""
    from paberki.recipe.tables import presets

    return sorted(presets())


@lru_cache(maxsize=32)
def rules_of_preset(name: str, languages: tuple[str, ...]) -> Rules:
    """The rules for pages that a recipe of this preset has, for the languages of the corpus."""
    from paberki.recipe.corpus_recipe import parse
    from paberki.recipe.decisions import decisions_of
    from paberki.store.selection.select import rules_in_force

    if name not in preset_names():
        raise QueryError(
            f"there is no preset {name[:80]!r}{nearest(name, preset_names())}; there are: {', '.join(preset_names())}"
        )
    language_list = ", ".join(f'"{one}"' for one in languages if one.isalnum())
    config = decisions_of(parse(f'preset = "{name}"\nlang = [{language_list}]\n', name)).select
    return Rules(rules_in_force(config.pages, config), {"lang": config.lang}, config.copies)
