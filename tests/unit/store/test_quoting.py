"""Quoting for SQL: whatever a text or a name holds, DuckDB reads it back as it was."""

from __future__ import annotations

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.store.selection.condition import parse
from paberki.store.sql.quoting import quote, quote_name

ODD = ["", "'", "''", "O'Hara", '"', 'a"b', "a' OR 'b' = 'b", "\\'", "ž; DROP TABLE pages; --", "two\nlines"]


@pytest.mark.parametrize("text", ODD)
def test_a_text_stays_a_text(text: str) -> None:
    assert duckdb.sql(f"SELECT {quote(text)}").fetchall() == [(text,)]


@pytest.mark.parametrize("name", [name for name in ODD if name])
def test_a_name_stays_a_name(name: str) -> None:
    assert duckdb.sql(f"SELECT 1 AS {quote_name(name)}").columns == [name]


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30))
def test_conditions_read_the_same_texts(text: str) -> None:
    answer = parse(f"url = {quote(text)}").evaluate(lambda _: pa.array([text, f"{text}'"]))
    assert answer.to_pylist() == [True, False]
