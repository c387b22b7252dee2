"""Figures of the running server, for Prometheus."""

from __future__ import annotations

import threading
import time
from collections import Counter

__all__ = ["Metrics"]

_LIMITS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """Requests by address and status, times, jobs, streams."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._start_time = time.time()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._times: Counter[tuple[str, float]] = Counter()
        self._seconds: Counter[str] = Counter()
        self.streams = 0

    def add(self, route: str, status: int, seconds: float) -> None:
        """One request was answered; ``route`` is the pattern of the address and never what a client typed."""
        with self._lock:
            self._requests[route, status] += 1
            self._seconds[route] += seconds  # type: ignore[assignment]
            for limit in _LIMITS:
                if seconds <= limit:
                    self._times[route, limit] += 1

    def text(self, **gauges: float) -> str:
        """The exposition format of Prometheus."""
        with self._lock:
            lines = ["# TYPE paberki_requests_total counter"]
            lines += [f'paberki_requests_total{{route="{route}",status="{status}"}} {number}'
                      for (route, status), number in sorted(self._requests.items())]  # fmt: skip
            lines.append("# TYPE paberki_request_seconds histogram")
            for route in sorted(self._seconds):
                lines += self._histogram(route)
        gauges = {"start_time_seconds": self._start_time, "event_streams": self.streams, **gauges}
        for name, value in gauges.items():
            lines += [f"# TYPE paberki_{name} gauge", f"paberki_{name} {value}"]
        return "\n".join(lines) + "\n"

    def _histogram(self, route: str) -> list[str]:
        number = sum(count for (one, _), count in self._requests.items() if one == route)
        name = "paberki_request_seconds"
        lines = [f'{name}_bucket{{route="{route}",le="{limit}"}} {self._times[route, limit]}' for limit in _LIMITS]
        lines.append(f'{name}_bucket{{route="{route}",le="+Inf"}} {number}')
        return [
            *lines,
            f'{name}_sum{{route="{route}"}} {self._seconds[route]}',
            f'{name}_count{{route="{route}"}} {number}',
        ]
