"""Archived documents that are not pages: files for programs, feeds, site maps.

They have no blocks, and so no language and no place in tables of languages. Told by the address, and by the root element
whatever the server says about the type: feeds are often served as text/html.
"""

from __future__ import annotations

import re
from typing import Final

from paberki.web.registered_domains import split_url

_FILES: Final = frozenset(
    ("/robots.txt", "/ai.txt", "/llms.txt", "/llms-full.txt", "/ads.txt", "/app-ads.txt", "/humans.txt", "/security.txt",
     "/sitemap.txt")
)  # fmt: skip
_WELL_KNOWN: Final = "/.well-known/"
_ROOTS: Final = frozenset(
    ("rss", "feed", "rdf:rdf", "rdf", "urlset", "sitemapindex", "opml", "channel", "tt", "wsdl:definitions")
)
_BEFORE_ROOT: Final = re.compile(
    r"[\s\ufeff]+|<\?[^>]{0,4000}>|<!--.{0,20000}?-->|<!doctype[^>\[]{0,2000}>", re.I | re.S
)
_ROOT: Final = re.compile(r"<([a-z][a-z0-9:._-]{0,40})[\s/>]", re.IGNORECASE)
_PROLOGUE: Final = 20
"""Declarations and comments before a root element that are looked at."""


def is_page(url: str | None, mime: str | None, text: str) -> bool:
    """Whether a text is a page for people."""
    if _is_file_for_programs(url or ""):
        return False
    root = _root(text)
    if mime is not None and (mime.endswith("/xml") or (mime.endswith("+xml") and mime != "application/xhtml+xml")):
        return root == "html"
    return root not in _ROOTS


def _is_file_for_programs(url: str) -> bool:
    if ".txt" not in url and _WELL_KNOWN not in url:  # nearly all addresses
        return False
    try:
        path = split_url(url).path
    except ValueError:
        return False
    return path.lower() in _FILES or path.startswith(_WELL_KNOWN)


def _root(text: str) -> str:
    """The first element, lower case; empty where none comes first."""
    at = 0
    for _ in range(_PROLOGUE):
        before = _BEFORE_ROOT.match(text, at)
        if before is None:
            break
        at = before.end()
    root = _ROOT.match(text, at)
    return root[1].lower() if root else ""
