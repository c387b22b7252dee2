"""Which links become entries of the frontier."""

from __future__ import annotations

import re
from collections.abc import Iterable

from paberki.crawl.config import CrawlConfig
from paberki.crawl.frontier import Frontier
from paberki.crawl.hosts import Hosts
from paberki.crawl.schedule import Schedule
from paberki.crawl.scope import Scope
from paberki.crawl.stats import CrawlStats
from paberki.crawl.urls import hostname_of, looks_binary, path_of, repeats_segments

_RECENT = 500_000


class Admission:
    """Lets in new URLs that are in scope, may hold text and are no trap."""

    def __init__(
        self, config: CrawlConfig, frontier: Frontier, hosts: Hosts, schedule: Schedule, stats: CrawlStats
    ) -> None:
        self._config = config
        self._frontier = frontier
        self._hosts = hosts
        self._schedule = schedule
        self._stats = stats
        self._scope = Scope(config)
        # Most links are the site's navigation, just seen; hashes answer that without the database.
        self._recent: set[int] = set()

    def admit(self, urls: Iterable[str], depth: int) -> int:
        """Queue normalised URLs found at a distance from the seeds; how many were new."""
        return sum(self._admit(url, depth) for url in urls)

    def _admit(self, url: str, depth: int) -> bool:
        mark = hash(url)
        if mark in self._recent:
            return False
        if len(self._recent) >= _RECENT:
            self._recent.clear()
        if depth <= self._config.max_depth:
            # A URL too deep here may still be found nearer to a seed.
            self._recent.add(mark)
        name = hostname_of(url)
        if name not in self._scope or looks_binary(url) or path_of(url) == "/robots.txt":
            return False
        if depth > self._config.max_depth or repeats_segments(url):
            self._stats.trapped += 1
            return False
        host = self._hosts[name]
        refusal = self._frontier.add(url, host.id, depth, _template_of(url))
        if refusal is not None:
            self._stats.trapped += refusal == "trap"
            return False
        self._schedule.offer(host, depth)
        return True


def _template_of(url: str) -> str | None:
    """The URL with the values of its parameters taken out; None for a URL without parameters."""
    path, _, query = url.partition("?")
    if not query:
        return None
    names = {part.partition("=")[0] for part in re.split("[&;]", query)}
    return f"{path}?{'&'.join(sorted(names))}"
