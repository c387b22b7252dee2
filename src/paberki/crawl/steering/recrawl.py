"""Recrawls stored pages: those most likely to have changed first, as long as the request budget lasts.

A round puts every stored page back into the queue, in separate templates: pages that list others (``:lists``), pages
that brought text, by their first template (``:again /vijesti/0``), and the poor rest. A useful page is now one that has
changed, and :mod:`paberki.crawl.steering.template_yields` orders the requests: lists first, then new pages and the
templates and hosts whose pages changed, and within a template the pages that changed most often. Sitemaps and feeds
come before all pages; pages that their sitemap dates before our copy come last. No page is excluded; ``max_pages``
limits how many are fetched.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from paberki.crawl.frontier.database import CrawlDatabase
from paberki.crawl.frontier.frontier import FEED, PAGE, SITEMAP, Frontier, QueuedUrl, QueueSlot
from paberki.crawl.frontier.host_records import HostRecord, HostRecords
from paberki.crawl.stats import CrawlStats
from paberki.crawl.steering.template_names import AGAIN, LISTS
from paberki.crawl.steering.template_yields import OLDER, POOR
from paberki.crawl.storing.captures import StoredPages
from paberki.web.urls import url_key

_SPECIAL = {SITEMAP: ":sitemap", FEED: ":feed"}


class Recrawl:
    """One round of a recrawl."""

    def __init__(
        self, state: CrawlDatabase, frontier: Frontier, hosts: HostRecords, captures: StoredPages, stats: CrawlStats
    ) -> None:
        self._state = state
        self._db = state.db
        self._frontier = frontier
        self._hosts = hosts
        self._captures = captures
        self._stats = stats
        self._settled_pages: set[int] = set()
        """Keys of pages requested in this round."""
        self._older_pages: set[int] = set()
        """Keys of pages that a sitemap dates before our copies."""

    def begin(self, now: float) -> None:
        """Put all stored pages back into the queue, unless an interrupted round continues."""
        if self._state.get("round"):
            return
        self._state.put("round", str(now))
        self._stats.requests_before, self._stats.bytes_before = self._stats.requests, self._stats.bytes
        self._stats.seconds_before = self._stats.seconds
        for owner in self._hosts:
            self._hosts.templates(owner).begin_again()
        for host, form, path, depth in self._db.execute("SELECT host, form, path, depth FROM source").fetchall():
            self._put(self._hosts.by_id(host), form, path, _SPECIAL[form >> 1], 0, depth)
        rows = self._db.execute(
            "SELECT host, form, path, template, checks, changes, good, depth FROM page ORDER BY host"
        )
        for host, form, path, template, checks, changes, good, depth in rows.fetchall():
            owner = self._hosts.by_id(host)
            name = self._again(owner, path, template, good=bool(good or changes))
            self._put(owner, form, path, name, round(1000 * (1 - (changes + 0.5) / (checks + 1))), depth)

    def end(self) -> None:
        """End the round."""
        self._state.put("round", "")

    def _again(self, host: HostRecord, path: str, template: int, *, good: bool) -> str:
        own = self._hosts.templates(host)[template]
        if own.name in (LISTS, *_SPECIAL.values()) or (own.name.startswith(AGAIN) and own.name not in (POOR, OLDER)):
            return own.name
        if path == "/" or own.tally.leads > own.tally.good:
            return LISTS
        return AGAIN + own.name if good and own.name not in (POOR, OLDER) else POOR

    def _put(self, host: HostRecord, form: int, path: str, name: str, rank: int, depth: int) -> None:
        templates = self._hosts.templates(host)
        template = templates.by_name(name)
        templates.wait(template, 1)
        host.waiting_urls += 1
        self._hosts.touch(host)
        self._stats.queued += 1
        url = f"{'https' if form & 1 else 'http'}://{host.name}{path}"
        self._frontier.put(url, QueueSlot(host.id, template.id, rank, depth, form >> 1))

    def is_settled(self, host: HostRecord, entry: QueuedUrl, url: str) -> bool:
        """Whether a page need not be requested now: it was requested in this round, or it moves behind the others."""
        key = url_key(url)
        if key in self._settled_pages:
            return True
        if key not in self._older_pages or self._hosts.templates(host)[entry.template].name == OLDER:
            return False
        self._put(host, entry.form, entry.path, OLDER, 0, entry.depth)
        return True

    def settle(self, url: str) -> None:
        """Note that a page is requested in this round."""
        self._settled_pages.add(url_key(url))

    def take_dates(self, host: HostRecord, entries: Iterable[tuple[str, str | None]], *, trusted: bool) -> None:
        """Use the dates of a sitemap or feed: pages changed since our copy come first, older ones last."""
        for url, date in entries:
            moment = moment_of(date)
            before = self._captures.of(url) if moment is not None else None
            if before is None or moment is None:
                continue
            if moment > before.time:
                self._put_first(host, url)
            elif trusted:
                self._older_pages.add(url_key(url))

    def _put_first(self, host: HostRecord, url: str) -> None:
        own = f"://{host.name}/"
        if own in url and url_key(url) not in self._settled_pages:
            self._put(host, url.startswith("https"), url[url.index("/", 8) :], LISTS, 0, PAGE)


def moment_of(text: str | None) -> float | None:
    """Seconds since 1970 of a date in a sitemap (W3C) or feed (RFC 822); a bare day means its end."""
    text = (text or "").strip()[:64]
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        if len(text) == 10:
            moment = moment.replace(hour=23, minute=59, second=59)
    except ValueError:
        try:
            moment = parsedate_to_datetime(text)
        except (ValueError, IndexError, OverflowError):
            return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
