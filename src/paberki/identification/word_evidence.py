"""Scores from words and letters, in nats: what :mod:`paberki.languages.telling_words` knows, weighted by how few languages share it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from paberki.identification.scripts import CLASS_COUNT, CLASSES, class_of_letter
from paberki.languages.telling_words import CONTRASTS, FUNCTION_WORDS, LETTERS, SERBIAN_CYRILLIC
from paberki.lexicon import Ints, Lexicon, sums_of

if TYPE_CHECKING:
    import pyarrow as pa

_CYRILLIC: Final = ("ru", "uk", "bg", "mk", "sr")
_LATIN: Final = tuple(name for name in FUNCTION_WORDS if name not in _CYRILLIC or name == "sr")

LANGUAGES: Final[dict[str, tuple[str, ...]]] = {"Latn": _LATIN, "Cyrl": _CYRILLIC}
"""Script -> languages written in it."""

ALL_LANGUAGES: Final = (*_LATIN, *_CYRILLIC)
"""Language of every column of the scores; Serbian has two."""

COLUMNS: Final = {"Latn": (0, len(_LATIN)), "Cyrl": (len(_LATIN), len(_LATIN) + len(_CYRILLIC))}
"""Script -> first and last column of its languages in the scores."""

CONTRAST_COLUMN: Final = len(ALL_LANGUAGES)
"""Column of :func:`evidence` in which words lean to Croatian (positive) or Serbian (negative)."""
_SCALE: Final = 1024  # weights are whole numbers of such parts, so that sums do not depend on their order
_SHORT_WORD: Final = 0.5
_OWN_LETTER: Final = 1.0
_FOREIGN_LETTER: Final = -2.5
_CONTRAST: Final = 1.0
_IN_REACH: Final = 4.0
_TO_CYRILLIC: Final = str.maketrans("abvgdđežzijklmnoprstćufhcčš", "абвгдђежзијклмнопрстћуфхцчш")


def to_cyrillic(word: str) -> str:
    """A Serbian word in Cyrillic letters."""
    for digraph, letter in (("dž", "џ"), ("lj", "љ"), ("nj", "њ")):
        word = word.replace(digraph, letter)
    return word.translate(_TO_CYRILLIC)


def _group(language: str) -> str:
    """Croatian and Serbian count as one when it comes to how many languages share a word."""
    return "hr" if language == "sr" else language


def _word_weights(lists: dict[str, frozenset[str]], first: int) -> dict[str, list[tuple[int, int]]]:
    columns = {language: first + index for index, language in enumerate(lists)}
    groups = len({_group(language) for language in lists})
    weights = {}
    for word in frozenset().union(*lists.values()):
        owners = [language for language, words in lists.items() if word in words]
        shared = len({_group(language) for language in owners})
        weight = math.log(1.0 + groups / shared) * (_SHORT_WORD if len(word) == 1 else 1.0)
        weights[word] = [(columns[language], _in_parts(weight)) for language in owners]
    return weights


def _lists(script: str) -> dict[str, frozenset[str]]:
    lists = {}
    for language in LANGUAGES[script]:
        words = FUNCTION_WORDS[language].split()
        if language == "sr" and script == "Cyrl":
            words = [to_cyrillic(word) for word in words]
        lists[language] = frozenset(words)
    return lists


@lru_cache(maxsize=1)
def _lexicon() -> Lexicon:
    """Function words of all languages, and the stems in which Croatian and Serbian differ."""
    words: dict[str, list[tuple[int, int]]] = {}
    for script in LANGUAGES:
        words |= _word_weights(_lists(script), COLUMNS[script][0])
    return Lexicon(words, len(ALL_LANGUAGES) + 1, stems=_contrasts(), classes=CLASSES)


def _contrasts() -> dict[str, list[tuple[int, int]]]:
    croatian, serbian = (frozenset(CONTRASTS[language].split()) for language in ("hr", "sr"))
    stems = {**dict.fromkeys(croatian - serbian, 1), **dict.fromkeys(serbian - croatian, -1)}
    return {stem: [(CONTRAST_COLUMN, lean * _in_parts(_CONTRAST))] for stem, lean in stems.items()}


@dataclass(frozen=True, slots=True)
class WordEvidence:
    """For each text: what words and letters say for each language, and how many letters of each class it has."""

    words: Ints
    classes: Ints

    def of_groups(self, edges: Ints) -> WordEvidence:
        """The same for groups of texts that lie next to each other, such as the blocks of pages."""
        return WordEvidence(sums_of(self.words, edges), sums_of(self.classes, edges))

    def scores(self) -> npt.NDArray[np.float64]:
        """One row per text, one column per language of :data:`ALL_LANGUAGES`."""
        floats = self.classes.astype(np.float64)  # floats multiply several times as fast, and hold these sums exactly
        scores: npt.NDArray[np.float64] = self.words[:, :CONTRAST_COLUMN] + floats @ _LETTER_WEIGHTS
        latin = scores[:, slice(*COLUMNS["Latn"])].max(axis=1)
        close = scores[:, :2].max(axis=1) > latin - _IN_REACH * _SCALE  # Croatian and Serbian are the first two
        lead = np.where(close, self.words[:, CONTRAST_COLUMN], 0)
        scores[:, 0] += lead
        scores[:, 1] -= lead
        return scores / _SCALE


def evidence(texts: pa.StringArray) -> WordEvidence:
    """Look at every word and letter of some texts."""
    sums = _lexicon().look_up(texts)
    return WordEvidence(sums.scores, sums.classes)


def _in_parts(weight: float) -> int:
    return round(weight * _SCALE)


def _letter_weights() -> npt.NDArray[np.float64]:
    """Letter class × language: a letter counts for the languages that have it, the more the fewer they are."""
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


_LETTER_WEIGHTS: Final = np.rint(_letter_weights() * _SCALE)
