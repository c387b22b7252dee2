"""Files of a crawl that were cut, overwritten or left behind."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from loopback import SETTINGS, Answer, Web, page, stored

from paberki.crawl import CrawlConfig, CrawlStats, crawl
from paberki.crawl.stats import NothingFetched, complain
from paberki.errors import ConfigError, PaberkiError, StoreError

Run = Callable[..., CrawlStats]
DAMAGE: dict[str, Callable[[bytes], bytes | None]] = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "overwritten": lambda data: bytes(range(256)) * 20,
    "beginning": lambda data: b"\xff" * 100 + data[100:],
    "json": lambda data: b"[null]",
    "missing": lambda data: None,
}


@pytest.fixture
def begun(web: Web, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A crawl that was stopped, with files of every kind."""
    monkeypatch.setattr("paberki.crawl.frontier.frontier.POUR", 100)
    monkeypatch.setattr("paberki.crawl.frontier.seen_urls.FRESH", 100)
    web.put("a.hr/", page(*(f"/{number}" for number in range(300))))
    web.fallback = lambda host, path: Answer("", 404) if path == "/robots.txt" else page(text=path)
    run("http://a.hr/", max_pages=10)
    names = {path.suffix for path in (tmp_path / "state").iterdir()}
    assert names == {".sqlite", ".run", ".u64", ".json"}
    return tmp_path


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_files_are_told_in_one_line(damage: str, begun: Path, web: Web) -> None:
    for file in sorted(path for folder in ("state", "warc") for path in (begun / folder).iterdir()):
        copy = begun / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        for folder in ("state", "warc"):
            shutil.copytree(begun / folder, copy / folder)
        target, data = copy / file.relative_to(begun), DAMAGE[damage](file.read_bytes())
        target.unlink()
        if data is not None:
            target.write_bytes(data)
        config = CrawlConfig(**{**SETTINGS, "seeds": ("http://a.hr/",), "max_pages": 12})  # type: ignore[arg-type]
        complaint = str(copy)
        try:
            crawl(config, warc=copy / "warc", state=copy / "state", resolve=web.resolve)
        except PaberkiError as error:
            complaint = str(error)
        assert complaint.startswith(str(copy))
        assert "\n" not in complaint
        if file.suffix == ".gz" and target.exists():
            assert target.read_bytes()[:50] == (data or b"")[:50]


def test_a_damaged_note_about_shards(begun: Path, web: Web) -> None:
    (begun / "other").mkdir()
    (begun / "other" / "shards.json").write_text("{")
    config = CrawlConfig(seeds=("http://a.hr/",), shards=2)
    with pytest.raises(StoreError, match="cannot be read"):
        crawl(config, warc=begun / "warc", state=begun / "other")


def test_leftovers_of_a_killed_crawl_go(begun: Path, run: Run) -> None:
    warc = begun / "warc"
    (warc / "crawl-00001.warc.gz.json.new").write_text("{")
    (warc / "crawl-00002.warc.gz").write_bytes(b"\x1f\x8b half a record")
    (warc / "mine.new").write_text("not ours")
    run("http://a.hr/", max_pages=10)
    assert {path.name for path in warc.iterdir() if not path.name.startswith("crawl-00001.warc.gz")} == {"mine.new"}
    assert not (warc / "crawl-00001.warc.gz.json.new").exists()
    run("http://a.hr/", max_pages=20)
    assert len({record.url for record in stored(warc)}) == 20


def test_seeds_that_are_none(run: Run) -> None:
    for seed in ("http://[::1", "http://a.hr/" + "x" * 100_000, "http://\x1b[31m/"):
        with pytest.raises(ConfigError, match="is not a web address") as failure:
            run(seed)
        assert len(str(failure.value)) < 500
        assert "\x1b" not in str(failure.value)


def test_links_that_are_none(web: Web, run: Run, tmp_path: Path) -> None:
    web.put("a.hr/", page("http://[::1", "http://[::1]x/", "/" + "x" * 100_000, "http://a.hr:99999999999/", "/good"))
    web.put("a.hr/good", page(text="good"))
    stats = run("http://a.hr/")
    assert web.paths("a.hr") == ["/", "/good"]
    assert stats.failures == {}


def test_a_crawl_without_a_page_says_why(web: Web, run: Run) -> None:
    web.resolve["inside.hr"] = ("10.0.0.1", None)
    web.put("closed.hr/robots.txt", Answer("User-agent: *\nDisallow: /"))
    web.put("gone.hr/", Answer("no", 404))
    seeds = ("http://inside.hr/", "http://closed.hr/", "http://gone.hr/", "http://no-such-host.invalid/")
    for _ in range(2):
        stats = run(*seeds, retries=0)
        with pytest.raises(NothingFetched, match="all seeds failed: .*dns 1") as failure:
            complain(stats)
        assert failure.value.exit_code == 1
    assert stats.failures == {"private address": 1, "robots": 1, "http status 404": 1, "dns": 2}
    web.put("good.hr/", page())
    complain(run(*seeds, "http://good.hr/", retries=0))
    complain(run("http://more.hr/", max_pages=0))
