"""What a page says of its type."""

from __future__ import annotations

import pytest

from paberki.extraction.learned.type_hints import HINTED, NO_HINTS, PAGE_TYPES, type_hints


@pytest.mark.parametrize(
    ("html", "url", "kind"),
    [
        ('<script>{"@type": "NewsArticle"}</script>', None, "article"),
        ('<meta property="og:type" content="product">', None, "product"),
        ("<p>Powered by phpBB</p>", None, "forum"),
        ("", "https://a.hr/forum/viewtopic.php?t=1", "forum"),
        ("", "https://a.hr/kategorija/sport/", "listing"),
        ("", "https://docs.a.hr/manual/", "documentation"),
    ],
)
def test_the_strongest_hint(html: str, url: str | None, kind: str) -> None:
    hints = type_hints(html, url)
    assert HINTED[max(range(len(hints)), key=hints.__getitem__)] == kind


def test_a_page_that_says_nothing() -> None:
    assert type_hints('<script>{"@type": "Person"}</script>', "https://a.hr/x") == list(NO_HINTS)
    assert (*HINTED, "other") == PAGE_TYPES
