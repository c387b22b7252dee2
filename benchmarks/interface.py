"""What people wait for in the web interface, in a real browser and over HTTP.

python benchmarks/interface.py --index BIG                      pages of a large index: first lines, first paint, bytes
python benchmarks/interface.py --corpus DIR                     pages of a corpus: provenance, original page, cut
python benchmarks/interface.py --pages 1000000                  what another cut would change in a made-up index of so many pages

Times are those of whole answers on loopback; client, browser and server share the machine. ``cpu_ms`` is the CPU time of the
server for each answer, which other work on the machine hardly changes.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import json
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psutil

QUERIES = (
    '[lemma="grad"]', '[lemma="biti"]', '[tag="A.*"] [tag="N.*"]', '"na" [] within <s/>', '[word="ka.*a"]', "grad",
    '[tag="V.*"] []{0,2} [lemma="biti"] within <s/>', '[lemma="more"]', '[word="s.*"] [tag="N.*"]', '<s> [tag="V.*"]',
)  # fmt: skip


@dataclass
class Served:
    """A server of its own."""

    port: int
    process: subprocess.Popen[bytes]

    def get(self, path: str, **parameters: Any) -> bytes:
        """The body of an answer, compressed as browsers get it."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        client.request(
            "GET", path + ("?" + urlencode(parameters) if parameters else ""), headers={"Accept-Encoding": "gzip"}
        )
        answer = client.getresponse()
        body = answer.read()
        client.close()
        if answer.status != 200:
            raise SystemExit(f"{path} {parameters}: {answer.status} {body[:200]!r}")
        return body

    def cpu(self) -> float:
        """CPU seconds of the server so far."""
        times = psutil.Process(self.process.pid).cpu_times()
        return float(times.user + times.system)


@contextmanager
def served(root: Path) -> Iterator[Served]:
    """``paberki serve`` until the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    process = subprocess.Popen([sys.executable, "-m", "paberki", "serve", str(root), "--port", str(port), "--quiet"])
    server = Served(port, process)
    try:
        for _ in range(600):
            try:
                server.get("/healthz")
                break
            except OSError:
                time.sleep(0.1)
        yield server
    finally:
        process.terminate()
        process.wait(20)


def timed(server: Served, asks: list[Callable[[], object]]) -> dict[str, float]:
    """Milliseconds of some requests, one after the other."""
    times, before = [], server.cpu()
    for ask in asks:
        began = time.perf_counter()
        ask()
        times.append((time.perf_counter() - began) * 1000)
    cpu = (server.cpu() - before) * 1000 / len(asks)
    times.sort()
    p95 = times[min(len(times) - 1, len(times) * 95 // 100)]
    return {
        "p50_ms": round(statistics.median(times), 1),
        "p95_ms": round(p95, 1),
        "cpu_ms": round(cpu, 1),
        "requests": len(asks),
    }


def first_lines(server: Served) -> dict[str, float]:
    """The first 50 lines as a page: queries of before, and others with their first and fourth page."""
    draw = random.Random(4)
    asks = []
    for number in range(60):
        parameters: dict[str, Any] = {"q": draw.choice(QUERIES)}
        if number % 6 == 5:
            parameters["from"] = 150
        asks.append(lambda parameters=parameters: server.get("/concordance", **parameters))
    server.get("/concordance", q='"a"')
    return timed(server, asks)


def in_browser(server: Served, query: str) -> dict[str, Any]:
    """First paint and bytes of a first visit, and of one after it."""
    from playwright.sync_api import sync_playwright

    facts: dict[str, Any] = {}
    address = f"http://127.0.0.1:{server.port}/concordance?"
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_context().new_page()
        sizes: list[int] = []
        page.on(
            "response",
            lambda response: (
                sizes.append(max(0, response.request.sizes()["responseBodySize"]))
                if "/growth" not in response.url
                else None
            ),
        )
        for name, text in (("first_visit", query), ("second_visit", QUERIES[3]), ("third_visit", QUERIES[5])):
            sizes.clear()
            page.goto(address + urlencode({"q": text}))
            page.wait_for_timeout(1500)
            paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
            facts[name] = {"bytes": sum(sizes), "first_paint_ms": round(paint)}
        browser.close()
    return facts


def pages_of(server: Served, query: str) -> dict[str, Any]:
    """Provenance, original page, and another cut."""
    rows = json.loads(gzip.decompress(server.get("/api/v1/hits", q=query)))["rows"][:40]
    places = [(row["page"], row["start"], row["end"]) for row in rows]
    drawers = [
        lambda place=place: server.get(f"/page/{place[0]}/provenance", q=query, start=place[1], end=place[2])
        for place in places
    ]
    originals = [lambda place=place: server.get(f"/page/{place[0]}/original", q=query) for place in places]
    cuts = [lambda at=at: server.get("/concordance", q=query, cut=f"badness <= {at}") for at in range(2, 12)]
    server.get("/concordance", q=query, cut="badness <= 1")
    return {"provenance": timed(server, drawers), "original": timed(server, originals), "cut": timed(server, cuts)}


def made_pages(path: Path, pages: int) -> Path:
    """An index of many short pages with scores and reasons."""
    draw = random.Random(1)
    source = path / "pages.vert"
    words = [f"w{number}" for number in range(2000)]
    with source.open("w", encoding="utf-8") as file:
        for number in range(pages):
            badness = draw.expovariate(0.2)
            reason = "not-connected" if badness > 10 else ""
            keep = "false" if reason else "true"
            file.write(
                f'<doc id="{number:09d}" host="h{number % 5000}.hr" badness="{badness:.3f}" keep="{keep}" reason="{reason}">\n<p block_keep="true">\n'
            )
            file.writelines(f"{words[int(draw.random() ** 3 * 2000)]}\n" for _ in range(8))
            file.write("</p>\n</doc>\n")
    out = path / "pages.index"
    subprocess.run(
        [
            sys.executable,
            "-m",
            "paberki",
            "index",
            str(out),
            "--vertical",
            str(source),
            "--attributes",
            "word",
            "--quiet",
        ],
        check=True,
    )
    return out


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", type=Path, help="a large index")
    parser.add_argument("--corpus", type=Path, help="a corpus with its pages")
    parser.add_argument("--query", default='[lemma="godina"]', help="a query for --corpus")
    parser.add_argument("--pages", type=int, help="pages of the made-up index")
    options = parser.parse_args()
    if options.index:
        with served(options.index) as server:
            print("first 50 lines", json.dumps(first_lines(server)), flush=True)
            print("browser", json.dumps(in_browser(server, QUERIES[0])), flush=True)
    if options.corpus:
        with served(options.corpus) as server:
            for name, facts in pages_of(server, options.query).items():
                print(name, json.dumps(facts), flush=True)
    if options.pages:
        with tempfile.TemporaryDirectory() as scratch, served(made_pages(Path(scratch), options.pages)) as server:
            cuts = [lambda at=at: server.get("/api/v1/select", cut=f"badness <= {at}") for at in range(2, 12)]
            began = time.perf_counter()
            server.get("/api/v1/select", cut="badness <= 1")
            print(f"first cut {(time.perf_counter() - began) * 1000:.0f} ms")
            print("cut", json.dumps(timed(server, cuts)), flush=True)


if __name__ == "__main__":
    main()
