"""A few things by key, those that were used last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Generic, TypeVar

__all__ = ["LastUsed"]

T = TypeVar("T")


class LastUsed(Generic[T]):
    """Keeps so many things; the one that nobody has used for longest makes room for a new one. Threads share it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._things: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()
        self._makers: dict[Hashable, Lock] = {}

    @contextmanager
    def made_once(self, key: Hashable, seconds: float = 1.0) -> Iterator[None]:
        """While one thread makes a thing, others that need it wait a moment for it instead of making it too."""
        with self._lock:
            maker = self._makers.setdefault(key, Lock())
        has_turn = maker.acquire(timeout=seconds)
        try:
            yield
        finally:
            if has_turn:
                maker.release()
            with self._lock:
                self._makers.pop(key, None)

    def get(self, key: Hashable) -> T | None:
        """The thing of this key, if it is still there."""
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
            return self._things.get(key)

    def keep(self, key: Hashable, thing: T) -> None:
        """Keep a thing for others."""
        with self._lock:
            self._things[key] = thing
            self._things.move_to_end(key)
            while len(self._things) > self._most:
                self._things.popitem(last=False)
