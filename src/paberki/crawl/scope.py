"""Which hosts belong to the crawl (the population of P1 §2: everything under one national domain)."""

from __future__ import annotations

import fnmatch
import re

from paberki.crawl.addresses import split_port
from paberki.crawl.config import CrawlConfig


class Scope:
    """Answers whether a host (``name`` or ``name:port``) is crawled, remembering what it was asked."""

    def __init__(self, config: CrawlConfig) -> None:
        self._suffixes = tuple("." + name.strip(".").lower() for name in (*config.tld, *config.domains))
        self._exact = {name.strip(".").lower() for name in config.domains}
        self._globs = [re.compile(fnmatch.translate(glob.lower())) for glob in config.hosts]
        self._everything = not (config.tld or config.domains or config.hosts)
        self._known: dict[str, bool] = {}

    def __contains__(self, host: str) -> bool:
        if self._everything:
            return True
        answer = self._known.get(host)
        if answer is None:
            if len(self._known) > 100_000:
                self._known.clear()
            answer = self._known[host] = self._decide(split_port(host)[0])
        return answer

    def _decide(self, name: str) -> bool:
        if name in self._exact or name.endswith(self._suffixes):
            return True
        return any(glob.match(name) for glob in self._globs)
