"""In which language and script a text is.

First method: function words weighted by how few languages share them, letters a language has or lacks, and
scripts. Function words as a filter for paragraphs are P1's (§4) and P3's; the word lists are our own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final

import numpy as np

from paberki.identify.evidence import COLUMNS, LANGUAGES, add_words, contrast, letter_scores
from paberki.identify.scripts import (
    CLASS_COUNT,
    NAMES,
    IntArray,
    class_counts,
    classes_of,
    count_scripts,
    script_totals,
)

__all__ = ["Identification", "count_scripts", "identify", "identify_blocks"]

_FEWEST_LETTERS: Final = 3
_LEAST_EVIDENCE: Final = 0.5
_FAR_BEHIND: Final = 9.0
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


_score: Final = itemgetter(0)
NOTHING: Final = Identification(None)


def identify(text: str, *, languages: Sequence[str] | None = None) -> Identification:
    """Language of a text; ``languages`` limits the choice."""
    return identify_blocks([text], languages=languages)[0]


def identify_blocks(texts: Sequence[str], *, languages: Sequence[str] | None = None) -> list[Identification]:
    """The same for many texts: letters are counted in one pass, so that short blocks cost little."""
    if not texts:
        return []
    counts = _count(texts)
    totals = script_totals(counts)
    letters = letter_scores(counts)
    chosen = None if languages is None else frozenset(languages)
    return [
        _identify(text, per_script, by_letters, chosen)
        for text, per_script, by_letters in zip(texts, totals.tolist(), letters.tolist(), strict=True)
    ]


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


def _identify(
    text: str, per_script: list[float], scores: list[float], chosen: frozenset[str] | None
) -> Identification:
    most = max(per_script)
    if most < _FEWEST_LETTERS:
        return NOTHING
    script = NAMES[per_script.index(most)]
    if script in _EAST_ASIAN:
        return _east_asian(dict(zip(NAMES, per_script, strict=True)), chosen)
    if script in _ONE_LANGUAGE:
        return _only(_ONE_LANGUAGE[script], script, chosen)
    if script not in LANGUAGES:
        return Identification(None, {}, script)
    words = _sample(text)
    first, last = COLUMNS[script]
    if not add_words(words, script, scores) and not text.islower():
        words = _sample(text.lower())
        add_words(words, script, scores)
    own = scores[first:last]
    if script == "Latn" and max(own) in own[:2]:  # Croatian and Serbian are the first two
        lead = contrast(words)
        own[0] += lead
        own[1] -= lead
    return _decided(LANGUAGES[script], own, script, chosen)


def _sample(text: str) -> list[str]:
    """The words of a text; of long texts every n-th, which tells as much."""
    words = text.split()
    return words[:: len(words) // _WORDS_ENOUGH] if len(words) >= 2 * _WORDS_ENOUGH else words


def _decided(
    names: Sequence[str], scores: list[float], script: str, chosen: frozenset[str] | None
) -> Identification:
    """Softmax over the scores; languages that are out of the question get no entry."""
    ranked = [
        (score, name) for score, name in zip(scores, names, strict=True) if chosen is None or name in chosen
    ]
    best = max(ranked, key=_score, default=(0.0, ""))[0]
    if best < _LEAST_EVIDENCE:
        return Identification(None, {}, script)
    near = [pair for pair in ranked if pair[0] > best - _FAR_BEHIND]
    near.sort(key=_score, reverse=True)
    powers = [math.exp(score - best) for score, _ in near]
    total = sum(powers)
    probs = {name: power / total for (_, name), power in zip(near, powers, strict=True)}
    return Identification(near[0][1], probs, script)


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
