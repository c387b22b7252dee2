"""What follows from the answer to a page request: stored, tried again or given up, and the links it opens.

Everything here happens in one go, without waiting, so that a commit never sees half of a page.
"""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from paberki.crawl.admission import Admission
from paberki.crawl.body import media_type
from paberki.crawl.clock import Clock
from paberki.crawl.config import CrawlConfig
from paberki.crawl.errors import PageError
from paberki.crawl.fetch import REDIRECTS, Reply
from paberki.crawl.frontier import Entry, Frontier
from paberki.crawl.hosts import Host
from paberki.crawl.reading import read
from paberki.crawl.rights import Policy
from paberki.crawl.stats import CrawlStats
from paberki.crawl.urls import normalise
from paberki.crawl.warcs import Warcs

_BUSY = frozenset((429, 503))
_IN_PASSING = _BUSY | {408, 500, 502, 504}
MAX_FAILURES = 10
"""Requests in a row without an answer after which a host is given up."""


class Pages:
    """Turns answers into records, outcomes and new URLs."""

    def __init__(
        self,
        config: CrawlConfig,
        frontier: Frontier,
        warcs: Warcs,
        admission: Admission,
        stats: CrawlStats,
        clock: Clock,
    ) -> None:
        self._config = config
        self._frontier = frontier
        self._warcs = warcs
        self._admission = admission
        self._stats = stats
        self._clock = clock

    def answered(self, host: Host, entry: Entry, reply: Reply) -> None:
        """Deal with an answer, good or bad."""
        host.failures = 0
        self._stats.by_status[str(reply.status)] += 1
        self._stats.bytes += len(reply.body)
        if reply.status in _BUSY:
            host.next = max(host.next, self._pause(reply, entry))
        if reply.status in _IN_PASSING and entry.tries < self._config.retries:
            self._put_back(entry)
        elif reply.refused:
            self._give_up(entry, reply.refused)
        elif reply.status in REDIRECTS:
            self._store(entry, reply)
            target = normalise(reply.header("Location"), reply.url)
            self._admission.admit([target] if target else [], entry.depth + 1)
        else:
            self._keep(entry, reply)

    def failed(self, host: Host, entry: Entry, error: PageError) -> None:
        """Deal with a request that got no answer."""
        if error.transient:
            host.failures += 1
            host.next = max(host.next, self._clock.now() + host.delay * 2 ** min(host.failures, 6))
            if host.failures >= MAX_FAILURES:
                host.refused = "unreachable"
        if error.transient and entry.tries < self._config.retries:
            self._put_back(entry)
        else:
            self._give_up(entry, error.kind)

    def _keep(self, entry: Entry, reply: Reply) -> None:
        content = reply.content(self._config.max_body_bytes)
        if len(content) < self._config.min_body_bytes:
            self._give_up(entry, "too_small")
        else:
            self._store(entry, reply)
        content_type = reply.header("Content-Type")
        if reply.status == 200 and media_type(content_type) != "text/plain":
            reading = read(
                content, url=reply.url, content_type=content_type, languages=(), agent=self._config.robots_name
            )
            found = reading.links[: self._config.max_links] if Policy().follows(reading.signals) else []
            self._admission.admit(found, entry.depth + 1)

    def _store(self, entry: Entry, reply: Reply) -> None:
        self._warcs.write(reply, self._clock.now())
        self._frontier.finish(entry, str(reply.status))
        self._stats.stored += 1
        self._stats.pages += reply.status == 200

    def _put_back(self, entry: Entry) -> None:
        self._stats.retries += 1
        self._frontier.retry(entry, self._clock.now() + self._config.retry_delay * 2**entry.tries)

    def _give_up(self, entry: Entry, kind: str) -> None:
        self._stats.by_error[kind] += 1
        self._frontier.finish(entry, kind)

    def _pause(self, reply: Reply, entry: Entry) -> float:
        """Time until which a busy host is left alone."""
        now = self._clock.now()
        asked = retry_after(reply.header("Retry-After"), now)
        if asked is None:
            asked = self._config.retry_delay * 2**entry.tries
        return now + min(asked, self._config.max_retry_after)


def retry_after(value: str, now: float) -> float | None:
    """Seconds that a Retry-After header asks for, as a number or a date; None if it says nothing."""
    value = value.strip()[:100]
    if value.isascii() and value.isdecimal():
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.fromtimestamp(now, UTC)).total_seconds())
