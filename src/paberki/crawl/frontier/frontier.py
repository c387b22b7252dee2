"""The waiting URLs by host and template, and the set of all URLs ever met.

A packet holds URLs of one host, template and rank that were found together. New packets gather in memory and in a log
(:mod:`paberki.crawl.frontier.arrivals`), are poured into sorted runs on disk (:mod:`paberki.crawl.frontier.backlog`)
when there are many, and enter a table when their turn is near. A row of the table says how many URLs of a packet are
done; they are handed out in order, so only this number changes. Handing out a URL changes nothing on disk: URLs in
flight when a crawl is killed are still queued, and a URL leaves the queue in the same transaction that commits its
archive record. The crawl needs five calls (``add_batch``, ``pop``, ``done_batch``, ``hosts``, ``commit``), so another
store can replace this one.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from paberki.crawl.frontier.arrivals import FEED, PAGE, SITEMAP, Arrivals, Packet, QueueSlot
from paberki.crawl.frontier.backlog import Backlog, QueueRun
from paberki.crawl.frontier.database import CrawlDatabase
from paberki.crawl.frontier.seen_urls import SeenUrls
from paberki.web.urls import url_keys

__all__ = ["FEED", "PAGE", "SITEMAP", "Frontier", "QueueSlot", "QueuedUrl"]

POUR = 1 << 17
"""URLs that gather in memory before they become a run on disk."""
_AT_ONCE = 2
"""Packets of a queue read at a time."""
_WHERE = "WHERE host = ? AND template = ? AND rank = ? AND id = ?"
_HEADS = 2000
"""Hosts whose next URLs are kept in memory."""


_Row = tuple[int, int, int, int, int, str]
"""A packet in the table: number, rank, form, depth, number of URLs done, paths."""


@dataclass(slots=True, eq=False)
class QueuedUrl:
    """A URL waiting to be fetched: number ``at`` of a packet, or a retry."""

    id: int
    host: int
    template: int
    rank: int
    form: int
    depth: int
    path: str
    at: int = 0
    last: bool = False
    tries: int = 0
    is_settled: bool = False
    """Whether it has left the queue, for good or for a retry."""
    leads: Sequence[str] = ()
    """Links of its page, once it was read."""

    @property
    def kind(self) -> int:
        """Page, sitemap or feed."""
        return self.form >> 1

    def url(self, host: str) -> str:
        """The URL, from the name of its host."""
        return f"{'https' if self.form & 1 else 'http'}://{host}{self.path}"


class Frontier:
    """The queue of each host and template, and the retries."""

    def __init__(self, state: CrawlDatabase, latest: float = math.inf) -> None:
        """``latest`` is the latest time at which a retry can be due; a later one was written by a wrong clock."""
        self._state = state
        self._db = state.db
        self._seen_urls = SeenUrls(state.directory, state.db)
        self._arrivals = Arrivals(state.db)
        self._backlog = Backlog(state.directory, state.db)
        self._next_id = 1 + int(state.get("last_id") or 0)
        self._heads: dict[int, deque[QueuedUrl]] = {}
        self._retries: dict[int, list[tuple[float, int, QueuedUrl]]] = {}
        rows = self._db.execute("SELECT id, host, template, form, depth, path, tries, due FROM retry")
        for number, host, template, form, depth, path, tries, due_time in rows:
            self._push(QueuedUrl(number, host, template, -1, form, depth, path, tries=tries), min(due_time, latest))

    def __len__(self) -> int:
        """Number of all URLs ever met."""
        return len(self._seen_urls)

    def add_batch(self, urls: Iterable[str], assign: Callable[[str], QueueSlot | None]) -> list[QueueSlot]:
        """Queue the URLs not met before; ``assign`` returns their slots, None to refuse a URL."""
        keys = url_keys(urls)
        new = [
            (slot, url) for url in map(keys.__getitem__, self._seen_urls.add(keys)) if (slot := assign(url)) is not None
        ]
        self._put(new)
        return [slot for slot, _ in new]

    def put(self, url: str, slot: QueueSlot) -> None:
        """Queue a URL again that was done before."""
        self._put([(slot, url)])

    def _put(self, new: list[tuple[QueueSlot, str]]) -> None:
        self._next_id = self._arrivals.add(new, self._next_id)
        for slot in dict(new) if self._heads else ():
            head = self._heads.get(slot.host)
            if head and head[0].template == slot.template and head[-1].rank > slot.rank:
                del self._heads[slot.host]

    def peek(self, host: int, template: int) -> QueuedUrl | None:
        """The first URL of a host's template, without handing it out."""
        head = self._heads.get(host)
        if not head or head[0].template != template:
            head = deque()
            for number, rank, form, depth, done_count, paths in self._first_packets(host, template):
                paths_left = paths.split("\n")
                last = len(paths_left) - 1
                for at in range(done_count, last + 1):
                    head.append(QueuedUrl(number, host, template, rank, form, depth, paths_left[at], at, at == last))
            if not head:
                return None
            if len(self._heads) >= _HEADS:
                del self._heads[next(iter(self._heads))]
            self._heads[host] = head
        return head[0]

    def _first_packets(self, host: int, template: int) -> list[_Row]:
        """The first packets of a host's template; one from arrivals or a run is moved into the table."""
        rows: list[_Row] = self._db.execute(
            "SELECT id, rank, form, depth, done, paths FROM queue"
            " WHERE host = ? AND template = ? ORDER BY rank, id LIMIT ?",
            (host, template, _AT_ONCE),
        ).fetchall()
        candidates = [
            (first, source) for source in self._sources() if (first := source.first(host, template)) is not None
        ]
        if not candidates:
            return rows
        first, source = min(candidates, key=lambda one: one[0])
        if rows and (rows[0][1], rows[0][0]) < first:
            return rows[:1]
        packet = (
            source.take(host, template) if isinstance(source, Arrivals) else self._backlog.take(source, host, template)
        )
        return [self._draw(packet)]

    def _sources(self) -> list[Arrivals | QueueRun]:
        """Where packets wait before they enter the table."""
        return [self._arrivals, *self._backlog.runs]

    def _draw(self, packet: Packet) -> _Row:
        slot, paths = packet.slot, "\n".join(packet.paths)
        row = (slot.host, slot.template, slot.rank, packet.id, packet.form, slot.depth, 0, paths)
        self._db.execute("INSERT INTO queue VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return packet.id, slot.rank, packet.form, slot.depth, 0, paths

    def pop(self, host: int, template: int) -> QueuedUrl | None:
        """Hand out the first URL of a host's template; the host's earlier ones must be done or let go."""
        entry = self.peek(host, template)
        if entry is not None:
            head = self._heads[host]
            head.popleft()
            if not head:
                del self._heads[host]
        return entry

    def let_go(self, entry: QueuedUrl, now: float) -> None:
        """Take back a URL that was handed out."""
        self._heads.pop(entry.host, None)
        if entry.tries:
            self._push(entry, now)

    def done_batch(self, entries: Iterable[QueuedUrl]) -> None:
        """Remove URLs from the queue; those of one packet in the order in which they were handed out."""
        for entry in entries:
            where = (entry.host, entry.template, entry.rank, entry.id)
            if entry.tries:
                self._db.execute("DELETE FROM retry WHERE id = ?", (entry.id,))
            elif entry.last:
                self._db.execute(f"DELETE FROM queue {_WHERE}", where)
            else:
                self._db.execute(f"UPDATE queue SET done = ? {_WHERE}", (entry.at + 1, *where))

    def put_off(self, entry: QueuedUrl, due_time: float) -> None:
        """Move a URL to the retries, due at a time."""
        self.done_batch([entry])
        again = replace(entry, id=self._next_id, rank=-1, tries=entry.tries + 1)
        self._next_id += 1
        row = (again.id, again.host, again.template, again.form, again.depth, again.path, again.tries, due_time)
        self._db.execute("INSERT INTO retry VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        self._push(again, due_time)

    def waiting_urls(self, host: int) -> Iterator[tuple[int, str]]:
        """Form and path of every URL in the queues of a host."""
        rows = self._db.execute("SELECT form, done, paths FROM queue WHERE host = ?", (host,)).fetchall()
        for form, done_count, paths in rows:
            for path in paths.split("\n")[done_count:]:
                yield form, path
        for source in self._sources():
            yield from source.of(host)

    def drop(self, host: int) -> None:
        """Empty the queues of a host."""
        self._db.execute("DELETE FROM queue WHERE host = ?", (host,))
        self._arrivals.drop(host)
        self._backlog.drop(host)
        self._heads.pop(host, None)

    def pop_due(self, host: int, now: float) -> QueuedUrl | None:
        """A retry of the host that is due."""
        retries = self._retries.get(host)
        if not retries or retries[0][0] > now:
            return None
        entry = heapq.heappop(retries)[2]
        if not retries:
            del self._retries[host]
        return entry

    def next_due(self, host: int) -> float | None:
        """When the host's next retry is due; None if there is none."""
        retries = self._retries.get(host)
        return retries[0][0] if retries else None

    @property
    def put_off_count(self) -> int:
        """Number of retries."""
        return sum(map(len, self._retries.values()))

    def hosts(self) -> Iterator[int]:
        """Hosts with retries; the lengths of the queues are saved with hosts and templates."""
        return iter(list(self._retries))

    def commit(self) -> None:
        """Commit all changes, together with everything else written to the database."""
        self._seen_urls.save()
        if self._arrivals.count >= POUR:
            self._backlog.receive(self._arrivals.pour())
        self._arrivals.save()
        self._state.put("last_id", str(self._next_id - 1))
        self._state.commit()
        self._seen_urls.remove_garbage()
        self._backlog.remove_garbage()

    def close(self) -> None:
        """Close the files."""
        self._backlog.close()

    def _push(self, entry: QueuedUrl, due_time: float) -> None:
        heapq.heappush(self._retries.setdefault(entry.host, []), (due_time, entry.id, entry))
