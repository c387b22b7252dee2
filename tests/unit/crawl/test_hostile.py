"""A web in which some servers try to end, freeze or fool the crawl; the others are crawled as if they were not there."""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attacks import HOSTS, PAGES, ROBOTS, SITEMAPS, TDMREP, TEXT, Raw, file, html
from loopback import SETTINGS, RawServer, Web, page

from paberki.crawl import CrawlConfig, CrawlStats
from paberki.crawl.crawler import Crawler

LONGEST_STALL = 0.05
"""Seconds of CPU time that the event loop may take before others have their turn."""


class Ticker:
    """The longest time that the event loop was held, in CPU time of its thread: other processes do not count."""

    def __init__(self) -> None:
        self.stalls: list[float] = []

    async def tick(self) -> None:
        while True:
            before = time.thread_time()
            await asyncio.sleep(0.002)
            self.stalls.append(time.thread_time() - before)


def crawl_ticking(config: CrawlConfig, directory: Path, web: Web) -> tuple[CrawlStats, Ticker]:
    ticker = Ticker()
    crawler = Crawler(config, directory / "warc", directory / "state", web.resolve, None, threading.Event())

    async def run() -> CrawlStats:
        ticking = asyncio.create_task(ticker.tick())
        try:
            return await crawler.run()
        finally:
            ticking.cancel()

    try:
        return asyncio.run(run()), ticker
    finally:
        crawler.close()


@pytest.fixture
def hostile(web: Web) -> Iterator[Callable[[str, dict[str, Raw]], str]]:
    servers: list[RawServer] = []

    def serve(name: str, answers: dict[str, Raw]) -> str:
        server = RawServer(answers)
        servers.append(server)
        web.resolve[name] = (server.ip, server.port)
        return f"http://{name}/"

    yield serve
    for server in servers:
        server.close()


@pytest.mark.alone
def test_innocent_hosts_are_crawled_beside_hostile_ones(
    web: Web, hostile: Callable[[str, dict[str, Raw]], str], tmp_path: Path
) -> None:
    seeds = [hostile(f"page-{name.replace(' ', '-')}.hr", {"/": answer}) for name, answer in PAGES.items()]
    seeds += [
        hostile(f"robots-{name}.hr", {"/robots.txt": file(body), "/": html(TEXT)}) for name, body in ROBOTS.items()
    ]
    for name, body in SITEMAPS.items():
        robots = b"Sitemap: http://map-%s.hr/map\nUser-agent: *\nDisallow: /no" % name.encode()
        answers = {"/robots.txt": file(robots), "/map": file(body), "/": html(TEXT)}
        seeds.append(hostile(f"map-{name}.hr", answers))
    for name, body in TDMREP.items():
        seeds.append(hostile(f"tdm-{name}.hr", {"/.well-known/tdmrep.json": file(body), "/": html(TEXT)}))
    innocent = {f"http://innocent-{host}.hr/{path or ''}" for host in range(4) for path in range(15)}
    for host in range(4):
        web.put(f"innocent-{host}.hr/", page(*(f"/{path}" for path in range(1, 15))))
        for path in range(1, 15):
            web.put(f"innocent-{host}.hr/{path}", page(text=f"page {host} {path}"))
        seeds.append(f"http://innocent-{host}.hr/")
    hosts = itertools.chain((f"n{number}.hr" for number in range(3000)), (f"h{number}.hr" for number in range(HOSTS)))
    puny = (f"xn--{number}{55 * 'a'}.hr" for number in range(300))
    nowhere = ("a.hr", "list.hr", "base.hr", *hosts, *puny)
    web.resolve.update(dict.fromkeys(nowhere, ("10.0.0.1", None)))
    settings = {
        **SETTINGS,
        "seeds": tuple(seeds),
        "rights_files": True,
        "tld": ("hr",),
        "retries": 0,
        "max_seconds": 60,
    }
    stalls = []
    # What an answer does to the crawl happens every time; what else the machine does is not always the same.
    for attempt in range(3):
        web.asked.clear()
        stats, ticker = crawl_ticking(CrawlConfig(**settings), tmp_path / str(attempt), web)  # type: ignore[arg-type]
        assert innocent <= {f"http://{hit.host}{hit.path}" for hit in web.asked}
        errors = tmp_path / str(attempt) / "state" / "internal.log"
        assert not stats.by_error["internal"], errors.read_text()
        stalls.append(max(ticker.stalls))
        if stalls[-1] < LONGEST_STALL:
            break
    assert min(stalls) < LONGEST_STALL, stalls
