"""LM1, by which P3 tells close languages apart: unigram models of words, add-one smoothed, of the noisy crawl itself.

P(w | l) = (c(w, l) + 1) ÷ Σ_v (c(v, l) + 1), v over the words of all languages; a text is in the language under which
its words are likeliest (P3 §5: naive Bayes without prior). Cyrillic letters are read as Latin ones. BL is the blacklist
classifier of Tiedemann & Ljubešić (2012) that P3 compares with: words that a language does not use speak against it.
Words are kept by their hash, so that a model of any crawl has the same size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.identification import alphabet
from paberki.identification.language_records import FeatureReader, utf8_texts, whole_texts, workspace
from paberki.kernels import load

BITS: Final = 20
_BLACKLISTED: Final = 5
"""A word is on a language's blacklist if others have it this often and it is a hundred times as rare there."""
_RARER: Final = 100.0

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def words_in(data: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int32]) -> tuple[Ints, Ints]:
    """Hashed words of all texts one after the other, and where each text begins among them."""
    kernel = load("paberki.identification.language_kernel")
    span = int(offsets[-1] - offsets[0])
    out = np.empty(span // 2 + 2 * len(offsets) + 2, np.int32)
    edges = np.zeros(len(offsets), np.int64)
    reader = FeatureReader(*alphabet.latinised(), fewest=1, most=0, words=True, bits=BITS)
    count = kernel.list_features(whole_texts(data, offsets), reader, workspace(kernel.LONGEST_RUN), out, edges)
    return out[:count].astype(np.int64), edges


@dataclass(frozen=True, eq=False)
class LM1:
    """The model: counts of hashed words in each language."""

    languages: tuple[str, ...]
    counts: npt.NDArray[Any]
    """One row per hashed word, one column per language."""

    @cached_property
    def logs(self) -> Floats:
        """log P(w | l); 0 for words that were seen in no language, which say nothing."""
        has_count = self.counts.sum(axis=1) > 0
        logs: Floats = np.log((self.counts + 1.0) / (self.counts.sum(axis=0) + max(float(has_count.sum()), 1.0)))
        logs[~has_count] = 0.0
        return logs

    @cached_property
    def blacklists(self) -> Floats:
        """−1 where a word is on the blacklist of a language."""
        shares = (self.counts + 0.0) / np.maximum(self.counts.sum(axis=0), 1)
        others = self.counts.sum(axis=1, keepdims=True) - self.counts
        rare = shares * _RARER < shares.max(axis=1, keepdims=True)
        lists: Floats = -((others >= _BLACKLISTED) & rare).astype(np.float64)
        return lists

    def score(self, words: Ints, edges: Ints, *, blacklist: bool = False) -> Floats:
        """Log-probability of each text under each language, or its hits on their blacklists."""
        table = self.blacklists if blacklist else self.logs
        upto = np.zeros((len(words) + 1, len(self.languages)))
        np.cumsum(table[words], axis=0, out=upto[1:])
        scores: Floats = upto[edges[1:]] - upto[edges[:-1]]
        return scores


def learn(texts: Sequence[tuple[str, str]]) -> LM1:
    """Count the words of texts with known languages."""
    languages = tuple(sorted({name for name, _ in texts}))
    words, edges = words_in(*utf8_texts([text for _, text in texts]))
    owners = np.repeat([languages.index(name) for name, _ in texts], np.diff(edges))
    counts = np.zeros((1 << BITS, len(languages)), np.int64)
    np.add.at(counts, (words, owners), 1)
    return LM1(languages, counts)
