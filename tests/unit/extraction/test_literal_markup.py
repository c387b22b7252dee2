"""Tags and references that stand in a text as characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.extraction.repair.edits import Origins
from paberki.extraction.repair.literal_markup import repair_references, strip_tags


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("Tom &amp; Jerry", "Tom & Jerry"),
        ("Tom &amp;amp; Jerry", "Tom & Jerry"),
        ("&#269;aj &#x17e;", "čaj ž"),
        ("&nepoznato; ostaje", "&nepoznato; ostaje"),
        ("R&D bez reference", "R&D bez reference"),
        ("&#1;nestaje", "nestaje"),
    ],
)
def test_references_are_resolved(text, resolved):
    assert repair_references(text) == resolved


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        ("Prvi <b>redak</b> teksta", "Prvi redak teksta"),
        ("Prvi<br>drugi", "Prvi drugi"),
        ("Tekst <script>var a;</script>dalje", "Tekst  dalje"),
        ("Bez oznaka", "Bez oznaka"),
        ("3 < 5 i 7 > 2", "3 < 5 i 7 > 2"),
    ],
)
def test_tags_are_stripped(text, stripped):
    assert strip_tags(text) == stripped


def test_a_text_about_tags_keeps_them():
    text = "Oznaka „<b>” znači podebljano, tag <i> kurziv"
    assert strip_tags(text) == text


@given(st.text("ab <>/&;#1brp", max_size=40))
def test_origins_are_as_long_as_the_text(text):
    origins = Origins(len(text))
    stripped = repair_references(strip_tags(text, origins), origins)
    assert stripped == repair_references(strip_tags(text))
    assert len(origins.begins) == len(stripped)
