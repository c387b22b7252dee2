"""What the crawler knows about each host, and which of it outlives the process."""

from __future__ import annotations

import json
import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from paberki.crawl.fetching.allowed_addresses import HostAddress
from paberki.crawl.frontier.database import CrawlDatabase
from paberki.crawl.reading.similar_texts import SimilarTexts
from paberki.crawl.steering.template_yields import Template, TemplateNames, Templates, YieldTally

_PRIOR = 1.5
"""How many pages the expectation about a new host weighs: hosts are mostly good or mostly not, so it is soon outdone."""
LOADED = 20_000
"""Hosts whose templates and fingerprints are kept in memory."""
_SAVED_FIELDS = ("fetches", "docs", "judged", "good", "bytes", "good_bytes", "expected_yield", "latency", "given_up")


@dataclass(frozen=True, slots=True)
class Errand:
    """A file to be fetched from a host on behalf of an origin that may be elsewhere (redirects)."""

    kind: str
    """Which file: ``robots``, ``tdmrep`` or ``ai``."""
    origin: str
    url: str
    chain: tuple[str, ...] = ()
    """Redirects followed so far."""


@dataclass(slots=True, eq=False)
class IpAddress:
    """An IP address; closed while a request to it runs and for the gap after it."""

    ip: str
    closed: bool = False
    parked: list[tuple[float, int, HostRecord]] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class HostRecord:
    """A host name: one request at a time, ``delay`` seconds apart."""

    id: int
    name: str
    delay: float
    next: float = 0.0
    """Time before which nothing is sent."""
    waiting: int = 0
    """URLs in the queue, cut templates included, retries not."""
    busy: bool = False
    timer: float | None = None
    """When the schedule will look at the host again."""
    ready: float | None = None
    """Rank under which it waits to be handed out."""
    hold: int = 0
    """Number of the crawl's page requests before which others come first."""
    place: HostAddress | None = None
    place_until: float = 0.0
    address: IpAddress | None = None
    held_address: IpAddress | None = None
    """The address closed for the request under way."""
    errands: deque[Errand] = field(default_factory=deque)
    awaiting: str | None = None
    """Origin whose files must be known before pages are fetched."""
    refusal: str | None = None
    """Why the host is not crawled at all."""
    failures: int = 0
    """Requests in a row that got no answer."""
    fetches: int = 0
    docs: int = 0
    """Pages with status 200."""
    judged: int = 0
    """Those of them that are no mere lists of others."""
    good: int = 0
    bytes: int = 0
    good_bytes: int = 0
    expected_yield: float = 0.5
    """Share of good pages expected before the first was seen."""
    latency: float = 0.0
    """Smoothed time of an answer."""
    given_up: str = ""
    """Why the host gets no further page requests, such as SpiderLing's rule or a quota."""
    finds: int = 0
    """Hosts of other domains that were first met on its pages in this run."""
    _templates: Templates | None = None
    _alike: SimilarTexts | None = None

    @property
    def yields(self) -> float:
        """Expected share of good pages among the next ones."""
        return (self.good + _PRIOR * self.expected_yield) / (self.judged + _PRIOR)


class HostRecords:
    """All hosts by name, made on first use and saved with the frontier."""

    def __init__(self, state: CrawlDatabase, delay: float, now: float, longest: float = math.inf) -> None:
        """``longest`` is how far ahead the next request to a host can be put off."""
        self._db = state.db
        self._delay = delay
        self._by_name: dict[str, HostRecord] = {}
        self._by_id: dict[int, HostRecord] = {}
        self._changed_hosts: set[HostRecord] = set()
        self._new: list[HostRecord] = []
        self.names = TemplateNames()
        for number, name, own_delay, following, waiting, site in self._db.execute("SELECT * FROM host"):
            # A killed crawl may have sent requests after its last commit: every host gets its whole gap again.
            gap = max(delay, own_delay)
            # A time further ahead than any pause was written by a clock that ran ahead.
            following = following if following <= now + max(gap, longest) else 0.0
            host = HostRecord(number, name, gap, next=max(following, now + gap), waiting=waiting)
            for attribute, value in zip(_SAVED_FIELDS, json.loads(site), strict=True):
                setattr(host, attribute, value)
            self._by_name[name] = self._by_id[number] = host

    def __getitem__(self, name: str) -> HostRecord:
        host = self._by_name.get(name)
        if host is None:
            number = len(self._by_id) + 1
            host = self._by_name[name] = self._by_id[number] = HostRecord(number, name, self._delay)
            host._templates, host._alike = Templates(self.names), SimilarTexts()  # the state has none to read
            self._new.append(host)
        return host

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[HostRecord]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def by_id(self, number: int) -> HostRecord:
        """A host by its number in the frontier."""
        return self._by_id[number]

    def templates(self, host: HostRecord) -> Templates:
        """The host's templates, read when first asked for."""
        if host._templates is None:
            host._templates = Templates(self.names)
            rows = self._db.execute("SELECT id, name, waiting, tally FROM template WHERE host = ?", (host.id,))
            for number, name, waiting, saved_tally in rows:
                *tally, probe_at, probe_gap = json.loads(saved_tally)
                host._templates.load(Template(number, name, YieldTally(*tally), waiting, probe_at, probe_gap))
        return host._templates

    def alike(self, host: HostRecord) -> SimilarTexts:
        """Fingerprints of the host's texts, read when first asked for."""
        if host._alike is None:
            rows = self._db.execute("SELECT hashes FROM mark WHERE host = ? ORDER BY id", (host.id,))
            host._alike = SimilarTexts(b"".join(blob for (blob,) in rows))
        return host._alike

    def touch(self, host: HostRecord) -> None:
        """Note that something about a host changed."""
        self._changed_hosts.add(host)

    @property
    def unsaved(self) -> int:
        """Hosts of which something is to be written."""
        return len(self._changed_hosts)

    def save(self) -> None:
        """Write what changed, before a commit."""
        self.write()
        if sum(host._templates is not None for host in self._by_name.values()) > LOADED:
            self._unload()

    def write(self) -> None:
        """Write what changed; it lasts from the next commit on."""
        self._db.executemany(
            "INSERT INTO host VALUES (?, ?, 0, 0, 0, ?)", [(host.id, host.name, _NEW_SITE) for host in self._new]
        )
        self._new.clear()
        self._db.executemany(
            "UPDATE host SET delay = ?, next = ?, waiting = ?, site = ? WHERE id = ?",
            [(self._own_delay(host), host.next, host.waiting, _site(host), host.id) for host in self._changed_hosts],
        )
        templates, marks = [], []
        for host in self._changed_hosts:
            if host._templates is not None:
                templates += [_row(host, template) for template in host._templates.unsaved]
                host._templates.unsaved.clear()
            if host._alike is not None and (fresh := host._alike.unsaved()):
                marks.append((host.id, host.id, fresh))
        self._db.executemany("INSERT OR REPLACE INTO template VALUES (?, ?, ?, ?, ?)", templates)
        self._db.executemany(
            "INSERT INTO mark SELECT ?, coalesce(max(id), 0) + 1, ? FROM mark WHERE host = ?",
            [(number, fresh, other) for number, other, fresh in marks],
        )
        self._changed_hosts.clear()

    def _unload(self) -> None:
        """Forget what can be read again, of hosts that are not being asked."""
        for host in self._by_name.values():
            if not host.busy:
                host._templates = host._alike = None

    def _own_delay(self, host: HostRecord) -> float:
        return host.delay if host.delay != self._delay else 0.0


def _site(host: HostRecord) -> str:
    return json.dumps([getattr(host, attribute) for attribute in _SAVED_FIELDS])


_NEW_SITE = _site(HostRecord(0, "", 0.0))


def _row(host: HostRecord, template: Template) -> tuple[int, int, str, int, str]:
    tally = template.tally
    saved_tally = [tally.fetched, tally.good, tally.leads, tally.dry, template.probe_at, template.probe_gap]
    return host.id, template.id, template.name, template.waiting, json.dumps(saved_tally)
