"""The frontier alone: URL checks per CPU second, bytes on disk per URL, time to open it again.

    python benchmarks/frontier.py                 10 million URLs, some minutes and 800 MB of disk
    python benchmarks/frontier.py --urls 1000000

Candidates come in batches, as from the links of many pages: 100,000 hosts of Zipf's sizes, two candidates in five are
known already. Making up the URLs is not counted.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import resource
import tempfile
import time
from pathlib import Path

from paberki.crawl.crawler import OBJECTS
from paberki.crawl.frontier.database import CrawlDatabase
from paberki.crawl.frontier.frontier import Frontier, QueueSlot
from paberki.crawl.frontier.host_records import HostRecords

HOSTS = 100_000
BATCH = 20_000
KNOWN = 0.4


class Candidates:
    """Batches of URLs."""

    def __init__(self, seed: int) -> None:
        self._pick = random.Random(seed)
        self._next = [0] * HOSTS

    def batch(self, size: int) -> list[str]:
        """URLs of which some were in earlier batches."""
        urls = []
        for _ in range(size):
            host = int(HOSTS ** self._pick.random()) - 1
            number = self._next[host]
            if number and self._pick.random() < KNOWN:
                number = self._pick.randrange(number)
            else:
                self._next[host] += 1
            urls.append(f"http://www.host-{host}.hr/vijesti/{number % 97}/clanak-{number}.html")
        return urls


def main() -> None:
    """Measure and print; the last line is JSON."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--urls", type=int, default=10_000_000)
    arguments = options.parse_args()
    gc.set_threshold(OBJECTS)  # as in a crawl
    with tempfile.TemporaryDirectory(prefix="paberki-frontier-") as place:
        folder = Path(place)
        result = fill(folder, arguments.urls)
        result |= reopen(folder)
        result["bytes_per_url"] = sum(path.stat().st_size for path in folder.iterdir()) / result["urls"]
    result["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    for name, value in result.items():
        print(f"{name}: {value:,.1f}" if isinstance(value, float) else f"{name}: {value:,}")
    print(json.dumps(result))


def fill(folder: Path, url_count: int) -> dict[str, float]:
    """Add URLs until so many are known; then pop and finish some."""
    state = CrawlDatabase(folder)
    frontier, hosts = Frontier(state), HostRecords(state, 5.0, 0.0)
    candidates = Candidates(1)
    slots: dict[str, QueueSlot] = {}

    def assign(url: str) -> QueueSlot:
        name = url[7 : url.index("/", 7)]
        slot = slots.get(name)
        if slot is None:
            slot = slots[name] = QueueSlot(hosts[name].id, 1, 3, 3)
        return slot

    spent, checks = 0.0, 0
    while len(frontier) < url_count:
        urls = candidates.batch(BATCH)
        began = time.process_time()
        frontier.add_batch(urls, assign)
        hosts.save()
        frontier.commit()
        spent += time.process_time() - began
        checks += BATCH
    popped, pops = pop_some(frontier, [slot.host for slot in list(slots.values())[:20_000]])
    urls = len(frontier)
    frontier.close()
    state.close()
    return {"urls": urls, "checks_per_cpu_second": checks / spent, "pops_per_cpu_second": pops / popped}


def pop_some(frontier: Frontier, hosts: list[int]) -> tuple[float, int]:
    """CPU time for handing out and finishing one URL of each host, a commit for every thousand."""
    began, count = time.process_time(), 0
    for host in hosts:
        entry = frontier.pop(host, 1)
        if entry is not None:
            frontier.done_batch([entry])
            count += 1
        if count % 1000 == 0:
            frontier.commit()
    frontier.commit()
    return time.process_time() - began, count


def reopen(folder: Path) -> dict[str, float]:
    """Time until a crawl that was killed could go on."""
    began = time.monotonic()
    state = CrawlDatabase(folder)
    frontier = Frontier(state)
    HostRecords(state, 5.0, 0.0)
    seconds = time.monotonic() - began
    assert len(frontier)
    frontier.close()
    state.close()
    return {"restart_seconds": seconds}


if __name__ == "__main__":
    main()
