"""Words and sentences of any language: by the model of the package where there is one, else by spaces and signs alone."""

from __future__ import annotations

from functools import lru_cache

from paberki.annotation.splitting.sentence_ends import sentence_edges
from paberki.annotation.splitting.splitter import Splitter

__all__ = ["PlainSplitter", "splitter_for"]


class PlainSplitter:
    """The splitter of a language without a model."""

    def __init__(self, lang: str) -> None:
        self._words = Splitter(lang)

    def split(self, text: str) -> tuple[list[int], list[int], list[int]]:
        """First character of each token, the one after its last, and the numbers of the tokens that begin sentences."""
        starts, ends, _ = self._words.split(text)
        return starts, ends, sentence_edges(text, starts, ends)


@lru_cache(maxsize=32)
def splitter_for(lang: str) -> Splitter | PlainSplitter:
    """The splitter that the package has for a language, or the plain one."""
    from paberki.annotation.files.model_catalogue import languages, shipped_splitter

    return shipped_splitter(lang) if lang in languages() else PlainSplitter(lang)
