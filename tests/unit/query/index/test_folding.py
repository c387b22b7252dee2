"""Folding and the order of alphabets."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.query.index.folding import code_point_order, collation_of, collation_ranks, fold_strings, fold_text


def ordered(words: list[str], lang: str | None) -> list[str]:
    values = pa.array(words, pa.large_string())
    ranks = collation_ranks(values, lang, code_point_order(values))
    return [words[at] for at in np.argsort(ranks)]


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


def test_the_alphabet_of_the_language_decides() -> None:
    words = ["njiva", "nuž", "čamac", "cvijet", "ćuk", "zec", "žaba", "dan", "džep", "đak", "nebo"]
    croatian = ["cvijet", "čamac", "ćuk", "dan", "džep", "đak", "nebo", "nuž", "njiva", "zec", "žaba"]
    assert ordered(words, "hr") == croatian
    assert ordered(words, "sr") == croatian
    assert ordered(words, "ja") == sorted(words)
    assert ordered(words, None) == sorted(words)
    assert ordered(["chata", "cukr", "hora", "id"], "cs") == ["cukr", "hora", "chata", "id"]


def test_languages_that_nobody_knows_go_by_code_point() -> None:
    assert collation_of("hr-HR") == "hr"
    assert ordered(["b", "a", "č", "c"], "tlh") == ["a", "b", "c", "č"]
