"""What follows from the answer to a request: stored, tried again or given up, and the links it opens.

Everything here happens in one go, without waiting, so that a commit never sees half of a page.
"""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from paberki.crawl.admission import Admission
from paberki.crawl.clock import Clock
from paberki.crawl.config import CrawlConfig
from paberki.crawl.errors import PageError
from paberki.crawl.fetch import REDIRECTS, Reply
from paberki.crawl.frontier import FEED, PAGE, SITEMAP, Entry
from paberki.crawl.hosts import Host
from paberki.crawl.ledger import Ledger
from paberki.crawl.links import refresh_target
from paberki.crawl.notices import Notice
from paberki.crawl.recrawl import Recrawl
from paberki.crawl.sitemaps import read_feed, read_sitemap
from paberki.crawl.stats import CrawlStats
from paberki.crawl.storing import Storing
from paberki.crawl.urls import normalise
from paberki.crawl.worth import Worth

_BUSY = frozenset((429, 503))
_IN_PASSING = _BUSY | {408, 425, 500, 502, 504, 520, 521, 522, 523, 524}
_REDIRECT_DEPTH = 10
"""Chains of redirects end sooner than chains of pages."""
LIST_BYTES = 16 << 20
"""Most bytes of a sitemap or feed."""
MAX_FAILURES = 10
"""Requests in a row without an answer after which a host is left alone."""


class Pages:
    """Turns answers into records, outcomes and new URLs."""

    def __init__(
        self,
        config: CrawlConfig,
        ledger: Ledger,
        storing: Storing,
        worth: Worth,
        admission: Admission,
        recrawl: Recrawl | None,
        stats: CrawlStats,
        clock: Clock,
    ) -> None:
        self._config = config
        self._ledger = ledger
        self._storing = storing
        self._worth = worth
        self._admission = admission
        self._recrawl = recrawl
        self._stats = stats
        self._clock = clock

    def answered(self, host: Host, entry: Entry, reply: Reply, notice: Notice) -> None:
        """Deal with an answer, good or bad."""
        host.failures = 0
        host.fetches += 1
        host.latency = 0.7 * host.latency + 0.3 * reply.seconds if host.latency else reply.seconds
        self._stats.by_status[str(reply.status)] += 1
        self._stats.bytes += len(reply.body)
        if reply.status in _BUSY:
            host.next = max(host.next, self._pause(reply, entry))
        if self._passing(entry, reply):
            self._put_off(host, entry)
        elif entry.kind in (SITEMAP, FEED) and reply.status == 200:
            self._list(host, entry, reply)
        elif reply.refused:
            self._worth.useless(host, entry)
            self._give_up(host, entry, reply.refused)
        elif reply.status in REDIRECTS:
            self._redirected(host, entry, reply)
        elif reply.status == 304:
            self._storing.unchanged(reply)
            self._worth.useless(host, entry)
            self._finish(host, entry)
        elif reply.status == 200:
            self._read(host, entry, reply, notice)
        else:
            self._worth.useless(host, entry)
            if len(reply.content(self._config.min_body_bytes)) < self._config.min_body_bytes:
                self._give_up(host, entry, "too_small")
            else:
                self._storing.store(entry, reply)
                self._finish(host, entry)

    def failed(self, host: Host, entry: Entry, error: PageError) -> None:
        """Deal with a request that got no answer."""
        host.fetches += 1
        if error.transient:
            host.failures += 1
            host.next = max(host.next, self._clock.now() + host.delay * 2 ** min(host.failures, 6))
        if error.transient and entry.tries < self._config.retries:
            self._put_off(host, entry)
        else:
            self._give_up(host, entry, error.kind)
        if host.failures >= MAX_FAILURES:
            self._ledger.refuse(host, "unreachable")

    def _passing(self, entry: Entry, reply: Reply) -> bool:
        """Whether an answer is a failure that may pass."""
        if reply.truncated == "disconnect" and reply.status == 200:
            return entry.tries < min(2, self._config.retries)
        return reply.status in _IN_PASSING and entry.tries < self._config.retries

    def _read(self, host: Host, entry: Entry, reply: Reply, notice: Notice) -> None:
        content = reply.content(self._config.max_body_bytes)
        verdict = self._worth.judge(host, entry, reply, content, notice)
        if len(content) < self._config.min_body_bytes:
            self._give_up(host, entry, "too_small")
        else:
            if verdict.opt_out is not None:
                self._storing.opt_out(reply, verdict.opt_out)
            else:
                verdict.changed = self._storing.store(entry, reply, verdict)
            self._finish(host, entry)
        slots = []
        if verdict.follow:
            if self._config.sitemaps:
                slots = self._admission.admit(verdict.reading.feeds, entry.depth + 1, source=host, kind=FEED)
            links = verdict.reading.links
            if sent := normalise(refresh_target(reply.header("refresh")), reply.url):
                links = [*links, sent]
            slots += self._admission.admit(links, entry.depth + 1, source=host)
        self._worth.conclude(host, entry, verdict, slots)

    def _redirected(self, host: Host, entry: Entry, reply: Reply) -> None:
        self._storing.store(entry, reply)
        self._finish(host, entry)
        target = normalise(reply.header("location"), reply.url)
        depth = entry.depth + _REDIRECT_DEPTH
        slots = self._admission.admit([target], depth, source=host, kind=entry.kind) if target else []
        if not slots:
            self._worth.useless(host, entry)

    def _list(self, host: Host, entry: Entry, reply: Reply) -> None:
        """A sitemap or feed: its addresses are links like others."""
        content = reply.content(LIST_BYTES)
        if entry.kind == SITEMAP:
            sitemap = read_sitemap(content, url=reply.url)
            self._admission.admit(sitemap.sitemaps, entry.depth + 1, source=host, kind=SITEMAP)
            entries = sitemap.pages
        else:
            entries = read_feed(content, url=reply.url)
        self._finish(host, entry)
        if self._recrawl is not None:
            self._recrawl.dated(host, entries, trusted=entry.kind == SITEMAP)
        slots = self._admission.admit([url for url, _ in entries], entry.depth + 1, source=host, kind=PAGE)
        if slots or entry.kind == SITEMAP:
            self._storing.source(entry)
        self._worth.listed(host, entry, news=bool(slots))

    def _finish(self, host: Host, entry: Entry) -> None:
        self._ledger.finish(host, entry, "", self._clock.now())

    def _put_off(self, host: Host, entry: Entry) -> None:
        self._ledger.put_off(host, entry, self._clock.now() + self._config.first_retry * 2**entry.tries)

    def _give_up(self, host: Host, entry: Entry, kind: str) -> None:
        self._stats.by_error[kind] += 1
        self._ledger.finish(host, entry, kind, self._clock.now())

    def _pause(self, reply: Reply, entry: Entry) -> float:
        """Time until which a busy host is left alone."""
        now = self._clock.now()
        asked = retry_after(reply.header("retry-after"), now)
        if asked is None:
            asked = self._config.first_retry * 2**entry.tries
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
