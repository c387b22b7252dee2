"""Runs several crawls of one web side by side: each process crawls the hosts of its own registered domains."""

from __future__ import annotations

import json
import multiprocessing
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path

from paberki.child_processes import without_main
from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.damaged_files import opening
from paberki.crawl.sharding.link_exchange import LinkExchange
from paberki.crawl.sharding.shared_limits import SharedLimits
from paberki.crawl.stats import CrawlStats, publish
from paberki.errors import FetchError, PaberkiError, StoreError
from paberki.terminal import visible

_GLANCE = 0.2
_PATIENCE = 15.0
"""Seconds that shards get to end by themselves."""
Places = Mapping[str, tuple[str, int | None]] | None


def crawl_shards(
    config: CrawlConfig,
    *,
    warc: Path,
    state: Path,
    resolve: Places = None,
    on_progress: Callable[[CrawlStats], None] | None = None,
    stop: threading.Event | None = None,
) -> CrawlStats:
    """Crawl with ``config.shards`` processes; otherwise as :func:`paberki.crawl.crawl`."""
    folders = _folders(state, config.shards)
    context = multiprocessing.get_context("spawn")
    before = _merge_stats(folders)
    shared = SharedLimits(state / "shared", config.shards, before.requests - before.requests_before)
    children = [
        context.Process(target=_run, args=(config, warc, state, resolve, number, shared), name=f"shard-{number}")
        for number in range(config.shards)
    ]
    with without_main():
        for child in children:
            child.start()
    try:
        is_finished = _watch(children, shared, folders, state, on_progress, stop or threading.Event())
    finally:
        shared.stop()
        deadline = time.monotonic() + _PATIENCE
        for child in children:
            child.join(max(0.1, deadline - time.monotonic()))
            if child.is_alive():
                child.kill()
                child.join()
        shared.close()
    failed_shards = [child.name for child in children if child.exitcode]
    if failed_shards:
        raise FetchError(f"{', '.join(failed_shards)} ended with an error, see above; run the same command to go on")
    return _publish_stats(folders, state, on_progress, running=False, finished=is_finished)


def _folders(state: Path, shards: int) -> list[Path]:
    """One folder per shard; a crawl keeps the number it began with."""
    state.mkdir(parents=True, exist_ok=True)
    note = state / "shards.json"
    with opening(state, state.with_name("warc")):
        shards_before = json.loads(note.read_text())["shards"] if note.exists() else None
    if shards_before not in (None, shards) or (shards_before is None and (state / "frontier.sqlite").exists()):
        raise StoreError(
            f"{state}: this crawl has {shards_before or 1} shards, not {shards}; "
            f"go on with --shards {shards_before or 1}"
        )
    if shards_before is None:
        publish(note, json.dumps({"shards": shards}), durable=True)
    return [state / f"shard-{number}" for number in range(shards)]


def _watch(
    children: list[multiprocessing.context.SpawnProcess],
    shared: SharedLimits,
    folders: list[Path],
    state: Path,
    on_progress: Callable[[CrawlStats], None] | None,
    stop: threading.Event,
) -> bool:
    """Wait until all shards are idle, one of them ends, or the stop event is set; return whether all were idle."""
    quiet, last_report = 0, 0.0
    while not stop.is_set() and all(child.is_alive() for child in children):
        quiet = quiet + 1 if shared.finished else 0
        if quiet > 3:
            return True
        if time.monotonic() - last_report > 1:
            last_report = time.monotonic()
            _publish_stats(folders, state, on_progress, running=True)
        time.sleep(_GLANCE)
    return False


def _run(config: CrawlConfig, warc: Path, state: Path, resolve: Places, number: int, shared: SharedLimits) -> None:
    """Run one shard; signals are handled by the parent, which stops shards through :class:`SharedLimits`."""
    import asyncio

    from paberki.crawl.crawler import Crawler
    from paberki.crawl.damaged_files import reading

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    exchange = LinkExchange(state / "exchange", number, config.shards)
    folder = state / f"shard-{number}"
    try:
        crawler = Crawler(config, warc, folder, resolve, None, _Stop(shared), exchange, shared)
        try:
            with reading(folder, warc):
                asyncio.run(crawler.run())
        finally:
            crawler.close()
    except PaberkiError as error:
        sys.exit(f"paberki: shard {number}: {visible(str(error))}")


class _Stop(threading.Event):
    """An event that is set when the parent stops the crawl, or is gone."""

    def __init__(self, shared: SharedLimits) -> None:
        super().__init__()
        self._shared = shared
        self._parent = multiprocessing.parent_process()

    def is_set(self) -> bool:
        return self._shared.stopped or (self._parent is not None and not self._parent.is_alive())


def _publish_stats(
    folders: list[Path],
    state: Path,
    on_progress: Callable[[CrawlStats], None] | None,
    *,
    running: bool,
    finished: bool = False,
) -> CrawlStats:
    stats = _merge_stats(folders)
    stats.running, stats.finished = running, finished
    publish(state / "status.json", stats.to_json())
    if on_progress is not None:
        on_progress(stats)
    return stats


def _merge_stats(folders: list[Path]) -> CrawlStats:
    """Sum the statistics of all shards; times are the longest, since shards run side by side."""
    total = CrawlStats()
    for folder in folders:
        try:
            stats = CrawlStats.from_json((folder / "status.json").read_text("utf-8"))
        except (OSError, ValueError, TypeError, AttributeError):
            continue
        for item in fields(CrawlStats):
            mine, theirs = getattr(total, item.name), getattr(stats, item.name)
            if item.name.startswith("seconds"):
                setattr(total, item.name, max(mine, theirs))
            elif isinstance(mine, (int, float, Counter, list)) and not isinstance(mine, bool):
                setattr(total, item.name, mine + theirs)
    total.top_hosts = sorted(total.top_hosts, key=lambda row: -row[1])[:10]
    return total
