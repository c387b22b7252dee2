"""One page under several addresses: with and without ``www``, a last slash, a parameter that changes nothing.

Pages are compared by their decoded content, since servers compress the same bytes differently from second to second.
For pages that declare a canonical address, nearly the same text under that address is enough. Copies on other sites are
pages of their own; the build finds them.
"""

from __future__ import annotations

from xxhash import xxh3_64_intdigest

from paberki.crawl.frontier.database import CrawlDatabase
from paberki.crawl.reading.page_reading import PageReading
from paberki.web.urls import hostname_of, url_key

_SIGN = 1 << 63


class Twins:
    """All stored pages with text, by site and content."""

    def __init__(self, state: CrawlDatabase) -> None:
        self._db = state.db

    def of(self, url: str, content: int, reading: PageReading, *, near: bool) -> bool:
        """Whether a page was stored under another address of its site; if not, remember it.

        ``content`` is the hash of the decoded body; ``near`` says that an earlier page of the host has nearly the same
        text.
        """
        if not reading.simhash:
            return False
        site = _site(url)
        if self._elsewhere(_key(site, content.to_bytes(8, "big")), url):
            return True
        own = reading.canonical
        if own is None or own == url or _site(own) != site:
            return near and self._elsewhere(_key(site, url.encode()), url)
        # The first of the two addresses stands for both.
        return self._elsewhere(_key(site, own.encode()), url) and near

    def _elsewhere(self, key: int, url: str) -> bool:
        page = url_key(url) - _SIGN
        row = self._db.execute("SELECT page FROM twin WHERE key = ?", (key,)).fetchone()
        if row is None:
            self._db.execute("INSERT INTO twin VALUES (?, ?)", (key, page))
        return row is not None and row[0] != page


def _site(url: str) -> str:
    return hostname_of(url).removeprefix("www.")


def _key(site: str, what: bytes) -> int:
    return xxh3_64_intdigest(what, xxh3_64_intdigest(site)) - _SIGN
