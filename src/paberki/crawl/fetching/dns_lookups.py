"""Look-ups in the DNS, each in its own thread, few at once per domain.

A slow name server delays every name of its domain. Its names then wait for each other, and no other domain waits for
them. The time limit of a look-up starts with the look-up, and a thread that still waits delays neither a stop nor the
end of the process.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import Counter
from collections.abc import Callable

from paberki.web.registered_domains import registered_domain

MOST = 256
"""Look-ups under way at once."""
MOST_PER_DOMAIN = 2
"""Look-ups under way at once per registered domain."""
_PAUSE, _MORE_PAUSE = 0.5, 0.1
"""Seconds until a name asks again for its look-up, and seconds added for each waiting name of its domain."""


class Lookups:
    """Looks up names with a blocking function."""

    def __init__(self, look_up: Callable[[str], list[str]]) -> None:
        self._look_up = look_up
        self._under_way: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()
        self._closed = False

    def close(self) -> None:
        """Abandon the look-ups under way; their threads end by themselves."""
        self._closed = True

    def pause(self, name: str) -> float:
        """Seconds to wait before a name can be looked up; 0 if it can be looked up now."""
        domain = _domain(name)
        if self._under_way[domain] < MOST_PER_DOMAIN and self._under_way.total() < MOST:
            return 0.0
        self._waiting[domain] += 1
        return _PAUSE + _MORE_PAUSE * self._waiting[domain]

    async def addresses(self, name: str, seconds: float) -> list[str]:
        """Addresses of a name; raises TimeoutError, or whatever the function raises."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[str]] = loop.create_future()
        domain = _domain(name)
        self._under_way[domain] += 1

        def settle(addresses: list[str], error: Exception | None) -> None:
            self._finish(domain)
            if answer.done():
                return
            if error is None:
                answer.set_result(addresses)
            else:
                answer.set_exception(error)

        def look_up() -> None:
            addresses: list[str] = []
            failure: Exception | None = None
            try:
                addresses = self._look_up(name)
            except Exception as error:  # noqa: BLE001 - passed on
                failure = error
            with contextlib.suppress(RuntimeError):  # the loop may end at any moment
                if not self._closed:
                    loop.call_soon_threadsafe(settle, addresses, failure)

        try:
            threading.Thread(target=look_up, name=f"paberki-dns-{name}", daemon=True).start()
        except RuntimeError as error:  # no more threads
            self._finish(domain)
            raise OSError(str(error)) from error
        return await asyncio.wait_for(answer, seconds)

    def _finish(self, domain: str) -> None:
        self._under_way[domain] -= 1
        if not self._under_way[domain]:
            del self._under_way[domain]
        self._waiting.pop(domain, None)


def _domain(name: str) -> str:
    return registered_domain(name, private=True)
