"""Edits that remember where each character came from."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.extraction.repair.breakpoints import breakpoints_of, in_text
from paberki.extraction.repair.edits import Edit, Origins, replaced, substitute


@st.composite
def texts_with_edits(draw):
    """A text, and edits of it that come in order and do not overlap."""
    text = draw(st.text("abcč ", max_size=20))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return text, [Edit(start, end, draw(st.text("abxž", max_size=4))) for start, end in pairs]


def test_edits_are_applied_from_left_to_right():
    assert replaced("abcdef", [Edit(0, 1, "x"), Edit(2, 4, ""), Edit(6, 6, "!")]) == "xbef!"


def test_edits_that_change_nothing_leave_origins_alone():
    origins = Origins(3)
    assert replaced("abc", [Edit(1, 2, "b")], origins) == "abc"
    assert (origins.begins, origins.ends) == ([0, 1, 2], [1, 2, 3])


@given(texts_with_edits())
def test_every_character_has_an_origin(case):
    text, edits = case
    origins = Origins(len(text))
    view = replaced(text, edits, origins)
    assert view == replaced(text, edits)
    assert len(origins.begins) == len(origins.ends) == len(view)
    assert origins.begins == sorted(origins.begins)
    assert all(0 <= begin <= end <= len(text) for begin, end in zip(origins.begins, origins.ends, strict=True))


@given(texts_with_edits())
def test_characters_outside_of_edits_come_from_themselves(case):
    text, edits = case
    origins = Origins(len(text))
    view = replaced(text, edits, origins)
    untouched = set(range(len(text))) - {at for edit in edits for at in range(edit.start, edit.end)}
    own = {begin: char for begin, end, char in zip(origins.begins, origins.ends, view, strict=True) if end == begin + 1}
    assert all(own[at] == text[at] for at in untouched)


@given(texts_with_edits(), texts_with_edits())
def test_origins_go_back_to_the_first_text_through_two_repairs(case, other):
    text, edits = case
    origins = Origins(len(text))
    view = replaced(text, edits, origins)
    later = [edit for edit in other[1] if edit.end <= len(view)]
    last = replaced(view, later, origins)
    assert len(origins.begins) == len(last)
    assert all(0 <= begin <= end <= len(text) for begin, end in zip(origins.begins, origins.ends, strict=True))


@pytest.mark.parametrize("new", ["<\\g<0>>", lambda match: f"<{match.group()}>"])
def test_substitution_is_that_of_re(new):
    pattern, text = re.compile("[0-9]+"), "a1 b22 c"
    origins = Origins(len(text))
    assert substitute(pattern, new, text, origins) == substitute(pattern, new, text) == "a<1> b<22> c"
    assert [text[at] for at in (origins.begins[2], origins.begins[7])] == [" ", "2"]


def test_a_text_that_was_not_changed_has_one_breakpoint():
    assert breakpoints_of(Origins(5)) == [(0, 0)]
    assert breakpoints_of(Origins(0)) == []


@given(texts_with_edits())
def test_breakpoints_say_where_single_characters_come_from(case):
    text, edits = case
    origins = Origins(len(text))
    view = replaced(text, [edit for edit in edits if len(edit.new) <= edit.end - edit.start], origins)
    if not view:
        return
    starts = np.arange(len(view))
    begins, ends = in_text(breakpoints_of(origins), starts, starts + 1)
    assert begins.tolist() == origins.begins
    assert ends.tolist() == origins.ends
