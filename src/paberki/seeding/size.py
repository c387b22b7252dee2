"""How large is a web? (P1, footnote 1)

P1 asked a search engine for pages with the five most frequent words of a language, on the whole web and on the national
domain. A Common Crawl index, whose lines state the languages of each page, answers the same question without a search
engine. If the lines are a random sample of the index, page counts are scaled up by its share.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from paberki.seeding.common_crawl_index import Capture
from paberki.seeding.homes import on_domain
from paberki.web.registered_domains import registered_domain
from paberki.web.urls import hostname_of, normalise


@dataclass(slots=True)
class Extent:
    """Number of pages, and the set of their hosts and domains."""

    pages: int = 0
    """Captures of HTML pages."""
    hosts: set[str] = field(default_factory=set)
    domains: set[str] = field(default_factory=set)

    def add(self, url: str) -> None:
        """Count a page."""
        self.pages += 1
        host = hostname_of(url)
        if host not in self.hosts:
            self.hosts.add(host)
            self.domains.add(registered_domain(host))

    def scaled(self, share: float) -> dict[str, int]:
        """Pages scaled up from a random share; hosts and domains as counted, since they cannot be scaled."""
        return {"pages": round(self.pages / share), "hosts": len(self.hosts), "domains": len(self.domains)}


@dataclass(slots=True)
class Size:
    """Pages of a language in an index, on the national domain and anywhere."""

    lines: int
    language: Extent
    """Pages in the language, wherever they are."""
    domain: Extent
    """Pages on the top-level domain, in any language."""
    both: Extent
    """Pages in the language on the domain."""


def web_size(captures: Iterable[Capture], *, codes: Sequence[str], tld: Sequence[str]) -> Size:
    """Count the pages of an index; ``codes`` are three-letter codes of the language."""
    size = Size(0, Extent(), Extent(), Extent())
    for capture in captures:
        size.lines += 1
        url = normalise(capture.url) if capture.is_page else None
        if url is None:
            continue
        in_language, national = capture.is_in(codes), on_domain(url, tld)
        if in_language:
            size.language.add(url)
        if national:
            size.domain.add(url)
        if in_language and national:
            size.both.add(url)
    return size
