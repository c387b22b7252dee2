"""What the crawler knows about each host, and which part of it is saved."""

from __future__ import annotations

import json
import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from paberki.crawl.fetching.allowed_addresses import HostAddress
from paberki.crawl.frontier.database import CrawlDatabase
from paberki.crawl.reading.similar_texts import SimilarTexts
from paberki.crawl.steering.template_names import TemplateNames
from paberki.crawl.steering.template_yields import Template, Templates
from paberki.crawl.steering.yield_tally import YieldTally

_PRIOR = 1.5
"""Weight, in pages, of the expectation about a new host; low, since hosts are mostly good or mostly not."""
LOADED = 20_000
"""Hosts whose templates and fingerprints are kept in memory."""
_UNLOADED = 5000
"""Hosts that lose them in one commit, since that takes time."""
_UNSAVED = 200
"""Changed hosts after which they are written."""
_SAVED_FIELDS = (
    "fetches",
    "docs",
    "judged_pages",
    "good",
    "bytes",
    "good_bytes",
    "expected_yield",
    "latency",
    "given_up",
)


@dataclass(frozen=True, slots=True)
class Errand:
    """A file to fetch from a host for an origin, which after redirects may be on another host."""

    kind: str
    """Which file: ``robots``, ``tdmrep`` or ``ai``."""
    origin: str
    url: str
    chain: tuple[str, ...] = ()
    """Redirects followed so far."""


@dataclass(slots=True, eq=False)
class IpAddress:
    """An IP address; closed during a request to it and for the gap after it."""

    ip: str
    closed: bool = False
    parked_hosts: list[tuple[float, int, HostRecord]] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class HostRecord:
    """A host name: one request at a time, ``delay`` seconds apart."""

    id: int
    name: str
    delay: float
    next: float = 0.0
    """Time before which no request is sent."""
    waiting_urls: int = 0
    """URLs in the queue, including cut templates, excluding retries."""
    busy: bool = False
    timer: float | None = None
    """When the schedule will check the host again."""
    ready: float | None = None
    """Rank under which the host waits to be handed out."""
    hold: int = 0
    """Number of the crawl's page requests until which other hosts come first."""
    place: HostAddress | None = None
    place_until: float = 0.0
    address: IpAddress | None = None
    held_address: IpAddress | None = None
    """The address closed for the request under way."""
    errands: deque[Errand] = field(default_factory=deque)
    awaiting: str | None = None
    """Origin whose files must be read before pages are fetched."""
    refusal: str | None = None
    """Why the host is not crawled; None if it is."""
    failures: int = 0
    """Consecutive requests without an answer."""
    fetches: int = 0
    docs: int = 0
    """Pages with status 200."""
    judged_pages: int = 0
    """Pages among them that do not merely lead to others."""
    good: int = 0
    bytes: int = 0
    good_bytes: int = 0
    expected_yield: float = 0.5
    """Share of good pages expected before the first page."""
    latency: float = 0.0
    """Smoothed time per answer in seconds."""
    given_up: str = ""
    """Why the host gets no further page requests: SpiderLing's rule or a quota; empty if it gets them."""
    surprises: int = 0
    """Pages of this run without wanted text where text was expected: it was foreign, or other hosts have it there."""
    mirror: bool = False
    """Whether its pages repeat those of another host under the same paths."""
    finds: int = 0
    """Hosts of other domains first met on its pages in this run."""
    _templates: Templates | None = None
    _alike: SimilarTexts | None = None

    @property
    def yields(self) -> float:
        """Expected share of good pages among the next ones."""
        return (self.good + _PRIOR * self.expected_yield) / (self.judged_pages + _PRIOR)


class HostRecords:
    """All hosts by name, created on first use and saved with the frontier."""

    def __init__(
        self,
        state: CrawlDatabase,
        delay: float,
        now: float,
        longest: float = math.inf,
        languages: Sequence[str] = (),
    ) -> None:
        """``longest`` is the longest pause before the next request to a host; ``languages`` are the wanted ones."""
        self._db = state.db
        self._delay = delay
        self._by_name: dict[str, HostRecord] = {}
        self._by_id: dict[int, HostRecord] = {}
        self._changed_hosts: set[HostRecord] = set()
        self._new: list[HostRecord] = []
        self.names = TemplateNames(languages)
        for number, name, own_delay, following, waiting_urls, site in self._db.execute("SELECT * FROM host"):
            # A killed crawl may have sent requests after its last commit: every host waits out its whole gap.
            gap = max(delay, own_delay)
            # A time further ahead than any pause was written by a wrong clock.
            following = following if following <= now + max(gap, longest) else 0.0
            host = HostRecord(number, name, gap, next=max(following, now + gap), waiting_urls=waiting_urls)
            for attribute, value in zip(_SAVED_FIELDS, json.loads(site), strict=True):
                setattr(host, attribute, value)
            self._by_name[name] = self._by_id[number] = host

    def __getitem__(self, name: str) -> HostRecord:
        host = self._by_name.get(name)
        if host is None:
            number = len(self._by_id) + 1
            host = self._by_name[name] = self._by_id[number] = HostRecord(number, name, self._delay)
            host._templates, host._alike = Templates(self.names), SimilarTexts()  # nothing to read from the database
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
        """The host's templates, read on first use."""
        if host._templates is None:
            host._templates = Templates(self.names)
            rows = self._db.execute("SELECT id, name, waiting, tally FROM template WHERE host = ?", (host.id,))
            for number, name, waiting_urls, saved_tally in rows:
                *tally, probe_at, probe_gap = json.loads(saved_tally)
                host._templates.load(Template(number, name, YieldTally(*tally), waiting_urls, probe_at, probe_gap))
        return host._templates

    def alike(self, host: HostRecord) -> SimilarTexts:
        """Fingerprints of the host's texts, read on first use."""
        if host._alike is None:
            rows = self._db.execute("SELECT hashes FROM mark WHERE host = ? ORDER BY id", (host.id,))
            host._alike = SimilarTexts(b"".join(blob for (blob,) in rows))
        return host._alike

    def touch(self, host: HostRecord) -> None:
        """Note that a host has changed."""
        self._changed_hosts.add(host)

    def write_some(self) -> None:
        """Write changed hosts if they are many: a page can name thousands, and a commit must be short."""
        if len(self._changed_hosts) > _UNSAVED:
            self.write()

    def save(self) -> None:
        """Write changed hosts before a commit, and free memory."""
        self.write()
        loaded_hosts = [host for host in self._by_name.values() if host._templates is not None]
        if len(loaded_hosts) > LOADED:
            self._unload(loaded_hosts[:_UNLOADED])

    def write(self) -> None:
        """Write changed hosts into the open transaction."""
        self._db.executemany(
            "INSERT INTO host VALUES (?, ?, 0, 0, 0, ?)", [(host.id, host.name, _NEW_SITE) for host in self._new]
        )
        self._new.clear()
        self._db.executemany(
            "UPDATE host SET delay = ?, next = ?, waiting = ?, site = ? WHERE id = ?",
            [
                (self._own_delay(host), host.next, host.waiting_urls, _site(host), host.id)
                for host in self._changed_hosts
            ],
        )
        templates, marks = [], []
        for host in self._changed_hosts:
            if host._templates is not None:
                templates += [_row(host, template) for template in host._templates.unsaved_templates]
                host._templates.unsaved_templates.clear()
            if host._alike is not None and (fresh := host._alike.unsaved_hashes()):
                marks.append((host.id, host.id, fresh))
        self._db.executemany("INSERT OR REPLACE INTO template VALUES (?, ?, ?, ?, ?)", templates)
        self._db.executemany(
            "INSERT INTO mark SELECT ?, coalesce(max(id), 0) + 1, ? FROM mark WHERE host = ?",
            [(number, fresh, other) for number, other, fresh in marks],
        )
        self._changed_hosts.clear()

    def _unload(self, hosts: Iterable[HostRecord]) -> None:
        """Drop from memory what can be read again, for hosts without a request under way."""
        for host in hosts:
            if not host.busy:
                host._templates = host._alike = None

    def _own_delay(self, host: HostRecord) -> float:
        return host.delay if host.delay != self._delay else 0.0


def _site(host: HostRecord) -> str:
    return json.dumps([getattr(host, attribute) for attribute in _SAVED_FIELDS])


_NEW_SITE = _site(HostRecord(0, "", 0.0))


def _row(host: HostRecord, template: Template) -> tuple[int, int, str, int, str]:
    tally = template.tally
    saved_tally = [tally.fetches, tally.good, tally.leads, tally.dry, template.probe_at, template.probe_gap]
    return host.id, template.id, template.name, template.waiting_urls, json.dumps(saved_tally)
