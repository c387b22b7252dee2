"""Pages whose owners do not want them kept are recorded without their bodies."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from loopback import FILES, Answer, Web, page, stored

from paberki.archive.reading.warc import scan
from paberki.crawl import CrawlStats
from paberki.web.rights import Policy

Run = Callable[..., CrawlStats]


def metadata(folder: Path) -> dict[str, str]:
    found = {}
    for path in sorted(folder.glob("*.warc.gz")):
        for record in scan(path):
            if record.type == "metadata" and record.body.startswith(b"opt-out"):
                found[record.url or ""] = record.body.decode().partition("\r\n")[0]
    return found


def test_statements_on_the_page(web: Web, run: Run, tmp_path: Path) -> None:
    web.put("a.hr/", page("header", "bots", "others", "meta", "tdm", "free"))
    web.put("a.hr/header", Answer("<p>secret", headers={"X-Robots-Tag": "noindex"}))
    web.put("a.hr/bots", Answer("<p>secret", headers={"X-Robots-Tag": "paberki: noai"}))
    web.put("a.hr/others", Answer("<p>public", headers={"X-Robots-Tag": "otherbot: noindex"}))
    web.put("a.hr/meta", Answer("<meta name=robots content='noindex, nofollow'><p>secret <a href=hidden>x</a>"))
    web.put("a.hr/tdm", Answer("<p>secret <a href=seen>x</a>", headers={"tdm-reservation": "1"}))
    web.put("a.hr/free", page())
    web.put("a.hr/seen", page())
    stats = run("a.hr")
    kept = {record.url.removeprefix("http://a.hr/") for record in stored(tmp_path / "warc")}
    assert kept == {"", "others", "free", "seen"}
    refused = {url.removeprefix("http://a.hr/") for url in metadata(tmp_path / "warc")}
    assert refused == {"header", "bots", "meta", "tdm"}
    assert stats.opted_out == 4
    assert "/hidden" not in web.paths("a.hr")
    for path in (tmp_path / "warc").glob("*.gz"):
        assert not any(b"secret" in record.body for record in scan(path))
    with sqlite3.connect(tmp_path / "state" / "frontier.sqlite") as db:
        assert {row[0] for row in db.execute("SELECT url FROM optout")} == set(metadata(tmp_path / "warc"))
    db.close()


@pytest.mark.parametrize("file", FILES)
def test_statements_in_files(web: Web, run: Run, tmp_path: Path, file: str) -> None:
    body = {
        "/robots.txt": "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n",
        "/ai.txt": "User-Agent: *\nDisallow: /\n",
        "/.well-known/tdmrep.json": json.dumps([{"location": "/", "tdm-reservation": 1}]),
    }[file]
    web.put(f"a.hr{file}", Answer(body, type="text/plain"))
    web.put("a.hr/", page("b"))
    web.put("a.hr/b", page())
    stats = run("a.hr", rights_files=True)
    assert stored(tmp_path / "warc") == []
    assert len(metadata(tmp_path / "warc")) == stats.opted_out == 2
    assert [hit.path for hit in web.hits if hit.path in FILES] == list(FILES)
    assert stats.requests == 2


def test_the_policy_is_a_setting(web: Web, run: Run, tmp_path: Path) -> None:
    web.put("a.hr/", Answer("<p>x", headers={"X-Robots-Tag": "noindex"}))
    run("a.hr", rights=Policy(keep_out=("noai",)))
    (kept,) = stored(tmp_path / "warc")
    assert kept.url == "http://a.hr/"


def test_files_that_robots_forbid_are_not_asked_for(web: Web, run: Run) -> None:
    web.put("a.hr/robots.txt", Answer("User-agent: *\nDisallow: /", type="text/plain"))
    web.put("b.hr/robots.txt", Answer("User-agent: *\nDisallow: /ai.txt", type="text/plain"))
    web.put("b.hr/", page())
    run("a.hr", "b.hr", rights_files=True)
    assert [hit.path for hit in web.hits if hit.host == "a.hr"] == ["/robots.txt"]
    assert sorted(hit.path for hit in web.hits if hit.host == "b.hr") == [
        "/",
        "/.well-known/tdmrep.json",
        "/robots.txt",
    ]
