"""HTML and SVG that hold text of strangers, and figures of any numbers."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.markup.charts import Bar, bars, histogram, rank_curve
from paberki.markup.html import Safe, element, link, table
from paberki.markup.svg import box, figure, fit, standalone, text, width

Count = st.integers(0, 10**12)


@given(st.text(max_size=30))
def test_any_text_stays_text(value: str) -> None:
    parsed = ElementTree.fromstring(element("p", value, title=value))
    assert len(parsed) == 0
    assert len(parsed.text or "") <= len(value)
    assert "\ufffd" in (parsed.text or "") or (parsed.text or "").split() == value.split()


def test_our_own_markup_is_not_escaped_again() -> None:
    assert element("p", Safe("<b>a</b>"), "<b>") == "<p><b>a</b>&lt;b&gt;</p>"
    assert element("p", class_="x") == '<p class="x"></p>'


@pytest.mark.parametrize(
    ("url", "is_link"), [("http://a.hr/", True), ("https://a.hr", True), ("javascript:x", False), ("http://[", False)]
)
def test_only_addresses_of_the_web_are_links(url: str, is_link: bool) -> None:
    assert link(url, "label").startswith("<a ") is is_link


def test_a_table_has_classes_for_words_numbers_and_strong_rows() -> None:
    rows = ElementTree.fromstring(table(("name", "pages"), [("a", 1), ("b", 2)], strong=(1,))).findall(".//tr")
    assert [cell.get("class") for cell in rows[1]] == ["word", "number"]
    assert [row.get("class") for row in rows] == [None, None, "strong"]


@given(st.text(max_size=40), st.floats(10, 400))
def test_labels_fit_where_there_is_room_for_a_sign(label: str, room: float) -> None:
    assert width(fit(label, room)) <= max(room, width("…"))


def test_a_shortened_label_keeps_both_ends_and_its_whole_as_a_tip() -> None:
    drawn = text(0, 0, "www.very-long-host-name.example.hr", room=100)
    assert "<title>www.very-long-host-name.example.hr</title>" in drawn
    assert drawn.partition("</title>")[2].startswith("www")
    assert drawn.endswith("hr</text>")


def test_nothing_is_drawn_for_nothing() -> None:
    assert box(0, 0, 0, 5, "kept") == ""


@given(st.lists(st.tuples(st.text(max_size=20), Count, Count), max_size=6))
def test_bars_of_any_numbers_are_svg(rows: list[tuple[str, int, int]]) -> None:
    drawn = bars("n", "Title <", "about", [Bar(label, value, str(value), more=more) for label, value, more in rows])
    ElementTree.fromstring(standalone(drawn).encode())


@given(st.lists(st.tuples(st.text(max_size=5), Count), max_size=9))
def test_histograms_of_any_numbers_are_svg(bins: list[tuple[str, int]]) -> None:
    ElementTree.fromstring(histogram("n", "t", "a", bins, axis="x"))


@given(st.lists(Count.filter(bool), max_size=9))
def test_curves_of_any_numbers_are_svg(counts: list[int]) -> None:
    points = list(enumerate(sorted(counts, reverse=True), 1))
    ElementTree.fromstring(rank_curve("n", "t", "a", points, across="rank", upwards="pages"))


def test_a_figure_is_described_for_those_who_cannot_see_it() -> None:
    drawn = figure("hosts", "Hosts & more", "About", 10, 10, [])
    assert 'aria-labelledby="hosts-title hosts-about"' in drawn
    assert "Hosts &amp; more" in drawn


@pytest.mark.parametrize(
    ("label", "measured"),
    [
        ("PROPN", 51.5),
        ("NOUN", 45.2),
        ("demo", 42.5),
        ("mmmm", 58.5),
        ("WWW", 44.5),
        ("other-language", 114.3),
        ("1,234,567", 76.3),
    ],
)
def test_labels_get_the_room_that_a_broad_font_needs(label: str, measured: float) -> None:
    """Measured in a browser with DejaVu Sans, the broadest font that systems come with."""
    assert measured <= width(label, 15) <= measured * 1.3
