"""The stored pages: time, payload digest, validators, and how often each page was found changed."""

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
    """The last stored version of a page."""

    time: float
    digest: int
    etag: str
    modified: str
    checks: int
    """How often it was requested again."""
    changes: int
    """How often it had changed then."""

    @property
    def conditions(self) -> str:
        """Header lines of a conditional request; empty without validators."""
        lines = [f"If-None-Match: {self.etag}\r\n"] if self.etag else []
        if self.modified:
            lines.append(f"If-Modified-Since: {self.modified}\r\n")
        return "".join(lines)

    @property
    def date(self) -> str:
        """When it was stored, in the format of WARC-Date."""
        return stamp(self.time)


class StoredPages:
    """All stored pages."""

    def __init__(self, state: CrawlDatabase) -> None:
        self._db = state.db

    def of(self, url: str) -> StoredPage | None:
        """The last stored version of a page; None if there is none."""
        row = self._db.execute(f"SELECT {_COLUMNS} FROM page WHERE key = ?", (_signed_key(url_key(url)),)).fetchone()
        return None if row is None else StoredPage(*row)

    def keys(self) -> Iterator[int]:
        """Keys of the URLs of all stored pages."""
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
                _signed_key(url_key(reply.url)),
                *(entry.host, entry.form, entry.path, entry.template, digest, reply.time),
                *(_field(reply, "etag"), _field(reply, "last-modified"), checks, changes, good, entry.depth),
            ),
        )

    def note_unchanged(self, url: str) -> None:
        """Remember that a page was requested again and had not changed."""
        self._db.execute("UPDATE page SET checks = checks + 1 WHERE key = ?", (_signed_key(url_key(url)),))


def short_digest(digest: bytes) -> int:
    """The first eight bytes of a digest as a signed integer for SQLite."""
    return int.from_bytes(digest[:8], "big", signed=True)


def _signed_key(key: int) -> int:
    return key - 2 * _SIGN if key >= _SIGN else key


def _field(reply: Reply, name: str) -> str:
    """A validator that can be sent back unchanged; else empty."""
    value = reply.header(name)
    return value if _PLAIN.fullmatch(value) else ""
