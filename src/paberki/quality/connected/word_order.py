"""Function words of a language: how many of them a text has, and whether they stand where they do in sentences.

P5's badness looks at ten words, so that a short text pays for words that it could hardly have, and at nothing but
frequencies, so that shuffled words pass. Here the hundred commonest words count, each up to 2.5 times its usual share,
and a text has too few of them only where chance does not explain it. Pairs of neighbours tell text from word salad:
log(P(a b) ÷ P(a) P(b)), added up over a text, is higher than for the same words in any order ("of the" is common, "the
of" is not). Other words count by their last letter, which tells endings, and the end of a sentence is a word as well.
Words and pairs of forty languages are in ``word_order.npz``, which
``python benchmarks/common_words.py`` makes; of other languages the profile of the corpus gives the words, and pairs are
not looked at.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.corpus_file import shipped
from paberki.kernels import load
from paberki.kernels.hash_constants import fnv
from paberki.languages.transliteration import to_cyrillic
from paberki.lexicon import buffers, small_letters
from paberki.model_files.npz import read_npz

FILE: Final = "quality/word_order.npz"
WORDS: Final = 100
"""Commonest words of a language that are looked at."""
LETTERS: Final = 60
"""Commonest last letters of other words."""
SMOOTHING: Final = 1000
"""Pairs that are added to those counted, as many of each as chance would give."""
NAT: Final = 100
"""Gains are whole hundredths of a nat, so that their sums have no order."""
MOST_USUAL: Final = 2.5
"""No word counts for more than so many times its usual share, or twice in a short text."""
VARIED: Final = 300
"""After so many words no more different ones are expected: a long text may be about one thing."""
_LEAST_VARIANCE: Final = 1e-6

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WordOrderMeasures:
    """What was measured of each text."""

    words: npt.NDArray[np.int64]
    hits: Floats
    """Function words, none counted for more than it should."""
    expected_hits: Floats
    """How many there are in as many words of text."""
    types: npt.NDArray[np.int64]
    """Different function words."""
    expected_types: Floats
    """How many there are in as many words of text."""
    order: Floats
    """Standard deviations by which pairs of neighbours are better than those of the same words shuffled."""
    expected_order: Floats
    """The same for a text with so many function words; nan where pairs of the language are not known."""

    @property
    def share(self) -> Floats:
        """Function words relative to what text has: 1 is usual, 0 is none."""
        shares: Floats = np.divide(
            self.hits, self.expected_hits, out=np.zeros(len(self.hits)), where=self.expected_hits > 0
        )
        return shares


class FunctionWordList:
    """The function words of one language."""

    def __init__(
        self,
        shares: Mapping[str, float],
        letters: str = "",
        gains: npt.NDArray[np.int16] | None = None,
        effect: float = np.nan,
    ) -> None:
        """``gains`` of pairs in the order of words, last ``letters``, the rest, and ends of sentences; ``effect``: by how
        many standard deviations per root of a word they are higher in text than in shuffled words."""
        words = list(shares)[:WORDS]
        size = len(words) + len(letters) + 2
        self._shares = np.array([shares[word] for word in words])
        self._gains = np.zeros((size, size), np.int16) if gains is None else np.ascontiguousarray(gains[:size, :size])
        self._effect = effect
        self._keys, self._numbers = _table(words, letters)

    def measure(self, texts: pa.StringArray) -> WordOrderMeasures:
        """Count and follow the words of every text."""
        counts = np.zeros((len(texts), len(self._gains)), np.int64)
        orders = np.zeros((len(texts), 2), np.int64)
        data, offsets = buffers(texts)
        load("paberki.quality.connected.word_order_kernel").follow_words(
            data, offsets, small_letters(), self._keys, self._numbers, self._gains, counts, orders
        )
        words, own = counts[:, :-1].sum(axis=1), counts[:, : len(self._shares)]
        most = np.maximum(2.0, MOST_USUAL * words[:, None] * self._shares)
        hits = np.minimum(own, most).sum(axis=1)
        expected_hits = words * self._shares.sum()
        density = np.minimum(own.sum(axis=1), expected_hits) / max(float(self._shares.sum()), 1e-9)
        order = better_than_shuffled(counts, orders[:, 0] / NAT, orders[:, 1], self._gains / NAT)
        types = (own > 0).sum(axis=1)
        usual = (1.0 - (1.0 - self._shares) ** np.minimum(words, VARIED)[:, None]).sum(axis=1)
        return WordOrderMeasures(words, hits, expected_hits, types, usual, order, self._effect * np.sqrt(density))


def better_than_shuffled(
    counts: npt.NDArray[np.int64], orders: Floats, pairs: npt.NDArray[np.int64], gains: Floats
) -> Floats:
    """Standard deviations by which the gains of all pairs exceed what the same words give in a random order.

    The last class, ends of sentences, is never on the right of a pair.
    """
    left = counts / np.maximum(counts.sum(axis=1), 1)[:, None]
    right = counts[:, :-1] / np.maximum(counts[:, :-1].sum(axis=1), 1)[:, None]
    mean = ((left @ gains[:, :-1]) * right).sum(axis=1)
    square = ((left @ (gains[:, :-1] ** 2)) * right).sum(axis=1)
    deviation = np.sqrt(np.maximum(pairs, 1) * np.maximum(square - mean * mean, _LEAST_VARIANCE))
    scores: Floats = (orders - pairs * mean) / deviation
    return scores


def function_words(language: str, shares: Mapping[str, float]) -> FunctionWordList:
    """Those of a language that we know; else the commonest words of its profile, with their shares."""
    return _function_word_lists().get(language) or FunctionWordList(shares)


@lru_cache(maxsize=1)
def known_languages() -> tuple[str, ...]:
    """Languages whose function words come with the package."""
    return tuple(_function_word_lists())


@lru_cache(maxsize=1)
def _function_word_lists() -> dict[str, FunctionWordList]:
    arrays = read_npz(shipped(FILE))
    about: dict[str, Any] = json.loads(arrays["about"].tobytes())["languages"]
    lists = {}
    for number, (lang, one) in enumerate(about.items()):
        shares = dict(zip(one["words"], one["shares"], strict=True))
        lists[lang] = FunctionWordList(shares, one["letters"], arrays["gains"][number], one["effect"])
    return lists


def _table(words: Sequence[str], letters: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Open addressing: a word is in the first free slot from its place on. Serbian words are there in both alphabets."""
    last = load("paberki.quality.connected.word_order_kernel").LAST
    numbers: dict[int, int] = {}
    for number, word in enumerate(words):
        for spelling in (word, to_cyrillic(word)):
            numbers.setdefault(fnv(map(ord, spelling)), number)
    for number, letter in enumerate(letters, len(words)):
        for spelling in (letter, to_cyrillic(letter)):
            numbers.setdefault(fnv([last, ord(spelling[0])]), number)
    size = 1 << max(3, (4 * len(numbers)).bit_length())
    keys, values = np.zeros(size, np.int64), np.zeros(size, np.int32)
    for key, number in numbers.items():
        slot = (key ^ (key >> 32)) & (size - 1)
        while keys[slot]:
            slot = (slot + 1) & (size - 1)
        keys[slot], values[slot] = key, number
    return keys, values
