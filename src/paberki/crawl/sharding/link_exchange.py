"""Links between shards: who crawls which host, and the mail in which foreign links travel.

A batch is a file in the inbox of its shard, written before the commit of the pages it comes from and removed after
the commit of the queue it went into: whatever dies in between, a link may arrive twice, which does no harm, but is
never lost. Nothing here needs the shards to be on one machine, only a directory that they share.
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
    """The shard that crawls a host: all hosts of a registered domain have the same."""
    domain = registered_domain(split_port(host)[0], private=True)
    return zlib.crc32(domain.encode("utf-8", "replace")) % shards


class LinkExchange:
    """One shard's mail."""

    def __init__(self, folder: Path, shard: int, shards: int) -> None:
        self._folder = folder
        self.shard, self.shards = shard, shards
        self._owners: dict[str, int] = {}
        self._out: dict[int, list[str]] = {}
        self._sent_links: set[int] = set()
        """Hashes of links sent lately: most pages of a site link to the same few others."""
        self._read: list[Path] = []
        for number in range(shards):
            self._inbox(number).mkdir(parents=True, exist_ok=True)
        for half_written in folder.glob(f".tmp-{shard}-*"):  # by a crawl that was killed
            half_written.unlink()
        own = [path.name for number in range(shards) for path in self._inbox(number).glob(f"{shard}-*")]
        self._number = max(
            (int(name.partition("-")[2]) for name in own if name.partition("-")[2].isdecimal()), default=0
        )

    def _inbox(self, shard: int) -> Path:
        return self._folder / str(shard)

    def own(self, host: str) -> bool:
        """Whether a host is ours."""
        owner = self._owners.get(host)
        if owner is None:
            if len(self._owners) >= _REMEMBERED:
                self._owners.clear()
            owner = self._owners[host] = shard_of(host, self.shards)
        return owner == self.shard

    def send(self, host: str, url: str, depth: int) -> None:
        """Put a link of a foreign host into the next batch."""
        mark = hash(url)
        if mark in self._sent_links:
            return
        if len(self._sent_links) >= _REMEMBERED:
            self._sent_links.clear()
        self._sent_links.add(mark)
        self._out.setdefault(self._owners[host], []).append(f"{depth} {url}")

    def post(self) -> int:
        """Write the batches; to be called before a commit. Their number."""
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
        """Links of others to our hosts, by depth; :meth:`received` must follow the commit that holds them."""
        for path in sorted(self._inbox(self.shard).iterdir()):
            if path in self._read:
                continue
            by_depth: dict[int, list[str]] = {}
            for depth, url in _lines(path.read_text("utf-8", "replace").split("\n")):
                by_depth.setdefault(depth, []).append(url)
            self._read.append(path)
            yield from by_depth.items()

    def received(self) -> int:
        """Remove the batches that were taken in; their number."""
        count = len(self._read)
        for path in self._read:
            path.unlink(missing_ok=True)
        self._read = []
        return count

    @property
    def empty(self) -> bool:
        """Whether no mail waits, here or on its way out."""
        return not self._out and not self._read and not any(self._inbox(self.shard).iterdir())


def _lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    for line in lines:
        depth, _, url = line.partition(" ")
        if depth.isdecimal() and len(depth) <= _DEPTH_DIGITS and normalise(url) == url:
            yield int(depth), url
