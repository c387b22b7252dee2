"""The main loop of a crawl: hand out turns, commit about once a second, stop in good order."""

from __future__ import annotations

import asyncio
import gc
import heapq
import logging
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from paberki.crawl.assembly import CrawlParts
from paberki.crawl.clock import Clock
from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.damaged_files import opening
from paberki.crawl.frontier.host_records import HostRecord
from paberki.crawl.sharding.link_exchange import LinkExchange
from paberki.crawl.sharding.shared_limits import SharedLimits
from paberki.crawl.stats import CrawlStats, PageRates, publish
from paberki.crawl.steering.strategy import YieldStrategy
from paberki.errors import ConfigError
from paberki.web.urls import seed_url

log = logging.getLogger(__name__)

OBJECTS = 20_000
"""New objects between two garbage collections: a frontier keeps many objects for long, and cycles are rare."""
COLLECTIONS = 1 << 20
"""Collections of new objects between two of older ones, which would look through the whole frontier at once."""
COMMIT_SECONDS = 1.0
COMMIT_RECORDS = 500
STOP_SECONDS = 2.0
"""How long requests in flight may continue after a stop."""
_GLANCE = 0.1
"""Longest time in seconds between two checks of the stop event."""
_HAND_OUT_SECONDS = 0.01
_TOP = 10
_LONGEST_SHOWN = 200
_MOST_GROWTH = 20.0
_MOST_RESERVED = 0.25
"""Largest share of a budget reserved for hosts that were not asked yet."""
_FOR_NEWCOMERS = 1.25
"""Requests reserved per missing first page; some of them bring no page."""
_RESERVED_FOR = 30.0
"""Shortest time in seconds that the reserve is held; half of the crawl's time so far if that is longer."""
_MOST_HELD = 0.85
"""Largest share of hosts that may be held back under a budget."""


class Crawler:
    """One run of a crawl: create it, call :meth:`run` once, then :meth:`close`."""

    def __init__(
        self,
        config: CrawlConfig,
        warc: Path,
        state: Path,
        resolve: Mapping[str, tuple[str, int | None]] | None,
        on_progress: Callable[[CrawlStats], None] | None,
        stop: threading.Event,
        exchange: LinkExchange | None = None,
        shared: SharedLimits | None = None,
    ) -> None:
        self._config, self._on_progress, self._stop = config, on_progress, stop
        self._clock = Clock()
        self._status = state / "status.json"
        self._start_time = self._clock.now()
        self._exchange, self._shared = exchange, shared
        with opening(state, warc):
            self._parts = CrawlParts(config, warc, state, resolve, self._clock, self, self._may_ask, exchange, shared)
        self.stats = self._parts.stats
        self.stats.failures_before = self.stats.failures
        self.stats.finished = False
        self._newcomers, self._newcomers_at, self._reserved_since = 0, 0.0, 0.0
        self._rates = PageRates()
        self._earlier = self.stats.seconds
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None
        self._committed_requests, self._committed_at = self.stats.requests, self._start_time

    async def run(self) -> CrawlStats:
        """Crawl until nothing is left, a limit is reached or the stop event is set."""
        usual = gc.get_threshold()
        gc.set_threshold(OBJECTS, COLLECTIONS, COLLECTIONS)
        gc.freeze()  # what the program is made of is not looked through while answers wait
        try:
            return await self._crawl()
        finally:
            gc.set_threshold(*usual)
            gc.unfreeze()

    async def _crawl(self) -> CrawlStats:
        self._wake = asyncio.Event()
        self.stats.running = True
        try:
            self._plant()
            self._commit()
            log.info("Crawling: %d URLs on %d hosts are waiting.", self.stats.queued, self.stats.hosts)
            await self._loop()
            await self._drain()
        finally:
            await self._abort()
            await self._parts.fetcher.close()
        self.stats.running = False
        self._commit(complete=not self._stop.is_set())
        log.info("Crawl ended: %d pages stored, %d URLs left.", self.stats.pages, self.stats.queued)
        return self.stats

    def close(self) -> None:
        """Close all files; uncommitted changes are lost, as after a kill."""
        self._parts.close()

    def pressure(self) -> float:
        """How scarce requests are: 0 without a budget of pages, 1 when the queue will use up the rest of it."""
        if self._config.max_pages is None:
            return 0.0
        remaining_requests = self._config.max_pages - self._request_count
        queued_urls = self.stats.queued * (self._shared.shards if self._shared is not None else 1)
        return min(1.0, self._growth * queued_urls / max(1, remaining_requests))

    def used_share(self) -> float | None:
        """Used share of the page budget; None without a budget."""
        if self._config.max_pages is None or self._config.recrawl:
            return None
        return min(1.0, self._request_count / max(1, self._config.max_pages))

    def is_reserved(self) -> bool:
        """Whether the rest of the budget is reserved for known hosts that were not asked for a page yet.

        Otherwise quick hosts would use it up while slow hosts, and those with long gaps, are still at their robots.txt.
        """
        if (
            self._config.max_pages is None
            or self._config.recrawl
            or not isinstance(self._parts.strategy, YieldStrategy)
        ):
            return False
        requests_left = self._config.max_pages - self._request_count - len(self._tasks)
        if requests_left > min(len(self._parts.hosts), _MOST_RESERVED * self._config.max_pages):
            return False
        now = self._clock.now()
        if now >= self._newcomers_at:
            self._newcomers, self._newcomers_at = self._parts.newcomers(now + _RESERVED_FOR), now + _GLANCE
        if requests_left > _FOR_NEWCOMERS * self._newcomers:
            return False
        self._reserved_since = self._reserved_since or now
        longest = max(_RESERVED_FOR, 10 * self._config.delay, (self._reserved_since - self._start_time) / 2)
        return now - self._reserved_since < longest

    @property
    def _growth(self) -> float:
        """How many URLs each waiting one stands for: itself and as many as a request has brought so far."""
        if self._config.recrawl:
            return 1.0
        return min(_MOST_GROWTH, 1 + self.stats.queued / max(1, self.stats.requests))

    @property
    def _request_count(self) -> int:
        """Page requests of all shards that count against the limit."""
        if self._shared is not None:
            return self._shared.request_count
        return self.stats.requests - self.stats.requests_before

    def _may_ask(self) -> bool:
        if self._has_reached_limit():
            return False
        return self._shared is None or self._shared.ask(self._config.max_pages)

    def _plant(self) -> None:
        urls = [seed_url(seed) for seed in self._config.seeds]
        bad_seeds = [seed for seed, url in zip(self._config.seeds, urls, strict=True) if url is None]
        if bad_seeds:
            example = bad_seeds[0] if len(bad_seeds[0]) <= _LONGEST_SHOWN else f"{bad_seeds[0][:_LONGEST_SHOWN]}…"
            raise ConfigError(f"crawl.seeds: {example!r} is not a web address; write e.g. https://www.example.hr/")
        self._parts.admission.admit([url for url in urls if url is not None], 0)
        if not len(self._parts.hosts) and self._exchange is None:
            raise ConfigError("crawl.seeds: no seed is in scope; check seeds, tld, domains and hosts")
        self._parts.begin_round()
        for host in self._parts.hosts:
            if host.waiting_urls or self._parts.frontier.next_due(host.id) is not None:
                self._parts.schedule.offer(host)

    async def _loop(self) -> None:
        while not self._stop.is_set() and not self._has_reached_limit():
            self._hand_out()
            if not self._tasks and self._nobody_soon() and self._parts.schedule.let_next_in():
                continue
            idle = not self._tasks and self._parts.schedule.idle
            if idle and self._parts.strategy.revive():
                continue
            if idle and self._alone():
                self._parts.round_over()
                self.stats.finished = True
                return
            await self._pause()

    def _nobody_soon(self) -> bool:
        """Whether no host's gap ends within the usual time, or within the time that newcomers get."""
        following = self._parts.schedule.next_time()
        usual = _RESERVED_FOR if self.is_reserved() else 2 * self._config.delay + 1
        return following is None or following > self._clock.now() + usual

    def _alone(self) -> bool:
        """Whether to end when there is nothing to do; a shard waits for links from others until all are idle."""
        if self._shared is None or self._exchange is None:
            return True
        if not self._exchange.empty:
            self._commit()
        self._shared.report(self._exchange.shard, idle=self._parts.schedule.idle)
        return False

    async def _drain(self) -> None:
        """Wait for requests in flight: for all of them at a limit of pages or bytes, for two seconds at a stop or when the
        time is up. What is cut off is asked for again by the next crawl."""
        deadline = float("inf")
        while self._tasks and self._clock.now() < deadline:
            if (self._stop.is_set() or self._time_is_up()) and deadline == float("inf"):
                deadline = self._clock.now() + STOP_SECONDS
            await self._pause()

    async def _abort(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _hand_out(self) -> None:
        """Start turns; when that takes long, the rest follows after answers that came meanwhile."""
        began = time.perf_counter()
        while len(self._tasks) - self._parts.turns.looking_up < self._config.concurrency:
            host = self._parts.schedule.take(self._clock.now())
            if host is None:
                return
            task = asyncio.create_task(self._turn(host))
            self._tasks.add(task)
            task.add_done_callback(self._on_turn_end)
            if time.perf_counter() - began > _HAND_OUT_SECONDS:
                self._wake.set()
                return

    async def _turn(self, host: HostRecord) -> None:
        request_sent = True
        try:
            request_sent = await self._parts.turns.take(host)
        finally:
            self._parts.release(host, request_sent=request_sent)

    def _on_turn_end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._failure = self._failure or task.exception()
        self._wake.set()

    async def _pause(self) -> None:
        """Sleep until a turn ends, a gap is over or the next check is due; commit when it is time."""
        now = self._clock.now()
        following = self._parts.schedule.next_time()
        wait = _GLANCE if following is None else min(_GLANCE, max(0.0, following - now))
        timer = asyncio.get_running_loop().call_later(wait, self._wake.set)
        if self._wake.is_set():
            await asyncio.sleep(0)  # waiting for something that has already happened would not let other tasks run
        await self._wake.wait()
        timer.cancel()
        self._wake.clear()
        if self._failure is not None:
            raise self._failure
        late = self._clock.now() - self._committed_at >= COMMIT_SECONDS
        if late or self._parts.warcs.full or self.stats.requests - self._committed_requests >= COMMIT_RECORDS:
            async with self._parts.whole:
                await self._parts.warcs.sync()
                self._commit(complete=self._parts.warcs.full)
            await asyncio.sleep(0)  # answers that came meanwhile are not kept waiting by new turns

    def _commit(self, *, complete: bool = False) -> None:
        for depth, urls in self._exchange.receive() if self._exchange is not None else ():
            self._parts.admission.admit(urls, depth)
        self._count()
        batch_count = self._exchange.post() if self._exchange is not None else 0
        if self._shared is not None and self._exchange is not None:
            self._shared.report(self._exchange.shard, idle=False, sent_batches=batch_count)
        self._parts.commit(complete=complete)
        if self._shared is not None and self._exchange is not None:
            self._shared.report(self._exchange.shard, idle=False, received_batches=self._exchange.clear_received())
        self._committed_requests, self._committed_at = self.stats.requests, self._clock.now()
        publish(self._status, self.stats.to_json())
        if self._on_progress is not None:
            self._on_progress(self.stats)

    def _count(self) -> None:
        stats, hosts = self.stats, self._parts.hosts
        stats.hosts = len(hosts)
        stats.seconds = self._earlier + self._clock.now() - self._start_time
        stats.pages_per_second, stats.good_per_second = self._rates.rates(stats, self._clock.now())
        live = [host for host in hosts if host.waiting_urls and not host.given_up and host.refusal is None]
        self._parts.live = max(1, len(live))
        self._parts.reopen()
        # Hosts run dry; the remaining ones must not wait for requests that no host makes any more.
        while (
            self._parts.schedule.held_count > _MOST_HELD * len(live)
            and not self.is_reserved()
            and self._parts.schedule.let_next_in()
        ):
            pass
        if live and isinstance(self._parts.strategy, YieldStrategy):
            self._parts.strategy.reference = self._worthwhile(live, self._parts.strategy.expected_yield)
        best = heapq.nlargest(_TOP, hosts, key=lambda host: host.docs)
        stats.top_hosts = [[host.name, host.docs, host.good] for host in best if host.docs]

    def _worthwhile(self, live: list[HostRecord], expected_yield: Callable[[HostRecord], float]) -> float:
        """Yield of the poorest host that the rest of the budget reaches if the best hosts come first."""
        if self._config.max_pages is None:
            return 0.0
        requests_left: float = self._config.max_pages - self._request_count
        growth = self._growth
        for worth, waiting_urls in sorted(((expected_yield(host), host.waiting_urls) for host in live), reverse=True):
            requests_left -= growth * waiting_urls
            if requests_left <= 0:
                return worth
        return 0.0

    def _has_reached_limit(self) -> bool:
        config, stats = self._config, self.stats
        return (
            (config.max_pages is not None and self._request_count >= config.max_pages)
            or (config.max_bytes is not None and stats.bytes - stats.bytes_before >= config.max_bytes)
            or self._time_is_up()
        )

    def _time_is_up(self) -> bool:
        seconds = self._earlier + self._clock.now() - self._start_time - self.stats.seconds_before
        return self._config.max_seconds is not None and seconds >= self._config.max_seconds
