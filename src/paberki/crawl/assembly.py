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
from paberki.crawl.reading.answers import AnswerReader
from paberki.crawl.sharding.link_exchange import LinkExchange
from paberki.crawl.sharding.shared_limits import SharedLimits
from paberki.crawl.stats import CrawlStats
from paberki.crawl.steering.outcomes import Outcomes
from paberki.crawl.steering.page_value import PageValue
from paberki.crawl.steering.random_walk import WalkStrategy
from paberki.crawl.steering.recrawl import Recrawl
from paberki.crawl.steering.schedule import Schedule
from paberki.crawl.steering.strategy import FIRST, Budget, Strategy, make_strategy
from paberki.crawl.steering.turns import Turns
from paberki.crawl.steering.wildcard_domains import Domains, domain_of
from paberki.crawl.storing.captures import StoredPages
from paberki.crawl.storing.storage import Storage
from paberki.crawl.storing.warc_files import WarcFiles

_RETRIES_FIRST = -100.0
"""Rank of a host that has nothing but URLs to be tried again."""
_TRIED = 4
"""Requests after which a host is no newcomer any more."""
_SLOW = 0.5
"""Seconds for an answer above which a host is asked less often."""
_SLOWEST = 60.0


class Parts:
    """Everything that lives as long as the crawl does."""

    def __init__(
        self,
        config: CrawlConfig,
        warc: Path,
        state: Path,
        resolve: Mapping[str, tuple[str, int | None]] | None,
        clock: Clock,
        budget: Budget,
        may_ask: Callable[[], bool],
        exchange: LinkExchange | None = None,
        shared: SharedLimits | None = None,
    ) -> None:
        self._clock = clock
        self.live = 1
        """Hosts that have something to fetch."""
        self.state = CrawlDatabase(state)
        saved_stats = self.state.get("stats")
        self.stats = stats = CrawlStats.from_json(saved_stats) if saved_stats else CrawlStats()
        prefix = "crawl" if exchange is None else f"crawl-{exchange.shard}"
        self.warcs = WarcFiles(warc, self.state, config, prefix)
        now = clock.now()
        self.frontier = Frontier(self.state, now + config.longest_retry)
        self.hosts = hosts = HostRecords(self.state, config.delay, now, config.longest_pause)
        self.strategy: Strategy
        walk = None
        if config.strategy == "walk":
            walk = WalkStrategy(config, self.frontier, hosts, stats, state, StoredPages(self.state).keys())
        self.strategy = walk or make_strategy(config, self.frontier, hosts, budget)
        self.schedule = Schedule(
            self._rank,
            self._due,
            config.address_delay,
            shared,
            2 * config.timeout,
            lambda: stats.requests,
            budget.is_reserved,
        )
        if walk is not None:
            walk.wake = self.schedule.offer
        self._domains = Domains(hosts)
        self.admission = Admission(
            config, self.frontier, hosts, self._domains, self.schedule, self.strategy, stats, exchange
        )
        self.fetcher = Fetcher(config, clock)
        self._resolver = Resolver(AddressGate(config.allow_networks), resolve)
        captures = StoredPages(self.state)
        self._recrawl = Recrawl(self.state, self.frontier, hosts, captures, stats) if config.recrawl else None
        self._answers = answers = AnswerReader(config)
        notices = Notices(self.state, config, answers)
        self.whole = asyncio.Lock()
        """Held by whoever changes what must be committed together, and by the commit."""
        ledger = Ledger(self.state, self.frontier, hosts, stats)
        self._worth = PageValue(config, hosts, self._domains, captures, Twins(self.state), stats)
        storing = Storage(config, self.state, self.warcs, captures, hosts, stats, clock, recrawl=config.recrawl)
        self.turns = Turns(
            config,
            resolver=self._resolver,
            fetcher=self.fetcher,
            frontier=self.frontier,
            strategy=self.strategy,
            notices=notices,
            errands=SiteFiles(
                config, self.fetcher, notices, hosts, self.schedule, storing, ledger, self.admission, answers, clock
            ),
            pages=Outcomes(
                config,
                ledger,
                storing,
                self._worth,
                self.admission,
                self._recrawl,
                stats,
                clock,
                answers,
                self.whole,
            ),
            worth=self._worth,
            ledger=ledger,
            captures=captures,
            recrawl=self._recrawl,
            stats=stats,
            mishaps=Mishaps(state),
            clock=clock,
            may_ask=may_ask,
        )

    def begin_round(self) -> None:
        """Put stored pages back into the queue if they are to be looked at again."""
        if self._recrawl is not None:
            self._recrawl.begin(self._clock.now())

    def round_over(self) -> None:
        """Nothing is left to do: the next recrawl begins a new round."""
        if self._recrawl is not None:
            self._recrawl.end()

    def release(self, host: HostRecord, *, request_sent: bool) -> None:
        """End a host's turn: its gap begins, longer for slow servers and, under a budget, for poor hosts."""
        hold = 0.0
        if request_sent:
            gap = max(host.delay, min(2 * host.latency, _SLOWEST)) if host.latency > _SLOW else host.delay
            hold = gap - host.delay
            # Under a budget of requests, not of time: what others are to get first is counted in requests.
            waits = self.stats.requests + int((self.strategy.patience(host) - 1) * self.live)
            host.hold = max(waits, int(self.strategy.fair_share(host, self.live)))
            self.hosts.touch(host)
        self.schedule.release(host, self._clock.now(), request_sent=request_sent, hold=hold)

    def newcomers(self, soon: float) -> int:
        """First pages that are missing of hosts which can be asked soon."""
        return sum(
            min(FIRST - host.docs, host.waiting)
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
        """Hosts of domains that turned out to be of use have their turns again."""
        if self._domains.reopened:
            for host in self.hosts:
                if domain_of(host.name) in self._domains.reopened:
                    self.schedule.offer(host)
            self._domains.reopened.clear()

    def commit(self, *, complete: bool) -> None:
        """Make the whole crawl so far last."""
        self.hosts.save()
        self.state.put("stats", self.stats.to_json())
        self.warcs.commit(self.frontier.commit, complete=complete)
        self.strategy.write()
        self.fetcher.sweep()

    def close(self) -> None:
        """Let go of all files."""
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
        due = self.frontier.next_due(host.id)
        return _RETRIES_FIRST if due is not None and due <= now else None

    def _due(self, host: HostRecord) -> float | None:
        if host.refusal is not None or self._worth.is_over(host):
            return None
        return self.frontier.next_due(host.id)
