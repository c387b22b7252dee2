"""Trees: an arc for each word with a head, and no two labels in one place."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from paberki.markup.svg import width
from paberki.serve.pages.explorer.tree_svg import Word, tree_svg

LABEL = re.compile(r'<text class="tree-label"[^>]*x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)<')


def boxes(svg: str) -> list[tuple[float, float, float, float]]:
    out = []
    for x, y, text in LABEL.findall(svg):
        half = width(text, 11) / 2
        out.append((float(x) - half, float(y) - 9, float(x) + half, float(y) + 3))
    return out


@given(
    st.lists(
        st.tuples(st.integers(0, 40), st.sampled_from(["nsubj", "obl:agent", "punct", "flat:foreign", "x"])),
        min_size=1,
        max_size=45,
    )
)
def test_labels_do_not_overlap(heads: list[tuple[int, str]]) -> None:
    words = [
        Word(f"w{at}", "l", "X", head if head <= len(heads) and head != at + 1 else 0, name)
        for at, (head, name) in enumerate(heads)
    ]
    svg = tree_svg(words, "words")
    assert svg.count("tree-arc") - svg.count("svg.tree") >= sum(word.head > 0 for word in words)
    places = boxes(svg)
    assert len(places) == sum(word.head > 0 for word in words)
    for at, (left, top, right, bottom) in enumerate(places):
        for other in places[at + 1 :]:
            assert right <= other[0] + 0.2 or other[2] <= left + 0.2 or bottom <= other[1] or other[3] <= top


def test_words_are_escaped() -> None:
    svg = tree_svg([Word("<script>", '"', "&", 2, "<b>"), Word("x", "y", "z", 0, "root")], "<title>")
    assert "<script>" not in svg
    assert "<b>" not in svg
    assert 'aria-label="&lt;title&gt;"' in svg


def test_the_first_word_stands_at_the_right_where_people_write_from_there() -> None:
    words = [Word("a", "a", "X", 2, "nsubj"), Word("b", "b", "X", 0, "root"), Word("c", "c", "X", 2, "obj")]
    places = [float(x) for x in re.findall(r'tree-word" x="([\d.]+)"', tree_svg(words, "words"))]
    mirrored = [float(x) for x in re.findall(r'tree-word" x="([\d.]+)"', tree_svg(words, "words", from_right=True))]
    assert places == sorted(places)
    assert mirrored == sorted(mirrored, reverse=True)
    assert min(mirrored) > 0
