"""What robots.txt permits (RFC 9309), remembered for a day.

An answer 4xx permits everything; 5xx or no answer at all forbids the host until it was asked again, and for
a day once that failed too often: a site in trouble must not be read as one without rules.
"""

from __future__ import annotations

from collections import Counter

from paberki.crawl.config import CrawlConfig
from paberki.crawl.robots import Robots
from paberki.crawl.state import State

MAX_BYTES = 512 << 10
MAX_HOPS = 5
LIFETIME = 24 * 3600.0
UNREACHABLE = 0
"""Status remembered for an origin whose robots.txt could not be had."""
_CACHED = 20_000


class Rules:
    """Compiled robots.txt of one origin, for our own name."""

    def __init__(self, status: int, body: bytes, robot: str, expires: float) -> None:
        self.reachable = status != UNREACHABLE
        self.expires = expires
        found = Robots(body, robot) if 200 <= status < 300 else Robots.ALLOW_ALL
        self._robots = found if self.reachable else Robots.DENY_ALL

    def allows(self, url: str) -> bool:
        """Whether a URL of the origin may be fetched."""
        return self._robots.allows(url)

    @property
    def delay(self) -> float:
        """Crawl-delay in seconds, 0 if none is asked for."""
        return self._robots.crawl_delay or 0.0


class RememberedRobots:
    """The rules of all origins: in memory while in use, in the state for the rest of the day."""

    def __init__(self, state: State, config: CrawlConfig) -> None:
        self._db = state.db
        self._robot = config.robots_name
        self._retries = config.retries
        self._rules: dict[str, Rules] = {}
        self._failures: Counter[str] = Counter()

    def known(self, origin: str, now: float) -> Rules | None:
        """Rules of an origin; None if they have to be fetched (again)."""
        rules = self._rules.get(origin) or self._load(origin)
        return rules if rules is not None and rules.expires > now else None

    def learn(self, origin: str, status: int, body: bytes, now: float) -> Rules:
        """Remember what was fetched for an origin."""
        self._failures.pop(origin, None)
        row = (origin, status, body if 200 <= status < 300 else b"", now)
        self._db.execute("INSERT OR REPLACE INTO robots VALUES (?, ?, ?, ?)", row)
        return self._keep(origin, Rules(status, row[2], self._robot, now + LIFETIME))

    def copy(self, origin: str, source: str, now: float) -> Rules | None:
        """Give an origin the rules known of another one, to which its robots.txt redirects."""
        if self.known(source, now) is None:
            return None
        status, body = self._db.execute("SELECT status, body FROM robots WHERE origin = ?", (source,)).fetchone()
        return self.learn(origin, status, body, now)

    def failed(self, origin: str) -> int | None:
        """Count a failure to fetch: how many there were, or None when there were too many."""
        self._failures[origin] += 1
        return self._failures[origin] if self._failures[origin] <= self._retries else None

    def _load(self, origin: str) -> Rules | None:
        row = self._db.execute("SELECT status, body, time FROM robots WHERE origin = ?", (origin,)).fetchone()
        if row is None:
            return None
        return self._keep(origin, Rules(row[0], row[1], self._robot, row[2] + LIFETIME))

    def _keep(self, origin: str, rules: Rules) -> Rules:
        if len(self._rules) >= _CACHED:
            del self._rules[next(iter(self._rules))]
        self._rules[origin] = rules
        return rules
