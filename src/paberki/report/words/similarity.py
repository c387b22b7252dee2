"""Similarity of corpora by three measures (P2 §5, Table 1; Kilgarriff 2001) [78, 79].

Ranks and χ² are taken of the 500 words that are most frequent in both corpora together, each weighed the same;
cross-entropy of the whole vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paberki.report.section import Section
from paberki.report.words.joint_words import joint_counts, most_frequent_of
from paberki.report.words.rank_measures import WORDS, chi2, mutual_entropy, spearman
from paberki.report.words.word_source import WordSource


def similarity(sources: Sequence[WordSource], warnings: Sequence[str] = ()) -> list[Section]:
    """Three sections: ``similarity`` by ranks, ``chi2`` and ``cross_entropy``, a row for each pair."""
    _, table = joint_counts(sources)
    pairs = [_pair(sources, table, one, other) for one, other in combinations(range(len(sources)), 2)]
    notes = list(warnings)

    def section(name: str, title: str, caption: str, *columns: str) -> Section:
        rows = [{key: pair[key] for key in ("a", "b", *columns)} for pair in pairs]
        values = {key: rows[0][key] for key in columns} if len(rows) == 1 else {}
        return Section(name, title, caption, values, rows, (), notes)

    return [
        section(
            "similarity",
            "Similarity by ranks",
            "Spearman's coefficient of the ranks of the 500 most frequent words; 1 for the same order (P2 Table 1: .741).",
            "spearman",
            "words",
        ),
        section(
            "chi2",
            "Similarity by χ²",
            "χ² of the same words; the smaller, the more alike. Only corpora of about the same size can be compared with it.",
            "chi2",
            "df",
            "chi2_per_df",
        ),
        section(
            "cross_entropy",
            "Similarity by cross-entropy",
            "Bits per word of each corpus under a unigram model of the other, mean of both directions.",
            "cross_entropy",
            "perplexity",
        ),
    ]


def _pair(sources: Sequence[WordSource], table: NDArray[np.int64], one: int, other: int) -> dict[str, Any]:
    both = table[[one, other]]
    frequent = both[:, most_frequent_of(both, WORDS)]
    square, freedom = chi2(*frequent)
    bits = mutual_entropy(*both[:, both.sum(axis=0) > 0])
    return {
        "a": sources[one].name,
        "b": sources[other].name,
        "spearman": spearman(*frequent),
        "words": frequent.shape[1],
        "chi2": square,
        "df": freedom,
        "chi2_per_df": square / freedom if freedom else None,
        "cross_entropy": bits,
        "perplexity": 2.0**bits,
    }
