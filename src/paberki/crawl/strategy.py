"""In which order: ``yield`` (the default), ``breadth``, ``sample`` and ``walk``.

A strategy says where a new URL waits, which host is most wanted, which of its URLs comes next, and how much longer
than politeness asks a host is left alone. It orders requests and gives nothing up; that is for :mod:`worth`.

- ``yield`` spends requests where the text is (SpiderLing, P3 §2): every host gets its first pages, then the hosts
  and templates that brought good text come first; under a page budget, poor hosts wait for longer.
- ``breadth`` takes the URL nearest to the seeds, over all hosts (P1 §2).
- ``sample`` is uniform over hosts, and over the URLs known of a host: for corpora that stand for a web (P5 §2).
- ``walk`` follows one random link of each page, and jumps now and then, as ClaraX does (P5 §2).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

from paberki.crawl.config import CrawlConfig
from paberki.crawl.frontier import FEED, PAGE, SITEMAP, Entry, Frontier, Slot
from paberki.crawl.hosts import Host, Hosts
from paberki.crawl.urls import template

_FIRST = 2
"""Pages that every host gets before others of like promise get more."""
_MOST_PATIENT = 60.0
"""How many times longer than others the poorest hosts wait under a budget."""
_WORTHWHILE = 0.7
"""Yield from which on a host never waits for better ones."""
_JUMP = 0.15
_RANKS = 1 << 10
"""Ranks that random order has: enough to mix the URLs of a host, few enough that those of one rank lie together."""
_SPECIAL = {SITEMAP: ":sitemap", FEED: ":feed"}


class Strategy(Protocol):
    """What the crawl asks of a strategy."""

    def slot(self, url: str, host: Host, depth: int, kind: int = PAGE) -> Slot: ...

    def rank(self, host: Host) -> float | None:
        """How wanted the host is, lowest first; None if it has nothing that may be fetched."""

    def choose(self, host: Host) -> Entry | None:
        """The host's next URL."""

    def patience(self, host: Host) -> float:
        """By which factor the host's gap is longer than politeness asks."""

    def hint(self, slot: Slot) -> float | None:
        """Rank that a new URL gives its host, if that is known."""


class Yield:
    """The best template of the best host."""

    def __init__(self, frontier: Frontier, hosts: Hosts, pressure: Callable[[], float]) -> None:
        self._frontier = frontier
        self._hosts = hosts
        self._pressure = pressure
        self.reference = 0.5
        """Yield of the poorest host that a budget reaches; the crawl keeps it up to date."""

    def slot(self, url: str, host: Host, depth: int, kind: int = PAGE) -> Slot:
        templates = self._hosts.templates(host)
        found = templates.named(_SPECIAL.get(kind) or template(url))
        templates.wait(found, 1)
        return Slot(host.id, found.id, depth, depth, kind)

    def rank(self, host: Host) -> float | None:
        best, worth = self._hosts.templates(host).best(host.fetches, host.yields)
        if best is None or not host.waiting:
            return None
        return (host.docs - 10.0) - host.yields if host.docs < _FIRST else -worth

    def choose(self, host: Host) -> Entry | None:
        best, _ = self._hosts.templates(host).best(host.fetches, host.yields)
        return None if best is None else self._frontier.pop(host.id, best.id)

    def hint(self, slot: Slot) -> float | None:
        del slot
        return None

    def patience(self, host: Host) -> float:
        pressure = self._pressure()
        if not pressure or host.docs < _FIRST:
            return 1.0
        ratio = min(_WORTHWHILE, self.reference) / max(self._hosts.templates(host).promise(host.yields), 0.01)
        return float(min(_MOST_PATIENT, max(1.0, ratio**3)) ** pressure)


class Breadth:
    """The shallowest URL, over all hosts."""

    def __init__(self, frontier: Frontier, hosts: Hosts) -> None:
        self._frontier = frontier
        self._hosts = hosts

    def slot(self, url: str, host: Host, depth: int, kind: int = PAGE) -> Slot:
        del url
        return Slot(host.id, _only(self._hosts, host, 1), depth, depth, kind)

    def rank(self, host: Host) -> float | None:
        if not host.waiting:
            return None
        entry = self._frontier.peek(host.id, _only(self._hosts, host))
        return None if entry is None else float(entry.depth)

    def hint(self, slot: Slot) -> float | None:
        return float(slot.depth)

    def choose(self, host: Host) -> Entry | None:
        return self._frontier.pop(host.id, _only(self._hosts, host))

    def patience(self, host: Host) -> float:
        del host
        return 1.0


class Sample(Breadth):
    """The host that was asked least, a random URL of it."""

    def __init__(self, frontier: Frontier, hosts: Hosts, seed: int) -> None:
        super().__init__(frontier, hosts)
        self._random = random.Random(seed)  # noqa: S311 - repeatable, not secret

    def slot(self, url: str, host: Host, depth: int, kind: int = PAGE) -> Slot:
        del url
        # Home pages first: a host is known by it.
        rank = self._random.randrange(1, _RANKS) if depth and kind == PAGE else 0
        return Slot(host.id, _only(self._hosts, host, 1), rank, depth, kind)

    def hint(self, slot: Slot) -> float | None:
        del slot
        return None

    def rank(self, host: Host) -> float | None:
        return host.fetches + self._random.random() if host.waiting else None


class Walk(Sample):
    """The link the walk chose, else a random jump."""

    def __init__(self, frontier: Frontier, hosts: Hosts, seed: int) -> None:
        super().__init__(frontier, hosts, seed)
        self._steps: set[int] = set()

    def slot(self, url: str, host: Host, depth: int, kind: int = PAGE) -> Slot:
        slot = super().slot(url, host, depth, kind)
        # Of n links one is the next step; the others are what jumps lead to.
        if self._random.random() < _STEP and self._random.random() > _JUMP:
            self._steps.add(host.id)
            return Slot(slot.host, slot.template, 0, depth, kind)
        return slot

    def rank(self, host: Host) -> float | None:
        if not host.waiting:
            return None
        return self._random.random() - (1.0 if host.id in self._steps else 0.0)

    def choose(self, host: Host) -> Entry | None:
        self._steps.discard(host.id)
        return super().choose(host)


_STEP = 0.1
"""Chance of a link to be the walk's next step: about one for each page."""


def _only(hosts: Hosts, host: Host, change: int = 0) -> int:
    """Number of the one queue that all URLs of a host wait in."""
    templates = hosts.templates(host)
    found = templates.named(":all")
    if change:
        templates.wait(found, change)
    return found.id


def make(config: CrawlConfig, frontier: Frontier, hosts: Hosts, pressure: Callable[[], float]) -> Strategy:
    """The strategy that the settings name."""
    if config.strategy == "breadth":
        return Breadth(frontier, hosts)
    if config.strategy == "sample":
        return Sample(frontier, hosts, config.seed)
    if config.strategy == "walk":
        return Walk(frontier, hosts, config.seed)
    return Yield(frontier, hosts, pressure)
