"""How near is extracted text to gold text? The measures of P1 and P5, and two of the field's own.

Every measure compares two texts and gives a :class:`Score`. The longest common subsequence of tokens (P1 §2.2 [28]) is
the one to quote: it punishes what is left out, what is let in, and what is out of order. Tokens are words, and single
characters of scripts that do without spaces.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

TOKEN_LIMIT: Final = 100_000
"""Tokens of a text that the subsequence looks at: its cost grows with the product of both lengths."""

_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ffff"
)
_TOKEN: Final = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Score:
    """Precision is None when nothing was extracted, recall when there is nothing to find; F is then 0 (or 1, if both)."""

    precision: float | None
    recall: float | None
    f: float


@dataclass(frozen=True, slots=True)
class PageScores:
    """All measures of one page."""

    lcs: Score
    bag: Score
    shingles: Score


@dataclass(frozen=True, slots=True)
class ConfidenceInterval:
    """A mean with the ends of its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CutoffPoint:
    """Precision, recall and F of all blocks whose score is at least ``cutoff``."""

    cutoff: float
    precision: float
    recall: float
    f: float


def tokens(text: str) -> list[str]:
    """Lower-case words, and characters of Chinese, Japanese, Thai, Burmese and Khmer, after NFKC."""
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).lower())


def score(hits: float, extracted: float, gold: float) -> Score:
    """Precision, recall and their harmonic mean from counts."""
    total = extracted + gold
    return Score(
        hits / extracted if extracted else None,
        hits / gold if gold else None,
        2 * hits / total if total else 1.0,
    )


def lcs(extracted: Sequence[str], gold: Sequence[str]) -> Score:
    """Longest common subsequence over the length of the extracted and of the gold tokens (P1 §2.2 [28])."""
    extracted, gold = extracted[:TOKEN_LIMIT], gold[:TOKEN_LIMIT]
    return score(lcs_length(extracted, gold), len(extracted), len(gold))


def lcs_length(left: Sequence[Hashable], right: Sequence[Hashable]) -> int:
    """Length of the longest common subsequence.

    What both begin and end with is counted without search, what only one of them has is left out; the rest is
    Hyyrö's bit-parallel recurrence (2004), a row of the table being one large integer.
    """
    begin, end = _common_ends(left, right)
    vocabulary = set(right[begin : len(right) - end])
    rows = [item for item in left[begin : len(left) - end] if item in vocabulary]
    row_tokens = set(rows)
    columns = [item for item in right[begin : len(right) - end] if item in row_tokens]
    if len(rows) < len(columns):  # few long integers beat many short ones
        rows, columns = columns, rows
    return begin + end + _bit_parallel(columns, rows)


def bag(extracted: Sequence[str], gold: Sequence[str]) -> Score:
    """The same tokens in any order: overlap of the two multisets."""
    return score((Counter(extracted) & Counter(gold)).total(), len(extracted), len(gold))


def shingles(extracted: str, gold: str, size: int = 4) -> Score:
    """Overlap of the multisets of word n-grams, case kept; a shorter text is one n-gram."""
    left, right = _shingles(extracted, size), _shingles(gold, size)
    return score((left & right).total(), left.total(), right.total())


def page_scores(extracted: str, gold: str) -> PageScores:
    """All measures of one page."""
    left, right = tokens(extracted), tokens(gold)
    return PageScores(lcs(left, right), bag(left, right), shingles(extracted, gold))


def snippets(extracted: str, required: Iterable[str], unwanted: Iterable[str]) -> Score:
    """For gold that is only a few snippets of a page: which of them are in the text, white space aside."""
    text = " ".join(extracted.split())
    required = [" ".join(snippet.split()) for snippet in required]
    hits = sum(snippet in text for snippet in required)
    wrong = sum(" ".join(snippet.split()) in text for snippet in unwanted)
    return score(hits, hits + wrong, len(required))


def bootstrap(values: Sequence[float], *, draws: int = 2_000, seed: int = 0) -> ConfidenceInterval:
    """Mean and 95 % interval by drawing pages with replacement; pass differences for a paired comparison."""
    sample = np.asarray(values, np.float64)
    if not len(sample):
        raise ValueError("no values to draw from")
    generator = np.random.default_rng(seed)
    means = np.array([sample[generator.integers(0, len(sample), len(sample))].mean() for _ in range(draws)])
    low, high = np.percentile(means, [2.5, 97.5])
    return ConfidenceInterval(float(sample.mean()), float(low), float(high))


def cutoff_curve(
    scores: Sequence[float],
    is_text: Sequence[bool],
    weights: Sequence[float] | None = None,
    *,
    steps: int = 100,
) -> list[CutoffPoint]:
    """Precision, recall and F of blocks against the cut-off, from 0 to 1 (P5 Fig. 4).

    P5 counts paragraphs; ``weights`` (e.g. characters) let long ones count for more. Where no block reaches the
    cut-off, precision is 1: nothing wrong was let in.
    """
    values = np.asarray(scores, np.float64)
    gold = np.asarray(is_text, bool)
    weight = np.ones(len(values)) if weights is None else np.asarray(weights, np.float64)
    order = np.argsort(values, kind="stable")
    values, right, mass = values[order], (weight * gold)[order], weight[order]
    right_above = np.concatenate((np.cumsum(right[::-1])[::-1], [0.0]))
    mass_above = np.concatenate((np.cumsum(mass[::-1])[::-1], [0.0]))
    curve = []
    for step in range(steps + 1):
        cutoff = step / steps
        at = int(np.searchsorted(values, cutoff, "left"))
        point = score(float(right_above[at]), float(mass_above[at]), float(right_above[0]))
        precision = 1.0 if point.precision is None else point.precision
        curve.append(CutoffPoint(cutoff, precision, point.recall or 0.0, point.f))
    return curve


def best_cutoff(curve: Sequence[CutoffPoint]) -> CutoffPoint:
    """The point of the highest F; of equals the middle one, which is the safest."""
    top = max(point.f for point in curve)
    best = [point for point in curve if point.f == top]
    return best[len(best) // 2]


def _common_ends(left: Sequence[Hashable], right: Sequence[Hashable]) -> tuple[int, int]:
    shorter = min(len(left), len(right))
    begin = 0
    while begin < shorter and left[begin] == right[begin]:
        begin += 1
    end = 0
    while end < shorter - begin and left[-1 - end] == right[-1 - end]:
        end += 1
    return begin, end


def _bit_parallel(columns: Sequence[Hashable], rows: Sequence[Hashable]) -> int:
    matches: dict[Hashable, int] = {}
    for item, places in _places(columns).items():
        matches[item] = sum(1 << place for place in places) if len(places) < 8 else _mask(places, len(columns))
    everything = (1 << len(columns)) - 1
    state = everything
    for item in rows:
        hit = state & matches[item]
        state = ((state + hit) | (state - hit)) & everything
    return len(columns) - state.bit_count()


def _places(items: Sequence[Hashable]) -> dict[Hashable, list[int]]:
    places: dict[Hashable, list[int]] = {}
    for place, item in enumerate(items):
        places.setdefault(item, []).append(place)
    return places


def _mask(places: Sequence[int], length: int) -> int:
    bits = bytearray(length // 8 + 1)
    for place in places:
        bits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(bits, "little")


def _shingles(text: str, size: int) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    return Counter(tuple(words[at : at + size]) for at in range(max(1, len(words) - size + 1)) if words)
