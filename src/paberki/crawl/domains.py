"""Domains that answer to any name: each page leads to further host names, every one with its own first pages.

A wildcard in the DNS costs its owner one line, and a crawl a visit to each name that is made up. New hosts of a
registered domain are therefore counted together, as the templates of a host are (:mod:`paberki.crawl.yields`): when
their first pages brought nothing for a while, those that have not shown good text themselves are left alone and no
further names are taken up, but for one whenever their number has doubled, by which a domain that was judged too early
opens again. Names below a shared service (the private part of the public suffix list) are domains of their own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from paberki.archive.domains import registered_domain
from paberki.crawl.addresses import split_port
from paberki.crawl.alike import Alike
from paberki.crawl.hosts import Host, Hosts
from paberki.crawl.yields import Tally

MANY = 8
"""Hosts from which on a domain is looked at."""
DRY_HOSTS = 30
"""First pages of its hosts in a row without any use after which a domain is closed; copies count twice."""
FIRST_PAGES = 3
"""Pages of a host that count for its domain."""


@dataclass(slots=True)
class _Domain:
    tally: Tally = field(default_factory=Tally)
    alike: Alike = field(default_factory=Alike)
    guests: set[int] = field(default_factory=set)
    """Hosts that may be asked although the domain is closed."""

    @property
    def closed(self) -> bool:
        return self.tally.exhausted(DRY_HOSTS)


class Domains:
    """What new hosts of the domains with many of them brought."""

    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts
        self._names: Counter[str] = Counter()
        self._domains: dict[str, _Domain] = {}
        self.reopened: set[str] = set()
        """Domains that were closed and are so no longer: their hosts may be asked again."""
        for host in hosts:
            self._names[domain_of(host.name)] += 1
        for host in hosts:
            if host.docs and (domain := self._known(host)) is not None:
                domain.tally.note(good=host.good > 0, leads=False)

    def takes_up(self, name: str) -> bool:
        """Whether a host name that was met for the first time may become a host."""
        domain = domain_of(name)
        self._names[domain] += 1
        known = self._domains.get(domain)
        if known is None or not known.closed:
            return True
        number = self._names[domain]
        if number & (number - 1):
            return False
        known.guests.add(self._hosts[name].id)
        return True

    def leaves_alone(self, host: Host) -> bool:
        """Whether a host that has no good text of its own belongs to a domain that has none on new hosts."""
        if host.good or not self._domains:
            return False
        known = self._domains.get(domain_of(host.name))
        return known is not None and known.closed and host.id not in known.guests

    def meets(self, host: Host, simhash: int) -> bool:
        """Whether a first page says nearly the same as that of another host of the domain."""
        known = self._known(host) if simhash and host.fetches <= FIRST_PAGES else None
        return known is not None and known.alike.meet(simhash)

    def note(self, host: Host, *, good: bool, leads: bool, copy: bool = False) -> None:
        """Count a page; what merely leads on says nothing yet, for those who make up hosts make up their links too."""
        known = self._known(host) if host.fetches <= FIRST_PAGES else None
        if known is None or (leads and not good and not copy):
            return
        closed = known.closed
        known.tally.note(good=good, leads=False, copy=copy)
        known.guests.discard(host.id)
        if closed and not known.closed:
            self.reopened.add(domain_of(host.name))

    def _known(self, host: Host) -> _Domain | None:
        domain = domain_of(host.name)
        if self._names[domain] < MANY:
            return None
        return self._domains.setdefault(domain, _Domain())


def domain_of(host: str) -> str:
    """Registered domain of ``host[:port]``."""
    return registered_domain(split_port(host)[0], private=True)
