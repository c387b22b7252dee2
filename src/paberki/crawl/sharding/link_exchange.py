"""Exchanges links between shards: which shard crawls a host, and how it receives links found by others.

A batch is a file in the inbox of its shard. It is written before the commit of the pages that it comes from, and
removed after the commit of the queue that it goes into. If a process dies in between, a link may arrive twice, which is
harmless, but is never lost. The shards need a shared directory, not one machine.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from paberki.crawl.fetching.allowed_addresses import split_port
from paberki.web.registered_domains import registered_domain
from paberki.web.urls import normalise

_REMEMBERED = 200_000
_DEPTH_DIGITS = 6


def shard_of(host: str, shards: int) -> int:
    """The shard that crawls a host; all hosts of a registered domain have the same shard."""
    domain = registered_domain(split_port(host)[0], private=True)
    return zlib.crc32(domain.encode("utf-8", "replace")) % shards


class LinkExchange:
    """Incoming and outgoing links of one shard."""

    def __init__(self, folder: Path, shard: int, shards: int) -> None:
        self._folder = folder
        self.shard, self.shards = shard, shards
        self._owners: dict[str, int] = {}
        self._out: dict[int, list[str]] = {}
        self._sent_links: set[int] = set()
        """Hashes of recently sent links: most pages of a site link to the same few others."""
        self._read: list[Path] = []
        for number in range(shards):
            self._inbox(number).mkdir(parents=True, exist_ok=True)
        for half_written in folder.glob(f".tmp-{shard}-*"):  # left by a killed crawl
            half_written.unlink()
        own = [path.name for number in range(shards) for path in self._inbox(number).glob(f"{shard}-*")]
        self._number = max(
            (int(name.partition("-")[2]) for name in own if name.partition("-")[2].isdecimal()), default=0
        )

    def _inbox(self, shard: int) -> Path:
        return self._folder / str(shard)

    def own(self, host: str) -> bool:
        """Whether this shard crawls a host."""
        owner = self._owners.get(host)
        if owner is None:
            if len(self._owners) >= _REMEMBERED:
                self._owners.clear()
            owner = self._owners[host] = shard_of(host, self.shards)
        return owner == self.shard

    def send(self, host: str, url: str, depth: int) -> None:
        """Put a link to another shard's host into the next batch."""
        mark = hash(url)
        if mark in self._sent_links:
            return
        if len(self._sent_links) >= _REMEMBERED:
            self._sent_links.clear()
        self._sent_links.add(mark)
        self._out.setdefault(self._owners[host], []).append(f"{depth} {url}")

    def post(self) -> int:
        """Write the batches, before a commit; return their number."""
        count = len(self._out)
        for shard, lines in self._out.items():
            self._number += 1
            path = self._inbox(shard) / f"{self.shard}-{self._number}"
            beside = self._folder / f".tmp-{path.name}-{shard}"
            with open(beside, "w", encoding="utf-8") as file:
                file.write("\n".join(lines))
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        self._out = {}
        return count

    def receive(self) -> Iterator[tuple[int, list[str]]]:
        """Links from other shards, by depth; call :meth:`clear_received` after the commit that includes them."""
        for path in sorted(self._inbox(self.shard).iterdir()):
            if path in self._read:
                continue
            by_depth: dict[int, list[str]] = {}
            for depth, url in _lines(path.read_text("utf-8", "replace").split("\n")):
                by_depth.setdefault(depth, []).append(url)
            self._read.append(path)
            yield from by_depth.items()

    def clear_received(self) -> int:
        """Remove the batches that were received; return their number."""
        count = len(self._read)
        for path in self._read:
            path.unlink(missing_ok=True)
        self._read = []
        return count

    @property
    def empty(self) -> bool:
        """Whether no links wait to be received or sent."""
        return not self._out and not self._read and not any(self._inbox(self.shard).iterdir())


def _lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    for line in lines:
        depth, _, url = line.partition(" ")
        if depth.isdecimal() and len(depth) <= _DEPTH_DIGITS and normalise(url) == url:
            yield int(depth), url
