"""Several processes crawl one web: everything once, across shards as polite as within."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from loopback import Answer, Web, page, stored

from paberki.crawl import CrawlStats
from paberki.crawl.sharding.link_exchange import LinkExchange, shard_of
from paberki.errors import StoreError

Run = Callable[..., CrawlStats]


def _site(web: Web, hosts: list[str], pages: int = 6) -> None:
    web.serve(*hosts)
    for number, host in enumerate(hosts):
        across = f"http://{hosts[(number + 1) % len(hosts)]}/"
        web.put(f"{host}/", page(*(f"p{i}" for i in range(pages)), across))
        for i in range(pages):
            web.put(f"{host}/p{i}", Answer(f"<p>{host} {i}", wait=0.005))


def test_shards_share_a_web_and_its_addresses(web: Web, run: Run, tmp_path: Path) -> None:
    hosts = [f"host{i}.hr" for i in range(8)]
    assert {shard_of(host, 2) for host in hosts} == {0, 1}
    _site(web, hosts)
    stats = run(hosts[0], tld=("hr",), shards=2, ip_delay=0.02)
    urls = [record.url for record in stored(tmp_path / "warc")]
    assert len(urls) == len(set(urls)) == stats.pages == stats.requests == 8 * 7
    hits = sorted(web.hits, key=lambda hit: hit.start)
    assert min(later.start - earlier.end for earlier, later in itertools.pairwise(hits)) > 0.005
    assert not stats.running
    assert (tmp_path / "state" / "shard-1" / "frontier.sqlite").exists()
    with pytest.raises(StoreError, match="go on with"):
        run(hosts[0], tld=("hr",), shards=3)
    with pytest.raises(StoreError, match="several shards"):
        run(hosts[0], tld=("hr",))


def test_limits_hold_for_all_shards_together(web: Web, run: Run) -> None:
    hosts = [f"host{i}.hr" for i in range(8)]
    _site(web, hosts)
    assert run(*hosts, tld=("hr",), shards=2, max_pages=20).requests == 20
    assert len(web.asked) == 20
    assert run(*hosts, tld=("hr",), shards=2, max_pages=30).requests == 30


def test_shards_stop_when_told(web: Web, run: Run) -> None:
    stop = threading.Event()

    def slow() -> Answer:
        stop.set()
        return Answer("x", wait=6)

    web.put("a.hr/", page("slow"))
    web.put("a.hr/slow", slow)
    stats = run("a.hr", shards=2, stop=stop, timeout=20)
    assert (stats.pages, stats.queued) == (1, 1)


def test_mail_is_kept_until_it_is_safe(tmp_path: Path) -> None:
    here, there = LinkExchange(tmp_path, 0, 2), LinkExchange(tmp_path, 1, 2)
    host = next(name for name in (f"h{i}.hr" for i in range(50)) if shard_of(name, 2) == 1)
    assert not here.own(host)
    here.send(host, f"http://{host}/", 3)
    here.send(host, f"http://{host}/", 4)
    assert here.post() == 1
    assert list(there.receive()) == [(3, [f"http://{host}/"])]
    assert list(LinkExchange(tmp_path, 1, 2).receive()) == [(3, [f"http://{host}/"])]
    assert there.clear_received() == 1
    assert there.empty
