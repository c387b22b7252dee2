"""Scores from words and letters, in nats: what :mod:`words` knows, weighted by how few languages share it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.identification.scripts import CLASS_COUNT, IntArray, class_of_letter
from paberki.identification.words import CONTRASTS, FUNCTION_WORDS, LETTERS, SERBIAN_CYRILLIC

_CYRILLIC: Final = ("ru", "uk", "bg", "mk", "sr")
_LATIN: Final = tuple(name for name in FUNCTION_WORDS if name not in _CYRILLIC or name == "sr")

LANGUAGES: Final[dict[str, tuple[str, ...]]] = {"Latn": _LATIN, "Cyrl": _CYRILLIC}
"""Script -> languages written in it."""

ALL_LANGUAGES: Final = (*_LATIN, *_CYRILLIC)
"""Language of every column of :func:`letter_scores`; Serbian has two."""

COLUMNS: Final = {"Latn": (0, len(_LATIN)), "Cyrl": (len(_LATIN), len(_LATIN) + len(_CYRILLIC))}
"""Script -> first and last column of its languages in :func:`letter_scores`."""

WordWeights = dict[str, tuple[tuple[int, float], ...]]

_FEW: Final = 12
_SHORT_WORD: Final = 0.5
_OWN_LETTER: Final = 1.0
_FOREIGN_LETTER: Final = -2.5
_CONTRAST: Final = 1.0
_TO_CYRILLIC: Final = str.maketrans("abvgdđežzijklmnoprstćufhcčš", "абвгдђежзијклмнопрстћуфхцчш")


def to_cyrillic(word: str) -> str:
    """A Serbian word in Cyrillic letters."""
    for digraph, letter in (("dž", "џ"), ("lj", "љ"), ("nj", "њ")):
        word = word.replace(digraph, letter)
    return word.translate(_TO_CYRILLIC)


def _group(language: str) -> str:
    """Croatian and Serbian count as one when it comes to how many languages share a word."""
    return "hr" if language == "sr" else language


def _word_weights(lists: dict[str, frozenset[str]], first: int) -> WordWeights:
    columns = {language: first + index for index, language in enumerate(lists)}
    groups = len({_group(language) for language in lists})
    weights = {}
    for word in frozenset().union(*lists.values()):
        owners = [language for language, words in lists.items() if word in words]
        shared = len({_group(language) for language in owners})
        weight = math.log(1.0 + groups / shared) * (_SHORT_WORD if len(word) == 1 else 1.0)
        weights[word] = tuple((columns[language], weight) for language in owners)
    return weights


def _lists(script: str) -> dict[str, frozenset[str]]:
    lists = {}
    for language in LANGUAGES[script]:
        words = FUNCTION_WORDS[language].split()
        if language == "sr" and script == "Cyrl":
            words = [to_cyrillic(word) for word in words]
        lists[language] = frozenset(words)
    return lists


_WEIGHTS: Final = {script: _word_weights(_lists(script), COLUMNS[script][0]) for script in LANGUAGES}


def add_words(words: Sequence[str], script: str, scores: list[float]) -> int:
    """Add the evidence of the function words to the columns of their languages; tells how many there were."""
    weights = _WEIGHTS[script]
    known = list(filter(weights.__contains__, words))
    if len(known) <= _FEW:
        for word in known:
            for column, weight in weights[word]:
                scores[column] += weight
    else:
        for word, count in Counter(known).items():
            for column, weight in weights[word]:
                scores[column] += count * weight
    return len(known)


_TELLING_OWNERS: Final = 3
_TELLING_WORDS: Final = 2


@lru_cache(maxsize=64)
def _telling(language: str, script: str) -> frozenset[str]:
    """Function words that a language shares with few others."""
    first, _ = COLUMNS[script]
    column = first + list(LANGUAGES[script]).index(language)
    owned = ((word, [owner for owner, _ in owners]) for word, owners in _WEIGHTS[script].items())
    return frozenset(word for word, owners in owned if column in owners and len(owners) <= _TELLING_OWNERS)


def plainly(text: str, language: str, script: str) -> bool:
    """Whether a text is beyond doubt in the language that its surroundings are in: it has telling words of it.

    Between close languages this follows the surroundings, which know better than one paragraph.
    """
    if script not in LANGUAGES or language not in LANGUAGES[script]:
        return False
    return len(_telling(language, script).intersection(text.lower().split())) >= _TELLING_WORDS


def _contrasts() -> dict[str, float]:
    croatian, serbian = (frozenset(CONTRASTS[language].split()) for language in ("hr", "sr"))
    return {
        **dict.fromkeys(croatian - serbian, _CONTRAST),
        **dict.fromkeys(serbian - croatian, -_CONTRAST),
    }


_CONTRASTS: Final = _contrasts()


def contrast(words: Sequence[str]) -> float:
    """How much words lean to Croatian (positive) or Serbian (negative) by the stems in which they differ."""
    lean = _CONTRASTS.get
    lead = sum(filter(None, map(lean, [word[:5] for word in words])))
    return lead + sum(filter(None, map(lean, [word[:7] for word in words if len(word) > 6])))


def _letter_weights() -> npt.NDArray[np.float64]:
    """Letter class x language: a letter speaks for those who have it, the more the fewer they are."""
    matrix = np.zeros((CLASS_COUNT, COLUMNS["Cyrl"][1]))
    for script, languages in LANGUAGES.items():
        alphabets = {name: LETTERS[name] for name in languages}
        if script == "Cyrl":
            alphabets["sr"] = SERBIAN_CYRILLIC
        for letter in set("".join(alphabets.values())):
            owners = [name for name, alphabet in alphabets.items() if letter in alphabet]
            weight = _OWN_LETTER * math.log(len(languages) / len(owners))
            for column, name in enumerate(languages, COLUMNS[script][0]):
                matrix[class_of_letter(letter), column] = weight if name in owners else _FOREIGN_LETTER
    return matrix


_LETTER_WEIGHTS: Final = _letter_weights()


def letter_scores(counts: IntArray) -> npt.NDArray[np.float64]:
    """Evidence of the letters, one row per row of counts, one column per language of :data:`LANGUAGES`."""
    scores: npt.NDArray[np.float64] = (
        counts.astype(np.float64) @ _LETTER_WEIGHTS
    )  # as floats, which multiply several times as fast
    return scores
