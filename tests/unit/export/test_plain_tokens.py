"""Tokens of a vertical file without annotation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.export.plain_tokens import tokens
from paberki.export.words.json_text import plain_json
from paberki.export.words.markup_text import shorten


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("Pas laje.", ["Pas", "laje", "."]),
        ("u 12:30, 1.234,5 km", ["u", "12:30", ",", "1.234,5", "km"]),
        ("Evo... !!!", ["Evo", "...", "!!!"]),
        ("[email] i [phone]", ["[email]", "i", "[phone]"]),
        ("日本語", ["日", "本", "語"]),
        ("crno-bijeli", ["crno-bijeli"]),
    ],
)
def test_tokens(text: str, forms: list[str]) -> None:
    assert [form for form, _ in tokens(text)] == forms


def test_glue() -> None:
    assert list(tokens("a, b")) == [("a", False), (",", True), ("b", False)]


@given(st.text(max_size=60))
def test_nothing_is_lost_but_space(text: str) -> None:
    assert "".join(form for form, _ in tokens(text)) == "".join(text.split()) or any(one.isspace() for one in text)
    assert sum(len(form) for form, _ in tokens(text)) == sum(not one.isspace() for one in text)


@given(st.floats())
def test_numbers_of_json_are_finite_and_short(value: float) -> None:
    short = shorten(value)
    assert short is None or short == float(f"{value:.6g}")


def test_json_has_no_infinities() -> None:
    assert plain_json({"a": float("nan"), "b": float("inf"), "c": 0.1234567891}) == {
        "a": None,
        "b": None,
        "c": 0.123457,
    }
