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
    "vert": "vertical file for corpus managers",
}
"""Formats of texts; each has a module of its name in ``formats`` with a ``FORM``."""
SIGNATURES: Final = "signatures"
"""Not texts but signatures, with which others can detect copies: see :mod:`paberki.dedup.signatures.published`."""
NAMES: Final = (*FORMATS, SIGNATURES)


def form_of(name: str) -> Form:
    """The writer of a format."""
    if name not in FORMATS:
        raise ConfigError(f"no format {name!r}{nearest(name, NAMES)}; known: {', '.join(NAMES)}")
    form: Form = import_module(f"paberki.export.formats.{name}").FORM
    return form


def help_text() -> str:
    """All formats with what they are for."""
    return "; ".join([*(f"{name}: {about}" for name, about in FORMATS.items()), f"{SIGNATURES}: for dedup.against"])
