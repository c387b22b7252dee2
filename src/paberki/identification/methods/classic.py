"""Two methods of the papers: ``markov``, a chain of characters with function words (P1 §2.3), and ``ngram``, the ranks of
frequent character n-grams (P2 §3 step 1; Cavnar & Trenkle 1994).

The chain is of second order: log P(c | a b), interpolated with P(c | b) and P(c) by the number of letters that were
seen to follow (Witten & Bell 1991), rounded and kept by the hash of the three characters, so that a text is scored by
the same compiled loop as in ``general``. P1 does not say what the states of its chain are; we take characters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from paberki.corpus_file import shipped
from paberki.identification.answer import LEAST_SHARE, Identification, answer, choice
from paberki.identification.language_model_file import BROKEN, LanguageModelFile, damaged, numbers, read_model
from paberki.identification.methods.general import General
from paberki.kernels.preparation import prepared

MODEL: Final = "identification/classic.model"
SHIPPED: Final = shipped(MODEL)
PROFILE: Final = 400
"""N-grams in the profile of a language."""
LONGEST: Final = 5
FUNCTION_WORDS: Final = 60
_CHARS: Final = 5000
_WITHOUT_FUNCTION_WORDS: Final = 1e-9
_FEWEST_WORDS: Final = 4


def letters_only(text: str) -> str:
    """Small letters, one space between words and at both ends: the input of both methods."""
    return f" {' '.join(words_of(text))} "


def words_of(text: str) -> list[str]:
    """Runs of letters."""
    return "".join(char if char.isalpha() else " " for char in text.lower()).split()


def profile_of(text: str, size: int = PROFILE) -> dict[str, int]:
    """The most frequent n-grams of one to five characters with their ranks."""
    letters = letters_only(text[:_CHARS])
    counts: Counter[str] = Counter()
    for length in range(1, LONGEST + 1):
        counts.update(letters[at : at + length] for at in range(len(letters) - length + 1))
    counts.pop(" ", None)
    ranking = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:size]
    return {gram: rank for rank, (gram, _) in enumerate(ranking)}


class Markov:
    """The chain, then the filter: a language is ruled out if the text is long enough and has none of its function words."""

    def __init__(self, file: LanguageModelFile) -> None:
        self._chain = General(file)
        self.languages = self._chain.languages
        self._words = {name: frozenset(words) for name, words in file.about["function_words"].items()}

    def identify(self, texts: Sequence[str], languages: Sequence[str] | None = None) -> list[Identification]:
        """Language of each text."""
        return [
            self._filter(text, answer_of_chain)
            for text, answer_of_chain in zip(texts, self._chain.identify(texts, languages), strict=True)
        ]

    def _filter(self, text: str, answer_of_chain: Identification) -> Identification:
        words = frozenset(words_of(text[:_CHARS]))
        if len(answer_of_chain.probs) < 2 or len(words) < _FEWEST_WORDS:
            return answer_of_chain
        shares = {
            name: share * (1.0 if not words.isdisjoint(self._words.get(name, words)) else _WITHOUT_FUNCTION_WORDS)
            for name, share in answer_of_chain.probs.items()
        }
        total = sum(shares.values())
        return answer([(name, share / total) for name, share in shares.items()], answer_of_chain.script)


class Ngram:
    """Sum over the n-grams of a text of how far their rank is from that in the profile of a language."""

    def __init__(self, file: LanguageModelFile) -> None:
        self._scripts = General(file)
        self._profiles = {
            name: {gram: rank for rank, gram in enumerate(grams)} for name, grams in file.about["profiles"].items()
        }
        self._knots = np.array(file.about["knots"])
        self._heat = numbers(file.about["ngram_values"], len(self._knots))
        self.languages = self._scripts.languages

    def identify(self, texts: Sequence[str], languages: Sequence[str] | None = None) -> list[Identification]:
        """Language of each text."""
        choices = choice(languages, self.languages)
        decided = self._scripts.identify(texts, languages)
        return [self._decide(text, first, choices) for text, first in zip(texts, decided, strict=True)]

    def _decide(self, text: str, first: Identification, choices: frozenset[str] | None) -> Identification:
        """By ranks where the script leaves a choice."""
        if first.lang is None or first.script in ("Jpan", "Kore", "Hani"):
            return first
        grams = profile_of(text)
        names = [name for name in self._profiles if name != "bs" or (choices is not None and "bs" in choices)]
        names = [name for name in names if choices is None or name in choices]
        scores = np.array([-distance(grams, self._profiles[name]) for name in names])
        if not len(scores) or not grams:
            return first
        scores *= np.interp(np.log(len(text)), self._knots, self._heat)
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        name_shares = [(name, float(share)) for name, share in zip(names, shares, strict=True) if share >= LEAST_SHARE]
        return answer(name_shares, first.script)


def distance(grams: dict[str, int], profile: dict[str, int]) -> float:
    """Mean distance of the ranks of n-grams; one that the profile lacks has the largest distance."""
    return sum(abs(rank - profile.get(gram, rank + PROFILE)) for gram, rank in grams.items()) / max(len(grams), 1)


@lru_cache(maxsize=2)
@prepared
def _open(path: Path) -> LanguageModelFile:
    file = read_model(path)
    if file.about.get("kind") != "classic":
        from paberki.errors import ConfigError

        raise ConfigError(f"{path}: not a model of the methods 'markov' and 'ngram'")
    return file


@lru_cache(maxsize=2)
@prepared
def load_markov(path: Path = SHIPPED) -> Markov:
    """The chain in the package, or another one."""
    try:
        return Markov(_open(path))
    except BROKEN as error:
        raise damaged(path, error) from error


@lru_cache(maxsize=2)
@prepared
def load_ngram(path: Path = SHIPPED) -> Ngram:
    """The profiles in the package, or others."""
    try:
        return Ngram(_open(path))
    except BROKEN as error:
        raise damaged(path, error) from error
