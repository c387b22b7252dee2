"""Texts that nobody would compare: none, empty, one word, one word again and again, all the same, very long ones."""

from __future__ import annotations

import random

import numpy as np
import pytest

from paberki.dedup.near import sort_join
from paberki.dedup.near.between_texts import near_duplicates
from paberki.dedup.signatures import matching

FOOTER = "sva prava pridržana i sve drugo što stoji na dnu svake stranice ovoga hosta na cijelom svijetu"
both_regimes = pytest.mark.parametrize("threshold", [0.8, 0.05])


@both_regimes
def test_nothing(threshold):
    found = near_duplicates([], threshold=threshold)
    assert (found.cluster.tolist(), found.keep.tolist(), found.dup_of, list(found.pairs())) == ([], [], [], [])


@both_regimes
def test_texts_without_words_are_nobody_s_copies(threshold):
    found = near_duplicates(["", " ", "", "...", "riječ", "Riječ!", "druga", "\ud800"], threshold=threshold)
    assert found.keep.tolist() == [True, True, True, True, False, True, True, True]
    assert list(found.pairs()) == [(4, 5, 1.0)]


@both_regimes
def test_one_word_each(threshold):
    assert near_duplicates([f"w{number}" for number in range(3_000)], threshold=threshold).keep.all()


@both_regimes
def test_one_word_again_and_again(threshold):
    texts = ["riječ " * 200_000, "riječ " * 199_999, "riječ", "riječ druga"]
    found = near_duplicates(texts, threshold=threshold)
    assert found.keep.tolist() == [True, False, True, True]


@both_regimes
def test_all_the_same(threshold):
    found = near_duplicates(["isti tekst koji se ponavlja na svakoj stranici"] * 50_000, threshold=threshold)
    assert found.keep.sum() == 1
    assert len(set(found.cluster.tolist())) == 1
    assert sum(1 for _ in found.pairs()) == 49_999  # with the text that stays, as there are too many for all


@both_regimes
def test_very_long_texts(threshold):
    some = random.Random(3)
    text = " ".join(f"r{some.randrange(10**6)}" for _ in range(600_000))
    found = near_duplicates([text, f"{text[:-2000]} kraj", text.upper(), "nešto sasvim drugo"], threshold=threshold)
    assert found.keep.sum() == 2
    assert found.keep[3]


def test_a_footer_on_every_page_does_not_make_all_pairs(monkeypatch):
    monkeypatch.setattr(sort_join, "PAIRS_OF_COLUMN", 20_000)
    texts = [f"a{number} b{number} {FOOTER}" for number in range(1_200)]
    found = near_duplicates(texts, threshold=0.05)
    assert found.keep.sum() == 1
    assert set(found.dup_of) == {None, int(np.flatnonzero(found.keep)[0])}


def test_a_column_gives_no_more_pairs_than_it_may(monkeypatch):
    monkeypatch.setattr(sort_join, "PAIRS_OF_COLUMN", income := 10_000)
    column = np.zeros(2_000, np.uint32)
    column[1_000:] = np.arange(1, 1_001)
    for columns in (1, 20):
        found = sort_join.shared_values(lambda _: column, columns, 1, limit=1_000)
        assert found.frequent == columns
        (pairs, counts), *_ = found.portions()
        left, right = matching.split(pairs)
        assert 1_000 <= counts.sum() <= (columns + 8) * income
        assert set(right.tolist()) == set(range(1, 1_000))  # everybody is compared with the first ones


@pytest.mark.parametrize("seed", range(3))
@both_regimes
def test_the_order_of_the_texts_is_no_matter(seed, threshold):
    some = random.Random(seed)
    words = [f"w{number}" for number in range(400)]
    texts = []
    for _ in range(60):
        base = some.choices(words, k=some.randrange(3, 200))
        texts += [" ".join(base), " ".join(base[: len(base) // 2]), " ".join(base + base[:9]), " ".join(base).upper()]
    order = list(range(len(texts)))
    some.shuffle(order)
    straight, shuffled = (near_duplicates(one, threshold=threshold) for one in (texts, [texts[at] for at in order]))
    place = {at: number for number, at in enumerate(order)}
    assert {text for text, stays in zip(texts, straight.keep, strict=True) if stays} == {
        texts[at] for at, stays in zip(order, shuffled.keep, strict=True) if stays
    }
    for text, head in enumerate(straight.dup_of):
        other = shuffled.dup_of[place[text]]
        kept = texts[text] if head is None else texts[head]
        assert kept == (texts[text] if other is None else texts[order[other]])
    known = {(*sorted((texts[i], texts[j])), round(alike, 9)) for i, j, alike in straight.pairs()}
    assert known == {(*sorted((texts[order[i]], texts[order[j]])), round(a, 9)) for i, j, a in shuffled.pairs()}
