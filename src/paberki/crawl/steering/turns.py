"""Spends a host's turn: look up its address, fetch a file about crawling, or fetch a page.

A turn sends at most one request. A redirect of robots.txt becomes an errand of its target host, which runs it in its
own turn, so no redirect evades a delay, an address check or the one-request rule.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Container

from paberki.crawl.clock import Clock
from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.fetching.allowed_addresses import HostAddress, Resolver
from paberki.crawl.fetching.fetch import Fetcher, Reply
from paberki.crawl.fetching.fetch_errors import PageError
from paberki.crawl.fetching.notices import Notice, Notices
from paberki.crawl.fetching.site_files import SiteFiles
from paberki.crawl.frontier.frontier import PAGE, SITEMAP, Frontier, QueuedUrl
from paberki.crawl.frontier.host_records import Errand, HostRecord, IpAddress
from paberki.crawl.frontier.ledger import Ledger
from paberki.crawl.mishaps import Mishaps
from paberki.crawl.reading.answer_readers import LIST_BYTES
from paberki.crawl.stats import CrawlStats
from paberki.crawl.steering.outcomes import Outcomes
from paberki.crawl.steering.page_value import PageValue
from paberki.crawl.steering.recrawl import Recrawl
from paberki.crawl.steering.strategy import CrawlStrategy
from paberki.crawl.storing.captures import StoredPages
from paberki.web.urls import origin_of

log = logging.getLogger(__name__)

_ADDRESS_LIFETIME = 3600.0
_NOT_NEEDED = "settled"
_PASSED_AT_ONCE = 100
_PASSING_SECONDS = 0.01
"""Most URLs skipped in one turn, and most seconds for it: many forbidden URLs must not delay other hosts."""
_NEVER = ("private", "port")
"""Reasons for which a host is never asked, not even in later runs."""


class Turns:
    """Takes turns for hosts; ``may_ask`` is called before each page request, since these are limited."""

    def __init__(
        self,
        config: CrawlConfig,
        *,
        resolver: Resolver,
        fetcher: Fetcher,
        frontier: Frontier,
        strategy: CrawlStrategy,
        notices: Notices,
        site_files: SiteFiles,
        outcomes: Outcomes,
        worth: PageValue,
        ledger: Ledger,
        captures: StoredPages,
        recrawl: Recrawl | None,
        stats: CrawlStats,
        mishaps: Mishaps,
        clock: Clock,
        may_ask: Callable[[], bool],
        blocked_addresses: Container[str] = (),
        stopped_hosts: Container[str] = (),
    ) -> None:
        self._config = config
        self._resolver = resolver
        self._fetcher = fetcher
        self._frontier = frontier
        self._strategy = strategy
        self._notices = notices
        self._site_files = site_files
        self._outcomes = outcomes
        self._worth = worth
        self._ledger = ledger
        self._captures = captures
        self._recrawl = recrawl
        self._stats = stats
        self._clock = clock
        self._may_ask = may_ask
        self._blocked_addresses = blocked_addresses
        self._stopped_hosts = stopped_hosts
        self._mishaps = mishaps
        self._under_way: dict[int, QueuedUrl | Errand] = {}
        """What each busy host is fetching, by its number."""
        self._addresses: dict[str, IpAddress] = {}
        self._lookups: dict[str, int] = {}
        self.looking_up = 0
        """Turns that wait for the DNS; they do not count as requests in flight."""

    async def take(self, host: HostRecord) -> bool:
        """Take one turn; return whether a request was sent. An unforeseen error costs the URL that caused it."""
        try:
            request_sent = await self._take(host)
            self._mishaps.none()
        except Exception as error:  # noqa: BLE001 - one answer must not end the crawl
            request_sent = True
            await self._lose(host, error)
        finally:
            self._under_way.pop(host.id, None)
        return request_sent

    async def _lose(self, host: HostRecord, error: Exception) -> None:
        job = self._under_way.get(host.id)
        url = host.name if job is None else job.url(host.name) if isinstance(job, QueuedUrl) else job.url
        self._mishaps.note(url, error, self._clock.now())
        self._stats.by_error["internal"] += 1
        if isinstance(job, Errand):
            await self._site_files.handle_failure(job)
        elif job is None:
            self._ledger.refuse(host, "internal")
        elif not job.is_settled:
            self._ledger.finish(host, job, "internal", self._clock.now())

    async def _take(self, host: HostRecord) -> bool:
        if host.refusal is not None:
            await self._turn_away(host, host.refusal)
            return False
        if host.place is None or host.place_until < self._clock.now():
            await self._look_up(host)
            return False
        if host.errands:
            return await self._run(host, host.errands.popleft(), host.place)
        return False if self._worth.is_over(host) else await self._fetch_next(host, host.place)

    async def _look_up(self, host: HostRecord) -> None:
        if pause := self._resolver.pause(host.name):
            host.next = self._clock.now() + pause
            return
        self.looking_up += 1
        try:
            place = await self._resolver.look_up(host.name, self._config.timeout)
        except PageError as error:
            log.info("No address: %s", error)
            failures = self._lookups[host.name] = self._lookups.get(host.name, 0) + 1
            if error.transient and failures <= self._config.retries:
                host.next = self._clock.now() + self._config.first_retry * 2 ** (failures - 1)
            else:
                self._ledger.refuse(host, error.kind)
                await self._turn_away(host, error.kind)
            return
        finally:
            self.looking_up -= 1
        self._lookups.pop(host.name, None)
        host.place, host.place_until = place, self._clock.now() + _ADDRESS_LIFETIME
        host.address = self._addresses.setdefault(place.ip, IpAddress(place.ip))

    async def _turn_away(self, host: HostRecord, reason: str) -> None:
        """Leave a host alone: for ever if it must never be asked, else until the next run."""
        if reason in _NEVER:
            self._ledger.drop(host, reason, self._clock.now())
        while host.errands:
            await self._site_files.handle_failure(host.errands.popleft())

    async def _run(self, host: HostRecord, errand: Errand, place: HostAddress) -> bool:
        self._under_way[host.id] = errand
        return await self._site_files.run(host, errand, place)

    async def _fetch_next(self, host: HostRecord, place: HostAddress) -> bool:
        began = time.perf_counter()
        for _ in range(_PASSED_AT_ONCE):
            # Retries come last: they may fail again, and each failure may take long.
            entry = self._strategy.choose(host) or self._frontier.pop_due(host.id, self._clock.now())
            if entry is None or time.perf_counter() - began > _PASSING_SECONDS:
                if entry is not None:
                    self._frontier.let_go(entry, self._clock.now())
                return False
            self._under_way[host.id] = entry
            url = entry.url(host.name)
            origin = origin_of(url)
            await self._notices.load(origin, self._clock.now())
            errand = self._notices.missing(origin, self._clock.now())
            if errand is not None:
                self._frontier.let_go(entry, self._clock.now())
                host.awaiting = origin
                return await self._run(host, errand, place)
            notice = self._notices.current(origin, self._clock.now())
            assert notice is not None
            outcome = self._passed_over(host, entry, url, notice)
            if not outcome:
                return await self._fetch(host, entry, url, place, notice)
            self._ledger.finish(host, entry, "" if outcome == _NOT_NEEDED else outcome, self._clock.now())
        return False

    def _passed_over(self, host: HostRecord, entry: QueuedUrl, url: str, notice: Notice) -> str:
        """Why a URL is skipped; empty if it is fetched."""
        assert notice.robots is not None
        if url in self._blocked_addresses:
            self._stats.by_trap["taken down"] += 1
            return "taken_down"
        if url in self._stopped_hosts:
            self._stats.by_trap["stopped host"] += 1
            return "stopped_host"
        if not notice.robots.allows(url):
            self._stats.robots_denied += 1
            return "robots_denied"
        if (
            self._recrawl is not None
            and entry.kind == PAGE
            and not entry.tries
            and self._recrawl.is_settled(host, entry, url)
        ):
            return _NOT_NEEDED
        if self._strategy.passes(entry, url):
            return _NOT_NEEDED
        if self._config.strategy != "yield" and (rule := self._worth.cut_rule(host, entry)):
            self._stats.by_trap[rule] += 1
            return "trap"
        return ""

    async def _fetch(self, host: HostRecord, entry: QueuedUrl, url: str, place: HostAddress, notice: Notice) -> bool:
        if entry.kind != SITEMAP:
            if not self._may_ask():
                self._frontier.let_go(entry, self._clock.now())
                return False
            self._stats.requests += 1
            if self._recrawl is not None:
                self._recrawl.settle(url)
        try:
            reply = await self._ask(entry, url, place)
        except PageError as error:
            log.info("No page: %s", error)
            self._outcomes.handle_failure(host, entry, error)
            self._strategy.note_arrival(host, url, 0, (), self._clock.now())
            return True
        try:
            await self._outcomes.handle_answer(host, entry, reply, notice)
        except PageError as error:
            log.info("Not read: %s: %s", url, error)
            self._outcomes.handle_unreadable(host, entry, error)
        self._strategy.note_arrival(host, url, reply.status, entry.leads, self._clock.now())
        return True

    async def _ask(self, entry: QueuedUrl, url: str, place: HostAddress) -> Reply:
        if entry.kind != PAGE:
            return await self._fetcher.file(url, place, LIST_BYTES)
        before = self._captures.of(url) if self._recrawl is not None else None
        return await self._fetcher.page(url, place, before.conditions if before else "")
