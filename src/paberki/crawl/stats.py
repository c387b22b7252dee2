"""Counters of a crawl, the status file that other processes read, and the error for a crawl that fetched nothing."""

from __future__ import annotations

import json
import os
from collections import Counter, deque
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from paberki.errors import FetchError

_CAUSES = {
    "dns": "dns",
    "private": "private address",
    "port": "port not of the web",
    "robots_unreachable": "robots.txt unreachable",
    "unreachable": "host does not answer",
    "timeout": "timeout",
    "connect": "no connection",
    "tls": "tls",
    "broken": "connection broken",
    "http": "not http",
    "headers": "too many headers",
    "mime": "not html",
    "too_large": "too large",
    "too_small": "too small",
    "unreadable": "takes too long to read",
    "internal": "internal error, see crawl/internal.log",
}
_FIRST_FAILURE = "400"
"""Lowest HTTP status that counts as a failure; as text, since all have three digits."""


@dataclass(slots=True)
class CrawlStats:
    """What a crawl has done so far, over all its runs."""

    requests: int = 0
    """Page requests sent: what ``max_pages`` limits."""
    pages: int = 0
    """Pages stored with status 200."""
    stored: int = 0
    """Responses stored, whatever their status; robots.txt not counted."""
    good: int = 0
    """Pages that the build is expected to keep, without copies."""
    good_bytes: int = 0
    """Bytes of good text on them."""
    copies: int = 0
    """Pages with the same or nearly the same text as an earlier one."""
    unchanged: int = 0
    """Pages that had not changed since they were last stored."""
    opted_out: int = 0
    """Pages not kept because their owners opted out."""
    bytes: int = 0
    """Bytes of bodies received."""
    queued: int = 0
    """URLs waiting."""
    hosts: int = 0
    """Hosts known."""
    by_status: Counter[str] = field(default_factory=Counter)
    """Answers per HTTP status."""
    by_error: Counter[str] = field(default_factory=Counter)
    """URLs given up, per reason."""
    robots_denied: int = 0
    """URLs not fetched because robots.txt forbids it."""
    by_trap: Counter[str] = field(default_factory=Counter)
    """Requests wasted on traps and links refused as traps, per rule."""
    retries: int = 0
    """Requests that failed for a temporary reason and were put back."""
    seconds: float = 0.0
    """Time spent crawling."""
    requests_before: int = 0
    """Requests before the last recrawl began; limits count from there. The next two fields likewise."""
    bytes_before: int = 0
    seconds_before: float = 0.0
    failures_before: Counter[str] = field(default_factory=Counter)
    """:attr:`failures` when this run began."""
    running: bool = False
    """Whether the crawl is going on."""
    finished: bool = False
    """Whether the last run ended because nothing was left to do."""
    pages_per_second: float = 0.0
    """Pages stored per second in the last seconds."""
    good_per_second: float = 0.0
    """Good pages per second in the last seconds."""
    top_hosts: list[list[Any]] = field(default_factory=list)
    """Name, pages and good pages of the hosts with most pages."""

    @property
    def harvest(self) -> float:
        """Good pages per page request."""
        return self.good / self.requests if self.requests else 0.0

    @property
    def failures(self) -> Counter[str]:
        """URLs that brought no page, per cause in words, the most frequent cause first."""
        causes = Counter({_CAUSES.get(kind, kind): count for kind, count in self.by_error.items()})
        causes["robots"] += self.robots_denied
        causes["opted out"] += self.opted_out
        for status, count in self.by_status.items():
            if status >= _FIRST_FAILURE:
                causes[f"http status {status}"] += count
        return Counter(dict((+causes).most_common()))

    def to_json(self) -> str:
        """One JSON object with the fields of this class."""
        more = {"harvest": self.harvest, "failures": self.failures}
        return json.dumps({item.name: getattr(self, item.name) for item in fields(self)} | more)

    @classmethod
    def from_json(cls, text: str) -> CrawlStats:
        """Inverse of :meth:`to_json`."""
        values: dict[str, Any] = json.loads(text)
        field_names = {item.name for item in fields(cls)}
        values = {name: value for name, value in values.items() if name in field_names}
        for name in ("by_status", "by_error", "by_trap", "failures_before"):
            values[name] = Counter(values.get(name, {}))
        return cls(**values)


def publish(path: Path, text: str, *, durable: bool = False) -> None:
    """Replace a small file atomically: readers see the old or the new content, never a part."""
    beside = path.with_name(path.name + ".new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        if durable:
            file.flush()
            os.fsync(file.fileno())
    beside.replace(path)
    if durable:
        sync_directory(path.parent)


def sync_directory(path: Path) -> None:
    """Make new and changed file names in a directory survive a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class PageRates:
    """Pages per second over the last ten seconds or so."""

    def __init__(self) -> None:
        self._past: deque[tuple[float, int, int]] = deque(maxlen=11)

    def rates(self, stats: CrawlStats, now: float) -> tuple[float, float]:
        """Stored and good pages per second."""
        self._past.append((now, stats.pages, stats.good))
        then, pages, good = self._past[0]
        seconds = now - then
        return ((stats.pages - pages) / seconds, (stats.good - good) / seconds) if seconds > 0 else (0.0, 0.0)


class NothingFetched(FetchError):
    """Raised when a crawl ended without a page because all its seeds failed."""

    exit_code = 1


def complain(stats: CrawlStats) -> None:
    """Raise NothingFetched if the crawl finished without ever storing a page."""
    if stats.pages or stats.unchanged or not stats.finished:
        return
    # A run that had nothing to do failed for the same reasons as the runs before it.
    causes = stats.failures - Counter(stats.failures_before) or stats.failures
    if not causes:
        return
    counts = ", ".join(f"{cause} {count}" for cause, count in causes.most_common())
    hint = "--allow-network CIDR allows a private network" if set(causes) == {"private address"} else "check the seeds"
    raise NothingFetched(f"no page could be fetched, all seeds failed: {counts}; {hint}")
