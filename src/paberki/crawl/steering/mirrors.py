"""Recognises hosts that repeat another one: the same texts under the same paths.

A mirror is good text that the corpus has, or will have, from another host. Its pages are stored as others are, and the
build decides which of the copies stays; but requests for it come after those for hosts of their own.
"""

from __future__ import annotations

from collections import Counter

from paberki.crawl.frontier.host_records import HostRecord

_FIRST = 60
"""Pages of a host that are compared."""
_MOST = 500_000
"""Pages of all hosts that are remembered."""
_ENOUGH = 2
"""Pages under the same path with the same text that make a mirror, if they are half of those compared."""


class Mirrors:
    """First good pages of each host, by path and text."""

    def __init__(self) -> None:
        self._pages: dict[int, int] = {}
        self._page_counts: Counter[int] = Counter()
        self._repeat_counts: Counter[int] = Counter()

    def repeats(self, host: HostRecord, path: str, simhash: int) -> bool:
        """Note a good page; return whether its host repeats one that was known earlier."""
        if path == "/" or self._page_counts[host.id] >= _FIRST or len(self._pages) >= _MOST:
            return host.mirror
        self._page_counts[host.id] += 1
        holder = self._pages.setdefault(hash((path, simhash)), host.id)
        if holder != host.id:
            self._repeat_counts[host.id] += 1
        repeats = self._repeat_counts[host.id]
        return repeats >= _ENOUGH and 2 * repeats >= self._page_counts[host.id]
