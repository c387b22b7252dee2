"""What an endpoint offers: each corpus of the server is a resource."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from paberki.errors import ConfigError
from paberki.languages import three_letters
from paberki.serve.fcs.query_translation import LAYERS
from paberki.serve.library import Edition, Library

_UNKNOWN_LANGUAGE: Final = "und"


@dataclass(frozen=True, slots=True)
class FcsResource:
    """A corpus as CLARIN's aggregator sees it."""

    pid: str
    title: str
    description: str
    languages: tuple[str, ...]
    """ISO 639-3."""
    layers: tuple[str, ...]
    """Layers of FCS that it has: text, lemma, pos."""
    edition: Edition


def resources(library: Library) -> list[FcsResource]:
    """All corpora of a server."""
    return [_resource(library.edition(name)) for name in library.names]


def _resource(edition: Edition) -> FcsResource:
    pid = title = edition.name
    description, languages = "", [edition.index.lang] if edition.index.lang else []
    if edition.corpus is not None and edition.corpus.directory.recipe.is_file():
        try:
            recipe = edition.corpus.recipe
        except ConfigError:  # a stage is not installed here; the name will do
            recipe = None
        if recipe is not None:
            pid, title = recipe.fcs.pid or pid, recipe.fcs.title or title
            description, languages = recipe.fcs.description, list(recipe.lang) or languages
    codes = tuple(dict.fromkeys(three_letters(code) for code in languages)) or (_UNKNOWN_LANGUAGE,)
    attributes = edition.index.attributes
    layers = tuple(name for name in ("text", "lemma", "pos") if LAYERS[name] in attributes)
    return FcsResource(pid, title, description, codes, layers, edition)
