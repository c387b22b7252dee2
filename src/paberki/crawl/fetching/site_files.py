"""Fetches robots.txt and the files about rights, with their redirects and failures."""

from __future__ import annotations

import logging

from paberki.crawl.clock import Clock
from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.fetching.allowed_addresses import HostAddress
from paberki.crawl.fetching.fetch import REDIRECTS, Fetcher, Reply
from paberki.crawl.fetching.fetch_errors import PageError
from paberki.crawl.fetching.notices import MAX_BYTES, MAX_HOPS, PATHS, RECEIVED_BYTES, Notice, Notices
from paberki.crawl.frontier.admission import Admission
from paberki.crawl.frontier.frontier import SITEMAP
from paberki.crawl.frontier.host_records import Errand, HostRecord, HostRecords
from paberki.crawl.frontier.ledger import Ledger
from paberki.crawl.reading.answer_readers import AnswerReader
from paberki.crawl.steering.outcomes import retry_after
from paberki.crawl.steering.schedule import Schedule
from paberki.crawl.storing.storage import Storage
from paberki.web.urls import host_of, normalise, origin_of, path_of

log = logging.getLogger(__name__)


class SiteFiles:
    """Runs errands and applies the files that they fetch."""

    def __init__(
        self,
        config: CrawlConfig,
        fetcher: Fetcher,
        notices: Notices,
        hosts: HostRecords,
        schedule: Schedule,
        storage: Storage,
        ledger: Ledger,
        admission: Admission,
        answers: AnswerReader,
        clock: Clock,
    ) -> None:
        self._config = config
        self._fetcher = fetcher
        self._notices = notices
        self._hosts = hosts
        self._schedule = schedule
        self._storage = storage
        self._ledger = ledger
        self._admission = admission
        self._answers = answers
        self._clock = clock

    async def run(self, host: HostRecord, errand: Errand, place: HostAddress) -> bool:
        """Fetch the file of an errand; return whether a request was sent."""
        now = self._clock.now()
        if errand.chain and path_of(errand.url) == PATHS[errand.kind]:
            copied_notice = await self._notices.copy(errand.kind, errand.origin, origin_of(errand.url), now)
            if copied_notice is not None:
                self._apply(errand, copied_notice)
                return False
        try:
            reply = await self._fetcher.file(errand.url, place, RECEIVED_BYTES)
            host.latency = 0.7 * host.latency + 0.3 * reply.seconds if host.latency else reply.seconds
            if reply.status >= 500 or reply.status == 429:
                await self.handle_failure(errand, retry_after(reply.header("retry-after"), self._clock.now()))
            else:
                await self._read(errand, reply)
        except PageError as error:
            log.info("No %s: %s", errand.kind, error)
            await self.handle_failure(errand)
        return True

    async def handle_failure(self, errand: Errand, wait: float | None = None) -> None:
        """Handle a missing or temporary answer: robots.txt is requested again, the other files are not."""
        now = self._clock.now()
        if errand.kind != "robots":
            self._apply(errand, await self._notices.learn(errand.kind, errand.origin, 404, b"", now))
            return
        owner = self._hosts[host_of(errand.origin)]
        failures = self._notices.count_failure(errand.origin)
        if failures is None:
            # The host is left alone in this run and its URLs stay queued: the next run asks again.
            self._ledger.refuse(owner, "robots_unreachable")
            return
        pause = max(self._config.first_retry * 2 ** (failures - 1), min(wait or 0.0, self._config.max_retry_after))
        owner.next = max(owner.next, now + pause)
        if owner.refusal is None:
            owner.errands.append(Errand("robots", errand.origin, errand.origin + PATHS["robots"]))
        self._schedule.offer(owner)

    async def _read(self, errand: Errand, reply: Reply) -> None:
        if reply.status in REDIRECTS and len(errand.chain) < MAX_HOPS:
            target = normalise(reply.header("location"), errand.url)
            if target is not None and target not in errand.chain:
                self._storage.file(reply)
                onward = self._hosts[host_of(target)]
                onward.errands.append(Errand(errand.kind, errand.origin, target, (*errand.chain, target)))
                self._schedule.offer(onward)
                return
        if reply.status != 404 or errand.kind == "robots":
            self._storage.file(reply)
        content = await self._content(errand, reply)
        now = self._clock.now()
        final = origin_of(errand.url)
        if path_of(errand.url) == PATHS[errand.kind] and final != errand.origin:
            there = Errand(errand.kind, final, errand.url)
            self._apply(there, await self._notices.learn(errand.kind, final, reply.status, content, now))
        self._apply(errand, await self._notices.learn(errand.kind, errand.origin, reply.status, content, now))

    async def _content(self, errand: Errand, reply: Reply) -> bytes:
        """The file; raises PageError ``cut`` for a cut robots.txt, since the missing part may forbid more."""
        if not 200 <= reply.status < 300:
            return b""
        content = await self._answers.content(reply, MAX_BYTES + 1)
        whole = content.whole or len(content.data) > MAX_BYTES
        if errand.kind == "robots" and (not whole or reply.truncation in ("disconnect", "time")):
            raise PageError("cut", f"{errand.url} did not come whole", transient=True)
        return content.data

    def _apply(self, errand: Errand, notice: Notice) -> None:
        owner = self._hosts[host_of(errand.origin)]
        if errand.kind == "robots" and notice.robots is not None:
            delay = min(notice.robots.crawl_delay or 0.0, self._config.max_crawl_delay)
            if delay > owner.delay:
                owner.delay = delay
                self._hosts.touch(owner)
            if self._config.sitemaps:
                sitemaps = [normalise(url, errand.url) for url in notice.robots.sitemaps]
                self._admission.admit([url for url in sitemaps if url], 1, source=owner, kind=SITEMAP)
        if owner.awaiting == errand.origin:
            owner.awaiting = None
        self._schedule.offer(owner)
