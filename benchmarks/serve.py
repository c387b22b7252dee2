"""The service under load: start, first pages of many clients, a catastrophic query beside them, idle event streams.

python benchmarks/serve.py --tokens 10000000 --seconds 60          makes a corpus of that size first, once
python benchmarks/serve.py --index DIR --seconds 20 --clients 50 --think 0.5

Clients ask one after the other and read for ``--think`` seconds between two questions (drawn around that time). Times are
those of whole answers on loopback; client and server share the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import psutil

_FIRST: Final = (
    'hits?q=[lemma="grad"]', 'hits?q=[lemma="biti"]', 'hits?q=[tag="A.*"] [tag="N.*"]', 'hits?q="na" [] within <s/>',
    'hits?q=grad', 'hits?q=[word="ka.*a"]', 'hits?q=[lemma="grad"]&sort=right', 'hits?q=[lemma="grad"]&sample=100&seed=7',
    'hits?q=[tag="V.*"] []{0,2} [lemma="biti"] within <s/>', 'hits?q=[lemma="biti"]&from=50',
    "hits?q=[lemma=\"grad\"]&where=genre = 'g2'", 'hits?q=[word="Croatijina"]&view=sentence',
)  # fmt: skip
"""First pages of a concordance."""
_OTHER: Final = (
    'frequency?q=[lemma="grad"] [tag="N.*"]&by=lemma', 'collocations?q=[lemma="grad"]', 'distribution?q=[lemma="grad"]&by=year',
    'values?attr=lemma&prefix=gr', 'corpus', 'parse?q=[lemma="grad"]', 'dispersion?q=[lemma="grad"]',
)  # fmt: skip
_CATASTROPHIC: Final = 'hits?q=[word=".*a.*"] []{0,1000} [word="qqq"]'
"""Not too large to be taken, and far too slow to come to an end."""
_SHARE: Final = 0.8
"""First pages among all requests."""


@dataclass
class Times:
    """Seconds of answers."""

    first: list[float] = field(default_factory=list)
    other: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def facts(self, seconds: float) -> dict[str, Any]:
        """Figures in milliseconds."""
        return {
            "requests": len(self.first) + len(self.other),
            "per_second": round((len(self.first) + len(self.other)) / seconds, 1),
            "errors": len(self.errors),
            "first_page_p50_ms": _percentile(self.first, 50),
            "first_page_p95_ms": _percentile(self.first, 95),
            "other_p50_ms": _percentile(self.other, 50),
            "other_p95_ms": _percentile(self.other, 95),
        }


def _percentile(values: Sequence[float], percent: int) -> float | None:
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] * 1000, 1) if ordered else None


class Client:
    """One connection that is kept open."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def __aenter__(self) -> Client:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()

    async def get(self, path: str) -> tuple[int, bytes]:
        """Status and body of one answer."""
        self.writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(head.partition("content-length:")[2].split("\r\n")[0])
        return int(head.split()[1]), await self.reader.readexactly(length)


def address(path: str) -> str:
    """The path of a question, quoted."""
    name, _, rest = path.partition("?")
    pairs = [pair.partition("=") for pair in rest.split("&")] if rest else []
    return f"/api/v1/{name}?" + "&".join(f"{key}={quote(value)}" for key, _, value in pairs)


async def ask(port: int, until: float, think: float, seed: int, times: Times) -> None:
    """One client."""
    draw = random.Random(seed)
    await asyncio.sleep(draw.random() * think)
    async with Client(port) as client:
        while time.monotonic() < until:
            is_first = draw.random() < _SHARE
            path = address(draw.choice(_FIRST if is_first else _OTHER))
            began = time.perf_counter()
            status, body = await client.get(path)
            (times.first if is_first else times.other).append(time.perf_counter() - began)
            if status != 200:
                times.errors.append(f"{status} {path} {body[:200]!r}")
            await asyncio.sleep(draw.expovariate(1 / think) if think else 0)


async def disturb(port: int, until: float) -> None:
    """One client after the other with a query that never ends."""
    async with Client(port) as client:
        number = 0
        while time.monotonic() < until:
            number += 1
            await client.get(address(_CATASTROPHIC.replace("qqq", f"q{number}q")))


async def load(port: int, clients: int, seconds: float, think: float, *, catastrophe: bool) -> dict[str, Any]:
    """Many clients for some time."""
    times, until = Times(), time.monotonic() + seconds
    tasks = [asyncio.create_task(ask(port, until, think, seed, times)) for seed in range(clients)]
    other = asyncio.create_task(disturb(port, until)) if catastrophe else None
    await asyncio.gather(*tasks)
    if other is not None:
        other.cancel()
    for error in times.errors[:5]:
        print(error, file=sys.stderr)
    return times.facts(seconds)


async def idle_streams(port: int, pid: int, number: int) -> dict[str, Any]:
    """Memory that idle event streams take."""
    process = psutil.Process(pid)
    before = process.memory_info().rss
    connections = []
    for _ in range(number):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /api/v1/crawl/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        await reader.readuntil(b"data: ")
        connections.append(writer)
    await asyncio.sleep(3)
    memory = process.memory_info().rss - before
    cpu = sum(process.cpu_times()[:2])
    await asyncio.sleep(5)
    cpu = sum(process.cpu_times()[:2]) - cpu
    for writer in connections:
        writer.close()
    return {"streams": number, "mb": round(memory / 1e6, 1), "cpu_share": round(cpu / 5, 3)}


class Server:
    """``paberki serve`` on a free port."""

    def __init__(self, index: Path) -> None:
        began = time.monotonic()
        command = [sys.executable, "-m", "paberki", "serve", str(index), "--port", "0", "--json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        text = ""
        while "}" not in text:
            text += self.process.stdout.readline()
        self.port = int(json.loads(text)["address"].rstrip("/").rpartition(":")[2])
        self.ready = time.monotonic() - began
        asyncio.run(self._first())
        self.first_answer = time.monotonic() - began
        self.cpu = sum(psutil.Process(self.process.pid).cpu_times()[:2])

    async def _first(self) -> None:
        async with Client(self.port) as client:
            status, _ = await client.get(address('hits?q=[lemma="grad"]'))
            assert status == 200

    def stop(self) -> float:
        """Seconds until the process has ended."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(20) == 0
        return time.monotonic() - began


def made_index(work: Path, tokens: int) -> Path:
    """An index of a made-up corpus, made once."""
    index, source = work / f"{tokens}.index", work / f"{tokens}.vert"
    if not (index / "index.json").is_file():
        work.mkdir(parents=True, exist_ok=True)
        maker = Path(__file__).with_name("query_corpus.py")
        if not source.exists():
            subprocess.run([sys.executable, str(maker), str(source), "--tokens", str(tokens)], check=True)
        columns = ["--vertical", str(source), "--attributes", "word,lemma,tag", "--lang", "hr"]
        subprocess.run([sys.executable, "-m", "paberki", "index", str(index), *columns, "--quiet"], check=True)
        source.unlink()
    return index


def main() -> None:
    """Run everything and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", type=Path)
    parser.add_argument("--tokens", type=int, default=10_000_000)
    parser.add_argument("--work", type=Path, default=Path(os.environ.get("TMPDIR", "/tmp")) / "paberki-serve-bench")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--think", type=float, default=0.5)
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--start-only", action="store_true", help="only start to first answer")
    options = parser.parse_args()
    server = Server(options.index or made_index(options.work, options.tokens))
    facts: dict[str, Any] = {
        "ready_s": round(server.ready, 2), "first_answer_s": round(server.first_answer, 2), "first_answer_cpu_s": server.cpu,
    }  # fmt: skip
    try:
        if not options.start_only:
            warm = (options.clients, 3.0, options.think)
            asyncio.run(load(server.port, *warm, catastrophe=False))
            usual = (options.clients, options.seconds, options.think)
            facts["load"] = asyncio.run(load(server.port, *usual, catastrophe=False))
            facts["beside_a_catastrophe"] = asyncio.run(load(server.port, *usual, catastrophe=True))
            facts["idle"] = asyncio.run(idle_streams(server.port, server.process.pid, options.streams))
            facts["server_cpu_s"] = round(sum(psutil.Process(server.process.pid).cpu_times()[:2]), 1)
            facts["server_mb"] = psutil.Process(server.process.pid).memory_info().rss >> 20
    finally:
        facts["stop_s"] = round(server.stop(), 2)
    print(json.dumps(facts, indent=1))


if __name__ == "__main__":
    main()
