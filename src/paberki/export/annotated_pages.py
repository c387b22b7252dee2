"""The annotation of a page, put together from its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

LAYERS = ("upos", "xpos", "feats", "lemma", "head", "deprel", "ner")
ANNOTATION = (
    "annotated", "schemes", "sent_block", "sent_length", "tok_start", "tok_end", *(f"tok_{name}" for name in LAYERS),
    "tok_oov", "tok_frame", "other_annotations",
)  # fmt: skip
"""Columns that are read where the corpus has them."""
FIRST = "paberki"
"""Tagger of a page whose column ``schemes`` is empty."""
_NOTHING = "_"


class TokenLayers(NamedTuple):
    """The annotation of a token by one tagger; ``_`` where a layer is missing."""

    upos: str = _NOTHING
    xpos: str = _NOTHING
    feats: str = _NOTHING
    lemma: str = _NOTHING
    head: int | str = _NOTHING
    deprel: str = _NOTHING
    ner: str = _NOTHING


class AnnotatedToken(NamedTuple):
    """A token with the annotation of each tagger."""

    start: int
    end: int
    oov: bool
    frame: str
    schemes: tuple[TokenLayers, ...]

    def form(self, text: str) -> str:
        """The token as it stands in the text of its block."""
        return text[self.start : self.end]


Sentence = list[AnnotatedToken]


def sentences_of(page: Mapping[str, Any], schemes: Sequence[str]) -> dict[int, list[Sentence]] | None:
    """Sentences by the number of their block, with the annotations of these schemes; None for a page without any."""
    if not page.get("annotated"):
        return None
    count = len(page["tok_start"])
    others = {one["scheme"]: one for one in page.get("other_annotations") or ()}
    first = (page.get("schemes") or [FIRST])[0]
    others[first] = {name: page.get(f"tok_{name}") for name in LAYERS}
    by_token = zip(*(_layers(others.get(name, {}), count) for name in schemes), strict=True)
    oov = page.get("tok_oov") or [False] * count
    frames = [frame or _NOTHING for frame in page.get("tok_frame") or [None] * count]
    rows = zip(page["tok_start"], page["tok_end"], oov, frames, by_token, strict=True)
    tokens = [AnnotatedToken(*row) for row in rows]
    sentences: dict[int, list[Sentence]] = {}
    at = 0
    for block, length in zip(page["sent_block"], page["sent_length"], strict=True):
        sentences.setdefault(block, []).append(tokens[at : at + length])
        at += length
    return sentences


def _layers(annotation: Mapping[str, Any], count: int) -> list[TokenLayers]:
    nothing = [_NOTHING] * count
    return [TokenLayers(*row) for row in zip(*(annotation.get(name) or nothing for name in LAYERS), strict=True)]
