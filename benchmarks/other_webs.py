"""More webs on loopback, each unlike the others in one respect that decides what a crawl with few requests reaches.

python benchmarks/crawl.py harvest --web late        hosts are found late, through links deep in others
python benchmarks/crawl.py harvest --web small       many small hosts in German, little to choose between them
python benchmarks/crawl.py harvest --web large       a few large ones, most of them good
python benchmarks/crawl.py harvest --web slow        every third host takes its time, or asks for it
python benchmarks/crawl.py recrawl --web quiet       hardly anything changes, and where it does nothing says so
python benchmarks/crawl.py coverage --web twins      the same page under several addresses
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import ClassVar

from simulated_web import Page, SimulatedWeb, Site


class LateWeb(SimulatedWeb):
    """Links to other hosts are rare and on articles alone; every host knows three others, whatever their size."""

    zipf = 0.9
    seed_hosts = 3

    def _neighbours(self, at: int, sites: list[Site], weights: list[float], pick: random.Random) -> list[str]:
        steps = (1, pick.randrange(2, 9), pick.randrange(len(sites)))
        return [sites[(at + step) % len(sites)].name for step in steps]

    def _home_links(self, site: Site) -> list[str]:
        return []

    def _article_links(self, site: Site, number: int, pick: random.Random) -> list[str]:
        return [self.url(pick.choice(site.neighbours), "/")] if number % 3 == 0 else []


class SmallWeb(SimulatedWeb):
    """Many small hosts, wired at random."""

    language = "de"
    foreign = ("sl", "hr", "en", "cs")
    zipf = 0.25
    kinds: ClassVar[dict[str, tuple[float, float]]] = {
        "news": (0.05, 3.0), "blog": (0.35, 1.0), "institution": (0.15, 1.0), "forum": (0.05, 1.5), "shop": (0.12, 1.5),
        "foreign": (0.16, 1.5), "mixed": (0.04, 1.0), "farm": (0.02, 0.7), "mirror": (0.02, 1.0), "trap": (0.04, 0.3),
    }  # fmt: skip

    def _neighbours(self, at: int, sites: list[Site], weights: list[float], pick: random.Random) -> list[str]:
        return pick.choices([site.name for site in sites], k=4)


class LargeWeb(SimulatedWeb):
    """Few hosts, most of them large and good."""

    language = "sl"
    foreign = ("hr", "de", "en", "cs")
    zipf = 0.4
    kinds: ClassVar[dict[str, tuple[float, float]]] = {
        "news": (0.35, 3.0), "blog": (0.1, 1.0), "institution": (0.15, 1.0), "forum": (0.1, 1.5), "shop": (0.1, 1.5),
        "foreign": (0.1, 1.0), "mixed": (0.04, 1.0), "farm": (0.03, 0.7), "trap": (0.03, 0.3),
    }  # fmt: skip


class SlowWeb(SimulatedWeb):
    """Every third host answers after half a second or more, or asks for a gap of seconds."""

    def wait(self, host: str) -> float:
        number = int(host.rpartition(".")[2])
        return 0.4 + 0.1 * (number % 7) if number % 6 == 0 else 0.0

    def page(self, host: str, target: str) -> Page:
        number = int(host.rpartition(".")[2])
        if target == "/robots.txt" and number % 6 == 3:
            return Page(f"User-agent: *\nDisallow: /private/\nCrawl-delay: {1 + number % 4}\n".encode())
        return super().page(host, target)


class QuietWeb(SimulatedWeb):
    """One page in forty changes, on any kind of host, and the servers know no ETag."""

    changes: ClassVar[dict[str, float]] = dict.fromkeys(
        ("news", "blog", "institution", "forum", "shop", "mixed"), 0.025
    )
    grows: ClassVar[dict[str, float]] = {}


class TwinWeb(SimulatedWeb):
    """Articles of half of the hosts are at two or three addresses: print views, trailing slashes, www-like paths."""

    def _article_links(self, site: Site, number: int, pick: random.Random) -> list[str]:
        links = super()._article_links(site, number, pick)
        if int(site.name.rpartition(".")[2]) % 2:
            own = self.path(site, number)
            links += [f"{own}{'&' if '?' in own else '?'}print=1", f"{own}{'&' if '?' in own else '?'}ref=home"]
        return links

    def page(self, host: str, target: str) -> Page:
        own = target
        for twin in ("print=1", "ref=home"):
            own = own.removesuffix(f"?{twin}").removesuffix(f"&{twin}")
        page = super().page(host, own)
        return page if own == target else replace(page, address=own)


WEBS = {"late": LateWeb, "small": SmallWeb, "large": LargeWeb, "slow": SlowWeb, "quiet": QuietWeb, "twins": TwinWeb}
