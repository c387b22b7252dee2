"""What the crawler knows about each host, and which of it outlives the process."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from paberki.crawl.state import State


@dataclass(frozen=True, slots=True)
class Errand:
    """A robots.txt to be fetched from a host, on behalf of an origin that may be elsewhere (redirects)."""

    origin: str
    url: str
    chain: tuple[str, ...] = ()
    """Redirects followed so far."""


@dataclass(slots=True, eq=False)
class Address:
    """An IP address; closed while a request to it runs and for the gap after it."""

    ip: str
    closed: bool = False
    parked: list[tuple[int, int, int, Host]] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Host:
    """A host name: one request at a time, ``delay`` seconds apart."""

    id: int
    name: str
    delay: float
    next: float = 0.0
    """Time before which nothing is sent."""
    busy: bool = False
    timer: float | None = None
    """When the schedule will look at the host again."""
    ready: tuple[int, int] | None = None
    """Depth and id of the URL it is ready to fetch."""
    address: Address | None = None
    address_until: float = 0.0
    slot: Address | None = None
    """The address closed for the request under way."""
    errands: deque[Errand] = field(default_factory=deque)
    awaiting: str | None = None
    """Origin whose robots.txt must be known before pages are fetched."""
    refused: str | None = None
    """Why the host is not crawled at all."""
    failures: int = 0
    """Requests in a row that got no answer."""


class Hosts:
    """All hosts by name, made on first use and saved with the frontier."""

    def __init__(self, state: State, delay: float, now: float) -> None:
        self._db = state.db
        self._delay = delay
        self._by_name: dict[str, Host] = {}
        self._changed: set[Host] = set()
        # A killed crawl may have sent requests after its last commit: every host gets its whole gap again.
        for number, name, own_delay, following in self._db.execute("SELECT id, name, delay, next FROM host"):
            gap = max(delay, own_delay)
            self._by_name[name] = Host(number, name, gap, next=max(following, now + gap))

    def __getitem__(self, name: str) -> Host:
        host = self._by_name.get(name)
        if host is None:
            row = self._db.execute("INSERT INTO host (name, delay, next) VALUES (?, 0, 0)", (name,))
            assert row.lastrowid is not None
            host = self._by_name[name] = Host(row.lastrowid, name, self._delay)
        return host

    def __iter__(self) -> Iterator[Host]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def touch(self, host: Host) -> None:
        """Note that a host's delay or next time changed."""
        self._changed.add(host)

    def save(self) -> None:
        """Write what changed, before a commit."""
        rows = [(host.delay if host.delay != self._delay else 0.0, host.next, host.id) for host in self._changed]
        self._db.executemany("UPDATE host SET delay = ?, next = ? WHERE id = ?", rows)
        self._changed.clear()
