"""The most frequent runs of words: formulas of a genre, and what templates and spam repeat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from paberki.amounts import several
from paberki.query.counting.token_scope import TokenScope
from paberki.query.statistics.ngrams import ngrams
from paberki.report.section import Section
from paberki.report.words.keyness import concordance
from paberki.report.words.word_source import WordSource

SIZES: Final = (2, 3, 5, 8)
LISTED: Final = 25
SAMPLE: Final = 20_000_000
"""Tokens from which a seeded sample of the pages is taken instead of all: sorting runs is the costliest part of a report."""
SEED: Final = 1


def frequent_runs(sources: Sequence[WordSource], sizes: Sequence[int] = SIZES) -> Section:
    """N-grams of several lengths, the most frequent of each."""
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    for source in sources:
        scope = _sample(source.scope)
        if scope is not source.scope:
            notes.append(
                f"{source.name}: a sample of {scope.tokens:,} of {several(source.tokens, 'token')}, whole pages, seed {SEED}."
            )
        for size in sizes:
            if source.tokens >= size:
                rows += _rows(source.name, scope, size)
    if not rows:
        return Section("ngrams", "Frequent runs of words", missing="There are too few tokens.")
    if len(sources) == 1:
        rows = [{name: value for name, value in row.items() if name != "corpus"} for row in rows]
    caption = (
        "Runs of tokens within pages, the most frequent first; long ones often are furniture that was not removed."
    )
    heads = {name: name for name in rows[0] if name != "query"}
    return Section("ngrams", "Frequent runs of words", caption, {}, rows, (), notes, heads=heads)


def _sample(scope: TokenScope) -> TokenScope:
    """The scope, or so many of its pages at random that they have about the tokens of a sample."""
    if scope.tokens <= SAMPLE:
        return scope
    page_mask = np.random.default_rng(SEED).random(scope.places.size) < SAMPLE / scope.tokens
    return scope.of_pages(page_mask, "sample")


def _rows(name: str, scope: TokenScope, size: int) -> list[dict[str, Any]]:
    table = ngrams(scope, "word", size, limit=LISTED)
    counts = table.column(next(name for name in table.column_names if name in ("hits", "count", "frequency")))
    runs = zip(table.column(0).to_pylist(), counts.to_pylist(), strict=True)
    return [
        {
            "corpus": name,
            "n": size,
            "ngram": run,
            "occurrences": int(count),
            "query": " ".join(concordance(word) for word in str(run).split(" ")),
        }
        for run, count in runs
        if count > 1
    ]
