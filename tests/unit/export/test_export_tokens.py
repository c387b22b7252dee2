"""Simple tokens: nothing is lost, nothing is glued."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.export.plain_tokens import tokens


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Danas, u 12:30!", "Danas , u 12:30 !"),
        ("1.234,5 kn (oko 3%)...", "1.234,5 kn ( oko 3 % ) ..."),
        ("hrvatsko-srpski d'Artagnan B2B", "hrvatsko-srpski d'Artagnan B2B"),
        ("日本語です。OK", "日 本 語 で す 。 OK"),
        ("<b>&amp;", "< b > & amp ;"),
        ("a_b __init__", "a _ b __ init __"),
        ("c\u030ci\u0301", "c\u030ci\u0301"),
        ("", ""),
    ],
)
def test_tokens(text, wanted):
    assert " ".join(token for token, _ in tokens(text)) == wanted


@given(st.text())
def test_tokens_hold_all_but_spaces(text):
    found = list(tokens(text))
    assert "".join(token for token, _ in found) == re.sub(r"\s", "", text)
    together = "".join(token if glued else f" {token}" for token, glued in found)
    assert together.split() == text.split()
