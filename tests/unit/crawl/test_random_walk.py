"""Random walks: from link to link, back, and away; every step in the log."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from loopback import Answer, Web, page

from corpora import article
from paberki.crawl import CrawlConfig, CrawlStats
from paberki.errors import ConfigError

Run = Callable[..., CrawlStats]


def _steps(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "state" / "walk.jsonl").read_text().splitlines()]


def _page(number: int, *links: str) -> Answer:
    return page(*links, text=article(number).replace("href=/", "name="))


def _tree(web: Web, host: str, pages: int = 40) -> None:
    """Every page leads to two others, the last ones nowhere."""
    for i in range(pages):
        links = [f"/{n}" for n in (2 * i + 1, 2 * i + 2) if n < pages]
        web.put(f"{host}/{i or ''}", _page(i, *links))


def test_without_jumps_every_step_is_a_link_or_the_way_back(web: Web, run: Run, tmp_path: Path) -> None:
    _tree(web, "a.hr")
    run("a.hr", strategy="walk", walk_jump=0.0)
    steps = _steps(tmp_path)
    assert [step["step"] for step in steps] == list(range(1, 41))
    assert [step["url"] for step in steps] == [f"http://a.hr{hit.path}" for hit in web.asked]
    moves = Counter(step["move"] for step in steps)
    assert moves["jump"] == 1
    assert moves["backtrack"] >= 15
    for before, step in itertools.pairwise(steps):
        number = int(step["url"].rpartition("/")[2])
        parent = f"http://a.hr/{(number - 1) // 2 or ''}"
        assert step["from"] == parent
        assert (step["move"] == "link") == (before["url"] == parent)


def test_without_backtracking_dead_ends_are_left_by_a_jump(web: Web, run: Run, tmp_path: Path) -> None:
    _tree(web, "a.hr")
    run("a.hr", strategy="walk", walk_jump=0.0, walk_backtrack=False)
    moves = Counter(step["move"] for step in _steps(tmp_path))
    assert moves["backtrack"] == 0
    assert moves["jump"] > 5
    assert len(web.asked) == 40


def test_jumps_are_as_frequent_as_they_should_be(web: Web, run: Run, tmp_path: Path) -> None:
    for i in range(300):
        web.put(f"a.hr/{i or ''}", _page(i, *(f"/{(7 * i + n) % 300}" for n in range(1, 40))))
    run("a.hr", strategy="walk", walk_jump=0.5, max_pages=200)
    moves = Counter(step["move"] for step in _steps(tmp_path))
    assert sum(moves.values()) == 200
    assert 70 < moves["jump"] < 130


def test_walks_cross_hosts_go_on_after_errors_and_log_further_runs(web: Web, run: Run, tmp_path: Path) -> None:
    _tree(web, "a.hr", 10)
    _tree(web, "b.hr", 10)
    web.put("a.hr/9", page("http://b.hr/", "http://b.hr/gone", "http://closed.hr/", "http://b.hr/to"))
    web.put("b.hr/to", Answer("", 302, headers={"Location": "/there"}))
    web.put("b.hr/there", page())
    web.put("closed.hr/robots.txt", Answer("User-agent: *\nDisallow: /", type="text/plain"))
    run("a.hr", strategy="walk", max_pages=6)
    run("a.hr", strategy="walk")
    steps = _steps(tmp_path)
    assert [step["step"] for step in steps] == list(range(1, len(web.asked) + 1))
    assert {step["url"] for step in steps} >= {"http://b.hr/9", "http://b.hr/gone", "http://b.hr/there"}
    assert len(steps) == len({step["url"] for step in steps}) == 23
    assert {step["status"] for step in steps} == {200, 302, 404}


def test_probabilities() -> None:
    with pytest.raises(ConfigError, match="walk_jump"):
        CrawlConfig(walk_jump=1.5)
