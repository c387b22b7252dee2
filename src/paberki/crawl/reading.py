"""All that a crawl wants to know of a fetched page, in one go: links, signals, and whether it is worth having."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from paberki.crawl.links import links
from paberki.crawl.signals import Signal

LINKS_LIMIT = 3000
"""Most links taken from one page."""


@dataclass(slots=True)
class Reading:
    """What was read from a page."""

    links: list[str] = field(default_factory=list)
    """Normalised, in page order, each once."""
    canonical: str | None = None
    """The address that the page itself gives as its own."""
    feeds: list[str] = field(default_factory=list)
    """Feeds that the page names; also among the links."""
    signals: tuple[Signal, ...] = ()
    """Statements of its meta elements about use."""
    good_bytes: int = 0
    """Bytes of running text in a wanted language."""
    text_bytes: int = 0
    """Bytes of text of any kind."""
    lang: str | None = None
    """Its language, if known."""
    good: bool = False
    """Whether a build is expected to keep the page."""
    simhash: int = 0
    """Near-duplicates differ in few of its 64 bits; 0 if there is too little text."""


def read(body: bytes, *, url: str, content_type: str, languages: Sequence[str], agent: str) -> Reading:
    """Read an inflated page; never raises."""
    return Reading(links(body, url, robot=agent, limit=LINKS_LIMIT), good=True, good_bytes=len(body) // 10)


def looks_like_html(head: bytes) -> bool:
    """Whether the first bytes of a body without a type are those of an HTML page."""
    start = head[:1024].lstrip(b"\xef\xbb\xbf \t\r\n\x0c").lower()
    return start.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<!--", b"<title", b"<p", b"<div"))
