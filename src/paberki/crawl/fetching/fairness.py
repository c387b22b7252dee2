"""Fairness between answers: when many come at once, the event loop looks around between them."""

from __future__ import annotations

import asyncio
import time

SECONDS = 0.01
"""Time that answers may take before the loop looks around."""


class AnswerPacing:
    """Lets a few answers through in each round of the event loop."""

    def __init__(self) -> None:
        self._began = 0.0
        self._waiting = False

    async def take(self) -> None:
        """Wait for a round of the event loop in which there is time for another answer."""
        while time.perf_counter() - self._began > SECONDS:
            if not self._waiting:
                self._waiting = True
                asyncio.get_running_loop().call_soon(self._begin)
            await asyncio.sleep(0)

    def _begin(self) -> None:
        self._began, self._waiting = time.perf_counter(), False
