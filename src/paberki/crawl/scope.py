"""Which hosts belong to the crawl (the population of P1 §2: everything under one national domain)."""

from __future__ import annotations

import fnmatch
import re

from paberki.crawl.config import CrawlConfig
from paberki.crawl.urls import hostname_of, seed_url


class Scope:
    """Answers whether a host is crawled, remembering what it was asked."""

    def __init__(self, config: CrawlConfig) -> None:
        suffixes = [name.strip(".").lower() for name in (*config.tld, *config.domains)]
        exact = {name.strip(".").lower() for name in config.domains}
        if not (config.tld or config.domains or config.hosts):
            urls = [seed_url(seed) for seed in config.seeds]
            exact |= {hostname_of(url) for url in urls if url is not None}
        self._suffixes = tuple("." + suffix for suffix in suffixes)
        self._exact = exact
        self._globs = [re.compile(fnmatch.translate(glob.lower())) for glob in config.hosts]
        self._known: dict[str, bool] = {}

    def __contains__(self, host: str) -> bool:
        answer = self._known.get(host)
        if answer is None:
            if len(self._known) > 100_000:
                self._known.clear()
            answer = self._known[host] = self._decide(host)
        return answer

    def _decide(self, host: str) -> bool:
        if host in self._exact or host.endswith(self._suffixes):
            return True
        return any(glob.match(host) for glob in self._globs)
