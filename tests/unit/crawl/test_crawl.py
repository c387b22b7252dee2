"""Whole crawls of a web on loopback."""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from loopback import Answer, Web, page, stored

from paberki.crawl import CrawlConfig, CrawlStats, crawl
from paberki.errors import ConfigError

Run = Callable[..., CrawlStats]


def test_breadth_first(web: Web, run: Run) -> None:
    graph = {
        "/": "a b",
        "/a": "c d",
        "/b": "e /",
        "/c": "f",
        "/d": "",
        "/e": "g",
        "/f": "h",
        "/g": "",
        "/h": "",
    }
    for path, targets in graph.items():
        web.put(f"toy.hr{path}", page(*targets.split()))
    stats = run("http://toy.hr/")
    assert web.paths("toy.hr") == ["/", "/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h"]
    assert (stats.pages, stats.requests, stats.queued, stats.running) == (9, 9, 0, False)


def test_the_shallowest_host_comes_first(web: Web, run: Run) -> None:
    web.put("a.hr/", page("/1", "http://b.hr/", "http://c.hr/"))
    web.put("a.hr/1", page("/2"))
    web.put("a.hr/2", page())
    web.put("b.hr/", page("/1"))
    web.put("b.hr/1", page())
    web.put("c.hr/", page())
    run("a.hr", tld=("hr",), concurrency=1)
    depths = {"a.hr/": 0, "a.hr/1": 1, "b.hr/": 1, "c.hr/": 1, "a.hr/2": 2, "b.hr/1": 2}
    order = [depths[hit.host + hit.path] for hit in web.asked]
    assert order == sorted(order)
    assert len(order) == len(depths)


def test_only_hosts_in_scope(web: Web, run: Run) -> None:
    web.put("a.hr/", page("http://b.hr/", "http://c.si/"))
    web.put("b.hr/", page())
    web.put("c.si/", page())
    run("a.hr", tld=("hr",))
    assert {hit.host for hit in web.hits} == {"a.hr", "b.hr"}


def test_headers_sent(web: Web, run: Run) -> None:
    web.put("a.hr/", Answer("<a href=x>", headers={"Set-Cookie": "id=1"}))
    web.put("a.hr/x", page())
    run("a.hr", user_agent="kopac/2", contact="https://kopac.hr/")
    for hit in web.hits:
        assert hit.headers["User-Agent"] == "kopac/2 (+https://kopac.hr/)"
        assert hit.headers["Accept-Encoding"] == "gzip, deflate"
        assert "Cookie" not in hit.headers


def test_redirects_are_entries_of_the_frontier(web: Web, run: Run, tmp_path: Path) -> None:
    web.put("a.hr/", Answer("moved", 301, headers={"Location": "/new"}))
    web.put("a.hr/new", Answer("", 302, headers={"Location": "http://b.hr/"}))
    web.put("b.hr/", Answer("", 302, headers={"Location": "http://c.si/"}))
    web.put("c.si/", page())
    stats = run("a.hr", tld=("hr",))
    assert [r.status for r in stored(tmp_path / "warc")] == [301, 302, 302]
    assert web.paths("c.si") == []
    assert stats.by_status == {"301": 1, "302": 2}


def test_redirect_loops_and_chains_end(web: Web, run: Run) -> None:
    web.put("a.hr/", Answer("", 302, headers={"Location": "/b"}))
    web.put("a.hr/b", Answer("", 302, headers={"Location": "/"}))
    web.put("n.hr/", Answer("", 302, headers={"Location": "/n/1"}))

    def onward(host: str, path: str) -> Answer:
        number = path.removeprefix("/n/")
        if not number.isdecimal():
            return Answer("", 404)
        return Answer("", 302, headers={"Location": f"/n/{int(number) + 1}"})

    web.fallback = onward
    run("a.hr", "n.hr", max_depth=100)
    assert web.paths("a.hr") == ["/", "/b"]
    assert len(web.paths("n.hr")) == 11


def test_mime_gate(web: Web, run: Run, tmp_path: Path) -> None:
    kinds = {
        "html": ("Text/HTML; charset=utf-8", b"<p>x"),
        "xhtml": ("application/xhtml+xml", b"<html/>"),
        "plain": ("text/plain", b"words"),
        "sniffed": (None, b"\n <!DOCTYPE html><p>x"),
        "image": ("image/png", b"\x89PNG"),
        "json": ("application/json", b"{}"),
        "binary": (None, b"\x00\x01\x02" * 1000),
    }
    web.put("a.hr/", page(*kinds))
    for name, (kind, body) in kinds.items():
        web.put(f"a.hr/{name}", Answer(body, type=kind))
    web.put("a.hr/zipped", Answer(gzip.compress(b"<html>x"), type=None, headers={"Content-Encoding": "gzip"}))
    stats = run("a.hr", "http://a.hr/zipped")
    kept = {r.url.rpartition("/")[2] for r in stored(tmp_path / "warc")}
    assert kept == {"", "html", "xhtml", "sniffed", "zipped"}
    assert stats.by_error == {"mime": 4}


def test_size_gate(web: Web, run: Run, tmp_path: Path) -> None:
    web.put("a.hr/", page("declared", "chunked", "small", "fits", text="x" * 100))
    web.put("a.hr/declared", Answer(b"d" * 20_001))
    web.put("a.hr/chunked", Answer(b"c" * 50_000, chunked=True))
    web.put("a.hr/fits", Answer(b"f" * 20_000, chunked=True))
    web.put("a.hr/small", page("from-small"))
    stats = run("a.hr", max_body_bytes=20_000, min_body_bytes=100)
    records = {r.url.rpartition("/")[2]: r for r in stored(tmp_path / "warc")}
    assert set(records) == {"", "chunked", "fits"}
    assert records["chunked"].warc["WARC-Truncated"] == "length"
    assert len(records["chunked"].body) == len(records["fits"].body) == 20_000
    assert "WARC-Truncated" not in records["fits"].warc
    assert "/from-small" in web.paths("a.hr")
    assert stats.by_error == {"too_large": 1, "too_small": 2}


def test_records_hold_what_was_received(web: Web, run: Run, tmp_path: Path) -> None:
    body = gzip.compress(b"<html><a href=/next>x</a></html>")
    web.put("a.hr/", Answer(body, headers={"Content-Encoding": "gzip", "X-Odd": "caf\xe9"}, chunked=True))
    web.put("a.hr/next", Answer("<p>" + "š" * 3000, chunked=True))
    run("a.hr")
    records = {r.url: r for r in stored(tmp_path / "warc")}
    first, following = records["http://a.hr/"], records["http://a.hr/next"]
    assert first.body == body
    assert first.head["Content-Encoding"] == "gzip"
    assert "Transfer-Encoding" not in first.head
    assert first.head["Content-Length"] == str(len(body))
    assert following.body == ("<p>" + "š" * 3000).encode()
    assert first.warc["WARC-IP-Address"] == web.resolve["a.hr"][0]
    assert first.warc["WARC-Payload-Digest"].startswith("sha1:")
    sidecar = json.loads((tmp_path / "warc" / "crawl-00001.warc.gz.json").read_text())
    size = (tmp_path / "warc" / "crawl-00001.warc.gz").stat().st_size
    assert sidecar == {"committed": size, "complete": True, "origin": "crawl"}


def test_most_urls_of_a_template(web: Web, run: Run) -> None:
    web.serve("a.hr")
    web.fallback = lambda host, path: page(*(f"/p?id={i}" for i in range(50))) if path == "/" else Answer("x", 404)
    stats = run("a.hr", max_per_template=10)
    assert len(web.asked) == 11
    assert stats.by_trap["full template"] == 40


def test_growing_paths(web: Web, run: Run) -> None:
    web.serve("a.hr")
    web.fallback = lambda host, path: page("up/down/") if path != "/robots.txt" else Answer("", 404)
    run("a.hr")
    assert len(web.asked) == 4


def test_limits(web: Web, run: Run, tmp_path: Path) -> None:
    web.serve("a.hr", "b.hr")
    web.fallback = lambda host, path: page(*(f"{path.rstrip('/')}/{i}" for i in range(20)))
    stats = run("a.hr", "b.hr", max_pages=17)
    assert stats.requests == len(web.asked) == 17
    assert run("a.hr", "b.hr", max_pages=20).requests == 20
    assert len({(hit.host, hit.path) for hit in web.asked}) == 20
    assert run("a.hr", "b.hr", max_bytes=1).requests == 20
    assert run("a.hr", "b.hr", max_seconds=0.01).requests == 20


def test_when_the_time_is_up_nobody_waits_for_a_slow_page_which_comes_the_next_time(web: Web, run: Run) -> None:
    web.put("a.hr/", page("slow"))
    web.put("a.hr/slow", Answer("x", wait=12))
    started = time.monotonic()
    assert run("http://a.hr/", max_seconds=1, timeout=30).pages == 1
    assert time.monotonic() - started < 8
    web.put("a.hr/slow", page())
    assert run("http://a.hr/").pages == 2


def test_status_file_and_progress(web: Web, tmp_path: Path) -> None:
    web.put("a.hr/", page("slow"))
    web.put("a.hr/slow", Answer("x", wait=1.3))
    seen: list[dict[str, object]] = []

    def look(stats: CrawlStats) -> None:
        seen.append(json.loads((tmp_path / "state" / "status.json").read_text()))

    config = CrawlConfig(seeds=("a.hr",), delay=0, allow_networks=("127.64.0.0/10",))
    crawl(config, warc=tmp_path / "warc", state=tmp_path / "state", resolve=web.resolve, on_progress=look)
    assert [look["running"] for look in seen] == [True, True, False]
    assert [look["pages"] for look in seen] == [0, 1, 2]


def test_stop_returns_quickly_and_loses_nothing(web: Web, run: Run, tmp_path: Path) -> None:
    web.put("a.hr/", page("x", "y"))
    web.put("a.hr/x", Answer("x", wait=4))
    web.put("a.hr/y", page())
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    start = time.monotonic()
    stats = run("a.hr", stop=stop)
    assert time.monotonic() - start < 3.5
    assert (stats.pages, stats.queued) == (1, 2)
    sidecar = json.loads((tmp_path / "warc" / "crawl-00001.warc.gz.json").read_text())
    assert sidecar["complete"] is False
    web.put("a.hr/x", page())
    assert run("a.hr").pages == 3
    assert sorted(r.url[-1] for r in stored(tmp_path / "warc")) == ["/", "x", "y"]


def test_files_are_rotated(web: Web, run: Run, tmp_path: Path) -> None:
    web.put("a.hr/", page(*(f"p{i}" for i in range(10))))
    for i in range(10):
        web.put(f"a.hr/p{i}", page())
    run("a.hr", max_warc_bytes=3000)
    names = sorted(path.name for path in (tmp_path / "warc").iterdir())
    assert "crawl-00003.warc.gz" in names
    assert all(f"{name}.json" in names for name in names if name.endswith(".gz"))
    assert len({r.url for r in stored(tmp_path / "warc")}) == len(stored(tmp_path / "warc")) == 11


def test_wrong_settings() -> None:
    for settings in (
        {"delay": -1.0},
        {"concurrency": 0},
        {"allow_networks": ("everything",)},
        {"contact": "a\r\nX: y"},
        {"user_agent": "/1"},
    ):
        with pytest.raises(ConfigError):
            CrawlConfig(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("seeds", [(), ("ftp://a.hr/",), ("http://a.si/",)])
def test_seeds_that_lead_nowhere(run: Run, seeds: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError):
        run(*seeds, tld=("hr",))
