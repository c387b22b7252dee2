"""The annotation of a page, put together from its columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

ANNOTATION = (
    "annotated", "sent_block", "sent_length", "tok_start", "tok_end", "tok_upos", "tok_xpos", "tok_feats", "tok_lemma",
    "tok_head", "tok_deprel", "tok_ner", "tok_oov",
)  # fmt: skip
"""Columns that are read where the corpus has them."""
_NOTHING = "_"


class Annotated(NamedTuple):
    """A token with its layers; ``_`` where the stage was not asked for one."""

    start: int
    end: int
    upos: str
    xpos: str
    feats: str
    lemma: str
    head: int | str
    deprel: str
    ner: str
    oov: bool

    def form(self, text: str) -> str:
        """The token as it stands in the text of its block."""
        return text[self.start : self.end]


Sentence = list[Annotated]


def sentences_of(page: Mapping[str, Any]) -> dict[int, list[Sentence]] | None:
    """Sentences by the number of their block; ``None`` for a page without annotation."""
    if not page.get("annotated"):
        return None
    count = len(page["tok_start"])

    def layer(name: str, default: Any = _NOTHING) -> list[Any]:
        return page.get(f"tok_{name}") or [default] * count

    names = ("start", "end", "upos", "xpos", "feats", "lemma", "head", "deprel", "ner")
    tokens = [Annotated(*row) for row in zip(*(layer(name) for name in names), layer("oov", False), strict=True)]
    found: dict[int, list[Sentence]] = {}
    first = 0
    for block, length in zip(page["sent_block"], page["sent_length"], strict=True):
        found.setdefault(block, []).append(tokens[first : first + length])
        first += length
    return found
