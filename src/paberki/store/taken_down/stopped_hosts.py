"""Hosts that a crawl shall not ask any more, by decision of a person: one on each line of ``crawl/stopped-hosts.txt``.

Pages that are there stay. A running crawl looks for changes every second; the list may also be edited by hand.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

from paberki.errors import ConfigError
from paberki.store.files import write_text
from paberki.store.taken_down.tombstones import address_of, file_version

FILE: Final = "stopped-hosts.txt"
_LOOK_EVERY: Final = 1.0


def stopped_hosts(crawl: Path) -> list[str]:
    """The hosts in the list of a crawl folder."""
    try:
        lines = (crawl / FILE).read_text("utf-8").splitlines()
    except OSError:
        return []
    return [line.strip().lower() for line in lines if line.strip() and not line.startswith("#")]


def stop_host(crawl: Path, host: str, *, stopped: bool = True) -> list[str]:
    """Put a host on the list, or take it off; the list of now."""
    name = host.strip().lower()
    if not name or len(name) > 260 or not name.isprintable() or any(sign in name for sign in " /#"):
        raise ConfigError(f"{host[:80]!r} is not the name of a host")
    names = [one for one in stopped_hosts(crawl) if one != name] + ([name] if stopped else [])
    crawl.mkdir(parents=True, exist_ok=True)
    write_text(crawl / FILE, "".join(f"{one}\n" for one in names))
    return names


class StoppedHosts:
    """Whether the host of an address is on the list, as the file says now."""

    def __init__(self, crawl: Path) -> None:
        self._crawl, self._look_time = crawl, -_LOOK_EVERY
        self._version: tuple[int, int, int] | None = None
        self._hosts: frozenset[str] = frozenset()

    def __contains__(self, url: object) -> bool:
        now = time.monotonic()
        if now - self._look_time >= _LOOK_EVERY:
            self._look_time, version = now, file_version(self._crawl / FILE)
            if version != self._version:
                self._version, self._hosts = version, frozenset(stopped_hosts(self._crawl))
        if not self._hosts:
            return False
        host = address_of(str(url)).partition("/")[0]
        return host in self._hosts or host.partition(":")[0] in self._hosts
