"""SpiderLing's rule: a domain that yields little clean text per downloaded byte gets no further requests (P3 §3).

The yield rate of a domain, clean bytes ÷ bytes downloaded, must reach k·(log10 documents − 1): 0 for the first ten
documents, k for a hundred, 2k for a thousand. It covers all hosts of a registered domain and applies once there are
enough documents and bytes. Names below shared services count as domains of their own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.frontier.host_records import HostRecord, HostRecords
from paberki.crawl.steering.wildcard_domains import domain_of


@dataclass(slots=True)
class Rate:
    """What was downloaded of a domain."""

    documents: int = 0
    bytes: int = 0
    clean: int = 0

    def add(self, documents: int, size: int, clean: int) -> None:
        """Count documents of one of its hosts."""
        self.documents += documents
        self.bytes += size
        self.clean += clean


class SpiderLing:
    """Yield rates of all domains."""

    def __init__(self, config: CrawlConfig, hosts: HostRecords) -> None:
        self._k = config.spiderling_k if config.strategy == "yield" else 0.0
        self._documents, self._bytes = config.spiderling_documents, config.spiderling_bytes
        self._rates: dict[str, Rate] = {}
        for host in hosts:
            self._rate(host).add(host.docs, host.bytes, host.good_bytes)

    def note(self, host: HostRecord, size: int, clean: int) -> bool:
        """Count a document; return whether it made its domain too poor."""
        before = self.poor(host)
        self._rate(host).add(1, size, clean)
        return not before and self.poor(host)

    def poor(self, host: HostRecord) -> bool:
        """Whether the domain of a host is given up."""
        rate = self._rate(host)
        if not self._k or rate.documents < self._documents or rate.bytes < self._bytes:
            return False
        return rate.clean / max(1, rate.bytes) < self._k * (math.log10(rate.documents) - 1)

    def _rate(self, host: HostRecord) -> Rate:
        return self._rates.setdefault(domain_of(host.name), Rate())
