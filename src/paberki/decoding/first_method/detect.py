"""Guess the encoding of bytes that are neither UTF-8 nor ASCII.

Every candidate is a pair of a language and an encoding. A byte above 0x7F costs the negative logarithm of how
often the letter it stands for occurs in the language; letters the language does not have, controls and odd symbols
cost more. Neighbouring bytes count too: a capital after a small letter, or a Cyrillic letter in a Latin word,
speaks against a candidate. What a page declares is worth a few nats: enough where the bytes leave it open, too
little against clear evidence. The idea of judging bytes by models of one language is chared's (P3 §3); the figures
here are set by hand.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.decoding.encoding_labels import SINGLE_BYTE, single_byte_table
from paberki.decoding.first_method.alphabets import CYRILLIC, GREEK, LATIN
from paberki.decoding.first_method.double_byte import DOUBLE_BYTE, double_byte_score

_SAMPLE_BYTES: Final = 200_000
_DECLARED_NATS: Final = 8.0
_LANGUAGE_NATS: Final = 4.0
_DEFAULT_NATS: Final = 3.0
_UNLISTED, _ODD, _CONTROL, _PUNCTUATION, _FOREIGN_LETTER = -10.0, -11.0, -12.0, -5.0, -5.0
_USUAL_SYMBOLS: Final = "\xa0“”‘’„‚«»‹›–—…•·§©®™°€£\xad"

_ENCODINGS: Final[dict[str, str]] = {
    **dict.fromkeys(("hr", "sl", "cs", "sk", "pl", "hu", "ro"), "cp1250 iso8859-2"),
    **dict.fromkeys(("de", "fr", "es", "it", "pt", "sv"), "cp1252"),
    "tr": "cp1254",
    "ru": "cp1251 koi8-r iso8859-5 cp866",
    "uk": "cp1251 koi8-u iso8859-5",
    **dict.fromkeys(("bg", "sr", "mk"), "cp1251 iso8859-5"),
    "el": "cp1253 iso8859-7",
}

# Kinds of characters, the classes of the table of neighbours.
_OTHER, _ASCII, _LOWER, _UPPER, _OWN_LOWER, _OWN_UPPER, _SYMBOL = range(7)

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DetectorGuess:
    """Outcome of :func:`detect`: encoding, language whose letters fitted best, lead over the next encoding."""

    encoding: str
    language: str
    margin: float


@dataclass(frozen=True, slots=True)
class _Candidate:
    language: str
    encoding: str
    cost: FloatArray  # of 256 bytes
    kind: npt.NDArray[np.intp]  # of 256 bytes


def _frequencies(listing: str) -> dict[str, float]:
    """Relative frequencies of small letters and capitals from a line of :mod:`paberki.decoding.first_method.alphabets`."""
    pairs = [(item[0], float(item[1:])) for item in listing.split()]
    total = sum(rate for _, rate in pairs) * 1.1
    shares: dict[str, float] = {}
    for letter, rate in pairs:
        shares[letter] = rate / total
        if letter.upper() != letter and len(letter.upper()) == 1:
            shares[letter.upper()] = max(0.1 * rate / total, 1e-5)
    return shares


def _cost(char: str, frequencies: dict[str, float]) -> float:
    if char in frequencies:
        return math.log(frequencies[char])
    if char in _USUAL_SYMBOLS:
        return _PUNCTUATION
    category = unicodedata.category(char)
    if category == "Cc" or char in "\ufffe\ufffd":
        return _CONTROL
    return _UNLISTED if category[0] == "L" else _ODD


def _kind(char: str, own_script: bool) -> int:
    if char.isascii():
        return _ASCII if char.isalpha() else _OTHER
    if char in _USUAL_SYMBOLS:
        return _OTHER
    if not char.isalpha():
        return _SYMBOL
    if char.isupper():
        return _OWN_UPPER if own_script else _UPPER
    return _OWN_LOWER if own_script else _LOWER


def _neighbour_costs() -> FloatArray:
    costs = np.zeros((7, 7))
    for small, capital in ((_LOWER, _UPPER), (_OWN_LOWER, _OWN_UPPER)):
        costs[small, capital] = -4.0
    for letter in (_OWN_LOWER, _OWN_UPPER):
        costs[letter, _ASCII] = costs[_ASCII, letter] = -6.0
    for letter in (_ASCII, _LOWER, _UPPER, _OWN_LOWER, _OWN_UPPER):
        costs[letter, _SYMBOL] = costs[_SYMBOL, letter] = -2.0
    return costs


_NEIGHBOURS: Final = _neighbour_costs()


@lru_cache(maxsize=1)
def _candidates() -> tuple[_Candidate, ...]:
    candidates = []
    for alphabets, own_script in ((LATIN, False), (CYRILLIC, True), (GREEK, True)):
        for language, listing in alphabets.items():
            frequencies = _frequencies(listing)
            for encoding in _ENCODINGS[language].split():
                table = single_byte_table(encoding)
                cost = np.array([0.0 if c < "\x80" else _cost(c, frequencies) for c in table])
                kind = np.array([_kind(c, own_script) for c in table], dtype=np.intp)
                candidates.append(_Candidate(language, encoding, cost, kind))
    return tuple(candidates)


def _single_byte_scores(sample: bytes) -> dict[tuple[str, str], float]:
    """Log-likelihood of the high bytes under every single-byte candidate."""
    values = np.frombuffer(sample, np.uint8)
    high = np.bincount(values[values > 0x7F], minlength=256).astype(np.float64)
    before, after = values[:-1].astype(np.intp), values[1:].astype(np.intp)
    touching = (before > 0x7F) | (after > 0x7F)
    pairs, counts = np.unique(before[touching] * 256 + after[touching], return_counts=True)
    before, after = pairs >> 8, pairs & 0xFF
    scores = {}
    for candidate in _candidates():
        beside = _NEIGHBOURS[candidate.kind[before], candidate.kind[after]] @ counts
        scores[candidate.language, candidate.encoding] = float(high @ candidate.cost + beside)
    return scores


def _unknown_score(sample: bytes, encoding: str) -> float:
    """A declared single-byte encoding without a model of a language: letters are dear, but not forbidden."""
    table = single_byte_table(encoding)
    cost = [0.0 if c < "\x80" else _FOREIGN_LETTER if c.isalpha() else _cost(c, {}) for c in table]
    return float(np.bincount(np.frombuffer(sample, np.uint8), minlength=256) @ np.array(cost))


_MARKUP: Final = re.compile(rb"<(?:script|style)\b[^<]*+(?:<(?!/(?:script|style))[^<]*+)*+|<[^<>]*+>", re.IGNORECASE)


def detect(data: bytes, *, declared: Collection[str] = (), language: str | None = None) -> DetectorGuess:
    """The encoding whose best language explains the bytes best; ``declared`` and ``language`` count as hints.

    ``data`` should hold at least one byte above 0x7F. Only the beginning of long pages is read.
    """
    sample = _MARKUP.sub(b" ", data[:_SAMPLE_BYTES])
    if sample.isascii():
        sample = data[:_SAMPLE_BYTES]
    scores = _single_byte_scores(sample)
    best_single = max(scores.values())
    for known_as, encoding in DOUBLE_BYTE:
        score = double_byte_score(sample, encoding, give_up_below=best_single - 20.0)
        if score is not None:
            scores[known_as, encoding] = score
    for encoding in declared:
        if encoding in SINGLE_BYTE and not any(encoding == other for _, other in scores):
            scores["", encoding] = _unknown_score(sample, encoding)
    hint = (language or "").partition("-")[0]
    for key in scores:
        scores[key] += _DECLARED_NATS * (key[1] in declared) + _LANGUAGE_NATS * (bool(hint) and key[0] == hint)
        scores[key] += _DEFAULT_NATS * (key[1] == "cp1252")
    return _best(scores)


def _best(scores: dict[tuple[str, str], float]) -> DetectorGuess:
    (language, encoding), score = max(scores.items(), key=lambda item: item[1])
    others = [value for key, value in scores.items() if key[1] != encoding]
    return DetectorGuess(encoding, language, score - max(others, default=score))
