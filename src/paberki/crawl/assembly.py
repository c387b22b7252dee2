"""The parts of a running crawl, put together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

from paberki.crawl.clock import Clock
from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.fetching.allowed_addresses import AddressGate, Resolver
from paberki.crawl.fetching.fetch import Fetcher
from paberki.crawl.fetching.notices import Notices
from paberki.crawl.fetching.site_files import SiteFiles
from paberki.crawl.frontier.admission import Admission
from paberki.crawl.frontier.database import CrawlDatabase
from paberki.crawl.frontier.frontier import Frontier
from paberki.crawl.frontier.host_records import HostRecord, HostRecords
from paberki.crawl.frontier.ledger import Ledger
from paberki.crawl.frontier.twins import Twins
from paberki.crawl.mishaps import Mishaps
from paberki.crawl.reading.answer_readers import AnswerReader
from paberki.crawl.sharding.link_exchange import LinkExchange
from paberki.crawl.sharding.shared_limits import SharedLimits
from paberki.crawl.stats import CrawlStats
from paberki.crawl.steering.outcomes import Outcomes
from paberki.crawl.steering.page_value import PageValue
from paberki.crawl.steering.random_walk import WalkStrategy
from paberki.crawl.steering.recrawl import Recrawl
from paberki.crawl.steering.schedule import Schedule
from paberki.crawl.steering.strategy import FIRST, CrawlStrategy, RequestBudget, make_strategy
from paberki.crawl.steering.turns import Turns
from paberki.crawl.steering.wildcard_domains import Domains, domain_of
from paberki.crawl.storing.captures import StoredPages
from paberki.crawl.storing.storage import Storage
from paberki.crawl.storing.warc_files import WarcFiles
from paberki.store.taken_down.stopped_hosts import StoppedHosts
from paberki.store.taken_down.tombstones import BlockedAddresses

_RETRIES_FIRST = -100.0
"""Rank of a host that has only retries left."""
_TRIED = 4
"""Requests after which a host is no longer a newcomer."""
_SLOW = 0.5
"""Seconds per answer above which a host is asked less often."""
_SLOWEST = 60.0


class CrawlParts:
    """Everything that lives as long as the crawl does."""

    def __init__(
        self,
        config: CrawlConfig,
        warc: Path,
        state: Path,
        resolve: Mapping[str, tuple[str, int | None]] | None,
        clock: Clock,
        budget: RequestBudget,
        may_ask: Callable[[], bool],
        exchange: LinkExchange | None = None,
        shared: SharedLimits | None = None,
    ) -> None:
        self._config, self._clock = config, clock
        self.live = 1
        """Hosts that have something to fetch."""
        self.whole = asyncio.Lock()
        """Lock for changes that must be committed together; the commit takes it too."""
        self.state = CrawlDatabase(state)
        saved_stats = self.state.get("stats")
        self.stats = CrawlStats.from_json(saved_stats) if saved_stats else CrawlStats()
        self.warcs = WarcFiles(warc, self.state, config, "crawl" if exchange is None else f"crawl-{exchange.shard}")
        self._open_frontier(clock.now())
        self._make_order(state, budget, shared)
        self._blocked_addresses = BlockedAddresses(warc.parent)
        self._stopped_hosts = StoppedHosts(warc.parent / "crawl")
        self.admission = Admission(
            config,
            self.frontier,
            self.hosts,
            self._domains,
            self.schedule,
            self.strategy,
            self.stats,
            exchange,
            blocked_addresses=self._blocked_addresses,
            stopped_hosts=self._stopped_hosts,
        )
        self.fetcher = Fetcher(config, clock)
        self._resolver = Resolver(AddressGate(config.allow_networks), resolve)
        self._answers = AnswerReader(config)
        self.turns = self._make_turns(state, may_ask)

    def _open_frontier(self, now: float) -> None:
        """Open what the database keeps: waiting URLs, hosts, stored pages, and the books about them."""
        config, state = self._config, self.state
        self.frontier = Frontier(state, now + config.longest_retry)
        self.hosts = HostRecords(state, config.delay, now, config.longest_pause, config.languages)
        self._domains = Domains(self.hosts)
        self._captures = StoredPages(state)
        self._ledger = Ledger(state, self.frontier, self.hosts, self.stats)
        self._recrawl = (
            Recrawl(state, self.frontier, self.hosts, self._captures, self.stats) if config.recrawl else None
        )
        self._worth = PageValue(config, self.hosts, self._domains, self._captures, Twins(state), self.stats)

    def _make_order(self, folder: Path, budget: RequestBudget, shared: SharedLimits | None) -> None:
        """Make the strategy, which ranks hosts, and the schedule, which hands them out."""
        config, stats = self._config, self.stats
        self.strategy: CrawlStrategy
        walk = None
        if config.strategy == "walk":
            walk = WalkStrategy(config, self.frontier, self.hosts, stats, folder, self._captures.keys())
        self.strategy = walk or make_strategy(config, self.frontier, self.hosts, budget)
        self.schedule = Schedule(
            self._rank,
            self._due_time,
            config.address_delay,
            shared,
            2 * config.timeout,
            lambda: stats.requests,
            budget.is_reserved,
        )
        if walk is not None:
            walk.wake = self.schedule.offer

    def _make_turns(self, folder: Path, may_ask: Callable[[], bool]) -> Turns:
        """Make what a host's turn is spent on: pages, and files about crawling."""
        config, stats, clock, answers = self._config, self.stats, self._clock, self._answers
        ledger, admission = self._ledger, self.admission
        notices = Notices(self.state, config, answers)
        storage = Storage(
            config, self.state, self.warcs, self._captures, self.hosts, stats, clock, recrawl=config.recrawl
        )
        site_files = SiteFiles(
            config, self.fetcher, notices, self.hosts, self.schedule, storage, ledger, admission, answers, clock
        )
        outcomes = Outcomes(
            config, ledger, storage, self._worth, admission, self._recrawl, stats, clock, answers, self.whole
        )
        return Turns(
            config,
            resolver=self._resolver,
            fetcher=self.fetcher,
            frontier=self.frontier,
            strategy=self.strategy,
            notices=notices,
            site_files=site_files,
            outcomes=outcomes,
            worth=self._worth,
            ledger=ledger,
            captures=self._captures,
            recrawl=self._recrawl,
            stats=stats,
            mishaps=Mishaps(folder),
            blocked_addresses=self._blocked_addresses,
            stopped_hosts=self._stopped_hosts,
            clock=clock,
            may_ask=may_ask,
        )

    def begin_round(self) -> None:
        """In a recrawl, put stored pages back into the queue."""
        if self._recrawl is not None:
            self._recrawl.begin(self._clock.now())

    def round_over(self) -> None:
        """Note that nothing is left to fetch: the next recrawl begins a new round."""
        if self._recrawl is not None:
            self._recrawl.end()

    def release(self, host: HostRecord, *, request_sent: bool) -> None:
        """End a host's turn: its gap begins, longer for slow servers and, under a budget, for poor hosts."""
        hold = 0.0
        if request_sent:
            gap = max(host.delay, min(2 * host.latency, _SLOWEST)) if host.latency > _SLOW else host.delay
            hold = gap - host.delay
            # A budget limits requests, not time, so the wait of poor hosts is counted in requests of others.
            waits = self.stats.requests + int((self.strategy.patience(host) - 1) * self.live)
            host.hold = max(waits, int(self.strategy.fair_share(host, self.live)))
            self.hosts.touch(host)
        self.hosts.write_some()
        self.schedule.release(host, self._clock.now(), request_sent=request_sent, hold=hold)

    def newcomers(self, soon: float) -> int:
        """Number of first pages still missing from hosts that can be asked before ``soon``."""
        return sum(
            min(FIRST - host.docs, host.waiting_urls)
            for host in self.hosts
            if host.docs < FIRST
            and host.fetches < _TRIED
            and not host.failures
            and host.refusal is None
            and host.next < soon
            and not self._worth.is_over(host)
            and self.strategy.rank(host) is not None
        )

    def reopen(self) -> None:
        """Offer the hosts of domains that were closed and have opened again."""
        if self._domains.reopened_domains:
            for host in self.hosts:
                if domain_of(host.name) in self._domains.reopened_domains:
                    self.schedule.offer(host)
            self._domains.reopened_domains.clear()

    def commit(self, *, complete: bool) -> None:
        """Make everything so far durable: hosts, statistics, WARC files and frontier."""
        self.hosts.save()
        self.state.put("stats", self.stats.to_json())
        self.warcs.commit(self.frontier.commit, complete=complete)
        self.strategy.write()
        self.fetcher.sweep()

    def close(self) -> None:
        """Close all files."""
        self._answers.close()
        self._resolver.close()
        self.warcs.close()
        self.frontier.close()
        self.state.close()

    def _rank(self, host: HostRecord, now: float) -> float | None:
        if host.refusal is not None or self._worth.is_over(host):
            return None
        rank = self.strategy.rank(host)
        if rank is not None:
            return rank
        due_time = self.frontier.next_due(host.id)
        return _RETRIES_FIRST if due_time is not None and due_time <= now else None

    def _due_time(self, host: HostRecord) -> float | None:
        if host.refusal is not None or self._worth.is_over(host):
            return None
        return self.frontier.next_due(host.id)
