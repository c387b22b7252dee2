"""Measures of how alike two corpora are, from the frequencies of their words (P2 §5, Kilgarriff 2001).

All take two vectors of counts of the same words. Spearman's rank correlation does not depend on the sizes of the corpora;
χ² does, so it is also given per degree of freedom; cross-entropy is in bits per word.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

WORDS: Final = 500
"""Most frequent words that ranks and χ² are taken of (P2 §5)."""

Numbers = NDArray[np.float64]


def ranks(counts: NDArray[np.int64]) -> Numbers:
    """Places in the order of counts; equal counts share the mean of their places."""
    _, inverse, sizes = np.unique(counts, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    return np.asarray((last - (sizes - 1) / 2)[inverse], np.float64)


def spearman(first: NDArray[np.int64], second: NDArray[np.int64]) -> float | None:
    """Spearman's rank correlation; None where all words are equally frequent in one of the corpora."""
    if len(first) < 2:
        return None
    one, other = ranks(first), ranks(second)
    one, other = one - one.mean(), other - other.mean()
    scale = math.sqrt(float((one**2).sum()) * float((other**2).sum()))
    return float((one * other).sum()) / scale if scale else None


def chi2(first: NDArray[np.int64], second: NDArray[np.int64]) -> tuple[float, int]:
    """χ² of a table of two columns, one row for each word, and its degrees of freedom."""
    table = np.stack([first, second]).astype(np.float64)
    table = table[:, table.sum(axis=0) > 0]
    total = table.sum()
    if table.shape[1] < 2 or not (table.sum(axis=1) > 0).all():
        return 0.0, 0
    expected_counts = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / total
    return float(((table - expected_counts) ** 2 / expected_counts).sum()), table.shape[1] - 1


def cross_entropy(model: NDArray[np.int64], test: NDArray[np.int64]) -> float:
    """Bits per word of the test corpus under a unigram model of the other, add-one over the words of both."""
    total = int(test.sum())
    if not total:
        return 0.0
    logs = np.log2((model + 1) / (model.sum() + len(model)))
    return float(-(test * logs).sum() / total)


def mutual_entropy(first: NDArray[np.int64], second: NDArray[np.int64]) -> float:
    """The mean of both directions, so that the order of two corpora does not matter."""
    return (cross_entropy(first, second) + cross_entropy(second, first)) / 2
