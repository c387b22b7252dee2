"""Adapters to other annotation tools, one file each, with one interface: ``annotate(text)`` and ``add_layers(document)``.

``--tagger udpipe:model.udpipe``, ``--tagger spacy:ja_ginza``, ``--tagger stanza``, ``--tagger classla``,
``--tagger "command:my-tagger --option"`` (CoNLL-U through a pipe) or ``--tagger "vertical:my-tagger"``;
``--tagger valency:frames.tsv`` is our own annotator with the frames of a user's lexicon.
"""

from __future__ import annotations

import importlib
from typing import Protocol

from paberki.annotation.document import Document
from paberki.errors import ConfigError
from paberki.nearest import nearest

ADAPTERS = ("classla", "command", "paberki", "spacy", "stanza", "udpipe", "valency", "vertical")
FILES = ("paberki", "udpipe", "valency")
"""Adapters whose detail is the name of a file."""
COMMANDS = ("command", "vertical")
"""Adapters that run a program of the user's."""


class Tool(Protocol):
    """What an adapter can do."""

    def annotate(self, text: str) -> Document:
        """Tokens, sentences and all layers of the tool."""

    def add_layers(self, document: Document) -> None:
        """The layers of the tool on given tokens."""


def adapter(name: str, lang: str) -> Tool:
    """The adapter of that name; the part after the colon is its model or command."""
    kind, _, detail = name.partition(":")
    if kind not in ADAPTERS:
        raise ConfigError(f"no tagger {kind!r}{nearest(kind, ADAPTERS)}; known: {', '.join(ADAPTERS)}")
    module = importlib.import_module(f"paberki.annotation.adapters.{kind}")
    tool: Tool = module.open_tool(lang, detail)
    return tool
