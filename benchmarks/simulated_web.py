"""A web on loopback with ground truth: hosts of many kinds and of Zipf's sizes, good text, junk, copies and traps.

    python benchmarks/simulated_web.py --seed 1 --hosts 120 --pages 6000 --log requests.jsonl
    python benchmarks/simulated_web.py --web second …        another one, see second_web.py

serves it until killed and prints one line of JSON: port, seeds and addresses. A host is its address (127.65.x.y), so
that any crawler can be let loose on it without a name server. Every page is made when it is asked for, from the seed
and its address alone.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import hashlib
import json
import random
import re
import sys
import time
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

from paberki.demo.pool import pool
from paberki.demo.prose import Writer

_LABELS = {"foreign": "other language", "mixed": "other language", "farm": "spam", "trap": "trap host"}
COLOURS, SIZES, SORTS = ("crvena", "plava", "zelena", "bijela"), ("s", "m", "l", "xl"), ("cijena", "naziv", "novo")


@dataclass
class Site:
    """One host."""

    name: str
    kind: str
    size: int
    language: str = "hr"
    copy_of: Site | None = None
    trap: str = ""
    neighbours: list[str] = field(default_factory=list)
    first: int = 0
    """Size on the first day: older pages do not link to newer ones."""


@dataclass(frozen=True)
class Page:
    """An answer, and what is true of it."""

    body: bytes
    good: bool = False
    trap: bool = False
    status: int = 200
    location: str = ""
    label: str = ""
    """What it is, where it is neither wanted nor part of a trap."""
    address: str = ""
    """The address at which the same page counts, if this is another one."""
    type: str = "text/html; charset=utf-8"


class SimulatedWeb:
    """All hosts and their pages."""

    language = "hr"
    foreign = ("de", "en", "cs", "sl")
    zipf = 0.8
    seed_hosts = 8
    texts = 400
    """How many different texts there are; the more, the slower the server."""
    kinds: ClassVar[dict[str, tuple[float, float]]] = {
        "news": (0.14, 3.0), "blog": (0.18, 1.0), "institution": (0.12, 1.0), "forum": (0.08, 1.5), "shop": (0.12, 1.5),
        "foreign": (0.16, 1.5), "mixed": (0.06, 1.0), "farm": (0.06, 0.7), "mirror": (0.03, 1.0), "trap": (0.05, 0.3),
    }  # fmt: skip
    """Share of hosts of each kind, and how their sizes compare."""
    changes: ClassVar[dict[str, float]] = {"news": 0.12, "forum": 0.3, "shop": 0.05, "mixed": 0.02}
    """Share of pages that are changed on the second day."""
    grows: ClassVar[dict[str, float]] = {"news": 0.06, "blog": 0.03, "forum": 0.05}
    """Share of new ones."""
    entrances: ClassVar[dict[str, str]] = {
        "calendar": "/events?month=2024-05", "counter": "/item?n=1", "path": "/tree/a/", "session": "/s?id=1",
        "soft404": "/stari/link-1", "facets": "/katalog?boja=plava",
    }  # fmt: skip
    """Kinds of endless regions, and where they begin."""
    beside: ClassVar[dict[str, str]] = {"institution": "calendar", "shop": "facets", "blog": "soft404"}
    """Endless regions of half of the hosts of a kind."""

    has_names = False
    """Whether hosts have names, which need a hosts file; else they are addresses."""

    def __init__(self, seed: int, hosts: int, pages: int, port: int = 0, kilobytes: int = 6, day: int = 0) -> None:
        self.seed, self.port, self.kilobytes, self.day = seed, port, kilobytes, day
        pick = random.Random(seed)
        names = self._host_names(hosts)
        self.place = {name: number for number, name in enumerate(names, 1)}
        kinds = [kind for kind, (share, _) in self.kinds.items() for _ in range(max(1, round(share * hosts)))]
        kinds = (kinds + ["blog"] * hosts)[:hosts]
        pick.shuffle(kinds)
        weights = [self.kinds[kind][1] / (rank + 1) ** self.zipf for rank, kind in enumerate(kinds)]
        sites = [
            Site(n, k, max(3, round(pages * w / sum(weights))), self.language)
            for n, k, w in zip(names, kinds, weights, strict=True)
        ]
        self.sites = {site.name: site for site in sites}
        originals = [site for site in sites if site.kind in ("news", "blog")]
        for number, site in enumerate(sites):
            if site.kind == "foreign":
                site.language = pick.choice(self.foreign)
            elif site.kind == "mirror":
                site.copy_of = pick.choice(originals)
                site.size = site.copy_of.size
            elif site.kind == "trap":
                site.trap = list(self.entrances)[number % len(self.entrances)]
            elif site.kind in self.beside and pick.random() < 0.5:
                site.trap = self.beside[site.kind]
            site.neighbours = self._neighbours(number, sites, weights, pick)
        self.seeds = [site.name for site in originals[: self.seed_hosts]]
        for site in sites:
            site.first = site.size
            if day:
                site.size += round(site.size * self.grows.get(site.kind, 0.0))

    def _host_names(self, count: int) -> list[str]:
        return [f"127.65.{i // 200}.{i % 200 + 1}" for i in range(count)]

    def _neighbours(self, at: int, sites: list[Site], weights: list[float], pick: random.Random) -> list[str]:
        """Hosts that the one at this place links to."""
        if sites[at].kind == "farm":
            return pick.choices([site.name for site in sites if site.kind == "farm"], k=8)
        return pick.choices([site.name for site in sites], weights, k=12)

    def wait(self, host: str) -> float:
        """Seconds that a host takes to answer."""
        return 0.0

    def url(self, host: str, path: str) -> str:
        return f"http://{host}:{self.port}{path}"

    # -- what is on a host ------------------------------------------------------------------------------------

    def page(self, host: str, target: str) -> Page:
        """The answer to a request."""
        site = self.sites.get(host)
        if site is None:
            return Page(b"no such host", status=404)
        if target == "/robots.txt":
            return Page(b"User-agent: *\nDisallow: /private/\n")
        path, _, query = target.partition("?")
        values = dict(part.partition("=")[::2] for part in query.split("&") if part)
        trapped = self._trap(site, path, values)
        if trapped is not None:
            return trapped
        real = site.copy_of or site
        if path == "/":
            return self._list(site, 0)
        number = self._list_number(path, values)
        if number is not None:
            return self._list(site, number) if number <= (site.size - 1) // 20 else Page(b"gone", status=404)
        number = self._number(site, path, values)
        if number is None or not 0 <= number < site.size:
            return Page(b"<html><body>404</body></html>", status=404)
        return self._article(site, real, number)

    def _list_number(self, path: str, values: dict[str, str]) -> int | None:
        match = re.fullmatch(r"/page/(\d+)/", path)
        return int(match[1]) if match else None

    def list_path(self, number: int) -> str:
        """Address of the numbered list of a host's pages."""
        return f"/page/{number}/"

    def _number(self, site: Site, path: str, values: dict[str, str]) -> int | None:
        if site.kind == "forum":
            number = values.get("t", "") if path == "/viewtopic.php" else ""
        elif site.kind == "shop":
            number = path.removeprefix("/p/") if path.startswith("/p/") else ""
        else:
            number = path.rpartition("-")[2].removesuffix(".html") if path.endswith(".html") else ""
        return int(number) if number.isdecimal() else None

    def path(self, site: Site, number: int) -> str:
        """Address of the numbered page of a host."""
        if site.kind == "forum":
            return f"/viewtopic.php?f={number % 7}&t={number}"
        if site.kind == "shop":
            return f"/p/{number}"
        section = ("vijesti", "kultura", "sport", "grad")[number % 4]
        return f"/{section}/{2015 + number % 10}/lijepa-vijest-broj-{number}.html"

    def is_good(self, site: Site, number: int) -> bool:
        """Whether the numbered page is good text in the language of the crawl, and no copy."""
        if site.kind in ("foreign", "farm", "mirror", "trap"):
            return False
        if site.kind == "shop":
            return number % 5 == 0
        if site.kind == "mixed":
            return number % 2 == 0
        return True

    def changed(self, site: Site, number: int) -> bool:
        """Whether the numbered page is another one on the second day than on the first."""
        return random.Random(f"change {self.seed} {site.name} {number}").random() < self.changes.get(site.kind, 0.0)

    def _article(self, site: Site, real: Site, number: int) -> Page:
        pick = random.Random(f"{self.seed} {real.name} {number}")
        if self.day and self.changed(real, number):
            pick = random.Random(f"{self.seed} {real.name} {number} another day")
        language = "en" if real.kind == "mixed" and number % 2 else real.language
        if real.kind == "farm":
            text = f"<p>{_salad(language, pick.randrange(30))}</p>"
        elif real.kind == "shop" and number % 5:
            text = f"<p>Artikl {number}, cijena {pick.randrange(5, 900)},00 kn. Dostupno.</p>"
        else:
            text = text_of(language, self.seed * 1000 + pick.randrange(self.texts), self.kilobytes)
        text += f"<p>Broj {number} od {pick.randrange(10**9)}.</p>" if real.kind != "mirror" else ""
        links = [self.path(site, pick.randrange(site.first)) for _ in range(5)]
        links += [self.path(site, (number + 1) % site.first)]
        links += self._article_links(site, number, pick)
        return Page(
            self._html(site, f"Članak {number}", text, links),
            good=self.is_good(site, number),
            label="copy" if real is not site else _LABELS.get(real.kind, "thin"),
        )

    def _article_links(self, site: Site, number: int, pick: random.Random) -> list[str]:
        """Where an article leads outside its host."""
        return [self.url(name, "/") for name in pick.sample(site.neighbours, 2)]

    def _home_links(self, site: Site) -> list[str]:
        return [self.url(name, "/") for name in site.neighbours]

    def _list(self, site: Site, number: int) -> Page:
        items = [self.path(site, n) for n in range(number * 20, min(site.size, number * 20 + 20))]
        if (number + 1) * 20 < site.size:
            items.append(self.list_path(number + 1))
        items += self._home_links(site) if not number else ["/private/x"]
        return Page(self._html(site, f"Popis {number}", "", items), label="list" if number else "front")

    def _html(self, site: Site, title: str, text: str, links: list[str]) -> bytes:
        entrance = self.entrances.get(site.trap)
        menu = ["/", self.list_path(1) if site.size > 20 else "/", *([entrance] if entrance else [])]
        nav = "".join(f"<li><a href='{link}'>Izbornik {i}</a></li>" for i, link in enumerate(menu))
        items = "".join(f"<li><a href='{link}'>Poveznica {i}</a></li>" for i, link in enumerate(links))
        return (
            f"<!doctype html><html lang={site.language}><head><meta charset=utf-8><title>{title}</title></head><body>"
            f"<ul class=nav>{nav}</ul><h1>{title}</h1><div class=main>{text}</div><ul>{items}</ul>"
            f"<div id=footer>© 2026 {site.name}</div></body></html>"
        ).encode()

    def lists(self, site: Site) -> int:
        """Number of pages that lists take on a host."""
        return 1 + (site.size - 1) // 20

    # -- endless regions --------------------------------------------------------------------------------------

    def _trap(self, site: Site, path: str, values: dict[str, str]) -> Page | None:
        """A page of the host's endless region; None outside it."""
        links: list[str] = []
        text = ""
        if site.trap == "calendar" and path == "/events":
            month = values.get("month", "2024-01")
            at = int(month[:4]) * 12 + int(month[5:7]) - 1 if re.fullmatch(r"\d{4}-\d\d", month[:7]) else 24000
            links = [f"/events?month={m // 12:04}-{m % 12 + 1:02}" for m in (at - 1, at + 1)]
            links += [f"/events?month={month[:7]}&day={day}" for day in range(1, 29, 9)]
            text = "<p>Nema događaja.</p>"
        elif site.trap == "counter" and path == "/item":
            number = int(values["n"]) if values.get("n", "").isdecimal() else 0
            links = [f"/item?n={number + step}" for step in (1, 2, 3)]
            text = f"<p>Stavka {number}</p>" + text_of("hr", 7, 2)
        elif site.trap == "path" and path.startswith("/tree/"):
            links = [f"{path}{name}/" for name in ("a", "b", "c")]
            text = text_of("hr", 8, 2)
        elif site.trap == "session" and path == "/s":
            pick = random.Random(f"{path}{values}")
            links = [f"/s?id={n % 5}&token={pick.randrange(10**12)}" for n in range(4)]
            text = text_of("hr", 9, 2)
        elif site.trap == "soft404" and path.startswith("/stari/"):
            pick = random.Random(path)
            links = [f"/stari/link-{pick.randrange(10**9)}" for _ in range(5)]
            text = "<p>Stranica nije pronađena. Pogledajte naslovnicu ili pokušajte ponovno kasnije.</p>"
        elif site.trap == "facets" and path == "/katalog":
            for key, choices in (("boja", COLOURS), ("vel", SIZES), ("red", SORTS), ("str", ("2", "3", "4"))):
                for choice in choices:
                    facets = {**values, key: choice}
                    links.append("/katalog?" + "&".join(f"{k}={v}" for k, v in sorted(facets.items())))
            links += [self.path(site, n) for n in range(min(site.size, 5))]
        else:
            return None
        return Page(self._html(site, "Stranica", text, links), trap=True)

    def reached(self) -> set[str]:
        """Hosts that links lead to from the seeds."""
        hosts, queue = set(self.seeds), list(self.seeds)
        while queue:
            following = set(self.sites[queue.pop()].neighbours) - hosts
            hosts |= following
            queue += following
        return hosts

    def truth(self) -> dict[str, bool]:
        """Every finite page that links lead to by URL, and whether it is wanted."""
        reached = self.reached()
        return {
            self.url(site.name, self.path(site, number)): self.is_good(site, number)
            for site in self.sites.values()
            if site.name in reached
            for number in range(site.size)
        }


@lru_cache(maxsize=2000)
def text_of(language: str, number: int, kilobytes: int) -> str:
    words = pool(language)
    writer = Writer(words, str(number))
    topic = writer.rng.choice(words.subjects)
    parts: list[str] = []
    size = 0
    while size < kilobytes * 1000 * 0.6:
        parts += [f"<p class=text>{block.text}</p>" for block in writer.article(topic, 6)]
        size = sum(map(len, parts))
    return "\n".join(parts)


@lru_cache(maxsize=200)
def _salad(language: str, number: int) -> str:
    return Writer(pool(language), f"salad {number}").salad(400)


class _Connection(asyncio.Protocol):
    """HTTP/1.1 as simple as it gets: requests without bodies, answers from the web's pages."""

    def __init__(
        self, web: SimulatedWeb, log: list[tuple[float, str, str, int, bool]], cache: dict[str, bytes]
    ) -> None:
        self._web, self._log, self._cache = web, log, cache
        self._data = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._address = transport.get_extra_info("sockname")[0]

    def data_received(self, data: bytes) -> None:
        self._data += data
        while b"\r\n\r\n" in self._data:
            head, _, self._data = self._data.partition(b"\r\n\r\n")
            etag = re.search(rb"(?i)if-none-match: *([^\r\n]+)", head)
            name = re.search(rb"(?i)\r\nhost: *([^\r\n:]+)", head)
            self._host = name[1].decode() if self._web.has_names and name else self._address
            self._answer(head.split(b" ", 2)[1].decode(), b"gzip" in head, etag[1] if etag else b"")

    def _answer(self, target: str, gzipped: bool, etag: bytes) -> None:
        key = f"{self._host} {target} {gzipped}"
        answer = self._cache.get(key)
        if answer is None:
            page = self._web.page(self._host, target)
            kind = "text/plain" if target == "/robots.txt" else page.type
            body = gzip.compress(page.body, 6) if gzipped else page.body
            tag = hashlib.md5(page.body).hexdigest()
            head = (
                f'HTTP/1.1 {page.status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nETag: "{tag}"\r\n'
            )
            head += "Content-Encoding: gzip\r\n" if gzipped else ""
            head += f"Location: {page.location}\r\n" if page.location else ""
            answer = (head + "\r\n").encode() + body
            if len(self._cache) < 20_000:
                self._cache[key] = answer
        if etag and b"ETag: " + etag + b"\r\n" in answer[:300]:
            answer = b"HTTP/1.1 304 Not Modified\r\nETag: " + etag + b"\r\n\r\n"
        self._log.append((time.time(), self._host, target, int(answer[9:12]), bool(etag)))
        if seconds := self._web.wait(self._host):
            asyncio.get_running_loop().call_later(seconds, self._transport.write, answer)
        else:
            self._transport.write(answer)


async def serve(web: SimulatedWeb, log_path: str, port: int) -> None:
    """Serve on all of 127.0.0.0/8 until killed; the log is written every half second."""
    loop = asyncio.get_running_loop()
    log: list[tuple[float, str, str, int, bool]] = []
    cache: dict[str, bytes] = {}
    server = await loop.create_server(lambda: _Connection(web, log, cache), "0.0.0.0", port)
    web.port = server.sockets[0].getsockname()[1]
    print(json.dumps({"port": web.port, "seeds": [web.url(name, "/") for name in web.seeds]}), flush=True)
    with open(log_path, "a") as file:
        while True:
            await asyncio.sleep(0.5)
            lines, log[:] = list(log), []
            file.writelines(json.dumps(line) + "\n" for line in lines)
            file.flush()


def web_named(name: str) -> type[SimulatedWeb]:
    """One of the simulated webs."""
    return webs()[name]


def webs() -> dict[str, type[SimulatedWeb]]:
    """All simulated webs by name."""
    from other_webs import WEBS
    from second_web import SecondWeb
    from stranger_webs import STRANGERS

    return {"first": SimulatedWeb, "second": SecondWeb, **WEBS, **STRANGERS}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--hosts", type=int, default=120)
    options.add_argument("--pages", type=int, default=6000)
    options.add_argument("--kilobytes", type=int, default=6)
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--day", type=int, default=0, help="1: some pages have changed, and there are new ones")
    options.add_argument("--log", default="/dev/null")
    options.add_argument("--web", default="first", help="first, second, or one of other_webs.py or stranger_webs.py")
    arguments = options.parse_args()
    web = web_named(arguments.web)(
        arguments.seed, arguments.hosts, arguments.pages, kilobytes=arguments.kilobytes, day=arguments.day
    )
    try:
        asyncio.run(serve(web, arguments.log, arguments.port))
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
