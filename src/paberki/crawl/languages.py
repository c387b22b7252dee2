"""The language of a text by its function words and script: a few microseconds, for the judge inside the crawl."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from paberki.identification.evidence import to_cyrillic
from paberki.identification.words import CONTRASTS, FUNCTION_WORDS, LETTERS

_WORDS = 200
_CHARS = 1600
_PUNCTUATION = ".,;:!?\"'()[]„“”’«»…–—-"
_LEAST_SHARE = 0.15
"""Share of function words in running text; word lists and keyword spam have fewer."""
_CYRILLIC = ("ru", "uk", "bg", "mk", "sr")
_SCRIPTS = (
    ("ja", re.compile("[\u3041-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7a3]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("th", re.compile("[\u0e01-\u0e4e]")),
    ("el", re.compile("[\u0370-\u03ff\u1f00-\u1fff]")),
    ("he", re.compile("[\u05d0-\u05ea]")),
    ("ar", re.compile("[\u0620-\u06d3]")),
    ("hy", re.compile("[\u0531-\u0587]")),
    ("ka", re.compile("[\u10a0-\u10ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
)
_SCRIPT_SHARE = 0.15
_BEYOND_ASCII = re.compile("[\xaa-\u052f]")
_OTHER_SCRIPT = re.compile("[\u0370-\u03ff\u0531-\u06d3\u0900-\u0eff\u10a0-\u10ff\u3041-\u9fff\uac00-\ud7a3]")


def language_of(text: str, wanted: Sequence[str] = ()) -> tuple[str | None, float]:
    """The likeliest language and the share of its function words among the words (1 where words are not looked at).

    A wanted language that we have no words of is believed when no other language shows itself.
    """
    if not text.isascii() and len(_OTHER_SCRIPT.findall(text)) > _SCRIPT_SHARE * len(text):
        return next((lang for lang, script in _SCRIPTS if len(script.findall(text)) > 0.05 * len(text)), None), 1.0
    text = text[:_CHARS].lower()
    words = text.split(None, _WORDS)[:_WORDS]
    table = _table()
    found = Counter(filter(table.__contains__, words))
    scores: dict[str, float] = dict.fromkeys(_LANGUAGES, 0.0)
    hits = dict.fromkeys(_LANGUAGES, 0)
    for word, count in found.items():
        for lang, weight in table[word]:
            scores[lang] += count * weight
            hits[lang] += count
    _add_letters(text, scores)
    _add_contrast(words, scores)
    best = max(scores, key=scores.__getitem__)
    share = hits[best] / len(words) if words else 0.0
    if share < _LEAST_SHARE / 2:
        unknown = [lang for lang in wanted if lang not in scores]
        return (unknown[0], 1.0) if unknown else (None, share)
    return best, share


def connected(text: str, lang: str | None, share: float) -> bool:
    """Whether a text reads like sentences rather than a list of words."""
    return share >= _LEAST_SHARE if lang is not None else _sentence_like(text)


def _sentence_like(text: str) -> bool:
    """For languages we have no words of: words of usual length, most of them not capitalised."""
    words = text.split()
    capitals = sum(word[0].isupper() for word in words)
    return 2 <= len(text) / len(words) <= 15 and capitals <= 0.4 * len(words)


_LANGUAGES = tuple(FUNCTION_WORDS)


@lru_cache(maxsize=1)
def _table() -> dict[str, tuple[tuple[str, float], ...]]:
    """Function word -> languages that have it, with its weight: the fewer languages share it, the more it tells."""
    owners: dict[str, list[str]] = {}
    for lang in _LANGUAGES:
        words = set(FUNCTION_WORDS[lang].split())
        if lang == "sr":
            words |= {to_cyrillic(word) for word in words}
        for word in words:
            owners.setdefault(word, []).append(lang)
    return {word: tuple((lang, _weight(word, langs)) for lang in langs) for word, langs in owners.items()}


def _weight(word: str, langs: list[str]) -> float:
    groups = len(set(langs) - {"sr"} or {"hr"})
    return math.log(1 + len(_LANGUAGES) / groups) * (0.5 if len(word) == 1 else 1.0)


def _add_letters(text: str, scores: dict[str, float]) -> None:
    """A language loses by letters it does not write."""
    for letter, count in Counter(_BEYOND_ASCII.findall(text)).items():
        for lang in _LACKING.get(letter, ()):
            scores[lang] -= count


_TELLING = frozenset(letter for lang in _LANGUAGES if lang not in _CYRILLIC[:4] for letter in LETTERS.get(lang, ""))
_LACKING = {
    letter: tuple(lang for lang in _LANGUAGES if lang not in _CYRILLIC[:4] and letter not in LETTERS.get(lang, ""))
    for letter in _TELLING
}
_STEMS = {
    **dict.fromkeys(set(CONTRASTS["hr"].split()) - set(CONTRASTS["sr"].split()), ("hr", "sr")),
    **dict.fromkeys(set(CONTRASTS["sr"].split()) - set(CONTRASTS["hr"].split()), ("sr", "hr")),
}


def _add_contrast(words: list[str], scores: dict[str, float]) -> None:
    """Croatian and Serbian share most of their function words; the stems in which they differ decide."""
    if max(scores["hr"], scores["sr"]) < max(scores.values()) - 4:
        return
    for word in words:
        pair = _STEMS.get(word[:5]) or (_STEMS.get(word[:7]) if len(word) > 6 else None)
        if pair is not None:
            scores[pair[0]] += 1
            scores[pair[1]] -= 1
