"""Reads answers: small ones at once, large ones in a guarded child process, so that none delays the others.

All reading functions are pure and take time proportional to their input. A child process limits the time for long
input, and for codings that can expand a little input to a lot.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from xxhash import xxh3_64_intdigest

from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.fetching.body import Content, inflate, quick
from paberki.crawl.fetching.fetch import Reply
from paberki.crawl.frontier.frontier import SITEMAP
from paberki.crawl.reading.guarded_reader import GuardedReader
from paberki.crawl.reading.page_reading import PageReading, read
from paberki.web.rights import AiTxt, Tdmrep, ai_txt, well_known_tdmrep
from paberki.web.robots import Robots
from paberki.web.sitemaps import Sitemap, read_feed, read_sitemap

P = ParamSpec("P")
T = TypeVar("T")

SMALL_PAGE = 128 << 10
"""Bytes, compressed and decoded, up to which a page is read at once."""
FEW_TAGS = 2000
"""Tags up to which a page is read at once; four character references count as one tag."""
SMALL_FILE = 16 << 10
"""Bytes up to which robots.txt, sitemaps and the like are read at once; they cost more per byte than pages."""
LIST_BYTES = 16 << 20
"""Most bytes of a sitemap or feed."""

Statements = Robots | Tdmrep | AiTxt
PackedBody = tuple[bytes, str, int]
"""A body, its Content-Encoding, and the limit for its decoded content."""


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """What was read from the answer to a page request."""

    reading: PageReading
    size: int
    """Length of the decoded body."""
    digest: bytes
    """SHA-1 of the body as received."""
    content: int
    """Hash of the decoded body."""


class AnswerReader:
    """Reads answers."""

    def __init__(self, config: CrawlConfig) -> None:
        self._config = config
        self._guarded_reader = GuardedReader()

    async def page(self, reply: Reply) -> PageAnswer:
        """Read a page; raises PageError ``unreadable`` if that takes too long."""
        config = self._config
        return await self._read(
            page_reading,
            _packed_body(reply, config.max_body_bytes),
            reply.url,
            reply.header("content-type"),
            config.languages,
            config.robots_name,
        )

    async def addresses(self, kind: int, reply: Reply) -> Sitemap:
        """Read a sitemap or feed."""
        pages, dates, sitemaps = await self._read(listed_addresses, _packed_body(reply, LIST_BYTES), kind, reply.url)
        entries = zip(pages.splitlines(), dates.split("\n"), strict=False)
        return Sitemap([(page, date or None) for page, date in entries], sitemaps.splitlines())

    async def content(self, reply: Reply, limit: int) -> Content:
        """Decode the body."""
        return await self._read(content, _packed_body(reply, limit))

    async def statements(self, kind: str, body: bytes) -> Statements:
        """Read a file about crawling: ``robots``, ``tdmrep`` or ``ai``."""
        if len(body) <= SMALL_FILE:
            return file_statements(kind, body, self._config.robots_name)
        return await self._guarded_reader.call(file_statements, kind, body, self._config.robots_name)

    def close(self) -> None:
        """End the children."""
        self._guarded_reader.close()

    async def _read(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        if _is_small(args[0], SMALL_PAGE if function is page_reading else SMALL_FILE):  # type: ignore[arg-type]
            return function(*args, **kwargs)
        return await self._guarded_reader.call(function, *args, **kwargs)


def _packed_body(reply: Reply, limit: int) -> PackedBody:
    return reply.body, reply.header("content-encoding"), limit


def _is_small(packed_body: PackedBody, small: int) -> bool:
    """Whether a body is read within a few hundredths of a second, whatever it holds."""
    body, encoding, limit = packed_body
    if len(body) > small or not quick(encoding):
        return False
    data = inflate(body, encoding, min(limit, small + 1)).data
    if len(data) > small or data.count(b"<") + data.count(b"&") // 4 > FEW_TAGS:
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False  # the encoding detector takes time to load, and much memory
    return True


def content(packed_body: PackedBody) -> Content:
    """Decode a body."""
    return inflate(*packed_body)


def page_reading(
    packed_body: PackedBody, url: str, content_type: str, languages: tuple[str, ...], agent: str
) -> PageAnswer:
    """Read a page."""
    data = inflate(*packed_body).data
    reading = read(data, url=url, content_type=content_type, languages=languages, agent=agent)
    digest = hashlib.sha1(packed_body[0], usedforsecurity=False).digest()
    return PageAnswer(reading, len(data), digest, xxh3_64_intdigest(data))


def listed_addresses(packed_body: PackedBody, kind: int, url: str) -> tuple[str, str, str]:
    """Read a sitemap or feed: pages, dates and further sitemaps as lines, which are quick to send between processes."""
    data = inflate(*packed_body).data
    sitemap = read_sitemap(data, url=url) if kind == SITEMAP else Sitemap(read_feed(data, url=url))
    dates = (" ".join((date or "").split()) for _, date in sitemap.pages)
    return "\n".join(page for page, _ in sitemap.pages), "\n".join(dates), "\n".join(sitemap.sitemaps)


def file_statements(kind: str, body: bytes, agent: str) -> Statements:
    """Read a file about crawling."""
    if kind == "robots":
        return Robots(body, agent)
    return well_known_tdmrep(body) if kind == "tdmrep" else ai_txt(body, agent)
