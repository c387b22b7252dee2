"""The crawler beside Scrapy, on the same simulated web in the same run.

    python benchmarks/crawl.py                     everything, ten minutes or so
    python benchmarks/crawl.py speed               stored pages per CPU second, 17 kB and 75 kB pages
    python benchmarks/crawl.py coverage            wanted pages found with 1.25 times the requests needed, waste
    python benchmarks/crawl.py harvest             good pages per request with 0.35 times the requests needed
    python benchmarks/crawl.py recrawl             the same web a day later: how fresh, for how many requests
    python benchmarks/crawl.py … --seed 2 --no-peer
    python benchmarks/crawl.py … --web second      a web unlike the first, see second_web.py
    python benchmarks/harvest.py                   harvest on all webs, and what is possible on each

The peer needs: pip install scrapy warcio. Each line is printed as it comes; the last one is JSON.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from measure import Cost, measure
from simulated_web import SimulatedWeb, web_named

from paberki.archive.payload import payload
from paberki.archive.reading.warc import scan

HERE = Path(__file__).parent
FILES = ("/robots.txt", "/.well-known/tdmrep.json", "/ai.txt")


@contextmanager
def serving(web: SimulatedWeb, hosts: int, pages: int, log: Path, name: str = "first") -> Iterator[list[str]]:
    """Serve the web in a process of its own; gives the seeds."""
    command = [sys.executable, str(HERE / "simulated_web.py"), "--seed", str(web.seed), "--hosts", str(hosts),
               "--pages", str(pages), "--kilobytes", str(web.kilobytes), "--log", str(log), "--port", str(web.port),
               "--day", str(web.day), "--web", name]  # fmt: skip
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    ready = json.loads(server.stdout.readline())
    web.port = ready["port"]
    try:
        yield ready["seeds"]
        time.sleep(1)  # the log is written twice a second
    finally:
        server.terminate()
        server.wait()


def hosts_file(web: SimulatedWeb, folder: Path) -> list[str]:
    """The option that names a file of the web's host names, where it has any."""
    if not web.has_names:
        return []
    path = folder / "hosts.txt"
    path.write_text("".join(f"127.65.{n // 200}.{n % 200 + 1} {name}\n" for name, n in web.place.items()))
    return ["--hosts-file", str(path)]


def paberki(folder: Path, seeds: list[str], pages: int, delay: float, *options: str, lang: str = "hr") -> Cost:
    """Crawl with paberki."""
    corpus, seed_file = folder / "corpus", folder / "seeds.txt"
    seed_file.write_text("\n".join(seeds))
    command = [sys.executable, "-m", "paberki"]
    if not corpus.exists():
        measure([*command, "new", str(corpus), "--lang", lang, "--seeds", str(seed_file), "--everywhere", "--quiet"])
    return measure(
        [*command, "crawl", str(corpus), "--quiet", "--allow-network", "127.0.0.0/8", "--max-pages", str(pages),
         "--delay", str(delay), "--ip-delay", "0", "--user-agent", "paberki-bench/1.0", *options]
    )  # fmt: skip


def scrapy(folder: Path, seeds: list[str], pages: int, delay: float, *options: str, lang: str = "") -> Cost:
    """Crawl with Scrapy, which knows nothing of languages."""
    command = [sys.executable, str(HERE / "scrapy_peer.py"), str(folder), *seeds]
    return measure([*command, "--pages", str(pages), "--delay", str(delay), *options])


def requests(log: Path) -> list[tuple[str, str, int]]:
    """Page requests that the server answered."""
    lines = map(json.loads, log.read_text().splitlines())
    return [(host, path, status) for _, host, path, status, _ in lines if path not in FILES]


def speed(seed: int, peer: bool, pages: int) -> dict[str, Any]:
    """Pages per CPU second of the crawling process."""
    result: dict[str, Any] = {}
    for kilobytes in (17, 75):
        crawlers = {"paberki": paberki, "scrapy": scrapy} if peer else {"paberki": paberki}
        for name, crawl in crawlers.items():
            count = pages if name == "paberki" else pages // 3
            web = SimulatedWeb(seed, 200, 20_000, kilobytes=kilobytes)
            with tempfile.TemporaryDirectory(prefix="paberki-bench-") as place:
                folder = Path(place)
                with serving(web, 200, 20_000, folder / "log") as seeds:
                    cost = crawl(folder, seeds, count, 0.0)
                stored = len([1 for *_, status in requests(folder / "log") if status == 200])
            rate = stored / cost.cpu
            print(f"{kilobytes} kB, {name}: {rate:.0f} pages per CPU second, {cost.peak_mb} MB, {cost.wall:.0f} s")
            result[f"{name}_{kilobytes}"] = {"rate": rate, "peak_mb": cost.peak_mb}
        if peer:
            ratio = result[f"paberki_{kilobytes}"]["rate"] / result[f"scrapy_{kilobytes}"]["rate"]
            print(f"{kilobytes} kB: paberki is {ratio:.1f} times as fast")
            result[f"ratio_{kilobytes}"] = ratio
    return result


def stored_twice(web: SimulatedWeb, folder: Path) -> float:
    """Share of the wanted pages stored that are stored under another address of their host too."""
    pages: Counter[tuple[str, bytes]] = Counter()
    for path in folder.glob("*.warc.gz"):
        for record in scan(path):
            if record.type == "response" and record.url:
                host, _, target = record.url.partition("://")[2].partition("/")
                if web.page(host.partition(":")[0], f"/{target}").good:
                    pages[host, payload(record, max_bytes=10 << 20).data] += 1
    return 1 - len(pages) / max(1, sum(pages.values()))


def quality(share: float, crawl: Any, arguments: argparse.Namespace) -> dict[str, Any]:
    """What a crawl brought for so many times the requests that all finite pages need."""
    hosts, pages = arguments.hosts, arguments.pages
    web = web_named(arguments.web)(arguments.seed, hosts, pages)
    with tempfile.TemporaryDirectory(prefix="paberki-bench-") as place:
        folder = Path(place)
        with serving(web, hosts, pages, folder / "log", arguments.web) as seeds:
            truth = web.truth()
            budget = round(share * (len(truth) + sum(web.lists(web.sites[name]) for name in web.reached())))
            cost = crawl(folder, seeds, budget, arguments.delay, *hosts_file(web, folder), lang=web.language)
        log = requests(folder / "log")
        twice = stored_twice(web, folder / "corpus" / "warc")
    return {"budget": budget, **outcome(web, truth, log), "stored_twice": twice, "wall": cost.wall}


def outcome(web: SimulatedWeb, truth: dict[str, bool], log: list[tuple[str, str, int]]) -> dict[str, Any]:
    """What the requests of a crawl brought, and what they were spent on."""
    good_urls = {url for url, good in truth.items() if good}
    good_hosts = {url.split("/")[2] for url in good_urls}
    harvest: set[str] = set()
    kinds: Counter[str] = Counter()
    traps: Counter[str] = Counter()
    fifths = [0] * 5
    for number, (host, path, _) in enumerate(log):
        page = web.page(host, path)
        url = web.url(host, page.address or path)
        first = page.good and url in good_urls and url not in harvest
        kinds["good" if first else "copy" if page.good else "trap" if page.trap else page.label or "other"] += 1
        if first:
            harvest.add(url)
            fifths[5 * number // len(log)] += 1
        if page.trap:
            traps[web.sites[host].trap] += 1
    stored = {host for host, _, status in log if status == 200}
    return {
        "requests": len(log),
        "coverage": len(harvest) / len(good_urls),
        "harvest": len(harvest) / len(log),
        "host_coverage": len({url.split("/")[2] for url in harvest}) / len(good_hosts),
        "hosts_stored": len(stored) / len(web.reached()),
        "trap_waste": sum(traps.values()) / len(log),
        "duplicate_fetches": 1 - len({(host, path) for host, path, _ in log}) / len(log),
        "violations": sum(path.startswith("/private/") for _, path, _ in log),
        "traps": dict(traps),
        "kinds": dict(kinds.most_common()),
        "fifths": [round(5 * good / len(log), 2) for good in fifths],
    }


def recrawl(arguments: argparse.Namespace) -> dict[str, Any]:
    """A whole crawl, then another look on the day after."""
    hosts, pages, delay, make = arguments.hosts, arguments.pages, arguments.delay, web_named(arguments.web)
    before, after = make(arguments.seed, hosts, pages), make(arguments.seed, hosts, pages, day=1)
    with tempfile.TemporaryDirectory(prefix="paberki-bench-") as place:
        folder = Path(place)
        with serving(before, hosts, pages, folder / "first", arguments.web) as seeds:
            hosts_option = hosts_file(before, folder)
            paberki(folder, seeds, 10 * pages, delay, *hosts_option, lang=before.language)
        after.port = before.port
        with serving(after, hosts, pages, folder / "second", arguments.web):
            paberki(
                folder, seeds, round(arguments.again * pages), delay, "--recrawl", *hosts_option, lang=before.language
            )
        first, second = requests(folder / "first"), requests(folder / "second")
        conditional = [json.loads(line)[4] for line in (folder / "second").read_text().splitlines()
                       if json.loads(line)[2] not in FILES]  # fmt: skip
    stored_before = {before.url(host, path) for host, path, status in first if status == 200}
    looked = {after.url(host, path) for host, path, status in second if status in (200, 304)}
    stale = {
        url
        for site in after.sites.values()
        for number in range(site.size)
        if (url := after.url(site.name, after.path(site, number))) not in looked
        and (url not in stored_before or after.changed(site.copy_of or site, number))
    }
    good_urls = {url for url, good in after.truth().items() if good}
    changed = {url for url in good_urls & stored_before if _has_changed(after, url)}
    same = [
        is_conditional
        for (host, path, status), is_conditional in zip(second, conditional, strict=True)
        if status == 200
        and after.url(host, path) in stored_before
        and before.page(host, path).body == after.page(host, path).body
    ]
    return {
        "freshness": 1 - len(stale & good_urls) / len(good_urls),
        "changed_seen": len(changed & looked) / max(1, len(changed)),
        "stale_before": len([url for url in good_urls if url not in stored_before or _has_changed(after, url)])
        / len(good_urls),
        "requests": len(second),
        "share_of_full_crawl": len(second) / len(first),
        "unconditional_refetches": len(same) - sum(same),
    }


def _has_changed(web: SimulatedWeb, url: str) -> bool:
    host, path = url.split("/")[2].partition(":")[0], "/" + url.split("/", 3)[3]
    site = web.sites[host]
    values = dict(part.partition("=")[::2] for part in path.partition("?")[2].split("&") if part)
    number = web._number(site, path.partition("?")[0], values)
    return number is not None and web.changed(site.copy_of or site, number)


def compared(name: str, share: float, arguments: argparse.Namespace) -> dict[str, Any]:
    """Both crawlers with the same budget."""
    result = {}
    for crawler, crawl in {"paberki": paberki, **({"scrapy": scrapy} if arguments.peer else {})}.items():
        figures = result[crawler] = quality(share, crawl, arguments)
        line = ", ".join(
            f"{key} {value:.3f}" if isinstance(value, float) else f"{key} {value}" for key, value in figures.items()
        )
        print(f"{name}, {crawler}: {line}", flush=True)
    return result


def main() -> None:
    """Measure and print; the last line is JSON."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("what", nargs="*", default=["speed", "coverage", "harvest", "recrawl"])
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--hosts", type=int, default=120)
    options.add_argument("--pages", type=int, default=6000)
    options.add_argument("--speed-pages", type=int, default=6000)
    options.add_argument("--delay", type=float, default=0.05)
    options.add_argument("--web", default="first", help="first, second, or one of other_webs.py or stranger_webs.py")
    options.add_argument("--again", type=float, default=10.0, help="requests of a recrawl for each page of the web")
    options.add_argument("--no-peer", dest="peer", action="store_false")
    arguments = options.parse_args()
    arguments.peer = arguments.peer and find_spec("scrapy") is not None
    result: dict[str, Any] = {}
    if "speed" in arguments.what:
        result["speed"] = speed(arguments.seed, arguments.peer, arguments.speed_pages)
    if "coverage" in arguments.what:
        result["coverage"] = compared("coverage", 1.25, arguments)
    if "harvest" in arguments.what:
        result["harvest"] = compared("harvest", 0.35, arguments)
    if "recrawl" in arguments.what:
        figures = result["recrawl"] = recrawl(arguments)
        print("recrawl, paberki: " + ", ".join(f"{key} {value:.3f}" for key, value in figures.items()), flush=True)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
