"""What sites tell crawlers, remembered per origin for a day: robots.txt, TDMRep's well-known file, ai.txt.

A 4xx answer to robots.txt permits everything. After 429, 5xx, a cut answer or none at all, the origin is forbidden
until it was asked again (RFC 9309 §2.3.1): a site in trouble is not a site without rules. The files about rights are
requested after robots.txt, if it permits that and the policy wants them; a missing file means nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.fetching.fetch_errors import PageError
from paberki.crawl.frontier.database import CrawlDatabase
from paberki.crawl.frontier.host_records import Errand
from paberki.crawl.reading.answer_readers import AnswerReader, Statements
from paberki.web.rights import AiTxt, Signal, Tdmrep
from paberki.web.robots import Robots

MAX_BYTES = 500 << 10
"""Bytes of a file that are read."""
RECEIVED_BYTES = 2 << 20
"""Bytes of a file that are received, to know whether it is complete."""
MAX_HOPS = 5
LIFETIME = 24 * 3600.0
PATHS = {"robots": "/robots.txt", "tdmrep": "/.well-known/tdmrep.json", "ai": "/ai.txt"}
_CACHED = 20_000


@dataclass(slots=True)
class Notice:
    """What one origin says, as far as its files were requested."""

    expires: float
    robots: Robots | None = None
    tdmrep: Tdmrep | None = None
    ai: AiTxt | None = None
    asked_kinds: set[str] = field(default_factory=set)

    def signals(self, url: str) -> tuple[Signal, ...]:
        """Statements of all files about a URL."""
        signals = self.robots.signals_for(url) if self.robots else ()
        for source in (self.tdmrep, self.ai):
            if source is not None:
                signals += source.signals(url)
        return signals


class Notices:
    """The notices of all origins: in memory while in use, in the database for the rest of the day."""

    def __init__(self, state: CrawlDatabase, config: CrawlConfig, answers: AnswerReader) -> None:
        self._db = state.db
        self._answers = answers
        self._retries = config.retries
        self._kinds = ("robots", *(("tdmrep", "ai") if config.rights_files else ()))
        self._notices: dict[str, Notice] = {}
        self._failures: Counter[str] = Counter()

    def current(self, origin: str, now: float) -> Notice | None:
        """The notice of a loaded origin, if its robots.txt is known and not outdated."""
        notice = self._notices.get(origin)
        return notice if notice is not None and notice.robots is not None and notice.expires > now else None

    def missing(self, origin: str, now: float) -> Errand | None:
        """The next file of a loaded origin to request; None if all files are known."""
        notice = self._notices[origin]
        if notice.expires <= now:
            notice = self._notices[origin] = Notice(now + LIFETIME)
        for kind in self._kinds:
            if kind in notice.asked_kinds:
                continue
            url = origin + PATHS[kind]
            if kind != "robots" and notice.robots is not None and not notice.robots.allows(url):
                notice.asked_kinds.add(kind)
                continue
            return Errand(kind, origin, url)
        return None

    async def learn(self, kind: str, origin: str, status: int, body: bytes, now: float) -> Notice:
        """Remember a file of an origin; ``status`` is that of the last answer. Raises PageError if unreadable."""
        body = body if 200 <= status < 300 else b""
        statements = await self._statements(kind, body)
        self._failures.pop(origin, None)
        self._db.execute("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?)", (origin + PATHS[kind], status, body, now))
        notice = self._notices.get(origin) or self._keep(origin, Notice(now + LIFETIME))
        _take(notice, kind, statements)
        return notice

    async def copy(self, kind: str, origin: str, source: str, now: float) -> Notice | None:
        """Give an origin the file of another origin to which its own file redirects."""
        await self.load(source, now)
        if self.current(source, now) is None:
            return None
        row = self._db.execute("SELECT status, body FROM file WHERE url = ?", (source + PATHS[kind],)).fetchone()
        return None if row is None else await self.learn(kind, origin, row[0], row[1], now)

    def count_failure(self, origin: str) -> int | None:
        """Count a failure to get robots.txt: the number of failures, or None if there were too many."""
        self._failures[origin] += 1
        return self._failures[origin] if self._failures[origin] <= self._retries else None

    async def load(self, origin: str, now: float) -> None:
        """Read the files of an origin from the database, unless it is loaded."""
        if origin in self._notices:
            return
        notice = Notice(now + LIFETIME)
        for kind in self._kinds:
            row = self._db.execute(
                "SELECT status, body, time FROM file WHERE url = ?", (origin + PATHS[kind],)
            ).fetchone()
            # A time in the future was written by a wrong clock: the age of the file is unknown.
            if row is not None and now - LIFETIME < row[2] <= now:
                try:
                    statements = await self._statements(kind, row[1])
                except PageError:
                    continue
                notice.expires = min(notice.expires, row[2] + LIFETIME)
                _take(notice, kind, statements)
        self._keep(origin, notice)

    async def _statements(self, kind: str, body: bytes) -> Statements | None:
        if kind == "robots":
            return await self._answers.statements(kind, body) if body else Robots.ALLOW_ALL
        # An HTML page in place of the file states nothing.
        return None if not body or body.lstrip()[:1] == b"<" else await self._answers.statements(kind, body)

    def _keep(self, origin: str, notice: Notice) -> Notice:
        if len(self._notices) >= _CACHED:
            del self._notices[next(iter(self._notices))]
        self._notices[origin] = notice
        return notice


def _take(notice: Notice, kind: str, statements: Statements | None) -> None:
    notice.asked_kinds.add(kind)
    if isinstance(statements, Robots):
        notice.robots = statements
    elif isinstance(statements, Tdmrep):
        notice.tdmrep = statements
    elif statements is not None:
        notice.ai = statements
