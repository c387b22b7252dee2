"""What shards on one machine share: a limit on requests, who is idle, and when each address may be asked again."""

from __future__ import annotations

import zlib
from multiprocessing.context import SpawnContext
from typing import Any

_ADDRESSES = 1 << 16


class Shared:
    """Lives in shared memory; made by the parent and given to each shard."""

    def __init__(self, context: SpawnContext, shards: int, asked: int) -> None:
        self.stop = context.Event()
        self.shards = shards
        self._lock = context.Lock()
        self._asked: Any = context.Value("q", asked, lock=False)
        self._idle: Any = context.Array("b", shards, lock=False)
        self._mail: Any = context.Array("q", 2, lock=False)
        self._free: Any = context.Array("d", _ADDRESSES, lock=False)

    def ask(self, limit: int | None) -> bool:
        """Count a page request of any shard; False if the limit is reached."""
        with self._lock:
            if limit is not None and self._asked.value >= limit:
                return False
            self._asked.value += 1
            return True

    @property
    def asked(self) -> int:
        """Page requests of all shards."""
        return int(self._asked.value)

    def report(self, shard: int, *, idle: bool, sent: int = 0, received: int = 0) -> None:
        """Say whether a shard has nothing to do, and how many batches it sent and took in."""
        with self._lock:
            self._mail[0] += sent
            self._mail[1] += received
            self._idle[shard] = idle

    @property
    def finished(self) -> bool:
        """Whether nobody has anything to do and no mail is on its way."""
        with self._lock:
            return all(self._idle) and self._mail[0] <= self._mail[1]

    def take(self, ip: str, now: float, longest: float) -> float:
        """Take an address for one request of at most so many seconds; 0, or when it will be free.

        Addresses that share a place in the table wait for each other: more polite than need be, never less.
        """
        place = zlib.crc32(ip.encode()) % _ADDRESSES
        with self._lock:
            free = float(self._free[place])
            if free > now:
                return free
            self._free[place] = now + longest
            return 0.0

    def give_back(self, ip: str, until: float) -> None:
        """Say when an address may be asked again."""
        with self._lock:
            self._free[zlib.crc32(ip.encode()) % _ADDRESSES] = until
