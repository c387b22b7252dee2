"""What was stored: for each page when, with which payload and validators, and how often it was found changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from paberki.crawl.clock import stamp
from paberki.crawl.fetching.fetch import Reply
from paberki.crawl.frontier.database import CrawlDatabase
from paberki.crawl.frontier.frontier import QueuedUrl
from paberki.web.urls import url_key

_COLUMNS = "time, digest, etag, modified, checks, changes"
_PLAIN = re.compile(r"[\x20-\x7e\x80-\xff]{1,500}")
_SIGN = 1 << 63


@dataclass(frozen=True, slots=True)
class StoredPage:
    """The last stored payload of a page."""

    time: float
    digest: int
    etag: str
    modified: str
    checks: int
    """How often it was asked for since it was first stored."""
    changes: int
    """How often it was found changed then."""

    @property
    def conditions(self) -> str:
        """Header lines that ask for the page only if it has changed; empty without validators."""
        lines = [f"If-None-Match: {self.etag}\r\n"] if self.etag else []
        if self.modified:
            lines.append(f"If-Modified-Since: {self.modified}\r\n")
        return "".join(lines)

    @property
    def date(self) -> str:
        """When it was stored, as the archive says it."""
        return stamp(self.time)


class StoredPages:
    """All stored pages."""

    def __init__(self, state: CrawlDatabase) -> None:
        self._db = state.db

    def of(self, url: str) -> StoredPage | None:
        """The last capture of a page."""
        row = self._db.execute(f"SELECT {_COLUMNS} FROM page WHERE key = ?", (_signed(url_key(url)),)).fetchone()
        return None if row is None else StoredPage(*row)

    def keys(self) -> Iterator[int]:
        """Keys of all pages, as of their URLs."""
        return (key % (2 * _SIGN) for (key,) in self._db.execute("SELECT key FROM page"))

    def holder(self, digest: int) -> tuple[int, int, str, float] | None:
        """Host, form, path and time of a page stored with this payload."""
        row: tuple[int, int, str, float] | None = self._db.execute(
            "SELECT host, form, path, time FROM page WHERE digest = ? LIMIT 1", (digest,)
        ).fetchone()
        return row

    def save(self, entry: QueuedUrl, reply: Reply, digest: int, *, good: bool, before: StoredPage | None) -> None:
        """Remember a page that was stored."""
        checks, changes = (before.checks + 1, before.changes + 1) if before else (0, 0)
        self._db.execute(
            "INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                _signed(url_key(reply.url)),
                *(entry.host, entry.form, entry.path, entry.template, digest, reply.time),
                *(_field(reply, "etag"), _field(reply, "last-modified"), checks, changes, good, entry.depth),
            ),
        )

    def unchanged(self, url: str) -> None:
        """Remember that a page was asked for and is still what it was."""
        self._db.execute("UPDATE page SET checks = checks + 1 WHERE key = ?", (_signed(url_key(url)),))


def short_digest(digest: bytes) -> int:
    """Eight bytes of a digest as SQLite takes them."""
    return int.from_bytes(digest[:8], "big", signed=True)


def _signed(key: int) -> int:
    return key - 2 * _SIGN if key >= _SIGN else key


def _field(reply: Reply, name: str) -> str:
    """A validator that can be sent back as it came."""
    value = reply.header(name)
    return value if _PLAIN.fullmatch(value) else ""
