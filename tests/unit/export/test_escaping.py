"""Escapes of whole columns are those of the standard library."""

from __future__ import annotations

import json
from html import escape

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from paberki.export.words.escaping import ATTRIBUTE, MARKUP
from paberki.export.words.json_text import json_texts

_TEXTS = st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"])), max_size=12)


@given(_TEXTS, st.integers(0, 3))
def test_strings_as_json(texts: list[str | None], skip: int) -> None:
    """Also of an array that begins inside another one, with values that are missing."""
    values = pa.array(texts, pa.string()).slice(skip)
    assert json_texts(values).to_pylist() == [json.dumps(text, ensure_ascii=False) for text in texts[skip:]]


@given(_TEXTS)
def test_markup(texts: list[str | None]) -> None:
    """With quotes for attributes, without for text."""
    values = pa.array(texts, pa.string())
    assert ATTRIBUTE.apply(values).to_pylist() == [None if text is None else escape(text) for text in texts]
    assert MARKUP.apply(values).to_pylist() == [None if text is None else escape(text, quote=False) for text in texts]


def test_numbers_as_json() -> None:
    """Six digits; what JSON cannot hold is null."""
    values = pa.array([0.1, None, float("nan"), float("inf"), -0.0, 1 / 3, 0.1], pa.float32())
    assert json_texts(values).to_pylist() == ["0.1", "null", "null", "null", "-0.0", "0.333333", "0.1"]
