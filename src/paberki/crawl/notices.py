"""What sites say to crawlers, per origin and for a day: robots.txt, TDMRep's well-known file, ai.txt.

An answer 4xx to robots.txt permits everything; 429, 5xx or no answer at all forbids the origin until it was asked
again (RFC 9309 §2.3.1): a site in trouble must not be read as one without rules. The files about rights are asked for
after robots.txt, where that permits it and the policy wants them; not having them means nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from paberki.crawl.config import CrawlConfig
from paberki.crawl.hosts import Errand
from paberki.crawl.rights import AiTxt, Signal, Tdmrep, ai_txt, well_known_tdmrep
from paberki.crawl.robots import Robots
from paberki.crawl.state import State

MAX_BYTES = 500 << 10
MAX_HOPS = 5
LIFETIME = 24 * 3600.0
PATHS = {"robots": "/robots.txt", "tdmrep": "/.well-known/tdmrep.json", "ai": "/ai.txt"}
_CACHED = 20_000


@dataclass(slots=True)
class Notice:
    """What one origin says, as far as it was asked."""

    expires: float
    robots: Robots | None = None
    tdmrep: Tdmrep | None = None
    ai: AiTxt | None = None
    asked: set[str] = field(default_factory=set)

    def signals(self, url: str) -> tuple[Signal, ...]:
        """Statements of all files about a URL."""
        found = self.robots.signals_for(url) if self.robots else ()
        for source in (self.tdmrep, self.ai):
            if source is not None:
                found += source.signals(url)
        return found


class Notices:
    """The notices of all origins: in memory while in use, in the state for the rest of the day."""

    def __init__(self, state: State, config: CrawlConfig) -> None:
        self._db = state.db
        self._agent = config.robots_name
        self._retries = config.retries
        self._wanted = ("robots", *(("tdmrep", "ai") if config.rights_files else ()))
        self._notices: dict[str, Notice] = {}
        self._failures: Counter[str] = Counter()

    def known(self, origin: str, now: float) -> Notice | None:
        """The notice of an origin if robots.txt at least is known."""
        notice = self._notices.get(origin) or self._load(origin, now)
        return notice if notice.robots is not None and notice.expires > now else None

    def missing(self, origin: str, now: float) -> Errand | None:
        """The next file of an origin to ask for; None if all that is wanted is known."""
        notice = self._notices.get(origin) or self._load(origin, now)
        if notice.expires <= now:
            notice = self._notices[origin] = Notice(now + LIFETIME)
        for kind in self._wanted:
            if kind in notice.asked:
                continue
            url = origin + PATHS[kind]
            if kind != "robots" and notice.robots is not None and not notice.robots.allows(url):
                notice.asked.add(kind)
                continue
            return Errand(kind, origin, url)
        return None

    def learn(self, kind: str, origin: str, status: int, body: bytes, now: float) -> Notice:
        """Remember a file of an origin; ``status`` is that of the last answer."""
        self._failures.pop(origin, None)
        body = body if 200 <= status < 300 else b""
        self._db.execute("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?)", (origin + PATHS[kind], status, body, now))
        notice = self._notices.get(origin) or self._keep(origin, Notice(now + LIFETIME))
        self._read(notice, kind, status, body)
        return notice

    def copy(self, kind: str, origin: str, source: str, now: float) -> Notice | None:
        """Give an origin the file known of another one, to which its own redirects."""
        if self.known(source, now) is None:
            return None
        row = self._db.execute("SELECT status, body FROM file WHERE url = ?", (source + PATHS[kind],)).fetchone()
        return None if row is None else self.learn(kind, origin, row[0], row[1], now)

    def failed(self, origin: str) -> int | None:
        """Count a failure to get robots.txt: how many there were, or None when there were too many."""
        self._failures[origin] += 1
        return self._failures[origin] if self._failures[origin] <= self._retries else None

    def _read(self, notice: Notice, kind: str, status: int, body: bytes) -> None:
        notice.asked.add(kind)
        if kind == "robots":
            notice.robots = Robots(body, self._agent) if body else Robots.ALLOW_ALL
        elif not body or body.lstrip()[:1] == b"<":
            return
        elif kind == "tdmrep":
            notice.tdmrep = well_known_tdmrep(body)
        else:
            notice.ai = ai_txt(body, self._agent)

    def _load(self, origin: str, now: float) -> Notice:
        notice = Notice(now + LIFETIME)
        for kind in self._wanted:
            row = self._db.execute(
                "SELECT status, body, time FROM file WHERE url = ?", (origin + PATHS[kind],)
            ).fetchone()
            if row is not None and row[2] + LIFETIME > now:
                notice.expires = min(notice.expires, row[2] + LIFETIME)
                self._read(notice, kind, row[0], row[1])
        return self._keep(origin, notice)

    def _keep(self, origin: str, notice: Notice) -> Notice:
        if len(self._notices) >= _CACHED:
            del self._notices[next(iter(self._notices))]
        self._notices[origin] = notice
        return notice
