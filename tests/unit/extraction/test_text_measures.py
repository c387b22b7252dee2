"""Measures of extraction against their definitions."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.extraction.evaluation.text_measures import (
    bag,
    best_cutoff,
    bootstrap,
    cutoff_curve,
    lcs,
    lcs_length,
    page_scores,
    shingles,
    snippets,
    tokens,
)


def _by_table(left: list[int], right: list[int]) -> int:
    row = [0] * (len(right) + 1)
    for item in left:
        before = row[:]
        for at, other in enumerate(right, 1):
            row[at] = before[at - 1] + 1 if item == other else max(before[at], row[at - 1])
    return row[-1]


@given(st.lists(st.integers(0, 5), max_size=40), st.lists(st.integers(0, 5), max_size=40))
def test_the_subsequence_is_that_of_the_textbook_table(left, right):
    assert lcs_length(left, right) == _by_table(left, right)


def test_long_texts_with_repeated_words():
    chance = random.Random(1)
    left = [chance.randrange(300) for _ in range(1500)]
    right = [item for item in left if chance.random() < 0.7] + [7, 8, 9]
    assert lcs_length(left, right) == _by_table(left, right)


def test_tokens_are_words_and_single_characters_of_unspaced_scripts():
    assert tokens("Čovjek, 東京に") == ["čovjek", "東", "京", "に"]
    assert tokens("ﬁlm Ｈ２") == ["film", "h2"]


def test_precision_recall_and_f():
    found = lcs(tokens("a b c x"), tokens("a b c d e"))
    assert (found.precision, found.recall) == (0.75, 0.6)
    assert found.f == pytest.approx(2 * 0.75 * 0.6 / 1.35)


def test_order_matters_to_the_subsequence_only():
    assert lcs(["b", "a"], ["a", "b"]).f == 0.5
    assert bag(["b", "a"], ["a", "b"]).f == 1.0


def test_nothing_extracted_and_nothing_to_extract():
    assert lcs([], ["a"]).precision is None
    assert lcs([], ["a"]).f == 0.0
    assert page_scores("", "").lcs.f == 1.0


def test_shingles_are_four_words_with_their_case():
    found = shingles("a b c d e", "a b c d f")
    assert (found.precision, found.recall) == (0.5, 0.5)
    assert shingles("A b c d", "a b c d").f == 0.0
    assert shingles("dvije riječi", "dvije  riječi").f == 1.0


def test_snippets_count_what_should_and_should_not_be_there():
    found = snippets("one two\nthree four", ["two three", "five"], ["four", "six"])
    assert (found.precision, found.recall) == (0.5, 0.5)


def test_bootstrap_is_repeatable_and_holds_the_mean():
    values = [0.5, 0.9, 0.7, 0.8, 1.0]
    assert bootstrap(values) == bootstrap(values)
    interval = bootstrap(values)
    assert interval.low < interval.mean < interval.high
    assert bootstrap([0.4] * 9).low == pytest.approx(0.4)


def test_curve_against_the_cutoff():
    scores = [0.1, 0.4, 0.6, 0.9]
    gold = [False, True, False, True]
    curve = {point.cutoff: point for point in cutoff_curve(scores, gold, steps=10)}
    assert (curve[0.0].precision, curve[0.0].recall) == (0.5, 1.0)
    assert curve[0.4].precision == pytest.approx(2 / 3)
    assert (curve[0.9].precision, curve[0.9].recall) == (1.0, 0.5)
    assert (curve[1.0].precision, curve[1.0].recall) == (1.0, 0.0)
    assert best_cutoff(list(curve.values())).f == pytest.approx(0.8)


def test_weights_let_long_blocks_count_for_more():
    (point,) = (p for p in cutoff_curve([0.9, 0.9], [True, False], [90, 10], steps=2) if p.cutoff == 0.5)
    assert point.precision == pytest.approx(0.9)
