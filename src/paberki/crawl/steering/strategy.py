"""The order of requests: ``yield`` (the default), ``breadth``, ``sample`` and ``walk``.

A strategy decides where a new URL waits, which host comes first, which of its URLs comes next, and how much longer than
politeness demands a host waits. It only orders requests; :mod:`paberki.crawl.steering.page_value` decides what is given
up.

- ``yield`` spends requests where the text is (SpiderLing, P3 §3): every host gets its first pages, then the hosts
  and templates that brought good text come first; under a page budget, poor hosts wait longer.
- ``breadth`` takes the URL nearest to the seeds, over all hosts (P1 §2.1).
- ``sample`` is uniform over hosts, and over the known URLs of a host: for corpora that represent a web (P5 §2).
- ``walk`` follows a random link of each page, and jumps now and then, see
  :mod:`paberki.crawl.steering.random_walk` (P5 §2).
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from math import inf
from typing import Protocol

from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.frontier.frontier import FEED, PAGE, SITEMAP, Frontier, QueuedUrl, QueueSlot
from paberki.crawl.frontier.host_records import HostRecord, HostRecords
from paberki.crawl.steering.language_marks import WANTED
from paberki.crawl.steering.template_yields import ALL, Template
from paberki.web.urls import template

FIRST = 2
"""Pages that every host gets before other hosts get more."""
FIRST_JUDGED, MOST_FIRST = 4, 10
"""The same for a host whose pages so far had no running text, as long as other kinds of pages wait there: pages that do not
merely lead to others, and all pages."""
_FINDS = 0.5
"""Most that newly found hosts add to the value of a host, in good pages per request."""
_OF_MIRROR = 0.1
"""Factor for pages of a host that repeats another one."""
_EARLY = 4
"""First requests to a host, which are never held back for others."""
_AHEAD = 2.0
"""Multiple of the mean number of requests that a host may have at the start of a budget; the limit fades later."""
_MOST_PATIENT = 60.0
"""Longest wait of the poorest hosts under a budget, as a multiple of the usual one."""
_WORTHWHILE, _SHARPNESS = 0.9, 8
"""Yield from which on a host never waits for better hosts, and how sharply the wait grows with what is missing to it. Poor
hosts that wait too little take the requests that the large good ones, which have their gaps, cannot use at once."""
_WORTHWHILE_AGAIN, _SHARPNESS_AGAIN = 0.7, 3
"""The same in a recrawl: where few pages change, the next one may be on any host."""
_RANKS = 1 << 10
"""Number of random ranks: enough to mix the URLs of a host, few enough to store URLs of one rank together."""
_SPECIAL = {SITEMAP: ":sitemap", FEED: ":feed"}


class RequestBudget(Protocol):
    """What a strategy knows about a limit on page requests."""

    def pressure(self) -> float:
        """How scarce requests are, from 0 to 1."""

    def used_share(self) -> float | None:
        """Used share of the requests; None without a limit."""

    def is_reserved(self) -> bool:
        """Whether the remaining requests are reserved for hosts that were not asked for a page yet."""


class CrawlStrategy(Protocol):
    """The interface of a strategy."""

    def slot(self, url: str, host: HostRecord, depth: int, kind: int = PAGE) -> QueueSlot: ...

    def rank(self, host: HostRecord) -> float | None:
        """Rank of the host, lowest first; None if it has nothing that may be fetched."""

    def choose(self, host: HostRecord) -> QueuedUrl | None:
        """The host's next URL."""

    def patience(self, host: HostRecord) -> float:
        """Factor by which the host waits longer than politeness demands."""

    def fair_share(self, host: HostRecord, live: int) -> float:
        """Number of the crawl's requests up to which the host has had its share among ``live`` hosts."""

    def hint(self, slot: QueueSlot) -> float | None:
        """Rank that a new URL gives its host; None if it is unknown."""

    def passes(self, entry: QueuedUrl, url: str) -> bool:
        """Whether a URL can be skipped."""

    def note_arrival(self, host: HostRecord, url: str, status: int, links: Iterable[str], now: float) -> None:
        """Note an answer and the links of its page; status 0 means no answer."""

    def revive(self) -> bool:
        """Find new work when no host has any; return whether there is some."""

    def write(self) -> None:
        """Write the strategy's log."""


class _PlainStrategy:
    """Defaults for the methods that most strategies do not need."""

    def passes(self, entry: QueuedUrl, url: str) -> bool:
        del entry, url
        return False

    def note_arrival(self, host: HostRecord, url: str, status: int, links: Iterable[str], now: float) -> None:
        del host, url, status, links, now

    def revive(self) -> bool:
        return False

    def write(self) -> None:
        pass


class YieldStrategy(_PlainStrategy):
    """Takes the best template of the best host."""

    def __init__(self, frontier: Frontier, hosts: HostRecords, budget: RequestBudget, *, recrawl: bool = False) -> None:
        self._recrawl = recrawl
        self._frontier = frontier
        self._hosts = hosts
        self._budget = budget
        self.reference = 0.5
        """Yield of the poorest host that the budget reaches; updated by the crawl."""

    def slot(self, url: str, host: HostRecord, depth: int, kind: int = PAGE) -> QueueSlot:
        templates = self._hosts.templates(host)
        url_template = templates.by_name(_SPECIAL.get(kind) or template(url))
        templates.wait(url_template, 1)
        return QueueSlot(host.id, url_template.id, depth, depth, kind)

    def rank(self, host: HostRecord) -> float | None:
        best, worth = self._best(host)
        if best is None or not host.waiting_urls:
            return None
        if self.first_pages(host):
            return (host.docs - 16.0) - host.yields
        return (_OF_MIRROR if host.mirror else 1.0) * -worth - self._discovery(host)

    def choose(self, host: HostRecord) -> QueuedUrl | None:
        best, _ = self._best(host)
        return None if best is None else self._frontier.pop(host.id, best.id)

    def hint(self, slot: QueueSlot) -> float | None:
        del slot
        return None

    def _best(self, host: HostRecord) -> tuple[Template | None, float]:
        return self._hosts.templates(host).best(
            host.fetches,
            host.yields,
            stored_only=bool(host.given_up),
            untried_mark=self._untried_mark(host),
        )

    def _untried_mark(self, host: HostRecord) -> float:
        """Least language mark with which kinds of pages are tried for their own sake, since no text was found so far; after
        pages without text where text was expected, those that name a wanted language."""
        if host.good or host.judged_pages >= FIRST_JUDGED or host.docs >= MOST_FIRST or self._recrawl:
            return inf
        return WANTED if host.surprises else 1.0

    def first_pages(self, host: HostRecord) -> int:
        """How many pages the host gets before other hosts get more: all hosts get two, and those of which only pages
        without text are known so far one of each further kind, since text may be on another one."""
        if host.docs < FIRST:
            return FIRST - host.docs
        return int(self._hosts.templates(host).has_untried(self._untried_mark(host)))

    def expected_yield(self, host: HostRecord) -> float:
        """Expected share of useful pages among the next ones: good pages, or in a recrawl changed ones."""
        return self._hosts.templates(host).promise(host.yields) if self._recrawl else host.yields

    def _discovery(self, host: HostRecord) -> float:
        """Value of a request for the new hosts that the host's pages lead to, while the budget lasts."""
        used_share = self._budget.used_share()
        return 0.0 if used_share is None else (1 - used_share) * min(_FINDS, host.finds / (host.fetches + 1.0))

    def patience(self, host: HostRecord) -> float:
        pressure = self._budget.pressure()
        if not pressure or self.first_pages(host):
            return 1.0
        promise = self._hosts.templates(host).promise(host.yields) * (_OF_MIRROR if host.mirror else 1.0)
        promise += self._discovery(host)
        worthwhile, sharpness = (_WORTHWHILE_AGAIN, _SHARPNESS_AGAIN) if self._recrawl else (_WORTHWHILE, _SHARPNESS)
        ratio = min(worthwhile, self.reference) / max(promise, 0.01)
        return float(min(_MOST_PATIENT, max(1.0, ratio**sharpness)) ** pressure)

    def fair_share(self, host: HostRecord, live: int) -> float:
        used_share = self._budget.used_share()
        if used_share is None or host.fetches < _EARLY:
            return 0.0
        return host.fetches * live / _AHEAD * (1 - used_share) ** 2


class BreadthStrategy(_PlainStrategy):
    """Takes the URL nearest to the seeds, over all hosts."""

    def __init__(self, frontier: Frontier, hosts: HostRecords) -> None:
        self._frontier = frontier
        self._hosts = hosts

    def slot(self, url: str, host: HostRecord, depth: int, kind: int = PAGE) -> QueueSlot:
        del url
        return QueueSlot(host.id, _only(self._hosts, host, 1), depth, depth, kind)

    def rank(self, host: HostRecord) -> float | None:
        if not host.waiting_urls:
            return None
        entry = self._frontier.peek(host.id, _only(self._hosts, host))
        return None if entry is None else float(entry.depth)

    def hint(self, slot: QueueSlot) -> float | None:
        return float(slot.depth)

    def choose(self, host: HostRecord) -> QueuedUrl | None:
        return self._frontier.pop(host.id, _only(self._hosts, host))

    def patience(self, host: HostRecord) -> float:
        del host
        return 1.0

    def fair_share(self, host: HostRecord, live: int) -> float:
        del host, live
        return 0.0


class SampleStrategy(BreadthStrategy):
    """Takes a random URL of the host with the fewest requests."""

    def __init__(self, frontier: Frontier, hosts: HostRecords, seed: int) -> None:
        super().__init__(frontier, hosts)
        self._random = random.Random(seed)  # noqa: S311 - repeatable, not secret

    def slot(self, url: str, host: HostRecord, depth: int, kind: int = PAGE) -> QueueSlot:
        del url
        # Home pages first: they represent their host.
        rank = self._random.randrange(1, _RANKS) if depth and kind == PAGE else 0
        return QueueSlot(host.id, _only(self._hosts, host, 1), rank, depth, kind)

    def hint(self, slot: QueueSlot) -> float | None:
        del slot
        return None

    def rank(self, host: HostRecord) -> float | None:
        return host.fetches + self._random.random() if host.waiting_urls else None


def _only(hosts: HostRecords, host: HostRecord, change: int = 0) -> int:
    """Number of the single queue that holds all URLs of a host."""
    templates = hosts.templates(host)
    queue = templates.by_name(ALL)
    if change:
        templates.wait(queue, change)
    return queue.id


def make_strategy(config: CrawlConfig, frontier: Frontier, hosts: HostRecords, budget: RequestBudget) -> CrawlStrategy:
    """Create the strategy that the settings name, except ``walk``."""
    if config.strategy == "breadth":
        return BreadthStrategy(frontier, hosts)
    if config.strategy == "sample":
        return SampleStrategy(frontier, hosts, config.seed)
    return YieldStrategy(frontier, hosts, budget, recrawl=config.recrawl)
