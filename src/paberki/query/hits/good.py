"""Good examples first, after Kilgarriff et al. (2008): GDEX.

A score from 0 to 1 for the sentence around each hit, the product of four parts: its length (10 to 25 tokens are best),
whole sentences (a capital or another beginning of a sentence first, a mark that ends one last), frequent words (the share
of tokens among the most frequent values of the corpus), and no addresses or signs of other kinds of text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from paberki.query.counting.token_scope import TokenScope
from paberki.query.counting.values import AttributeValues, values_of
from paberki.query.hits.lines import limits_of

if TYPE_CHECKING:
    from paberki.query.matching import HitTable

__all__ = ["good_order", "scores"]

_BEST: Final = (10, 25)
_LONGEST: Final = 60
_FREQUENT: Final = 17_000
"""Values of a corpus that count as frequent."""
_ADDRESS: Final = re.compile(r"https?:|www\.|://|@|\.(?:com|net|org|html?|php)\b|[<>{}|\\^~#]")
_ENDS: Final = (".", "!", "?", "…", "。", "！", "？", "؟", "।", '."', "”", "“", '"', "»", "«")
_BATCH: Final = 20_000
_ODD, _END, _CAPITAL, _COMMON = 1, 2, 4, 8


def good_order(scope: TokenScope, hits: HitTable) -> NDArray[np.int64]:
    """Numbers of hits, those in the best sentences first."""
    size = len(hits.starts)
    batches = [np.arange(low, min(low + _BATCH, size)) for low in range(0, size, _BATCH)]
    parts = [scores(scope, hits.take(batch)) for batch in batches]
    return np.argsort(-np.concatenate([np.zeros(0), *parts]), kind="stable")


def scores(scope: TokenScope, hits: HitTable) -> NDArray[np.float64]:
    """How good an example each hit is."""
    places = scope.places
    structure: int | str = "s" if "s" in places.index.structures else 12
    lows, highs = limits_of(places, hits, structure)
    highs = np.minimum(highs, lows + 4 * _LONGEST)
    lengths = np.maximum(highs - lows, 1)
    positions = np.repeat(lows - np.cumsum(lengths) + lengths, lengths) + np.arange(int(lengths.sum()))
    values = values_of(places.index, places.index.default)
    flags = _flags(values, values.at(positions))
    begins = np.append(0, np.cumsum(lengths)[:-1])
    if not len(begins):
        return np.zeros(0)
    odd = np.add.reduceat((flags & _ODD) > 0, begins, dtype=np.int64)
    common = np.add.reduceat((flags & _COMMON) > 0, begins, dtype=np.int64) / lengths
    is_whole = ((flags[begins] & _CAPITAL) > 0) * 0.5 + ((flags[begins + lengths - 1] & _END) > 0) * 0.5
    score = _length_score(lengths) * (0.3 + 0.7 * is_whole) * (0.2 + 0.8 * common) * 0.2**odd
    return np.asarray(score, np.float64)


def _length_score(lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    short = np.clip(lengths / _BEST[0], 0, 1)
    long = np.clip((_LONGEST - lengths) / (_LONGEST - _BEST[1]), 0.05, 1)
    return np.asarray(short * long, np.float64)


def _flags(values: AttributeValues, numbers: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """What matters about each token."""
    distinct, places = np.unique(numbers, return_inverse=True)
    common = values.counts[distinct] >= _threshold(values)
    flags = np.array([_flag(text) for text in values.texts(distinct)], np.uint8)
    return np.asarray((flags | (common * np.uint8(_COMMON)))[places], np.uint8)


def _threshold(values: AttributeValues) -> int:
    """The frequency of the last value that counts as frequent."""
    if values.size <= _FREQUENT:
        return 2 if values.size > 1 else 1
    return int(np.partition(values.counts, -_FREQUENT)[-_FREQUENT])


def _flag(text: str) -> int:
    is_start = bool(text) and (
        text[0].isupper() or text[0].isdigit() or text[0] in "\"'„“»«(¿¡—–-" or _caseless(text[0])
    )
    return (
        (_ODD if _ADDRESS.search(text) else 0) | (_END if text.endswith(_ENDS) else 0) | (_CAPITAL if is_start else 0)
    )


def _caseless(letter: str) -> bool:
    """A letter of a script without capitals."""
    return letter.isalpha() and letter.lower() == letter.upper()
