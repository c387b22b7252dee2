"""Domains that answer to any name: each page leads to further host names, every one with its own first pages.

A wildcard in the DNS costs its owner one line, and a crawl a visit to each name that is made up. New hosts of a
registered domain are therefore counted together, as the templates of a host are (:mod:`paberki.crawl.steering.template_yields`). When
their first pages brought nothing for a while, names that may be made up are left alone unless they have shown good
text: those found on hosts that were themselves found on a host of the domain, and all beyond a number that honest
domains have. One is taken up whenever their number has doubled, by which a domain that was judged too early opens
again. Names below a shared service (the private part of the public suffix list) are domains of their own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from paberki.crawl.fetching.allowed_addresses import split_port
from paberki.crawl.frontier.host_records import HostRecord, HostRecords
from paberki.crawl.reading.similar_texts import SimilarTexts
from paberki.crawl.steering.template_yields import YieldTally
from paberki.web.registered_domains import registered_domain

MANY = 8
"""Hosts from which on a domain is looked at."""
DRY_HOSTS = 30
"""First pages of its hosts in a row without any use after which a domain is closed; copies count twice."""
TRUSTED = 80
"""Hosts of a domain that are asked in any case if they are found on other domains or on seeds, which always are."""
FIRST_PAGES = 3
"""Pages of a host that count for its domain."""


@dataclass(slots=True)
class _Domain:
    tally: YieldTally = field(default_factory=YieldTally)
    alike: SimilarTexts = field(default_factory=SimilarTexts)
    guests: set[str] = field(default_factory=set)
    """Hosts that may be asked although the domain is closed."""

    @property
    def closed(self) -> bool:
        return self.tally.exhausted(DRY_HOSTS)


class Domains:
    """What new hosts of the domains with many of them brought."""

    def __init__(self, hosts: HostRecords) -> None:
        self._names: Counter[str] = Counter()
        self._domains: dict[str, _Domain] = {}
        self.reopened: set[str] = set()
        """Domains that were closed and are so no longer: their hosts may be asked again."""
        self._generations: dict[str, int] = {}
        """How many hosts of the same domain led to a host, where one did."""
        self._made_up: set[str] = set()
        for host in hosts:
            domain = domain_of(host.name)
            self._names[domain] += 1
            if self._names[domain] > TRUSTED:
                self._made_up.add(host.name)
        for host in hosts:
            if host.docs and (watched := self._watched_domain(host)) is not None:
                watched.tally.note(good=host.good > 0, leads=False)

    def takes_up(self, name: str, source: HostRecord | None) -> bool:
        """Whether a host name that was met for the first time, on a page of ``source``, may become a host."""
        domain = domain_of(name)
        self._names[domain] += 1
        number, generation = self._names[domain], 0
        if source is not None and domain_of(source.name) == domain:
            generation = self._generations[name] = self._generations.get(source.name, 0) + 1
        if source is None or (generation < 2 and number <= TRUSTED):  # seeds, and what other shards have found
            return True
        self._made_up.add(name)
        watched = self._domains.get(domain)
        if watched is None or not watched.closed:
            return True
        if number & (number - 1):
            return False
        watched.guests.add(name)
        return True

    def leaves_alone(self, host: HostRecord) -> bool:
        """Whether a host that may be made up has no good text of its own, as others of its domain have not."""
        if host.good or host.name not in self._made_up:
            return False
        watched = self._domains.get(domain_of(host.name))
        return watched is not None and watched.closed and host.name not in watched.guests

    def meets(self, host: HostRecord, simhash: int) -> bool:
        """Whether a first page says nearly the same as that of another host of the domain."""
        watched = self._watched_domain(host) if simhash and host.fetches <= FIRST_PAGES else None
        return watched is not None and watched.alike.meet(simhash)

    def note(self, host: HostRecord, *, good: bool, leads: bool, copy: bool = False) -> None:
        """Count a page; what merely leads on says nothing yet, for those who make up hosts make up their links too."""
        watched = self._watched_domain(host) if host.fetches <= FIRST_PAGES else None
        if watched is None or (leads and not good and not copy):
            return
        was_closed = watched.closed
        watched.tally.note(good=good, leads=False, copy=copy)
        watched.guests.discard(host.name)
        if was_closed and not watched.closed:
            self.reopened.add(domain_of(host.name))

    def _watched_domain(self, host: HostRecord) -> _Domain | None:
        domain = domain_of(host.name)
        if self._names[domain] < MANY:
            return None
        return self._domains.setdefault(domain, _Domain())


def domain_of(host: str) -> str:
    """Registered domain of ``host[:port]``; a host that is known by its address has none but itself."""
    name, _ = split_port(host)
    return host if ":" in name or name.replace(".", "").isdigit() else registered_domain(name, private=True)
