"""Strings in bytes against a plain search, and what is read at them against expressions over the whole page."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.quality.marks import signs
from paberki.quality.marks.anchors import Anchors
from paberki.quality.marks.signs import signs_in
from paberki.quality.permissions.licences import licences

LITERALS = (b"abc", b"abca", b"<meta", b"bca", b"\xc5\xbea", b"abc")


def plain_search(data: bytes) -> list[tuple[int, int]]:
    small = data.lower()
    return [(at, n) for at in range(len(data)) for n, one in enumerate(LITERALS) if small.startswith(one, at)]


@given(st.lists(st.sampled_from([b"a", b"b", b"C", b"A", b"<Met", b"\xc5\xbe", b"@", b"[", b" "]), max_size=60))
def test_anchors_are_where_a_plain_search_finds_them(parts: list[bytes]) -> None:
    data = b"".join(parts)
    assert list(Anchors(LITERALS).find(data)) == plain_search(data)


def test_a_page_with_very_many_anchors_keeps_all_of_them() -> None:
    data = b"abc" * 20_000
    assert list(Anchors(LITERALS).find(data)) == plain_search(data)


def test_short_anchors_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 3 bytes"):
        Anchors([b"ab"])


PIECES = (
    b'<div style="display:none">x<a href=1>a</a><a>b</a><a>c</a></div>', b"<p STYLE = 'c:red;Visibility: hidden'>",
    b"x<a href=1>a</a> <a>b</a><a>c</a>", b'<b style="text-indent:-999px">', b"Machine Translated", b"GOOG-TE-",
    b"translate.google.com/translate_a/element.js", b"translate.google.com/", b"weglot", b"strojov\xfd p\xf8eklad",
    b'<i style="', b'left:-9999px"', b">", b"'", b"display : none", b"style=", b"<a",
)  # fmt: skip
TRANSLATORS = re.compile(
    b"|".join(pattern or b"|".join(map(re.escape, strings)) for _, strings, pattern in signs._TRANSLATORS),
    re.I,
)


def test_signs_are_those_of_expressions_over_the_whole_page() -> None:
    pick = random.Random(7)
    for _ in range(400):
        page = b" ".join(pick.choices(PIECES, k=pick.randrange(8)))
        found = signs_in(page)
        assert found.hidden_links == (signs._HIDDEN_LINKS.search(page) is not None), page
        assert (found.translator is not None) == (TRANSLATORS.search(page) is not None), page


def test_licences_in_capitals_and_in_escaped_addresses() -> None:
    page = rb'"HTTPS:\/\/CreativeCommons.org\/licenses\/by-nc\/2.0\/" ALL RIGHTS RESERVED, not-CC0x, xCC BY 3.0'
    assert [one.name for one in licences(page)] == ["CC-BY-NC-2.0", "all-rights-reserved"]
    assert licences(b"creativecommons.org/licenses/by/4.0/ and gnu.org/licenses/fdl, without a scheme") == []
