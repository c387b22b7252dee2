"""Reads everything that a crawl needs from a fetched page: links, signals, and whether its text is good."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from paberki.crawl.reading.judging import judge
from paberki.crawl.reading.links import LINKS_LIMIT, PageLinks, chunks_of, find_links
from paberki.crawl.reading.quick_decoding import characters
from paberki.web.rights_signals import Signal

__all__ = ["LINKS_LIMIT", "PageReading", "looks_like_html", "read"]


@dataclass(slots=True)
class PageReading:
    """What was read from a page."""

    links: list[str] = field(default_factory=list)
    """Normalised, in page order, each once."""
    canonical: str | None = None
    """The canonical address that the page declares."""
    feeds: list[str] = field(default_factory=list)
    """Feeds that the page names; they are also among the links."""
    signals: tuple[Signal, ...] = ()
    """Statements about use in its meta elements."""
    good_bytes: int = 0
    """Bytes of running text in a wanted language."""
    lang: str | None = None
    """Its language, if known."""
    good: bool = False
    """Whether a build is expected to keep the page."""
    simhash: int = 0
    """Fingerprint of 64 bits, of which near-duplicates differ in few; 0 if there is too little text."""

    def add(self, page_links: PageLinks) -> None:
        """Add the links of the answer's Link header."""
        self.links = list(dict.fromkeys([*self.links, *page_links.links]))
        self.feeds = list(dict.fromkeys([*self.feeds, *page_links.feeds]))
        self.canonical = self.canonical or page_links.canonical


def read(body: bytes, *, url: str, content_type: str, languages: Sequence[str], agent: str) -> PageReading:
    """Read an inflated page; never raises.

    ``languages`` are the wanted ones, none for any; ``agent`` is our product token. All links are returned, even if the
    page asks not to follow them: the policy decides by the signals.
    """
    text, codec = characters(body, content_type, languages)
    chunks = chunks_of(text)
    page_links = find_links(chunks, url=url, encoding=codec, agent=agent)
    verdict = judge(chunks, languages)
    return PageReading(
        page_links.links,
        page_links.canonical,
        page_links.feeds,
        page_links.signals,
        verdict.good_bytes,
        verdict.lang,
        verdict.good,
        verdict.simhash,
    )


_HTML = re.compile(
    rb"(?:\s|<!--.*?-->|<\?xml[^<>]*>)*+<(?:!doctype\s+html|html|head|body|title|meta|script|table|h1|div|p|a|br)\b",
    re.I | re.S,
)


def looks_like_html(head: bytes) -> bool:
    """Whether the first bytes of a body without a type are those of an HTML page (WHATWG MIME sniffing §7.1)."""
    return _HTML.match(head[:2048].removeprefix(b"\xef\xbb\xbf")) is not None
