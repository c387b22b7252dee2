"""Folding."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.query.index.folding import fold_strings, fold_text


@pytest.mark.parametrize(
    ("kind", "folded"), [("c", "čamac šuma žalfij"), ("d", "Camac SUMA zalfij"), ("cd", "camac suma zalfij")]
)
def test_folding(kind: str, folded: str) -> None:
    assert fold_text("Čamac ŠUMA žalfij", kind) == folded


@given(st.text(max_size=20))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    for kind in ("c", "d", "cd"):
        once = fold_text(text, kind)
        assert fold_text(once, kind) == once
        assert fold_strings(pa.array([text, text], pa.large_string()), kind).to_pylist() == [once, once]
