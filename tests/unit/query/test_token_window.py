"""Windows as people write them."""

import pytest

from paberki.errors import QueryError
from paberki.query.token_window import is_window, read_window


@pytest.mark.parametrize("text", ["-5..5", "-5,5", "-5:5", " -5 .. +5 ", "-5, 5"])
def test_a_window_is_two_numbers(text: str) -> None:
    assert is_window(text)
    assert read_window(text) == (-5, 5)


@pytest.mark.parametrize("text", ["", "5", "s", "5..-5", "a..b", "-5...5", "٣..٤..", "-99999999..5"])
def test_anything_else_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(QueryError, match=r"-5\.\.5"):
        read_window(text)


def test_a_window_can_be_too_wide() -> None:
    with pytest.raises(QueryError, match="100 tokens on each side"):
        read_window("-101..1", most=100)
    assert read_window("1..100", most=100) == (1, 100)
