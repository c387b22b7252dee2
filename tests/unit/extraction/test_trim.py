"""Stretches of source without white space around them."""

from __future__ import annotations

from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.extraction.html.trim import trim


@pytest.mark.parametrize(
    ("source", "inside"),
    [
        ("  a b\n", "a b"),
        ("&nbsp; a&nbsp;", "a"),
        ("&#160;a&#xa0;&nbsp;", "a"),
        ("</>a</>", "a"),
        ("&amp;", "&amp;"),
        ("a&", "a&"),
        ("", ""),
    ],
)
def test_white_space_and_references_to_it_go(source, inside):
    start, end = trim(source, 0, len(source))
    assert source[start:end] == inside


@given(st.lists(st.sampled_from([" ", "\n", "&nbsp;", "&#32;", "a", "b;", "&amp;", "č", "\xa0"]), max_size=12))
def test_text_inside_is_what_strip_leaves(parts):
    source = "".join(parts)
    start, end = trim(source, 0, len(source))
    assert 0 <= start <= end <= len(source)
    assert unescape(source[start:end]).strip() == unescape(source).strip()
