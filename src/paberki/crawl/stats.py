"""Counters of a crawl, and the small file through which another process watches it."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any


@dataclass(slots=True)
class CrawlStats:
    """What a crawl has done so far, all its runs together."""

    requests: int = 0
    """Page requests sent: what ``max_pages`` limits."""
    pages: int = 0
    """Pages stored with status 200."""
    stored: int = 0
    """Responses stored, whatever their status; robots.txt not counted."""
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
    trapped: int = 0
    """Links not taken because they look like a trap."""
    retries: int = 0
    """Requests that failed in passing and were put back."""
    seconds: float = 0.0
    """Time spent crawling."""
    running: bool = False
    """Whether the crawl is going on."""

    def to_json(self) -> str:
        """One JSON object, fields named as here."""
        return json.dumps({item.name: getattr(self, item.name) for item in fields(self)})

    @classmethod
    def from_json(cls, text: str) -> CrawlStats:
        """Inverse of :meth:`to_json`."""
        values: dict[str, Any] = json.loads(text)
        values["by_status"] = Counter(values["by_status"])
        values["by_error"] = Counter(values["by_error"])
        return cls(**values)


def publish(path: Path, text: str, *, durable: bool = False) -> None:
    """Replace a small file in one step, so that a reader sees the old or the new one, never half of it."""
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
    """Make the names of files created or renamed in a directory survive a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
