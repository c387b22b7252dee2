"""Random walks over the web, as in ClaraX, to avoid the bias of breadth-first crawls towards few hosts (P5 §2).

A walk goes from a page to a random link that no walk has visited. With a given probability it jumps to a random page of
a random known host instead. Where no link leads on, it goes back along its path to the last page with other links, or
jumps. There are as many walks as hosts to start from, up to ``concurrency``. Each line of ``walk.jsonl`` is one step:

    {"step": 17, "walk": 2, "move": "link", "url": …, "from": …, "status": 200, "links": 34, "time": …}

``move`` is ``link``, ``jump`` (by chance, for lack of links, or as the first step) or ``backtrack`` (to another link of
an earlier page, which ``from`` names). ``status`` is 0 if there was no answer.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.frontier.frontier import PAGE, Frontier, QueuedUrl, QueueSlot
from paberki.crawl.frontier.host_records import HostRecord, HostRecords
from paberki.crawl.stats import CrawlStats
from paberki.crawl.steering.strategy import SampleStrategy
from paberki.crawl.steering.template_yields import STEPS
from paberki.web.urls import host_of, looks_binary, url_key

LOG = "walk.jsonl"
_PATH = 100
"""Pages of its path that a walk can go back to."""
_LINKS = 500
"""Links of a page that a walk chooses from."""
_DRAWS = 50
"""Hosts drawn at random for a jump before all hosts are tried in order."""


@dataclass(slots=True)
class _Walk:
    number: int
    path: deque[tuple[str, list[str]]] = field(default_factory=lambda: deque(maxlen=_PATH))
    """Pages that it visited, each with its links."""
    move: str = "jump"
    origin: str | None = None


class WalkStrategy(SampleStrategy):
    """Chooses the pages that walks go to next."""

    def __init__(
        self,
        config: CrawlConfig,
        frontier: Frontier,
        hosts: HostRecords,
        stats: CrawlStats,
        folder: Path,
        stored_keys: Iterable[int],
    ) -> None:
        super().__init__(frontier, hosts, config.seed)
        self._config, self._stats, self._log = config, stats, folder / LOG
        self._walks: list[_Walk] = []
        self._idle: list[_Walk] = []
        self._bound_walks: dict[int, deque[_Walk]] = {}
        """Walks on their way to a host."""
        self._closed_hosts: set[int] = set()
        self._visited_keys = set(stored_keys)
        self._lines: list[str] = []
        self._steps = self._resume()
        self.wake: Callable[[HostRecord], None] = lambda _: None
        """Function that tells the schedule that a host has something to fetch."""

    def _resume(self) -> int:
        """Read the log of earlier runs, whose last line may be cut; return the number of steps."""
        if not self._log.exists():
            return 0
        whole = [line for line in self._log.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
        for line in whole:
            with suppress(ValueError, KeyError, TypeError, AttributeError):
                self._visited_keys.add(url_key(json.loads(line)["url"]))
        with self._log.open("r+b") as file:
            file.truncate(sum(map(len, whole)))
        return len(whole)

    def rank(self, host: HostRecord) -> float | None:
        return self._random.random() if host.waiting_urls and self._bound_walks.get(host.id) else None

    def choose(self, host: HostRecord) -> QueuedUrl | None:
        walks = self._bound_walks.get(host.id)
        if not walks:
            return None
        entry = None
        if walks[0].move != "jump":
            entry = self._frontier.pop(host.id, self._hosts.templates(host).by_name(STEPS).id)
        entry = entry or super().choose(host)
        if entry is None:
            self._idle.append(walks.popleft())
        return entry

    def passes(self, entry: QueuedUrl, url: str) -> bool:
        return not entry.tries and url_key(url) in self._visited_keys

    def note_arrival(self, host: HostRecord, url: str, status: int, links: Iterable[str], now: float) -> None:
        self._visited_keys.add(url_key(url))
        walks = self._bound_walks.get(host.id)
        if walks:
            walk = walks.popleft()
            page_links = list(links)[:_LINKS]
            self._note(walk, url, status, len(page_links), now)
            walk.path.append((url, page_links))
            self._go_on(walk)
        self._start()

    def revive(self) -> bool:
        if not self._walks:
            walk_count = min(self._config.concurrency, max(1, len(self._hosts)))
            self._walks = [_Walk(number) for number in range(1, walk_count + 1)]
            self._idle = list(self._walks)
        # A host that walks wait for and that is never handed out is closed for some other reason.
        for number, walks in self._bound_walks.items():
            if walks:
                self._closed_hosts.add(number)
                self._idle += walks
        self._bound_walks.clear()
        return self._start()

    def _start(self) -> bool:
        """Let idle walks jump; return whether one does."""
        idle_walks, self._idle = self._idle, []
        return sum(self._jump(walk) for walk in idle_walks) > 0

    def _open(self, host: HostRecord) -> bool:
        return (
            host.waiting_urls > 0 and host.refusal is None and not host.given_up and host.id not in self._closed_hosts
        )

    def write(self) -> None:
        """Append the steps since the last call to the log."""
        if self._lines:
            with self._log.open("a", encoding="utf-8") as file:
                file.writelines(self._lines)
            self._lines.clear()

    def _go_on(self, walk: _Walk) -> None:
        """Choose the next step of a walk."""
        if self._random.random() < self._config.walk_jump:
            self._jump(walk)
            return
        move = "link"
        while walk.path:
            origin, links = walk.path[-1]
            if (following := self._draw(links)) is not None:
                walk.move, walk.origin = move, origin
                self._bind(walk, following)
                return
            if not self._config.walk_backtrack:
                break
            walk.path.pop()
            move = "backtrack"
        self._jump(walk)

    def _draw(self, links: list[str]) -> str | None:
        """A random link that may be followed; rejected links are removed from the list."""
        while links:
            at = self._random.randrange(len(links))
            links[at], links[-1] = links[-1], links[at]
            url = links.pop()
            name = host_of(url)
            if name not in self._hosts or looks_binary(url) or url_key(url) in self._visited_keys:
                continue
            host = self._hosts[name]
            if self._open(host):
                return url
        return None

    def _bind(self, walk: _Walk, url: str) -> None:
        """Queue a page a second time, ahead of others; the later of the two entries is skipped."""
        host = self._hosts[host_of(url)]
        templates = self._hosts.templates(host)
        steps = templates.by_name(STEPS)
        templates.wait(steps, 1)
        host.waiting_urls += 1
        self._stats.queued += 1
        self._hosts.touch(host)
        self._frontier.put(url, QueueSlot(host.id, steps.id, 0, 1, PAGE))
        self._bound_walks.setdefault(host.id, deque()).append(walk)
        self.wake(host)

    def _jump(self, walk: _Walk) -> bool:
        walk.move, walk.origin = "jump", None
        walk.path.clear()
        hosts = list(self._hosts)
        for host in (*self._random.choices(hosts, k=_DRAWS), *hosts) if hosts else ():
            if self._open(host):
                self._bound_walks.setdefault(host.id, deque()).append(walk)
                self.wake(host)
                return True
        self._idle.append(walk)
        return False

    def _note(self, walk: _Walk, url: str, status: int, links: int, now: float) -> None:
        self._steps += 1
        step = {"step": self._steps, "walk": walk.number, "move": walk.move, "url": url, "from": walk.origin}
        self._lines.append(json.dumps({**step, "status": status, "links": links, "time": round(now, 3)}) + "\n")
