"""Handles the answer to a request: store it, try again or give up, and admit its links.

The answer is read first, which may take a while. Its effects are then applied under a lock that the commit takes too,
so that a commit never includes half a page.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import TypeVar

from paberki.crawl.clock import Clock
from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.fetching.fetch import REDIRECTS, Reply
from paberki.crawl.fetching.fetch_errors import PageError
from paberki.crawl.fetching.notices import Notice
from paberki.crawl.frontier.admission import Admission
from paberki.crawl.frontier.frontier import FEED, PAGE, SITEMAP, QueuedUrl, QueueSlot
from paberki.crawl.frontier.host_records import HostRecord
from paberki.crawl.frontier.ledger import Ledger
from paberki.crawl.reading.answer_readers import AnswerReader
from paberki.crawl.reading.links import refresh_target
from paberki.crawl.stats import CrawlStats
from paberki.crawl.steering.page_value import PageValue, PageVerdict
from paberki.crawl.steering.recrawl import Recrawl
from paberki.crawl.storing.storage import Storage
from paberki.web.internet_date import internet_date
from paberki.web.urls import normalise

T = TypeVar("T")

_BUSY = frozenset((429, 503))
_IN_PASSING = _BUSY | {408, 425, 500, 502, 504, 520, 521, 522, 523, 524}
_REDIRECT_DEPTH = 10
"""Depth that a redirect adds: chains of redirects must end sooner than chains of pages."""
_AT_ONCE = 32
"""Links admitted between two checks of the time."""
_TURN_SECONDS = 0.005
MAX_FAILURES = 10
"""Consecutive requests without an answer after which a host is left alone."""


class Outcomes:
    """Turns answers into records, outcomes and new URLs."""

    def __init__(
        self,
        config: CrawlConfig,
        ledger: Ledger,
        storage: Storage,
        worth: PageValue,
        admission: Admission,
        recrawl: Recrawl | None,
        stats: CrawlStats,
        clock: Clock,
        answers: AnswerReader,
        whole: asyncio.Lock,
    ) -> None:
        self._config = config
        self._ledger = ledger
        self._storage = storage
        self._worth = worth
        self._admission = admission
        self._recrawl = recrawl
        self._stats = stats
        self._clock = clock
        self._answers = answers
        self._whole = whole

    async def handle_answer(self, host: HostRecord, entry: QueuedUrl, reply: Reply, notice: Notice) -> None:
        """Handle any answer."""
        host.failures = 0
        host.fetches += 1
        host.latency = 0.7 * host.latency + 0.3 * reply.seconds if host.latency else reply.seconds
        self._stats.by_status[str(reply.status)] += 1
        self._stats.bytes += len(reply.body)
        if reply.status in _BUSY:
            host.next = max(host.next, self._pause(reply, entry))
        if self._may_pass(entry, reply):
            self._put_off(host, entry)
        elif entry.kind in (SITEMAP, FEED) and reply.status == 200:
            await self._list(host, entry, reply)
        elif reply.refusal:
            self._worth.note_useless(host, entry)
            self._give_up(host, entry, reply.refusal)
        elif reply.status in REDIRECTS:
            self._redirect(host, entry, reply)
        elif reply.status == 304:
            self._storage.note_unchanged(reply)
            self._worth.note_useless(host, entry)
            self._finish(host, entry)
        elif reply.status == 200:
            await self._read(host, entry, reply, notice)
        else:
            await self._store_failure(host, entry, reply)

    async def _store_failure(self, host: HostRecord, entry: QueuedUrl, reply: Reply) -> None:
        least = self._config.min_body_bytes
        size = len((await self._answers.content(reply, least)).data) if least else 0
        self._worth.note_useless(host, entry)
        if size < least:
            self._give_up(host, entry, "too_small")
        else:
            self._storage.store(entry, reply)
            self._finish(host, entry)

    def handle_failure(self, host: HostRecord, entry: QueuedUrl, error: PageError) -> None:
        """Handle a request without an answer."""
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

    def handle_unreadable(self, host: HostRecord, entry: QueuedUrl, error: PageError) -> None:
        """Handle an answer that took too long to read."""
        if not entry.is_settled:
            self._worth.note_useless(host, entry)
            self._give_up(host, entry, error.kind)

    def _may_pass(self, entry: QueuedUrl, reply: Reply) -> bool:
        """Whether an answer is a temporary failure to be tried again."""
        if reply.truncation == "disconnect" and reply.status == 200:
            return entry.tries < min(2, self._config.retries)
        return reply.status in _IN_PASSING and entry.tries < self._config.retries

    async def _read(self, host: HostRecord, entry: QueuedUrl, reply: Reply, notice: Notice) -> None:
        page = await self._answers.page(reply)
        async with self._whole:
            verdict = self._worth.judge(host, reply, page, notice)
            await self._follow_up(host, entry, reply, verdict)

    async def _follow_up(self, host: HostRecord, entry: QueuedUrl, reply: Reply, verdict: PageVerdict) -> None:
        if verdict.size < self._config.min_body_bytes:
            self._give_up(host, entry, "too_small")
        else:
            if verdict.opt_out is not None:
                self._storage.opt_out(reply, verdict.opt_out)
            else:
                verdict.changed = self._storage.store(entry, reply, verdict)
            self._finish(host, entry)
        slots = []
        if verdict.follow:
            if self._config.sitemaps:
                slots = await self._admit(verdict.reading.feeds, entry.depth + 1, host, FEED)
            links = verdict.reading.links
            if refresh := normalise(refresh_target(reply.header("refresh")), reply.url):
                links = [*links, refresh]
            slots += await self._admit(links, entry.depth + 1, host, PAGE)
            entry.leads = links
        self._worth.conclude(host, entry, verdict, slots)

    def _redirect(self, host: HostRecord, entry: QueuedUrl, reply: Reply) -> None:
        self._storage.store(entry, reply)
        self._finish(host, entry)
        target = normalise(reply.header("location"), reply.url)
        entry.leads = (target,) if target else ()
        depth = entry.depth + _REDIRECT_DEPTH
        slots = self._admission.admit([target], depth, source=host, kind=entry.kind) if target else []
        if not slots:
            self._worth.note_useless(host, entry)

    async def _list(self, host: HostRecord, entry: QueuedUrl, reply: Reply) -> None:
        """Handle a sitemap or feed: its addresses are admitted like links."""
        sitemap = await self._answers.addresses(entry.kind, reply)
        async with self._whole:
            await self._admit(sitemap.sitemaps, entry.depth + 1, host, SITEMAP)
            self._finish(host, entry)
            if self._recrawl is not None:
                async for part in in_turns(sitemap.pages):
                    self._recrawl.take_dates(host, part, trusted=entry.kind == SITEMAP)
            slots = await self._admit([url for url, _ in sitemap.pages], entry.depth + 1, host, PAGE)
            if slots or entry.kind == SITEMAP:
                self._storage.source(entry)
            self._worth.note_list(host, entry, news=bool(slots))

    async def _admit(self, urls: list[str], depth: int, host: HostRecord, kind: int) -> list[QueueSlot]:
        """Admit links in small parts."""
        slots: list[QueueSlot] = []
        async for part in in_turns(urls):
            slots += self._admission.admit(part, depth, source=host, kind=kind)
        return slots

    def _finish(self, host: HostRecord, entry: QueuedUrl) -> None:
        self._ledger.finish(host, entry, "", self._clock.now())

    def _put_off(self, host: HostRecord, entry: QueuedUrl) -> None:
        self._ledger.put_off(host, entry, self._clock.now() + self._config.first_retry * 2**entry.tries)

    def _give_up(self, host: HostRecord, entry: QueuedUrl, kind: str) -> None:
        self._stats.by_error[kind] += 1
        self._ledger.finish(host, entry, kind, self._clock.now())

    def _pause(self, reply: Reply, entry: QueuedUrl) -> float:
        """Time until which an overloaded host is left alone."""
        now = self._clock.now()
        seconds = retry_after(reply.header("retry-after"), now)
        if seconds is None:
            seconds = self._config.first_retry * 2**entry.tries
        return now + min(seconds, self._config.max_retry_after)


async def in_turns(items: list[T]) -> AsyncIterator[list[T]]:
    """Parts of a list, with pauses for other tasks; after a cancellation the rest follows without pauses."""
    cancellation: asyncio.CancelledError | None = None
    began = time.perf_counter()
    for start in range(0, len(items), _AT_ONCE):
        yield items[start : start + _AT_ONCE]
        if cancellation is None and time.perf_counter() - began > _TURN_SECONDS:
            try:
                await asyncio.sleep(0)
            except asyncio.CancelledError as error:
                cancellation = error
            began = time.perf_counter()
    if cancellation is not None:
        raise cancellation


def retry_after(value: str, now: float) -> float | None:
    """Seconds that a Retry-After header asks for, as a number or a date; None if it is empty or invalid."""
    value = value.strip()[:100]
    if value.isascii() and value.isdecimal():
        return float(value)
    moment = internet_date(value)
    return None if moment is None else max(0.0, moment.timestamp() - now)
