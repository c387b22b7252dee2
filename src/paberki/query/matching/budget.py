"""How much a search may take, and who says stop."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

MEMORY_BYTES: Final = 2 << 30


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a search. What was found when one is reached is kept, and the count says *stopped*."""

    seconds: float | None = None
    hits: int = 50_000_000
    memory_bytes: int = MEMORY_BYTES
    """For intermediate results; hits themselves are written to disk when there are many."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many hits there are so far, whether that is all, and which share of the corpus was searched."""

    value: int
    state: str
    """``running``, ``done`` or ``stopped``."""
    searched: float


class Exhausted(Exception):
    """Inside the engine: a budget is used up or somebody said stop."""


class Clock:
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
