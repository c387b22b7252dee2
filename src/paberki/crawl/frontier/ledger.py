"""Book-keeping of the frontier: URLs that leave the queue are counted for their host, template and the crawl."""

from __future__ import annotations

from paberki.crawl.frontier.database import CrawlDatabase
from paberki.crawl.frontier.frontier import Frontier, QueuedUrl
from paberki.crawl.frontier.host_records import HostRecord, HostRecords
from paberki.crawl.stats import CrawlStats


class Ledger:
    """Removes URLs from the queue, or moves them to the retries."""

    def __init__(self, state: CrawlDatabase, frontier: Frontier, hosts: HostRecords, stats: CrawlStats) -> None:
        self._db = state.db
        self._frontier = frontier
        self._hosts = hosts
        self._stats = stats

    def finish(self, host: HostRecord, entry: QueuedUrl, outcome: str, time: float) -> None:
        """Remove a URL from the queue; an outcome without an archive record is written to the database."""
        self._frontier.done_batch([entry])
        self._leave(host, entry)
        if outcome:
            row = (entry.host, entry.form, entry.path, outcome, time)
            self._db.execute("INSERT INTO fate VALUES (?, ?, ?, ?, ?)", row)

    def put_off(self, host: HostRecord, entry: QueuedUrl, due_time: float) -> None:
        """Move a URL to the retries, due at a time."""
        self._stats.retries += 1
        self._frontier.put_off(entry, due_time)
        self._leave(host, entry)
        self._stats.queued += 1

    def refuse(self, host: HostRecord, reason: str) -> None:
        """Ask a host for nothing more in this run; the caller drops its URLs if it must never be asked."""
        if host.refusal is None:
            host.refusal, host.awaiting = reason, None
            self._stats.by_error[reason] += host.waiting_urls

    def drop(self, host: HostRecord, outcome: str, time: float) -> int:
        """Finish all waiting URLs of a host that must never be asked; return their number."""
        templates = self._hosts.templates(host)
        for template in templates:
            templates.wait(template, -template.waiting_urls)
        rows = [(host.id, form, path, outcome, time) for form, path in self._frontier.waiting_urls(host.id)]
        self._db.executemany("INSERT INTO fate VALUES (?, ?, ?, ?, ?)", rows)
        self._frontier.drop(host.id)
        count = len(rows)
        self._stats.queued -= count
        host.waiting_urls = 0
        self._hosts.touch(host)
        return count

    def _leave(self, host: HostRecord, entry: QueuedUrl) -> None:
        entry.is_settled = True
        self._stats.queued -= 1
        self._hosts.touch(host)
        if not entry.tries:
            host.waiting_urls -= 1
            templates = self._hosts.templates(host)
            templates.wait(templates[entry.template], -1)
