"""One host's turn: look up its address, fetch a robots.txt, or fetch a page, whichever comes first.

A turn sends at most one request. Robots.txt redirects are errands to the host they lead to, which runs them
in its own turn, so that no redirect gets around a delay, an address check or the one-request rule.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from paberki.crawl.addresses import Resolver
from paberki.crawl.clock import Clock
from paberki.crawl.config import CrawlConfig
from paberki.crawl.errors import PageError
from paberki.crawl.fetch import REDIRECTS, Fetcher, Reply
from paberki.crawl.frontier import Frontier
from paberki.crawl.hosts import Address, Errand, Host, Hosts
from paberki.crawl.pages import Pages
from paberki.crawl.remembered import MAX_BYTES, MAX_HOPS, UNREACHABLE, RememberedRobots, Rules
from paberki.crawl.schedule import Schedule
from paberki.crawl.stats import CrawlStats
from paberki.crawl.urls import hostname_of, normalise, origin_of, path_of
from paberki.crawl.warcs import Warcs

log = logging.getLogger(__name__)

_ADDRESS_LIFETIME = 3600.0
_DENIED_AT_ONCE = 100
"""Forbidden URLs passed over in one turn, so that a long list of them does not hold up the others."""


class Turns:
    """Takes turns for hosts; ``may_ask`` is asked before each page request, for these are limited."""

    def __init__(
        self,
        config: CrawlConfig,
        *,
        resolver: Resolver,
        fetcher: Fetcher,
        frontier: Frontier,
        hosts: Hosts,
        schedule: Schedule,
        robots: RememberedRobots,
        pages: Pages,
        warcs: Warcs,
        stats: CrawlStats,
        clock: Clock,
        may_ask: Callable[[], bool],
    ) -> None:
        self._config = config
        self._resolver = resolver
        self._fetcher = fetcher
        self._frontier = frontier
        self._hosts = hosts
        self._schedule = schedule
        self._robots = robots
        self._pages = pages
        self._warcs = warcs
        self._stats = stats
        self._clock = clock
        self._may_ask = may_ask
        self._addresses: dict[str, Address] = {}
        self._lookups: dict[str, int] = {}

    async def take(self, host: Host) -> bool:
        """Take one turn; whether a request was sent."""
        if host.refused is not None:
            self._turn_away(host, host.refused)
            return False
        if host.address is None or host.address_until < self._clock.now():
            await self._look_up(host)
            return False
        if host.errands:
            return await self._run_errand(host, host.address.ip)
        return await self._fetch_page(host, host.address.ip)

    async def _look_up(self, host: Host) -> None:
        try:
            ip = await self._resolver.pin(host.name, self._config.timeout)
        except PageError as error:
            log.info("No address: %s", error)
            failures = self._lookups[host.name] = self._lookups.get(host.name, 0) + 1
            if error.transient and failures <= self._config.retries:
                host.next = self._clock.now() + self._config.retry_delay * 2 ** (failures - 1)
            else:
                host.refused, host.awaiting = error.kind, None
            return
        self._lookups.pop(host.name, None)
        host.address = self._addresses.setdefault(ip, Address(ip))
        host.address_until = self._clock.now() + _ADDRESS_LIFETIME

    def _turn_away(self, host: Host, reason: str) -> None:
        """Give up all that waits for a host that cannot or must not be asked."""
        host.awaiting = None
        if dropped := self._frontier.drop_host(host.id, reason):
            self._stats.by_error[reason] += dropped
        while host.errands:
            self._robots_failed(host.errands.popleft())

    async def _fetch_page(self, host: Host, ip: str) -> bool:
        for _ in range(_DENIED_AT_ONCE):
            entry = self._frontier.head(host.id, self._clock.now())
            if entry is None:
                return False
            origin = origin_of(entry.url)
            rules = self._robots.known(origin, self._clock.now())
            if rules is None:
                host.awaiting = origin
                host.errands.append(Errand(origin, f"{origin}/robots.txt"))
                return await self._run_errand(host, ip)
            self._slow_down(host, rules)
            if rules.allows(entry.url):
                if not self._may_ask():
                    return False
                self._stats.requests += 1
                try:
                    reply = await self._fetcher.page(entry.url, ip)
                except PageError as error:
                    log.info("No page: %s", error)
                    self._pages.failed(host, entry, error)
                else:
                    self._pages.answered(host, entry, reply)
                return True
            if rules.reachable:
                self._stats.robots_denied += 1
            else:
                self._stats.by_error["robots_unreachable"] += 1
            self._frontier.finish(entry, "robots_denied" if rules.reachable else "robots_unreachable")
        return False

    async def _run_errand(self, host: Host, ip: str) -> bool:
        errand = host.errands.popleft()
        now, source = self._clock.now(), origin_of(errand.url)
        if errand.chain and path_of(errand.url) == "/robots.txt":
            copied = self._robots.copy(errand.origin, source, now)
            if copied is not None:
                self._learnt(errand.origin, copied)
                return False
        try:
            reply = await self._fetcher.file(errand.url, ip, MAX_BYTES)
        except PageError as error:
            log.info("No robots.txt: %s", error)
            self._robots_failed(errand)
            return True
        self._read_robots(errand, reply)
        return True

    def _read_robots(self, errand: Errand, reply: Reply) -> None:
        if reply.status >= 500 or reply.status == 429:
            self._robots_failed(errand)
            return
        self._warcs.write(reply, self._clock.now())
        if reply.status in REDIRECTS and len(errand.chain) < MAX_HOPS:
            target = normalise(reply.header("Location"), errand.url)
            if target is not None and target not in errand.chain:
                onward = self._hosts[hostname_of(target)]
                onward.errands.append(Errand(errand.origin, target, (*errand.chain, target)))
                self._schedule.offer(onward)
                return
        origins = {errand.origin}
        if path_of(errand.url) == "/robots.txt":
            origins.add(origin_of(errand.url))
        for origin in origins:
            content = reply.content(MAX_BYTES)
            self._learnt(origin, self._robots.learn(origin, reply.status, content, self._clock.now()))

    def _robots_failed(self, errand: Errand) -> None:
        """Ask again later, from the beginning; after too many times leave the origin alone."""
        now = self._clock.now()
        failures = self._robots.failed(errand.origin)
        if failures is None:
            self._learnt(errand.origin, self._robots.learn(errand.origin, UNREACHABLE, b"", now))
            return
        owner = self._hosts[hostname_of(errand.origin)]
        owner.next = max(owner.next, now + self._config.retry_delay * 2 ** (failures - 1))
        if owner.refused is None:
            owner.errands.append(Errand(errand.origin, f"{errand.origin}/robots.txt"))
        self._schedule.offer(owner)

    def _learnt(self, origin: str, rules: Rules) -> None:
        owner = self._hosts[hostname_of(origin)]
        self._slow_down(owner, rules)
        if owner.awaiting == origin:
            owner.awaiting = None
        self._schedule.offer(owner)

    def _slow_down(self, host: Host, rules: Rules) -> None:
        delay = min(rules.delay, self._config.max_crawl_delay)
        if delay > host.delay:
            host.delay = delay
            self._hosts.touch(host)
