"""Words that blocks share with other blocks of their page, against a plain version."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paberki.extraction.learned import shared_words
from paberki.extraction.learned.shared_words import LONG, SHARED_WORDS, add_shared_words, page_words, word_room

Block = tuple[str, bool]
blocks = st.lists(
    st.tuples(st.text("abčČ1. ", max_size=12).map(lambda text: text or "."), st.booleans()), min_size=1, max_size=8
)


def measured(before: list[Block], page: list[Block]) -> np.ndarray:
    """Features of a page that stands behind another one in a harvest."""
    texts = [text.encode() for text, _ in before + page]
    ends = np.cumsum([len(text) for text in texts]).astype(np.int32)
    words = page_words(np.frombuffer(b"".join(texts), np.uint8), ends)
    table = np.full((len(page), len(SHARED_WORDS) + 2), np.nan, np.float32)
    prose = np.array([is_prose for _, is_prose in page], np.float64)
    span = np.array([len(before), len(before) + len(page)], np.int64)
    add_shared_words(words, span, prose, word_room(sum(map(len, texts)), len(page)), table, 1)
    assert np.isnan(table[:, [0, -1]]).all()
    return table[:, 1:-1]


def plain(page: list[Block]) -> list[list[float]]:
    """The same, word by word."""
    words = [re.findall(r"[^\W_]+", text.lower()) for text, _ in page]
    rows = []
    for number, own in enumerate(words):
        others = [(set(other), page[k][1]) for k, other in enumerate(words) if k != number]
        prose = [sum(word in other for other, is_prose in others if is_prose) for word in own]
        rest = [sum(word in other for other, is_prose in others if not is_prose) for word in own]
        long = [k for k, word in enumerate(own) if len(word) >= LONG]
        weights = [p / (p + o + 0.5) for p, o in zip(prose, rest, strict=True)]
        count = max(len(own), 1)
        rows.append([
            sum(weights) / count,
            sum(weights[k] for k in long) / len(long) if long else -1.0,
            sum(p + o == 0 for p, o in zip(prose, rest, strict=True)) / count,
            sum(p > 0 for p in prose) / count,
            sum(prose[k] > 0 for k in long) / len(long) if long else -1.0,
            sum(o > 0 for o in rest) / count,
        ])  # fmt: skip
    return rows


@settings(max_examples=150, deadline=None)
@given(blocks, blocks)
def test_features_are_those_of_the_plain_version(before: list[Block], page: list[Block]) -> None:
    np.testing.assert_allclose(measured(before, page), plain(page), rtol=1e-6)


def test_an_article_shares_its_words_and_a_teaser_does_not() -> None:
    page = [
        ("Knjiga govori o gradu Splitu.", True),
        ("Grad Splitu duguje knjiga.", True),
        ("Rezultati utakmica", False),
    ]
    weight = measured([], page)[:, 0]
    assert weight[0] > 0.2
    assert weight[2] == 0.0


def test_words_of_scripts_without_spaces_are_single_characters() -> None:
    shares = measured([], [("日本の本", True), ("本日", False)])
    assert shares[1, SHARED_WORDS.index("shared_prose")] == 1.0


def test_a_page_with_more_words_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_words, "MOST_WORDS", 9)
    page = [("a b c d e f", True), ("a b c d e f", True), ("a b", True)]
    shares = measured([], page)
    assert np.isfinite(shares).all()
    assert shares[0, 3] > 0
    assert shares[2, 3] == 0.0


def test_a_page_without_blocks_changes_nothing() -> None:
    table = np.ones((1, len(SHARED_WORDS)), np.float32)
    words = page_words(np.frombuffer(b"a", np.uint8), np.array([1], np.int32))
    add_shared_words(words, np.array([1, 1], np.int64), np.zeros(1), word_room(1, 1), table, 0)
    assert (table == 1).all()
