"""An annotated text: sentences of tokens, each with its place in the text and what is known about it.

Everything is held in columns, one list per layer, because a text has many tokens; sentences and tokens are views that
are made when somebody looks at them. A layer that nobody computed is ``None``.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

LAYERS = ("upos", "xpos", "feats", "lemma", "head", "deprel", "ner", "oov", "frame")
"""Columns that annotation adds to the tokens."""
EMPTY = "_"
"""What CoNLL-U writes where there is nothing."""


@dataclass(slots=True, kw_only=True)
class Document:
    """An annotated text.

    >>> import paberki
    >>> paberki.annotate("Pas laje.", lang="hr").sentences[0].tokens[0].lemma
    'pas'
    """

    text: str
    lang: str = ""
    forms: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    """Where each token begins in the text, in characters."""
    ends: list[int] = field(default_factory=list)
    edges: list[int] = field(default_factory=lambda: [0])
    """Number of the first token of each sentence, and after the last sentence the number of tokens."""
    upos: list[str] | None = None
    xpos: list[str] | None = None
    feats: list[str] | None = None
    lemma: list[str] | None = None
    head: list[int] | None = None
    """Number of each token's head within its sentence, from 1; 0 for the root."""
    deprel: list[str] | None = None
    ner: list[str] | None = None
    """``B-per``, ``I-per``, ``O``: begin, inside and outside of names."""
    oov: list[bool] | None = None
    """The form is in none of the model's lexicons."""
    frame: list[str | None] | None = None
    """Name of the valency frame, where one was found."""
    misc: list[str] | None = None
    comments: list[list[str]] | None = None
    """Comment lines of each sentence in its input file."""
    extras: list[dict[int, list[str]]] | None = None
    """Lines of multiword tokens and empty nodes, by the number of the token they stand before (from 0)."""
    others: dict[str, Document] = field(default_factory=dict)
    """Further annotations of the same sentences, by the name of their scheme."""

    def __len__(self) -> int:
        return len(self.forms)

    @property
    def sentences(self) -> Sequence[Sentence]:
        """The sentences, in order."""
        return [Sentence(self, number) for number in range(len(self.edges) - 1)]

    @property
    def tokens(self) -> Sequence[Token]:
        """All tokens of all sentences."""
        return [Token(self, number) for number in range(len(self.forms))]

    def layers(self) -> list[str]:
        """Names of the layers that are there."""
        return [name for name in LAYERS if getattr(self, name) is not None]

    def column(self, name: str) -> list[Any]:
        """A layer as a list; ``_`` for every token if the layer was not computed."""
        values = getattr(self, name)
        return values if values is not None else [EMPTY] * len(self.forms)

    def to_conllu(self) -> str:
        """The document in CoNLL-U, https://universaldependencies.org/format.html."""
        from paberki.annotation.files.conllu_writer import write_document

        return write_document(self)

    def to_vert(self) -> str:
        """One token per line, ``<s>`` around sentences, ``<g/>`` where no space stands between two tokens."""
        from paberki.annotation.files.vertical_text import write_document

        return write_document(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, ready for JSON."""
        return {
            "lang": self.lang,
            "text": self.text,
            "sentences": [
                {
                    "start": sentence.start,
                    "end": sentence.end,
                    "text": sentence.text,
                    "tokens": [token.to_dict() for token in sentence.tokens],
                }
                for sentence in self.sentences
            ],
        }

    def to_json(self) -> str:
        """:meth:`to_dict` as one JSON object."""
        return json.dumps(self.to_dict(), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a document; ``tokens`` are its words and signs."""

    document: Document
    number: int

    @property
    def first(self) -> int:
        """Number of its first token in the document."""
        return self.document.edges[self.number]

    @property
    def last(self) -> int:
        """Number of the token after its last one."""
        return self.document.edges[self.number + 1]

    @property
    def start(self) -> int:
        """Where it begins in the text."""
        return self.document.starts[self.first] if self.last > self.first else 0

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.document.ends[self.last - 1] if self.last > self.first else 0

    @property
    def text(self) -> str:
        """What stands there, spaces and all."""
        return self.document.text[self.start : self.end]

    @property
    def tokens(self) -> list[Token]:
        """Its tokens."""
        return [Token(self.document, number) for number in range(self.first, self.last)]

    def __len__(self) -> int:
        return self.last - self.first

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a document."""

    document: Document
    number: int

    def _of(self, layer: str) -> Any:
        values = getattr(self.document, layer)
        return values[self.number] if values is not None else None

    @property
    def form(self) -> str:
        """The token as it stands in the text."""
        return self.document.forms[self.number]

    @property
    def start(self) -> int:
        """Where it begins in the text, in characters."""
        return self.document.starts[self.number]

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.document.ends[self.number]

    @property
    def id(self) -> int:
        """Its number in the sentence, from 1."""
        edges = self.document.edges
        return self.number - edges[bisect_right(edges, self.number) - 1] + 1

    @property
    def upos(self) -> str | None:
        """Universal part of speech."""
        return cast("str | None", self._of("upos"))

    @property
    def xpos(self) -> str | None:
        """Tag of the language's own tag set."""
        return cast("str | None", self._of("xpos"))

    @property
    def feats(self) -> str | None:
        """Universal features, ``_`` if there are none."""
        return cast("str | None", self._of("feats"))

    @property
    def lemma(self) -> str | None:
        """Dictionary form."""
        return cast("str | None", self._of("lemma"))

    @property
    def head(self) -> int | None:
        """Number of the head within the sentence, 0 for the root."""
        return cast("int | None", self._of("head"))

    @property
    def deprel(self) -> str | None:
        """Relation to the head."""
        return cast("str | None", self._of("deprel"))

    @property
    def ner(self) -> str | None:
        """Part of a name: ``B-loc``, ``I-loc`` or ``O``."""
        return cast("str | None", self._of("ner"))

    @property
    def oov(self) -> bool | None:
        """Whether the form is in none of the model's lexicons."""
        return cast("bool | None", self._of("oov"))

    @property
    def frame(self) -> str | None:
        """Valency frame of the token, if one was found."""
        return cast("str | None", self._of("frame"))

    def to_dict(self) -> dict[str, Any]:
        """What is known about the token."""
        layers = {name: self._of(name) for name in self.document.layers()}
        return {"id": self.id, "form": self.form, "start": self.start, "end": self.end, **layers}
