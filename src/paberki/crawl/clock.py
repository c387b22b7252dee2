"""One clock for the whole crawl: wall time that never goes backwards, since times are saved."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import lru_cache


class Clock:
    """Wall time at the start plus monotonic time since."""

    def __init__(self) -> None:
        self._offset = time.time() - time.monotonic()

    def now(self) -> float:
        """Seconds since 1970."""
        return self._offset + time.monotonic()


def stamp(seconds: float) -> str:
    """A time in the format of WARC-Date."""
    return _stamp(int(seconds))


@lru_cache(maxsize=64)
def _stamp(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
