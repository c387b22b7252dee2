"""Decides which links enter the frontier."""

from __future__ import annotations

from collections.abc import Container, Iterable

from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.frontier.frontier import PAGE, Frontier, QueueSlot
from paberki.crawl.frontier.host_records import HostRecord, HostRecords
from paberki.crawl.sharding.link_exchange import LinkExchange
from paberki.crawl.stats import CrawlStats
from paberki.crawl.steering.schedule import Schedule
from paberki.crawl.steering.strategy import CrawlStrategy
from paberki.crawl.steering.wildcard_domains import Domains, domain_of
from paberki.web.scope import HostScope
from paberki.web.urls import host_of, looks_binary, path_of, repeats_segments, template


class Admission:
    """Admits new URLs that are in scope, may hold text and are not traps."""

    def __init__(
        self,
        config: CrawlConfig,
        frontier: Frontier,
        hosts: HostRecords,
        domains: Domains,
        schedule: Schedule,
        strategy: CrawlStrategy,
        stats: CrawlStats,
        exchange: LinkExchange | None = None,
        blocked_addresses: Container[str] = (),
        stopped_hosts: Container[str] = (),
    ) -> None:
        self._config = config
        self._frontier = frontier
        self._hosts = hosts
        self._domains = domains
        self._schedule = schedule
        self._strategy = strategy
        self._stats = stats
        self._scope = HostScope(config.scope)
        self._exchange = exchange
        self._blocked_addresses = blocked_addresses
        self._stopped_hosts = stopped_hosts

    def admit(
        self, urls: Iterable[str], depth: int, *, source: HostRecord | None = None, kind: int = PAGE
    ) -> list[QueueSlot]:
        """Queue normalised URLs found at ``depth`` links from the seeds; return the slots of the new ones."""
        scope = self._scope
        in_scope = [url for url in urls if host_of(url) in scope]
        if self._exchange is not None:
            in_scope = self._ours(in_scope, depth, self._exchange)
        if not in_scope:
            return []

        def assign(url: str) -> QueueSlot | None:
            return self._assign(url, depth, source, kind)

        slots = self._frontier.add_batch(in_scope, assign)
        self._stats.queued += len(slots)
        for slot in slots:
            self._schedule.offer(self._hosts.by_id(slot.host), self._strategy.hint(slot))
        self._hosts.write_some()
        return slots

    @staticmethod
    def _ours(urls: list[str], depth: int, exchange: LinkExchange) -> list[str]:
        """URLs of this shard's hosts; the others are sent to their shards."""
        own = []
        for url in urls:
            host = host_of(url)
            if exchange.own(host):
                own.append(url)
            else:
                exchange.send(host, url, depth)
        return own

    def _assign(self, url: str, depth: int, source: HostRecord | None, kind: int) -> QueueSlot | None:
        if url in self._blocked_addresses:
            self._stats.by_trap["taken down"] += 1
            return None
        if url in self._stopped_hosts:
            self._stats.by_trap["stopped host"] += 1
            return None
        if path_of(url) == "/robots.txt" or (kind == PAGE and looks_binary(url)):
            return None
        if depth > self._config.max_depth:
            self._stats.by_trap["depth"] += 1
            return None
        if repeats_segments(url):
            self._stats.by_trap["repeated segments"] += 1
            return None
        name = host_of(url)
        new = name not in self._hosts
        if new and not self._domains.takes_up(name, source):
            self._stats.by_trap["subdomains"] += 1
            return None
        host = self._hosts[name]
        if new and source is not None and source is not host:
            # Hosts that good hosts link to are good more often.
            host.expected_yield = 0.5 * (0.5 + source.yields)
            source.finds += domain_of(source.name) != domain_of(name)
        if self._full(url, host):
            self._stats.by_trap["full template"] += 1
            return None
        host.waiting_urls += 1
        self._hosts.touch(host)
        return self._strategy.slot(url, host, depth, kind)

    def _full(self, url: str, host: HostRecord) -> bool:
        """Whether the host has enough URLs that differ only in the values of their parameters."""
        limit = self._config.max_per_template
        if limit is None or "?" not in url:
            return False
        url_template = self._hosts.templates(host).by_name(template(url))
        url_template.met_count += 1
        return url_template.met_count > limit
