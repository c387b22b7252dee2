"""Homogeneity: how alike are two random halves of a corpus? (P2 §5, Table 1)

Ten times the pages are put into two halves at random; Spearman's coefficient of the ranks of the 500 most frequent words is
taken each time, and its mean and standard deviation are reported. Corpora with few pages are halved by runs of tokens.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from paberki.report.section import Section
from paberki.report.words.rank_measures import WORDS, chi2, mutual_entropy, spearman
from paberki.report.words.word_source import Ints, WordSource

RUNS: Final = 10
"""Random halvings."""
SEED: Final = 1
_FEW: Final = 20
"""Fewer pages than that are not halved; runs of tokens are."""
_RUN: Final = 200


def units(source: WordSource) -> tuple[Ints, Ints, str]:
    """Edges of what is put into halves, in positions of the index; which of these are not empty; and what they are."""
    unit_numbers = np.flatnonzero(np.asarray(source.scope.page_tokens) > 0)
    if len(unit_numbers) >= _FEW:
        return source.pages, unit_numbers, "pages"
    end = max(source.scope.places.index.tokens, 1)
    edges = np.append(np.arange(0, end, _RUN), end)
    return edges, np.arange(len(edges) - 1), f"runs of {_RUN} tokens"


def halves(source: WordSource, words: Ints, seed: int = SEED) -> tuple[NDArray[np.int64], str]:
    """Counts of some words in both halves of each halving: halvings × 2 × words.

    All halvings are counted in one pass: bit h of a unit's code is its half in halving h.
    """
    edges, unit_numbers, what = units(source)
    codes = np.zeros(len(edges), np.int64)
    codes[unit_numbers] = _codes(len(unit_numbers), seed)
    place = np.full(source.values().size, -1, np.int64)
    place[words] = np.arange(len(words))
    table = np.zeros((1 << RUNS) * max(len(words), 1), np.int64)
    for piece in source.pieces("word"):
        columns = place[piece.ids["word"]]
        mask = columns >= 0
        owners = np.searchsorted(edges, piece.positions[mask], "right") - 1
        cells = codes[owners] * len(words) + columns[mask]
        table += np.bincount(cells, minlength=len(table))
    by_code = table.reshape(1 << RUNS, -1)
    bits = (np.arange(1 << RUNS)[:, None] >> np.arange(RUNS)) & 1
    second = bits.T @ by_code
    return np.stack([by_code.sum(axis=0) - second, second], axis=1), what


def _codes(count: int, seed: int) -> Ints:
    """A number for each unit whose bits say in which half it is; halves differ by at most one unit."""
    random = np.random.default_rng(seed)
    codes = np.zeros(count, np.int64)
    for halving in range(RUNS):
        codes[random.permutation(count)[: count // 2]] |= 1 << halving
    return codes


def homogeneity(source: WordSource, *, seed: int = SEED) -> Section:
    """Mean and standard deviation over the halvings."""
    words = source.most_frequent(WORDS)
    if len(words) < 2:
        return Section("homogeneity", "Homogeneity", missing="There are too few words to compare halves of.")
    tables, what = halves(source, words, seed)
    runs = [_run(number, first, second) for number, (first, second) in enumerate(tables, 1)]
    coefficients = np.array([run["spearman"] for run in runs if run["spearman"] is not None], float)
    mean = float(coefficients.mean()) if len(coefficients) else None
    sd = float(coefficients.std(ddof=1)) if len(coefficients) > 1 else None
    notes = [
        f"{RUNS} random halvings by {what}, seed {seed}; the {len(words)} most frequent words.",
        "P2 Table 1: .938 (.023) for SYN2005, .986 (.004) for a Czech web corpus.",
    ]
    if len(words) < WORDS:
        notes.append(f"The corpus has only {len(words)} different words; the figure cannot be compared with P2's.")
    caption = "How alike random halves of the corpus are (P2 Table 1): 1 means that words have the same ranks in both."
    values = {"mean": mean, "sd": sd, "runs": RUNS, "seed": seed, "words": len(words)}
    return Section("homogeneity", "Homogeneity", caption, values, runs, (), notes)


def _run(number: int, first: Ints, second: Ints) -> dict[str, float | int | None]:
    square, freedom = chi2(first, second)
    return {
        "run": number,
        "spearman": spearman(first, second),
        "chi2": square,
        "chi2_per_df": square / freedom if freedom else None,
        "cross_entropy": mutual_entropy(first, second),
    }
