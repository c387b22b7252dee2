"""In which language and script a text is.

First method: function words weighted by how few languages share them, letters a language has or lacks, and
scripts. Function words as a filter for paragraphs are P1's (§4) and P3's; the word lists are our own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.identification.evidence import ALL_LANGUAGES, COLUMNS, LANGUAGES, add_words, contrast, letter_scores
from paberki.identification.scripts import (
    CLASS_COUNT,
    NAMES,
    IntArray,
    class_counts,
    classes_of,
    count_scripts,
    script_totals,
)

__all__ = ["Identification", "count_scripts", "identify", "identify_blocks"]

FloatArray = npt.NDArray[np.float64]

_FEWEST_LETTERS: Final = 3
_LEAST_EVIDENCE: Final = 0.5
_LEAST_SHARE: Final = 0.002
_IN_REACH: Final = 4.0
_LONG_TEXT: Final = 1_500
_WORDS_ENOUGH: Final = 250
_EAST_ASIAN: Final = ("Hira", "Kana", "Hani", "Hang")
_ONE_LANGUAGE: Final = {"Grek": "el", "Hebr": "he", "Armn": "hy", "Geor": "ka", "Thai": "th"}
_KANA_SHARE: Final = 0.05
_SHORT_HAN: Final = 20


@dataclass(frozen=True, slots=True)
class Identification:
    """The likeliest language (None without evidence), the probabilities behind it, the ISO 15924 script."""

    lang: str | None
    probs: dict[str, float] = field(default_factory=dict)
    script: str = "Zyyy"


_share: Final = itemgetter(0)
# Which columns belong to a script: row 0 none, then the scripts of LANGUAGES.
_SCRIPT_ROW: Final = {script: row for row, script in enumerate(LANGUAGES, 1)}
_OF_SCRIPT: Final = np.zeros((len(LANGUAGES) + 1, len(ALL_LANGUAGES)), bool)
for _script, (_first, _last) in COLUMNS.items():
    _OF_SCRIPT[_SCRIPT_ROW[_script], _first:_last] = True
NOTHING: Final = Identification(None)


def identify(text: str, *, languages: Sequence[str] | None = None) -> Identification:
    """Language of a text; ``languages`` limits the choice."""
    return identify_blocks([text], languages=languages)[0]


def identify_blocks(texts: Sequence[str], *, languages: Sequence[str] | None = None) -> list[Identification]:
    """The same for many texts: all but the words is counted in one pass, so that short blocks cost little."""
    if not texts:
        return []
    counts = _count(texts)
    totals = script_totals(counts)
    rows = totals.tolist()
    main = [NAMES[index] for index in totals.argmax(axis=1).tolist()]
    scores = letter_scores(counts).tolist()
    for text, script, row in zip(texts, main, scores, strict=True):
        if script in LANGUAGES:
            _add_words(text, script, row)
    chosen = None if languages is None else frozenset(languages)
    probs = _probabilities(np.array(scores), main, chosen).tolist()
    return [_decided(*found, chosen) for found in zip(main, rows, probs, strict=True)]


def _count(texts: Sequence[str]) -> IntArray:
    """Rows of letter-class counts, one per text."""
    if len(texts) == 1:
        return class_counts(texts[0])[None, :]
    classes = classes_of("\n".join(texts))
    lengths = [len(text) for text in texts]
    if sum(lengths) + len(texts) - 1 != len(classes):  # characters beyond the BMP take two units
        lengths = [len(text.encode("utf-16-le", "surrogatepass")) // 2 for text in texts]
    rows = np.repeat(np.arange(len(texts)) * CLASS_COUNT, np.array(lengths) + 1)[: len(classes)]
    flat = np.bincount(rows + classes, minlength=len(texts) * CLASS_COUNT)
    return flat.reshape(len(texts), CLASS_COUNT)


def _add_words(text: str, script: str, scores: list[float]) -> None:
    """Evidence of the words; capitalised ones count in short texts only, long ones have enough others."""
    words = _sample(text if len(text) > _LONG_TEXT else text.lower())
    known = add_words(words, script, scores)
    if not known and len(text) > _LONG_TEXT:
        words = _sample(text.lower())
        add_words(words, script, scores)
    if script == "Latn" and max(scores[:2]) > max(scores) - _IN_REACH:  # Croatian and Serbian are the first two
        lead = contrast(words)
        scores[0] += lead
        scores[1] -= lead


def _sample(text: str) -> list[str]:
    """The words of a text; of long texts every n-th, which tells as much."""
    words = text.split()
    return words[:: len(words) // _WORDS_ENOUGH] if len(words) >= 2 * _WORDS_ENOUGH else words


def _probabilities(scores: FloatArray, main: list[str], chosen: frozenset[str] | None) -> FloatArray:
    """Softmax over the languages of each text's script, rounded to nothing below :data:`_LEAST_SHARE`.

    Rows without enough evidence are all zero.
    """
    allowed = np.array([[True] * scores.shape[1]])
    if chosen is not None:
        allowed = np.array([[name in chosen for name in ALL_LANGUAGES]])
    possible = allowed & _OF_SCRIPT[[_SCRIPT_ROW.get(script, 0) for script in main]]
    scores = np.where(possible, scores, -np.inf)
    best = scores.max(axis=1, keepdims=True)
    enough = best >= _LEAST_EVIDENCE
    powers = np.exp(np.where(enough & possible, scores - np.where(enough, best, 0.0), -np.inf))
    powers[powers < _LEAST_SHARE] = 0.0
    shares: FloatArray = powers / np.maximum(powers.sum(axis=1, keepdims=True), _LEAST_SHARE)
    return shares


def _decided(script: str, letters: list[float], probs: list[float], chosen: frozenset[str] | None) -> Identification:
    if max(letters) < _FEWEST_LETTERS:
        return NOTHING
    if script in LANGUAGES:
        shares = [(share, name) for share, name in zip(probs, ALL_LANGUAGES, strict=True) if share]
        if not shares:
            return Identification(None, {}, script)
        if len(shares) > 1:
            shares.sort(key=_share, reverse=True)
        return Identification(shares[0][1], {name: share for share, name in shares}, script)
    if script in _EAST_ASIAN:
        return _east_asian(dict(zip(NAMES, letters, strict=True)), chosen)
    if script in _ONE_LANGUAGE:
        return _only(_ONE_LANGUAGE[script], script, chosen)
    return Identification(None, {}, script)


def _east_asian(letters: dict[str, float], chosen: frozenset[str] | None) -> Identification:
    """Kana is Japanese, Hangul is Korean, Han alone is Chinese, though a short headline may be Japanese."""
    kana, han, hangul = letters["Hira"] + letters["Kana"], letters["Hani"], letters["Hang"]
    if hangul > kana + han:
        return _only("ko", "Kore", chosen)
    if kana > _KANA_SHARE * (kana + han):
        return _only("ja", "Jpan", chosen)
    if chosen is not None and "zh" not in chosen:
        return _only("ja", "Jpan", chosen)
    if han < _SHORT_HAN and (chosen is None or "ja" in chosen):
        return Identification("zh", {"zh": 0.6, "ja": 0.4}, "Hani")
    return _only("zh", "Hani", chosen)


def _only(language: str, script: str, chosen: frozenset[str] | None) -> Identification:
    if chosen is not None and language not in chosen:
        return Identification(None, {}, script)
    return Identification(language, {language: 1.0}, script)
