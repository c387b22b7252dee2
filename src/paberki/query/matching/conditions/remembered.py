"""What was computed before: entries by key, the least recently used dropped when they take too many bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

Entry = TypeVar("Entry")


class Remembered(Generic[Entry]):
    """Entries with their sizes; threads may use it at once."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._used_bytes = 0
        self._entries: OrderedDict[Hashable, tuple[Entry, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Entry | None:
        """The entry of a key, if it is still there."""
        with self._lock:
            pair = self._entries.get(key)
            if pair is None:
                return None
            self._entries.move_to_end(key)
            return pair[0]

    def put(self, key: Hashable, entry: Entry, size: int) -> None:
        """Keep an entry unless it alone would fill the room."""
        with self._lock:
            if size > self._limit:
                return
            previous = self._entries.pop(key, None)
            self._used_bytes += size - (previous[1] if previous else 0)
            self._entries[key] = (entry, size)
            while self._used_bytes > self._limit:
                _, (_, freed_bytes) = self._entries.popitem(last=False)
                self._used_bytes -= freed_bytes

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self._used_bytes = 0
