"""The crawl itself: hand out turns, commit about once a second, know when to stop."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from paberki.crawl.addresses import AddressGate, Resolver
from paberki.crawl.admission import Admission
from paberki.crawl.clock import Clock
from paberki.crawl.config import CrawlConfig
from paberki.crawl.fetch import Fetcher
from paberki.crawl.frontier import Frontier
from paberki.crawl.hosts import Host, Hosts
from paberki.crawl.pages import Pages
from paberki.crawl.remembered import RememberedRobots
from paberki.crawl.schedule import Schedule
from paberki.crawl.state import State
from paberki.crawl.stats import CrawlStats, publish
from paberki.crawl.turns import Turns
from paberki.crawl.urls import seed_url
from paberki.crawl.warcs import Warcs
from paberki.errors import ConfigError

log = logging.getLogger(__name__)

COMMIT_SECONDS = 1.0
COMMIT_RECORDS = 200
STOP_SECONDS = 2.0
"""How long requests in flight may go on after a stop."""
_GLANCE = 0.1
"""Longest time between two looks at the stop event."""


class Crawler:
    """One run of a crawl: made, run once, closed."""

    def __init__(
        self,
        config: CrawlConfig,
        warc: Path,
        state: Path,
        resolve: Mapping[str, tuple[str, int | None]] | None,
        on_progress: Callable[[CrawlStats], None] | None,
        stop: threading.Event,
    ) -> None:
        self._config, self._on_progress, self._stop = config, on_progress, stop
        self._clock = Clock()
        self._state = State(state)
        self._status = state / "status.json"
        saved = self._state.get("stats")
        self.stats = CrawlStats.from_json(saved) if saved else CrawlStats()
        self._started, self._earlier = self._clock.now(), self.stats.seconds
        self._warcs = Warcs(warc, self._state, config)
        self._frontier = Frontier(self._state, config.max_per_template)
        self._hosts = Hosts(self._state, config.delay, self._started)
        self._schedule = Schedule(self._frontier, config.address_delay)
        self._admission = Admission(config, self._frontier, self._hosts, self._schedule, self.stats)
        self._resolver = Resolver(AddressGate(config.allow_networks), resolve)
        self._fetcher = Fetcher(config, self._resolver, self._clock)
        self._turns = self._make_turns()
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None
        self._committed, self._committed_at = self.stats.stored, self._started

    def _make_turns(self) -> Turns:
        parts = (self._config, self._frontier, self._warcs, self._admission, self.stats, self._clock)
        return Turns(
            self._config,
            resolver=self._resolver,
            fetcher=self._fetcher,
            frontier=self._frontier,
            hosts=self._hosts,
            schedule=self._schedule,
            robots=RememberedRobots(self._state, self._config),
            pages=Pages(*parts),
            warcs=self._warcs,
            stats=self.stats,
            clock=self._clock,
            may_ask=lambda: not self._limited(),
        )

    async def run(self) -> CrawlStats:
        """Crawl until nothing is left, a limit is reached or somebody says stop."""
        self._wake = asyncio.Event()
        self._plant()
        self.stats.running = True
        self._commit()
        log.info("Crawling: %d URLs on %d hosts are waiting.", self.stats.queued, self.stats.hosts)
        async with self._fetcher:
            try:
                await self._loop()
                await self._drain()
            finally:
                await self._abort()
        self.stats.running = False
        self._commit(complete=not self._stop.is_set())
        log.info("Crawl ended: %d pages stored, %d URLs left.", self.stats.pages, self.stats.queued)
        return self.stats

    def close(self) -> None:
        """Let go of all files; what was not committed is forgotten, as after a kill."""
        self._warcs.close()
        self._state.close()

    def _plant(self) -> None:
        urls = [seed_url(seed) for seed in self._config.seeds]
        bad = [seed for seed, url in zip(self._config.seeds, urls, strict=True) if url is None]
        if bad:
            raise ConfigError(f"crawl.seeds: {bad[0]!r} is not a web address; write e.g. https://www.example.hr/")
        self._admission.admit([url for url in urls if url is not None], 0)
        if not len(self._hosts):
            raise ConfigError("crawl.seeds: no seed is in scope; check seeds, tld, domains and hosts")
        waiting = set(self._frontier.hosts())
        for host in self._hosts:
            if host.id in waiting:
                self._schedule.offer(host)

    async def _loop(self) -> None:
        while not self._stop.is_set() and not self._limited():
            self._hand_out()
            if not self._tasks and self._schedule.idle:
                return
            await self._pause()

    async def _drain(self) -> None:
        """Let requests in flight end by themselves: all of them at a limit, for two seconds at a stop."""
        deadline = float("inf")
        while self._tasks and self._clock.now() < deadline:
            if self._stop.is_set() and deadline == float("inf"):
                deadline = self._clock.now() + STOP_SECONDS
            await self._pause()

    async def _abort(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _hand_out(self) -> None:
        while len(self._tasks) < self._config.concurrency:
            host = self._schedule.take(self._clock.now())
            if host is None:
                return
            task = asyncio.create_task(self._turn(host))
            self._tasks.add(task)
            task.add_done_callback(self._ended)

    async def _turn(self, host: Host) -> None:
        asked = True
        try:
            asked = await self._turns.take(host)
        finally:
            self._schedule.release(host, self._clock.now(), asked=asked)
            if asked:
                self._hosts.touch(host)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._failure = self._failure or task.exception()
        self._wake.set()

    async def _pause(self) -> None:
        """Sleep until a turn ends, a gap is over or it is time for a look around; commit when due."""
        now = self._clock.now()
        following = self._schedule.next_time()
        wait = _GLANCE if following is None else min(_GLANCE, max(0.0, following - now))
        timer = asyncio.get_running_loop().call_later(wait, self._wake.set)
        await self._wake.wait()
        timer.cancel()
        self._wake.clear()
        if self._failure is not None:
            raise self._failure
        late = self._clock.now() - self._committed_at >= COMMIT_SECONDS
        if late or self._warcs.full or self.stats.stored - self._committed >= COMMIT_RECORDS:
            self._commit(complete=self._warcs.full)

    def _commit(self, *, complete: bool = False) -> None:
        self._count()
        self._hosts.save()
        self._state.put("stats", self.stats.to_json())
        self._warcs.commit(complete=complete)
        self._committed, self._committed_at = self.stats.stored, self._clock.now()
        publish(self._status, self.stats.to_json())
        if self._on_progress is not None:
            self._on_progress(self.stats)

    def _count(self) -> None:
        self.stats.queued = self._frontier.queued
        self.stats.hosts = len(self._hosts)
        self.stats.seconds = self._earlier + self._clock.now() - self._started

    def _limited(self) -> bool:
        config, stats = self._config, self.stats
        seconds = self._earlier + self._clock.now() - self._started
        return (
            (config.max_pages is not None and stats.requests >= config.max_pages)
            or (config.max_bytes is not None and stats.bytes >= config.max_bytes)
            or (config.max_seconds is not None and seconds >= config.max_seconds)
        )
