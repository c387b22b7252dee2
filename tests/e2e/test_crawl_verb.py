"""The crawl as people run it: killed, stopped, watched, continued."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import fine, refused

from corpora import article
from paberki.archive.reading.warc import scan
from paberki.demo.web import MiniWeb

pytestmark = pytest.mark.waits

OPTIONS = ("--delay", "0.15", "--ip-delay", "0", "--user-agent", "paberki-test/1.0")


@pytest.fixture(scope="module")
def web() -> Iterator[MiniWeb]:
    with MiniWeb(loopback_range=True) as served:
        yield served


def _corpus(web: MiniWeb, root: Path) -> list[str]:
    """A corpus of the mini-web's hosts by their addresses, for which no name server is needed."""
    seeds = root.with_suffix(".seeds")
    seeds.write_text("\n".join(f"http://{where.ip}:{where.port}/" for where in web.addresses.values()))
    fine("new", root, "--lang", "hr", "--seeds", seeds, "--everywhere")
    return [sys.executable, "-m", "paberki", "crawl", str(root), *OPTIONS, "--allow-network", web.network]


def _wait_until(said: Path, pages: int) -> None:
    for _ in range(600):
        try:
            if json.loads(said.read_text())["pages"] >= pages:
                return
        except (OSError, ValueError, KeyError):
            pass
        time.sleep(0.05)
    raise AssertionError("the crawl does not get going")


def test_killed_stopped_watched_and_continued(web: MiniWeb, tmp_path: Path) -> None:
    root = tmp_path / "hr"
    command = [*_corpus(web, root), "--quiet"]
    said = root / "crawl" / "status.json"
    for pages in (15, 45):
        running = subprocess.Popen(command)
        _wait_until(said, pages)
        running.send_signal(signal.SIGKILL)
        assert running.wait() == -signal.SIGKILL
    running = subprocess.Popen(command)
    _wait_until(said, 70)
    shown = fine("status", root).out
    assert "crawling: process" in shown
    assert "good" in shown
    running.send_signal(signal.SIGTERM)
    start = time.monotonic()
    assert running.wait(20) == 0
    assert time.monotonic() - start < 20
    before = json.loads(said.read_text())
    assert before["running"] is False
    after = fine(
        "crawl", root, *OPTIONS, "--allow-network", web.network, "--max-pages", before["requests"] + 20, "--json"
    ).json
    assert after["requests"] == before["requests"] + 20
    urls = [record.url for path in sorted(root.glob("warc/*.gz")) for record in scan(path) if record.type == "response"]
    assert len(urls) == len(set(urls))
    assert not any(record.error for path in root.glob("warc/*.gz") for record in scan(path))


def test_a_crawl_without_scope_asks_for_one(web: MiniWeb, tmp_path: Path) -> None:
    root, seeds = tmp_path / "hr", tmp_path / "seeds"
    one, other = [where for where in web.addresses.values() if where.port][:2]
    seeds.write_text(f"http://{one.ip}:{one.port}/\nhttp://{other.ip}:{other.port}/\n")
    fine("new", root, "--lang", "hr")
    crawl = ("crawl", root, "--seeds", seeds, *OPTIONS, "--allow-network", web.network, "--max-pages", 5, "--json")
    said = refused(*crawl)
    assert all(name in said for name in ("--tld", "--domains", "--everywhere", "everywhere = true"))
    assert not list(root.glob("warc/*"))
    fine(*crawl, "--domains", one.ip)
    urls = {record.url for path in root.glob("warc/*.gz") for record in scan(path) if record.type == "response"}
    assert urls
    assert all(url is not None and f"//{one.ip}:" in url for url in urls)
    recipe = root / "corpus.toml"
    recipe.write_text(recipe.read_text().replace("tld = []", "everywhere = true"))
    assert fine(*crawl[:-2], 10, "--json").json["requests"] == 10


def test_imported_pages_from_elsewhere_are_labelled(tmp_path: Path) -> None:
    root, pages = tmp_path / "hr", tmp_path / "pages.jsonl"
    rows = [{"url": f"https://www.primjer.{top}/", "html": article(at)} for at, top in enumerate(("hr", "com"))]
    pages.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "loose.html").write_text(article(3))
    fine("new", root, "--lang", "hr", "--tld", "hr", "--preset", "hrwac2011")
    fine("import", root, pages, tmp_path / "loose.html")
    fine("build", root, "--quiet")
    found = fine("sql", root, "select host, reason from pages", "--json").json
    assert {row["host"]: row["reason"] == "out-of-scope" for row in found} == {
        "www.primjer.hr": False, "www.primjer.com": True, "": False,
    }  # fmt: skip
    assert "scope" in fine("explain", root, "https://www.primjer.com/").out
