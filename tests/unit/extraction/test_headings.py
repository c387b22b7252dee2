"""Headlines and headings belong to the text around them; those of teasers do not."""

from __future__ import annotations

import numpy as np
import pytest

from corpora import SENTENCES
from paberki.extraction import extract
from paberki.extraction.learned.features import NAMES
from paberki.extraction.learned.headings import headings_of_text

PROSE = [f"<p>{one} {other}</p>" for one in SENTENCES[:3] for other in SENTENCES[3:6]]
MENU = "<div class=nav><ul><li><a href=/>Naslovnica</a><li><a href=/v>Vijesti</a></ul></div>"


def page(title: str, body: str) -> str:
    return f"<html><head><title>{title} - Novi list</title></head><body>{MENU}{body}</body></html>"


def test_the_headline_and_headings_between_paragraphs_are_text() -> None:
    html = page(
        "Most je gotov prije kraja ljeta",
        "<div class=post-header><h1><a href=/most>Most je gotov prije kraja ljeta</a></h1></div><span class=date>1. 9. 2013</span>"
        f"<div class=text>{PROSE[0]}{PROSE[1]}<h3>Novi red vožnje</h3>{PROSE[2]}{PROSE[3]}</div>"
        "<h2>Najčitanije</h2><ul><li><a href=/1>Cesta je zatvorena</a><li><a href=/2>Sutra kiša</a></ul>",
    )
    lines = extract(html).text.split("\n")
    assert lines[0] == "Most je gotov prije kraja ljeta"
    assert "Novi red vožnje" in lines
    assert "Najčitanije" not in lines


@pytest.mark.parametrize(
    ("title", "heading", "chance", "text_at", "expected"),
    [
        (0.9, 1.0, 0.25, 1, True),
        (0.9, 0.0, 0.25, 4, True),
        (0.9, 1.0, 0.15, 1, False),  # the trees are surer that it is none
        (0.3, 1.0, 0.25, 1, False),  # another heading
        (0.9, 1.0, 0.25, 12, False),  # text begins far below
        (0.9, 1.0, 0.25, None, False),  # no text
    ],
)
def test_headlines(title: float, heading: float, chance: float, text_at: int | None, expected: bool) -> None:
    features = np.zeros((16, len(NAMES)), np.float32)
    features[0, [NAMES.index("title"), NAMES.index("in_h1")]] = title, heading
    is_text = np.zeros(16, np.bool_)
    if text_at is not None:
        is_text[text_at : text_at + 3] = True
    headings = headings_of_text(features, np.full(16, chance, np.float32), is_text)
    assert headings[0] == expected
    assert not headings[1:].any()


def test_a_heading_needs_text_on_both_sides() -> None:
    features = np.zeros((5, len(NAMES)), np.float32)
    features[[0, 2, 4], NAMES.index("in_h1")] = 1.0
    is_text = np.array([False, True, False, True, False])
    headings = headings_of_text(features, np.full(5, 0.15, np.float32), is_text)
    assert headings.tolist() == [False, False, True, False, False]
    assert not headings_of_text(features, np.full(5, 0.05, np.float32), is_text).any()


def test_pages_of_one_block_have_no_headings() -> None:
    features = np.zeros((1, len(NAMES)), np.float32)
    assert not headings_of_text(features, np.ones(1, np.float32), np.ones(1, np.bool_)).any()
