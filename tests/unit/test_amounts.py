"""Numbers as people read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.amounts import number, percent, several, short_number


@pytest.mark.parametrize(("value", "words"), [(15_747_585, "15,747,585"), (2.0, "2"), (2.25, "2.2"), (0, "0")])
def test_number(value: float, words: str) -> None:
    assert number(value) == words


@pytest.mark.parametrize(
    ("value", "words"), [(0.7167, "71.67 %"), (0.00001, "< 0.01 %"), (0.0, "0.00 %"), (1, "100.00 %")]
)
def test_percent(value: float, words: str) -> None:
    assert percent(value) == words


@pytest.mark.parametrize(
    ("value", "words"), [(999, "999"), (12_500, "12.5 k"), (999_600, "1000 k"), (1_186_795_086, "1.19 G")]
)
def test_short_number(value: int, words: str) -> None:
    assert short_number(value) == words


@given(st.integers(0, 10**12))
def test_short_numbers_are_short(value: int) -> None:
    assert len(short_number(value)) <= 6


def test_nouns_follow_their_number() -> None:
    assert [several(one, "copy") for one in (0, 1, 2)] == ["0 copies", "1 copy", "2 copies"]
    assert several(1204, "page") == "1,204 pages"
