"""Known-similarity corpora: does a measure order mixtures right? (Kilgarriff 2001, after P2 §5) [79]

Two corpora are cut into pieces and mixed: mixture i has i tenths of the first and the rest of the second, no piece is used
twice. If a mixture lies between two others, it must be more alike to each of them than they are to each other. The score of
a measure is the share of such judgements that it gets right; P2 reports after Kilgarriff that ranks and χ² do better
than cross-entropy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from paberki.amounts import several
from paberki.report.section import Section
from paberki.report.words.joint_words import joint_counts, most_frequent_of
from paberki.report.words.rank_measures import WORDS, chi2, mutual_entropy, spearman
from paberki.report.words.word_source import WordSource

STEPS: Final = 10
PIECES: Final = STEPS * (STEPS + 1) // 2
"""Pieces of each corpus: mixture i takes i of them."""
SEED: Final = 1
_VOCABULARY: Final = 20_000
_LEAST: Final = 20 * PIECES
"""Tokens that a corpus must have, so that a piece has some words."""
_RUN: Final = 100


def known_similarity(first: WordSource, second: WordSource, *, seed: int = SEED) -> Section:
    """The share of judgements that each measure gets right."""
    title = "Which measure orders mixtures right?"
    if min(first.word_tokens, second.word_tokens) < _LEAST:
        missing = f"Both corpora need at least {several(_LEAST, 'word')} to be mixed."
        return Section("known_similarity", title, missing=missing)
    mixtures = mix(first, second, seed)
    rows = [{"measure": name, **_score(mixtures, measure)} for name, measure in _MEASURES.items()]
    caption = (
        f"{STEPS + 1} mixtures of {first.name} and {second.name} with known shares (Kilgarriff 2001): how often a measure "
        "finds the pair more alike that is."
    )
    notes = [
        f"Pieces drawn with seed {seed}; {mixtures.shape[1]:,} words; about {int(mixtures.sum(axis=1).mean()):,} tokens per "
        "mixture."
    ]
    return Section("known_similarity", title, caption, {"seed": seed, "mixtures": STEPS + 1}, rows, (), notes)


def mix(first: WordSource, second: WordSource, seed: int) -> NDArray[np.int64]:
    """Counts of words in each mixture: mixtures × words, the most frequent words first."""
    words, table = joint_counts([first, second])
    frequent = most_frequent_of(table, _VOCABULARY)
    frequent_words = words.take(pa.array(frequent))
    pieces = [_pieces(one, frequent_words, seed + number) for number, one in enumerate((first, second))]
    mixtures = np.zeros((STEPS + 1, len(frequent)), np.int64)
    offsets = [0, 0]
    for step in range(STEPS + 1):
        for number, share in enumerate((step, STEPS - step)):
            mixtures[step] += pieces[number][offsets[number] : offsets[number] + share].sum(axis=0)
            offsets[number] += share
    return mixtures


def _pieces(source: WordSource, words: Any, seed: int) -> NDArray[np.int64]:
    """Counts of words in equally large random pieces of a corpus."""
    column = np.full(source.values().size, -1, np.int64)
    places = pa.compute.index_in(
        source.values().strings.cast(pa.large_string()), value_set=words.cast(pa.large_string())
    )
    raw_columns = places.to_numpy(zero_copy_only=False)
    column = (
        np.where(np.isnan(raw_columns), -1, raw_columns).astype(np.int64)
        if raw_columns.dtype.kind == "f"
        else raw_columns.astype(np.int64)
    )
    runs = source.tokens // _RUN + 1
    owners = np.random.default_rng(seed).permutation(runs) % PIECES
    table = np.zeros(PIECES * len(words), np.int64)
    for piece in source.pieces("word"):
        columns = column[piece.ids["word"]]
        token_positions = np.flatnonzero(columns >= 0)
        cells = owners[(piece.before + token_positions) // _RUN] * len(words) + columns[token_positions]
        table += np.bincount(cells, minlength=len(table))
    return table.reshape(PIECES, len(words))


def _by_ranks(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    coefficient = spearman(one[:WORDS], other[:WORDS])
    return -1.0 if coefficient is None else coefficient


def _by_chi2(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    square, freedom = chi2(one[:WORDS], other[:WORDS])
    return -square / max(freedom, 1)


def _by_entropy(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    return -mutual_entropy(one, other)


Measure = Callable[[NDArray[np.int64], NDArray[np.int64]], float]
_MEASURES: Final[dict[str, Measure]] = {"spearman": _by_ranks, "chi2": _by_chi2, "cross_entropy": _by_entropy}


def _score(mixtures: NDArray[np.int64], measure: Measure) -> dict[str, Any]:
    alike = {
        (one, other): measure(mixtures[one], mixtures[other]) for one, other in combinations(range(len(mixtures)), 2)
    }
    judgements = list(gold(sorted(alike)))
    right = sum(alike[inner] > alike[outer] for inner, outer in judgements)
    return {"judgements": len(judgements), "right": right, "share": right / len(judgements)}


def gold(pairs: Sequence[tuple[int, int]]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Pairs of which the first lies within the second: it must be more alike."""
    return [
        (inner, outer)
        for outer in pairs
        for inner in pairs
        if inner != outer and outer[0] <= inner[0] and inner[1] <= outer[1]
    ]
