"""The list of formats and their purposes, without heavy imports, for the help of the command line."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from paberki.errors import ConfigError
from paberki.nearest import nearest

if TYPE_CHECKING:
    from paberki.export.export_format import Form

FORMATS: Final = {
    "conllu": "CoNLL-U: annotated sentences",
    "jsonl": "one JSON object for each page",
    "parquet": "a table for data frames and SQL",
    "recipe-list": "addresses and byte spans without text, for: paberki rebuild",
    "sentences": "sentences without any order, one per line",
    "tei": "TEI P5 with words, lemmas, tags and trees",
    "text": "plain text",
    "vert": "vertical file for corpus managers",
    "wet": "WARC records with plain text",
    "wsf": "Web Standard Format: XML with byte offsets",
}
"""Formats of texts; each has a module of its name, with _ for -, in ``formats`` with a ``FORM``."""
TOKENS: Final = "tokens"
"""Needs a tokenizer."""
SIGNATURES: Final = "signatures"
"""Not texts but signatures, with which others can detect copies: see :mod:`paberki.dedup.signatures.published`."""
NAMES: Final = (*FORMATS, TOKENS, SIGNATURES)


def form_of(name: str, *, tokens: bool = False) -> Form:
    """The writer of a format; with ``tokens`` a format of texts holds their annotation too."""
    if name not in (*FORMATS, TOKENS):
        raise ConfigError(f"no format {name!r}{nearest(name, NAMES)}; known: {', '.join(NAMES)}")
    form: Form = import_module(f"paberki.export.formats.{name.replace('-', '_')}").FORM
    if tokens:
        from paberki.export.words.annotation_form import with_tokens

        return with_tokens(form)
    return form


def help_text() -> str:
    """All formats with what they are for."""
    more = {TOKENS: "numbers of a tokenizer, for training", SIGNATURES: "for dedup.against"}
    return "; ".join(f"{name}: {about}" for name, about in {**FORMATS, **more}.items())
