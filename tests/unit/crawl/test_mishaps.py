"""Errors that nobody foresaw cost their page, and not the crawl."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from loopback import Answer, Web, page, stored

from paberki.crawl import CrawlStats
from paberki.crawl.fetching.fetch_errors import PageError
from paberki.crawl.mishaps import MOST_IN_A_ROW
from paberki.crawl.reading.guarded_reader import GuardedReader, RemoteError
from paberki.crawl.reading.page_reading import PageReading, read
from paberki.errors import FetchError, StoreError

Run = Callable[..., CrawlStats]


def _fails_at(*paths: str) -> Callable[..., PageReading]:
    def reading(body: bytes, **about: object) -> PageReading:
        if str(about["url"]).endswith(paths):
            raise ZeroDivisionError("nobody foresaw this")
        return read(body, **about)  # type: ignore[arg-type]

    return reading


def test_an_error_costs_its_page(web: Web, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    web.put("a.hr/", page("/bad", "/good", "/better"))
    for path in ("bad", "good", "better"):
        web.put(f"a.hr/{path}", page(text=path))
    monkeypatch.setattr("paberki.crawl.reading.answer_readers.read", _fails_at("/bad"))
    stats = run("http://a.hr/")
    assert {record.url for record in stored(tmp_path / "warc")} == {
        f"http://a.hr/{path}" for path in ("", "good", "better")
    }
    assert stats.by_error == {"internal": 1}
    assert stats.queued == 0
    log = (tmp_path / "state" / "internal.log").read_text()
    assert "http://a.hr/bad" in log
    assert "Traceback" in log
    assert "ZeroDivisionError" in log
    run("http://a.hr/")
    assert web.paths("a.hr").count("/bad") == 1


def test_an_error_in_robots_txt_is_as_bad_as_none(web: Web, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    web.put("a.hr/", page())
    web.put("a.hr/robots.txt", Answer("User-agent: *\nDisallow: /no"))
    web.put("b.hr/", page())

    def broken(kind: str, body: bytes, agent: str) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr("paberki.crawl.reading.answer_readers.file_statements", broken)
    stats = run("http://a.hr/", "http://b.hr/", retries=1)
    assert web.paths("a.hr") == []
    assert web.paths("b.hr") == ["/"]
    assert stats.by_error["robots_unreachable"] == 1


def test_many_errors_in_a_row_end_the_crawl(web: Web, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    web.fallback = lambda host, path: page(text=path) if path != "/robots.txt" else Answer("", 404)
    web.serve("a.hr")
    monkeypatch.setattr("paberki.crawl.reading.answer_readers.read", _fails_at(""))
    with pytest.raises(FetchError, match=rf"{MOST_IN_A_ROW} turns in a row .*a\.hr/.*nobody foresaw.*internal\.log"):
        run(*(f"http://a.hr/{number}" for number in range(MOST_IN_A_ROW + 5)))


def test_a_broken_disk_is_not_a_broken_page(web: Web, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    web.put("a.hr/", page())

    def full(*args: object, **about: object) -> PageReading:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("paberki.crawl.reading.answer_readers.read", full)
    with pytest.raises(StoreError, match=r"disk is full.*run the same command"):
        run("http://a.hr/")


def test_a_call_that_takes_too_long_costs_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paberki.crawl.reading.guarded_reader.CPU_SECONDS", 1)

    async def call() -> None:
        guarded = GuardedReader()
        try:
            assert await guarded.call(pow, 2, 10) == 1024
            with pytest.raises(PageError, match="more than 1 s of CPU time"):
                await guarded.call(sum, range(10**12))
            with pytest.raises(RemoteError, match="ValueError"):
                await guarded.call(int, "x")
            with pytest.raises(RemoteError, match="MemoryError"):
                await guarded.call(bytes, 1 << 40)
            assert await guarded.call(pow, 2, 11) == 2048
        finally:
            guarded.close()

    asyncio.run(call())
