"""Lines on a terminal: aligned, whatever the width and whatever the script."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.query.hits.kwic import kwic_lines, plain_line, sentence_lines
from paberki.query.hits.lines import Line
from paberki.query.hits.width import cells, is_right_to_left, shorten, shorten_left

COLOURS = re.compile("\x1b\\[[0-9;]*m")


def line(left: str, node: str, right: str) -> Line:
    return Line(left, node, right, 0, 1, 0)


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("grad", 4),
        ("čamac", 5),
        ("c\u030camac", 5),
        ("東京都", 6),
        ("ｶﾞ", 2),
        ("שלום", 4),
        ("👍", 2),
        ("한국", 4),
        ("", 0),
    ],
)
def test_cells(text: str, width: int) -> None:
    assert cells(text) == width


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30), st.integers(0, 20))
def test_shortened_texts_fit_and_lose_no_more_than_they_must(text: str, room: int) -> None:
    assert cells(shorten(text, room)) <= room
    assert text.startswith(shorten(text, room))
    end = shorten_left(text, room)
    assert cells(end) <= room
    assert text.endswith(end)
    assert end == text or not end or cells(end[0])


@given(
    st.lists(st.tuples(*[st.text(st.characters(exclude_categories=["Cs"]), max_size=60)] * 3), min_size=1, max_size=5),
    st.integers(20, 200),
)
def test_hits_begin_in_one_column_and_lines_fit(texts: list[tuple[str, str, str]], width: int) -> None:
    lines = [line(*parts) for parts in texts]
    shown = list(kwic_lines(lines, width, colour=True))
    columns = set()
    for row in shown:
        before, _, rest = row.partition("\x1b[1;31m")
        columns.add(cells(before))
        assert cells(COLOURS.sub("", row)) <= width
        assert not any(unicodedata.category(char) == "Cc" for char in COLOURS.sub("", before + rest))
    assert len(columns) == 1


def test_the_hit_is_in_the_middle() -> None:
    rows = list(kwic_lines([line("a " * 50, "grad", "b " * 50), line("", "selo", "")], 80, colour=False))
    assert rows[0].index("grad") == 38
    assert rows[1].index("selo") == 38
    assert cells(rows[0]) <= 80


def test_a_long_hit_loses_its_middle() -> None:
    row = next(kwic_lines([line("left", "x" * 500, "right")], 60, colour=False))
    assert "…" in row
    assert cells(row) <= 60


def test_writing_from_right_to_left_keeps_its_columns() -> None:
    row = next(kwic_lines([line("שלום", "עולם", "טוב")], 40, colour=False))
    assert row.count("\u200e") == 6
    assert is_right_to_left("שלום")
    assert not is_right_to_left("grad 東京")


def test_control_characters_are_shown_not_sent() -> None:
    evil = line("a\x1b[2Jb", "\x07", "c\u202ed")
    for row in (*kwic_lines([evil], 80, colour=False), *sentence_lines([evil], colour=False)):
        assert "\x1b" not in row
        assert "\x07" not in row
        assert "\u202e" not in row
    assert plain_line(evil).count("\t") == 2
    assert "\x1b" not in plain_line(evil)


def test_pipes_get_whole_lines() -> None:
    assert plain_line(line("a\tb", "n" * 900, "c\nd")) == f"a b\t{'n' * 900}\tc d"
