"""Kill -9 at random moments, the same command again: nothing twice, nothing lost."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from loopback import SETTINGS, Answer, Web, page, stored

from corpora import article
from paberki.crawl import CrawlStats
from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.frontier.database import CrawlDatabase
from paberki.crawl.storing.warc_files import WarcFiles
from paberki.errors import StoreError

HOSTS, PAGES = 8, 40

_COMMAND = """
import json, sys
from pathlib import Path
import paberki.crawl.crawler as crawler
from paberki.crawl import CrawlConfig, crawl
crawler.COMMIT_SECONDS = 0.1  # more commits, so that kills hit all their steps
crawler.COMMIT_RECORDS = 7
config, resolve, out = json.loads(sys.argv[1])
resolve = {name: tuple(address) for name, address in resolve.items()}
config = CrawlConfig(**{key: tuple(v) if isinstance(v, list) else v for key, v in config.items()})
crawl(config, warc=Path(out, "warc"), state=Path(out, "state"), resolve=resolve)
"""


def _site(web: Web) -> list[str]:
    """Hosts of a few dozen pages each, linked like a tree and across, with some redirects and errors."""
    hosts = [f"h{i}.hr" for i in range(HOSTS)]
    for number, host in enumerate(hosts):
        web.put(f"{host}/robots.txt", Answer("User-agent: *\nDisallow: /p7\n", type="text/plain"))
        web.put(f"{host}/", page("p1", "p2", "missing"))
        for i in range(1, PAGES):
            across = f"http://{hosts[(number + i) % HOSTS]}/p{i}"
            web.put(
                f"{host}/p{i}",
                page(f"p{2 * i % PAGES}", f"p{(2 * i + 1) % PAGES}", across, text=article(100 * number + i)),
            )
        web.put(f"{host}/p9", Answer("", 302, headers={"Location": "/p20"}))
    return hosts


def _config(hosts: list[str]) -> dict[str, object]:
    return {**SETTINGS, "seeds": hosts, "delay": 0.01, "ip_delay": 0.0, "max_warc_bytes": 60_000}


def test_killed_again_and_again(web: Web, run: Callable[..., CrawlStats], tmp_path: Path) -> None:
    hosts = _site(web)
    run(*hosts)
    undisturbed = {(r.url, r.status) for r in stored(tmp_path / "warc", robots=True)}
    out = tmp_path / "killed"
    command = [sys.executable, "-c", _COMMAND, json.dumps([_config(hosts), web.resolve, str(out)])]
    moments = random.Random(5)
    kills = 0
    for _ in range(40):
        process = subprocess.Popen(command)
        if kills < 5:
            _wait_for_growth(out, process)
            time.sleep(moments.uniform(0, 0.25))
            process.send_signal(signal.SIGKILL)
        code = process.wait()
        kills += code == -signal.SIGKILL
        if code == 0:
            break
        assert code == -signal.SIGKILL
        _check_sidecars(out / "warc")
    assert kills >= 3
    records = [(r.url, r.status) for r in stored(out / "warc", robots=True)]
    assert len(records) == len(set(records))
    assert set(records) == undisturbed
    assert all(json.loads(path.read_text())["complete"] for path in (out / "warc").glob("*.json"))


def _wait_for_growth(out: Path, process: subprocess.Popen[bytes]) -> None:
    """Wait until this run has stored something, so that kills fall into work and not into imports."""
    files = out / "warc"
    before = sum(path.stat().st_size for path in files.glob("*.gz"))
    while process.poll() is None and sum(path.stat().st_size for path in files.glob("*.gz")) <= before:
        time.sleep(0.005)


def _check_sidecars(warc: Path) -> None:
    """What readers are told is there, whole, at any moment."""
    for path in warc.glob("*.warc.gz"):
        sidecar = path.with_name(path.name + ".json")
        assert not sidecar.exists() or path.stat().st_size >= json.loads(sidecar.read_text())["committed"]


def test_surplus_bytes_are_cut_and_missing_ones_reported(tmp_path: Path) -> None:
    state = CrawlDatabase(tmp_path / "state")
    state.db.execute("INSERT INTO warc VALUES ('crawl-00001.warc.gz', 10, 0)")
    path = tmp_path / "crawl-00001.warc.gz"
    path.write_bytes(b"0123456789surplus")
    WarcFiles(tmp_path, state, CrawlConfig())
    assert path.read_bytes() == b"0123456789"
    assert json.loads((tmp_path / "crawl-00001.warc.gz.json").read_text())["committed"] == 10
    path.write_bytes(b"012345678")
    with pytest.raises(StoreError, match="restore it"):
        WarcFiles(tmp_path, state, CrawlConfig())
    state.close()


def test_files_of_others_are_left_alone(web: Web, run: Callable[..., CrawlStats], tmp_path: Path) -> None:
    (tmp_path / "warc").mkdir()
    older = tmp_path / "warc" / "crawl-00007.warc.gz"
    older.write_bytes(b"")
    web.put("a.hr/", page())
    run("a.hr")
    assert older.read_bytes() == b""
    assert (tmp_path / "warc" / "crawl-00008.warc.gz").exists()


def test_a_finished_crawl_has_nothing_left_to_do(web: Web, run: Callable[..., CrawlStats], tmp_path: Path) -> None:
    web.put("a.hr/", page("x"))
    web.put("a.hr/x", page())
    first = run("a.hr")
    hits = len(web.hits)
    again = run("a.hr")
    assert len(web.hits) == hits
    assert (again.pages, again.requests) == (first.pages, first.requests)
    assert run("a.hr", "http://a.hr/new").requests == first.requests + 1
    assert len([hit for hit in web.hits if hit.path == "/robots.txt"]) == 1
