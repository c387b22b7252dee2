"""Detects domains that answer to any host name and lead to ever new ones.

A wildcard in the DNS costs its owner one line, and a crawl a visit to every generated name. New hosts of a registered
domain are therefore counted together, like the templates of a host (:mod:`paberki.crawl.steering.template_yields`).
When their first pages were useless for a while, the domain is closed: hosts whose names may be generated are left alone
unless they have shown good text. These are hosts found on hosts that were themselves found on the domain, and all
beyond the number that honest domains have. One more host is admitted whenever their number has doubled, so that a
domain that was closed too early opens again. Names below a shared service (the private part of the public suffix list)
are domains of their own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from paberki.crawl.fetching.allowed_addresses import split_port
from paberki.crawl.frontier.host_records import HostRecord, HostRecords
from paberki.crawl.reading.similar_texts import SimilarTexts
from paberki.crawl.steering.yield_tally import YieldTally
from paberki.web.registered_domains import registered_domain

MANY = 8
"""Number of hosts from which on a domain is watched."""
DRY_HOSTS = 30
"""Consecutive useless first pages of its hosts after which a domain is closed; copies count twice."""
TRUSTED = 80
"""Number of hosts of a domain that are always asked if they are found on other domains; seeds always are."""
FIRST_PAGES = 3
"""Pages of a host that count for its domain."""


@dataclass(slots=True)
class _Domain:
    tally: YieldTally = field(default_factory=YieldTally)
    alike: SimilarTexts = field(default_factory=SimilarTexts)
    guests: set[str] = field(default_factory=set)
    """Hosts that may be asked although the domain is closed."""

    @property
    def is_closed(self) -> bool:
        return self.tally.is_exhausted(DRY_HOSTS)


class Domains:
    """Tallies of the new hosts of each domain with many hosts."""

    def __init__(self, hosts: HostRecords) -> None:
        self._names: Counter[str] = Counter()
        self._domains: dict[str, _Domain] = {}
        self.reopened_domains: set[str] = set()
        """Domains that were closed and are open again: their hosts may be asked."""
        self._generations: dict[str, int] = {}
        """Length of the chain of hosts of the same domain that led to a host."""
        self._made_up: set[str] = set()
        for host in hosts:
            domain = domain_of(host.name)
            self._names[domain] += 1
            if self._names[domain] > TRUSTED:
                self._made_up.add(host.name)
        for host in hosts:
            if host.docs and (watched_domain := self._watched_domain(host)) is not None:
                watched_domain.tally.note(good=host.good > 0, leads=False)

    def takes_up(self, name: str, source: HostRecord | None) -> bool:
        """Whether a new host name, found on a page of ``source``, may become a host."""
        domain = domain_of(name)
        self._names[domain] += 1
        number, generation = self._names[domain], 0
        if source is not None and domain_of(source.name) == domain:
            generation = self._generations[name] = self._generations.get(source.name, 0) + 1
        if source is None or (generation < 2 and number <= TRUSTED):  # seeds, and links from other shards
            return True
        self._made_up.add(name)
        watched_domain = self._domains.get(domain)
        if watched_domain is None or not watched_domain.is_closed:
            return True
        if number & (number - 1):
            return False
        watched_domain.guests.add(name)
        return True

    def leaves_alone(self, host: HostRecord) -> bool:
        """Whether a host is left alone: its name may be generated, it has no good text, and its domain is closed."""
        if host.good or host.name not in self._made_up:
            return False
        watched_domain = self._domains.get(domain_of(host.name))
        return watched_domain is not None and watched_domain.is_closed and host.name not in watched_domain.guests

    def meets(self, host: HostRecord, simhash: int) -> bool:
        """Whether a first page has nearly the same text as one of another host of the domain."""
        watched_domain = self._watched_domain(host) if simhash and host.fetches <= FIRST_PAGES else None
        return watched_domain is not None and watched_domain.alike.meet(simhash)

    def note(self, host: HostRecord, *, good: bool, leads: bool, copy: bool = False) -> None:
        """Count a first page; mere leads do not count, since generated hosts have generated links."""
        watched_domain = self._watched_domain(host) if host.fetches <= FIRST_PAGES else None
        if watched_domain is None or (leads and not good and not copy):
            return
        was_closed = watched_domain.is_closed
        watched_domain.tally.note(good=good, leads=False, copy=copy)
        watched_domain.guests.discard(host.name)
        if was_closed and not watched_domain.is_closed:
            self.reopened_domains.add(domain_of(host.name))

    def _watched_domain(self, host: HostRecord) -> _Domain | None:
        domain = domain_of(host.name)
        if self._names[domain] < MANY:
            return None
        return self._domains.setdefault(domain, _Domain())


def domain_of(host: str) -> str:
    """Registered domain of ``host[:port]``; for an IP address, the host itself."""
    name, _ = split_port(host)
    return host if ":" in name or name.replace(".", "").isdigit() else registered_domain(name, private=True)
