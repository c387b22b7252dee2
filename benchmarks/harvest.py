"""Good pages per request on all simulated webs, beside Scrapy and beside an oracle.

    python benchmarks/harvest.py                        every web, with Scrapy if it is there
    python benchmarks/harvest.py forums tail --seed 2   some
    python benchmarks/harvest.py --kinds                what requests were spent on, too
    python benchmarks/harvest.py --peer-file peer.json  the peer's results are kept there and used again

The oracle knows which of the pages met so far are wanted, and must find them through links like any crawler: it first
takes a page of each host that has any, then wanted pages, then lists. The peer's harvest bounds
what can be reached: ``at most`` is the oracle's harvest in units of the peer's.
"""

from __future__ import annotations

import argparse
import heapq
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from crawl import outcome, paberki, quality, scrapy
from simulated_web import SimulatedWeb, web_named, webs

from paberki.crawl.reading.page_reading import read

HELD_OUT = ("small", "large", "slow", "tongues", "tail")
"""Webs on which nothing was tuned."""
SAME = ("quiet", "twins")
"""Webs that differ from the first in other respects than the harvest."""


class Oracle:
    """Crawls a web without sockets, knowing the truth about each address."""

    def __init__(self, web: SimulatedWeb) -> None:
        self.web = web
        self.log: list[tuple[str, str, int]] = []
        self._met: set[tuple[str, str]] = set()
        self._stored: set[tuple[str, str]] = set()
        self._hosts: set[str] = set()
        self._queue: list[tuple[float, int, str, str]] = []
        self._worth_it = {url.split("/")[2].partition(":")[0] for url, good in web.truth().items() if good}

    def run(self, budget: int) -> dict[str, Any]:
        """Spend the budget; returns what it brought."""
        for name in self.web.seeds:
            self._meet(name, "/")
        while self._queue and len(self.log) < budget:
            rank, number, host, path = heapq.heappop(self._queue)
            now = self._rank(host, path)
            if now != rank:
                heapq.heappush(self._queue, (now, number, host, path))
                continue
            self._fetch(host, path)
        return outcome(self.web, self.web.truth(), self.log)

    def _rank(self, host: str, path: str) -> float:
        page = self.web.page(host, path)
        if page.good and (host, page.address or path) not in self._stored:
            return 0.0 if host not in self._hosts else 1.0
        if page.trap or page.status >= 400 or page.label not in ("front", "list", "redirect", ""):
            return 9.0
        return 0.5 if host in self._worth_it and host not in self._hosts else 3.0

    def _fetch(self, host: str, path: str) -> None:
        page = self.web.page(host, path)
        self.log.append((host, path, page.status))
        if page.good:
            self._stored.add((host, page.address or path))
            self._hosts.add(host)
        base = self.web.url(host, path)
        links = read(page.body, url=base, content_type=page.type, languages=(), agent="").links
        for link in [*links, *([urljoin(base, page.location)] if page.location else [])]:
            name, _, rest = link.partition("://")[2].partition("/")
            self._meet(name.partition(":")[0], f"/{rest}")

    def _meet(self, host: str, path: str) -> None:
        if (host, path) not in self._met and host in self.web.sites and not path.startswith("/private/"):
            self._met.add((host, path))
            heapq.heappush(self._queue, (self._rank(host, path), len(self._met), host, path))


def peer(name: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """The peer's result, made once."""
    key = f"{name} {arguments.seed} {arguments.hosts} {arguments.pages} {arguments.share}"
    results = (
        json.loads(arguments.peer_file.read_text()) if arguments.peer_file and arguments.peer_file.exists() else {}
    )
    if key not in results:
        results[key] = quality(arguments.share, scrapy, arguments)
        if arguments.peer_file:
            arguments.peer_file.write_text(json.dumps(results))
    result: dict[str, Any] = results[key]
    return result


def main() -> None:
    """One line for each web."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("webs", nargs="*", default=[name for name in webs() if name not in SAME])
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--hosts", type=int, default=120)
    options.add_argument("--pages", type=int, default=6000)
    options.add_argument("--delay", type=float, default=0.05)
    options.add_argument("--share", type=float, default=0.35, help="requests for each page of the web")
    options.add_argument("--kinds", action="store_true")
    options.add_argument("--peer-file", type=Path)
    options.add_argument("--no-peer", dest="peer", action="store_false")
    arguments = options.parse_args()
    print(f"{'web':10}{'':10} hosts  harvest  × Scrapy  at most   Scrapy's hosts, harvest")
    for name in arguments.webs:
        arguments.web = name
        ours = quality(arguments.share, paberki, arguments)
        web = web_named(name)(arguments.seed, arguments.hosts, arguments.pages, port=80)
        best = Oracle(web).run(ours["budget"])
        line = (
            f"{name:10}{'held out' if name in HELD_OUT else '':10}{ours['host_coverage']:6.3f}  {ours['harvest']:7.3f}"
        )
        theirs = peer(name, arguments) if arguments.peer and find_spec("scrapy") else None
        if theirs is not None:
            line += f"  {ours['harvest'] / theirs['harvest']:8.2f}  {best['harvest'] / theirs['harvest']:7.2f}"
            line += f"   {theirs['host_coverage']:.3f}, {theirs['harvest']:.3f}"
        line += f"   stored twice {ours['stored_twice']:.3f}"
        print(line, flush=True)
        if arguments.kinds:
            print(
                "   paberki:",
                ours["kinds"],
                ours["fifths"],
                "\n   oracle:",
                best["kinds"],
                best["host_coverage"],
                flush=True,
            )


if __name__ == "__main__":
    main()
