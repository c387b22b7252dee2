"""URLs seen, URLs waiting and the hosts they belong to.

A URL is queued (state 0) until it is finished (state 1) with an outcome. Handing one out changes nothing
here: what was in flight when a crawl was killed is still queued.
"""

from __future__ import annotations

from dataclasses import dataclass

from paberki.crawl.state import State


@dataclass(frozen=True, slots=True)
class Entry:
    """A URL waiting to be fetched."""

    id: int
    url: str
    depth: int
    tries: int


class Frontier:
    """The queue of each host, shortest distance from the seeds first (breadth-first, P1 §2)."""

    def __init__(self, state: State, max_per_template: int) -> None:
        self._db = state.db
        self._max_per_template = max_per_template
        self.queued: int = self._db.execute("SELECT count(*) FROM url WHERE state = 0").fetchone()[0]

    def add(self, url: str, host: int, depth: int, template: str | None = None) -> str | None:
        """Queue a URL; None if it is new, else why not: ``known`` or ``trap`` (its template is full)."""
        count = self._template_urls(template) if template else 0
        if count >= self._max_per_template:
            return "trap"
        done = self._db.execute("INSERT OR IGNORE INTO url (url, host, depth) VALUES (?, ?, ?)", (url, host, depth))
        if not done.rowcount:
            return "known"
        if template:
            self._db.execute("INSERT OR REPLACE INTO template VALUES (?, ?)", (template, count + 1))
        self.queued += 1
        return None

    def _template_urls(self, template: str) -> int:
        row = self._db.execute("SELECT urls FROM template WHERE name = ?", (template,)).fetchone()
        return 0 if row is None else int(row[0])

    def head(self, host: int, now: float) -> Entry | None:
        """The next URL of a host that may be fetched now."""
        row = self._db.execute(
            "SELECT id, url, depth, tries FROM url"
            " WHERE state = 0 AND host = ? AND next <= ? ORDER BY depth, id LIMIT 1",
            (host, now),
        ).fetchone()
        return None if row is None else Entry(*row)

    def waits(self, host: int) -> bool:
        """Whether a host has URLs waiting."""
        row = self._db.execute("SELECT 1 FROM url WHERE state = 0 AND host = ? LIMIT 1", (host,)).fetchone()
        return row is not None

    def hosts(self) -> list[int]:
        """Hosts that have URLs waiting."""
        return [row[0] for row in self._db.execute("SELECT DISTINCT host FROM url WHERE state = 0")]

    def due(self, host: int) -> float | None:
        """When the earliest waiting URL of a host may be fetched; None if it has none."""
        row = self._db.execute("SELECT min(next) FROM url WHERE state = 0 AND host = ?", (host,)).fetchone()
        return None if row[0] is None else float(row[0])

    def finish(self, entry: Entry, outcome: str) -> None:
        """Take a URL off the queue for good."""
        self._db.execute("UPDATE url SET state = 1, outcome = ? WHERE id = ?", (outcome, entry.id))
        self.queued -= 1

    def retry(self, entry: Entry, at: float) -> None:
        """Put a URL back, not to be fetched before a time."""
        self._db.execute("UPDATE url SET tries = tries + 1, next = ? WHERE id = ?", (at, entry.id))

    def drop_host(self, host: int, outcome: str) -> int:
        """Finish all waiting URLs of a host that cannot be crawled; their number."""
        done = self._db.execute("UPDATE url SET state = 1, outcome = ? WHERE host = ? AND state = 0", (outcome, host))
        self.queued -= done.rowcount
        return done.rowcount
