"""How much a search may take, and who says stop."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from paberki.record import Record

MEMORY_BYTES: Final = 2 << 30


class Budget(Record):
    """Limits of a search. What was found when one is reached is kept, and the count says *stopped*."""

    seconds: float | None = None
    hits: int = 50_000_000
    memory_bytes: int = MEMORY_BYTES
    """For intermediate results; hits themselves are written to disk when there are many."""


class Count(Record):
    """How many hits there are so far, whether that is all, and which share of the corpus was searched."""

    value: int
    state: str
    """``running``, ``done`` or ``stopped``."""
    searched: float


class Exhausted(Exception):
    """Inside the engine: a budget is used up or somebody said stop."""


class BudgetWatch:
    """Watches a budget. ``cancel`` may be called from any thread."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
        self._cancelled = False

    def cancel(self) -> None:
        """End the search at its next look at the clock, at most some 50 ms from now."""
        self._cancelled = True

    def check(self) -> None:
        """Raise :class:`Exhausted` if time is over."""
        if self._cancelled or (self._deadline is not None and time.monotonic() > self._deadline):
            raise Exhausted

    def room(self, size_bytes: int) -> None:
        """Raise :class:`Exhausted` if so much memory is not to be had."""
        self.check()
        if size_bytes > self._budget.memory_bytes:
            raise Exhausted


_watch: ContextVar[BudgetWatch | None] = ContextVar("_watch", default=None)


@contextmanager
def watch(clock: BudgetWatch | None) -> Iterator[None]:
    """Let :func:`check_time` look at a clock, deep inside of work that knows no search."""
    before = _watch.set(clock)
    try:
        yield
    finally:
        _watch.reset(before)


def check_time() -> None:
    """Raise :class:`Exhausted` if the search at work has no more time."""
    clock = _watch.get()
    if clock is not None:
        clock.check()
