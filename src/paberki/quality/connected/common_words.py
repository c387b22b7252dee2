"""The commonest words of forty languages, by which a text in another language gives itself away.

A text's score in a language is Σ log(p ÷ RARE) over its words that are common there: naive Bayes in which every word that
is not common is as rare as any other. Scores are whole thousandths of a nat, so that their sums have no order. The
frequencies are in ``common_words.json``, which names its sources and is made by ``python benchmarks/common_words.py``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.corpus_file import shipped
from paberki.languages.transliteration import to_cyrillic

LIST: Final = "quality/common_words.json"
SHIPPED: Final = shipped(LIST)
RARE: Final = 3e-4
"""Frequency of all words that are not common."""
_NAT: Final = 1000
_ALIKE: Final = 0.7
"""A language that we have no words of is the one of ours that it is so much alike, if there is one (cosine)."""
_MILLION: Final = 1e6

Floats = npt.NDArray[np.float64]
Shares = Mapping[str, float]
"""Words with their relative frequencies."""


@lru_cache(maxsize=1)
def common_words() -> dict[str, dict[str, float]]:
    """Of each language its commonest words with their relative frequencies."""
    languages = json.loads(SHIPPED.read_text("utf-8"))["languages"]
    shares = {lang: {word: parts / _MILLION for word, parts in words.items()} for lang, words in languages.items()}
    # The treebank of Serbian is in Latin letters; the language is written in both alphabets.
    return {**shares, "sr": {**shares["sr"], **{to_cyrillic(word): share for word, share in shares["sr"].items()}}}


class Rivals:
    """Columns of a lexicon that say how well each language explains a text: those with profiles, then all we know."""

    def __init__(self, profiles: Mapping[str, Shares], first: int) -> None:
        """``first``: the first of the columns."""
        words_of = common_words()
        self._own = {lang: first + number for number, lang in enumerate(profiles)}
        self._common = {lang: first + len(profiles) + number for number, lang in enumerate(words_of)}
        self._same = {lang: lang if lang in words_of else _alike(shares, words_of) for lang, shares in profiles.items()}
        self.width = len(profiles) + len(words_of)
        self.weights: dict[str, list[tuple[int, int]]] = {}
        for columns, languages in ((self._own, profiles), (self._common, words_of)):
            for lang, shares in languages.items():
                self._weigh(shares, columns[lang])

    def _weigh(self, shares: Shares, column: int) -> None:
        for word, share in shares.items():
            if share > RARE:
                self.weights.setdefault(word, []).append((column, round(_NAT * math.log(share / RARE))))

    def known_as(self, language: str) -> str:
        """Whose common words stand for those of a language; empty where there are none."""
        return self._same.get(language) or ""

    def lead(self, scores: npt.NDArray[Any], language: str) -> tuple[Floats, list[str]]:
        """Nats by which another language explains each text better than this one, and which.

        This one is what its profile knows, or what we know of it, whichever fits better: a profile of few texts knows
        less about its language than we do of its neighbours.
        """
        same = self._same[language]
        others = [lang for lang in self._common if lang != same]
        own = scores[:, [self._own[language], *([self._common[same]] if same else [])]].max(axis=1)
        rivals = scores[:, [self._common[lang] for lang in others]]
        best = rivals.argmax(axis=1)
        lead: Floats = (rivals[np.arange(len(best)), best] - own) / _NAT
        return lead, [others[place] for place in best.tolist()]


def _alike(shares: Shares, words_of: Mapping[str, Shares]) -> str | None:
    cosines = {lang: _cosine(shares, words) for lang, words in words_of.items()}
    best = max(cosines, key=lambda lang: (cosines[lang], lang))
    return best if cosines[best] > _ALIKE else None


def _cosine(one: Shares, other: Shares) -> float:
    together = sum(share * other.get(word, 0.0) for word, share in one.items())
    return together / max(_length(one.values()) * _length(other.values()), 1e-12)


def _length(values: Sequence[float] | Any) -> float:
    return math.sqrt(sum(value * value for value in values))
