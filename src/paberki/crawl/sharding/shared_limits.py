"""What shards on one machine share: the request count, who is idle, and when each address may be asked again.

It is a memory-mapped file in the directory of the crawl. A killed crawl leaves nothing in the system's shared memory,
and the next one creates the file again.
"""

from __future__ import annotations

import fcntl
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from mmap import mmap
from pathlib import Path

_ADDRESSES = 1 << 16
_STOP, _REQUESTS, _SENT_BATCHES, _RECEIVED_BATCHES, _NUMBERS = range(5)
_WORD = 8


class SharedLimits:
    """Created by the parent and passed to each shard, which maps the file again."""

    def __init__(self, path: Path, shards: int, request_count: int) -> None:
        path.unlink(missing_ok=True)
        path.write_bytes(bytes(_WORD * (_NUMBERS + _ADDRESSES + shards)))
        self._open(path, shards)
        self._numbers[_REQUESTS] = request_count

    def _open(self, path: Path, shards: int) -> None:
        self._path, self.shards = path, shards
        self._file = open(path, "r+b", buffering=0)  # noqa: SIM115 - closed with the rest
        self._map = mmap(self._file.fileno(), 0)
        whole = memoryview(self._map)
        free, idle = _WORD * _NUMBERS, _WORD * (_NUMBERS + _ADDRESSES)
        self._numbers = whole[:free].cast("q")
        self._free = whole[free:idle].cast("d")
        self._idle = whole[idle:].cast("q")

    def __getstate__(self) -> tuple[Path, int]:
        return self._path, self.shards

    def __setstate__(self, state: tuple[Path, int]) -> None:
        self._open(*state)

    def close(self) -> None:
        """Remove the file; shards that still run keep their mapping."""
        for view in (self._numbers, self._free, self._idle):
            view.release()
        self._file.close()
        self._path.unlink(missing_ok=True)

    @contextmanager
    def _lock(self) -> Iterator[None]:
        fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def stop(self) -> None:
        """Ask all shards to end."""
        self._numbers[_STOP] = 1

    @property
    def stopped(self) -> bool:
        """Whether the shards were asked to end."""
        return bool(self._numbers[_STOP])

    def ask(self, limit: int | None) -> bool:
        """Count a page request; False if the limit is reached."""
        with self._lock():
            if limit is not None and self._numbers[_REQUESTS] >= limit:
                return False
            self._numbers[_REQUESTS] += 1
            return True

    @property
    def request_count(self) -> int:
        """Page requests of all shards."""
        return self._numbers[_REQUESTS]

    def report(self, shard: int, *, idle: bool, sent_batches: int = 0, received_batches: int = 0) -> None:
        """Report whether a shard is idle, and how many batches it sent and received."""
        with self._lock():
            self._numbers[_SENT_BATCHES] += sent_batches
            self._numbers[_RECEIVED_BATCHES] += received_batches
            self._idle[shard] = idle

    @property
    def finished(self) -> bool:
        """Whether all shards are idle and no links are on their way."""
        with self._lock():
            return all(self._idle) and self._numbers[_SENT_BATCHES] <= self._numbers[_RECEIVED_BATCHES]

    def take(self, ip: str, now: float, longest: float) -> float:
        """Reserve an address for a request of at most ``longest`` seconds; return 0, or when it will be free.

        Addresses that share a place in the table wait for each other, which is more polite than necessary.
        """
        place = zlib.crc32(ip.encode()) % _ADDRESSES
        with self._lock():
            free = self._free[place]
            if free > now:
                return free
            self._free[place] = now + longest
            return 0.0

    def give_back(self, ip: str, until: float) -> None:
        """Set when an address may be asked again."""
        with self._lock():
            self._free[zlib.crc32(ip.encode()) % _ADDRESSES] = until
