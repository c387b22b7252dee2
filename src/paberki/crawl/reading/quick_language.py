"""Recognises the language of a text by function words and script, in microseconds, for the crawl's judge."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Sequence
from functools import lru_cache

from paberki.crawl.reading.more_function_words import MORE_FUNCTION_WORDS, MORE_LETTERS
from paberki.identification.word_evidence import to_cyrillic
from paberki.languages.telling_words import CONTRASTS, FUNCTION_WORDS, LETTERS

_CHARS = 700
_LEAST_SHARE = 0.15
"""Smallest share of function words in running text; word lists and keyword spam have fewer."""
_LEAST_SHARE_OF_FEW = 0.07
"""The same for languages with short lists of function words."""
_WANTED_LEAD = 2.0
"""Advantage of a wanted language in nats: between close languages, keeping too much is better."""
_SHOWS_AS = {
    **dict.fromkeys(("bs", "cnr", "sh"), ("hr", "sr")),
    **dict.fromkeys(("nb", "nn"), ("no", "da")),
    "gl": ("pt", "es"),
    "be": ("uk", "ru"),
    "is": ("da", "no"),
}
"""Languages without a word list -> languages that they are recognised as."""
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
_SCRIPT_CHARS = 400
_BEYOND_ASCII = re.compile("[\xaa-\u052f]")
_OTHER_SCRIPT = re.compile("[\u0370-\u03ff\u0531-\u06d3\u0900-\u0eff\u10a0-\u10ff\u3041-\u9fff\uac00-\ud7a3]")


def language_of(text: str, wanted_languages: Sequence[str] = ()) -> tuple[str | None, float]:
    """The likeliest language and the share of its function words among all words (1 where the script decides).

    A wanted language without a word list is assumed when no other language is recognised.
    """
    head = text[:_SCRIPT_CHARS]
    if not head.isascii() and len(_OTHER_SCRIPT.findall(head)) > _SCRIPT_SHARE * len(head):
        return next((lang for lang, script in _SCRIPTS if len(script.findall(head)) > 0.05 * len(head)), None), 1.0
    text = text[:_CHARS].lower()
    words = text.split()
    table = _table()
    fields = _fields(sum(filter(None, map(table.get, words))))
    penalties = _fields(sum(filter(None, map(_LACKING.get, _BEYOND_ASCII.findall(text)))))
    scores = [((one & _WEIGHT) - less) / _UNIT for one, less in zip(fields, penalties, strict=True)]
    _add_contrast(words, scores)
    for lang in wanted_languages:
        if lang in _PLACES:
            scores[_PLACES[lang]] += _WANTED_LEAD
    place = scores.index(max(scores))
    best = _LANGUAGES[place]
    share = (fields[place] >> _WEIGHT_BITS) / len(words) if words else 0.0
    others = [lang for lang in wanted_languages if lang not in _PLACES]
    if share < _least_share(best) / 2:
        return (others[0], 1.0) if others else (None, share)
    return next((lang for lang in others if best in _SHOWS_AS.get(lang, ())), best), share


def is_connected(text: str, lang: str | None, share: float) -> bool:
    """Whether a text consists of sentences rather than a list of words."""
    return share >= _least_share(lang) if lang is not None else _sentence_like(text)


def _least_share(lang: str) -> float:
    return _LEAST_SHARE if lang in FUNCTION_WORDS else _LEAST_SHARE_OF_FEW


def _sentence_like(text: str) -> bool:
    """For unknown languages: whether words have usual lengths and most are not capitalised."""
    words = text.split()
    capitals = sum(word[0].isupper() for word in words)
    return 2 <= len(text) / len(words) <= 15 and capitals <= 0.4 * len(words)


_FUNCTION_WORDS = {**MORE_FUNCTION_WORDS, **FUNCTION_WORDS}
_LETTERS = {**MORE_LETTERS, **LETTERS}
_LANGUAGES = tuple(_FUNCTION_WORDS)
_PLACES = {lang: place for place, lang in enumerate(_LANGUAGES)}
_HR, _SR = _LANGUAGES.index("hr"), _LANGUAGES.index("sr")


def _words(lang: str) -> frozenset[str]:
    words = frozenset(_FUNCTION_WORDS[lang].split())
    return words | {to_cyrillic(word) for word in words} if lang == "sr" else words


_WORDS_OF = tuple(map(_words, _LANGUAGES))


_FIELD_BITS, _WEIGHT_BITS = 32, 20
_WEIGHT = (1 << _WEIGHT_BITS) - 1
_UNIT = 128
"""One long integer holds a field of 32 bits per language, so that one addition adds to all languages: the weight in
128ths in the lower 20 bits, the number of words above them. Texts are too short for a field to overflow."""


def _pack(place: int, value: int) -> int:
    return value << _FIELD_BITS * place


def _fields(number: int) -> list[int]:
    return memoryview(number.to_bytes(len(_LANGUAGES) * _FIELD_BITS // 8, sys.byteorder)).cast("I").tolist()


@lru_cache(maxsize=1)
def _table() -> dict[str, int]:
    """Function word -> its weight in each language that has it; the fewer languages share it, the more it weighs."""
    places_of: dict[str, list[int]] = {}
    for place, words in enumerate(_WORDS_OF):
        for word in words:
            places_of.setdefault(word, []).append(place)
    return {
        word: sum(_pack(place, (1 << _WEIGHT_BITS) + round(_UNIT * _weight(word, places))) for place in places)
        for word, places in places_of.items()
    }


def _weight(word: str, places: list[int]) -> float:
    """Weight of a word; Croatian and Serbian count as one language here."""
    groups = len(set(places) - {_SR} or {_HR})
    return math.log(1 + len(_LANGUAGES) / groups) * (0.5 if len(word) == 1 else 1.0)


_LATIN = [lang for lang in _LANGUAGES if lang not in ("ru", "uk", "bg", "mk")]
_LACKING = {
    letter: sum(_pack(_PLACES[lang], _UNIT) for lang in _LATIN if letter not in _LETTERS.get(lang, ""))
    for letter in sorted({letter for lang in _LATIN for letter in _LETTERS.get(lang, "")})
}
"""Letter -> penalty for each language in Latin script that does not use it."""


_CROATIAN, _SERBIAN = (
    frozenset(CONTRASTS[one].split()) - frozenset(CONTRASTS[other].split())
    for one, other in (("hr", "sr"), ("sr", "hr"))
)
_BEGINNINGS = frozenset(stem[:3] for stem in _CROATIAN | _SERBIAN)
_IN_REACH = 4.0


def _add_contrast(words: list[str], scores: list[float]) -> None:
    """Let stems that differ decide between Croatian and Serbian, which share most function words."""
    if max(scores[_HR], scores[_SR]) < max(scores) - _IN_REACH:
        return
    marker_words = [word for word in words if word[:3] in _BEGINNINGS]
    stems = {word[:5] for word in marker_words}
    stems.update([word[:7] for word in marker_words])
    lead = float(len(stems & _CROATIAN) - len(stems & _SERBIAN))
    scores[_HR] += lead
    scores[_SR] -= lead
