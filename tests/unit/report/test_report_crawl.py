"""The crawl in the report: what it published about itself, shards added up, the papers beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paberki.report.figures.crawl_summary import PAPERS, crawl_facts, crawl_json, crawl_section, duration

STATS = {
    "requests": 200,
    "pages": 150,
    "good": 90,
    "hosts": 7,
    "bytes": 5_000_000,
    "good_bytes": 400_000,
    "seconds": 43_200.0,
    "by_status": {"200": 150, "404": 50},
    "opted_out": 3,
    "running": False,
    "of a later version": {"x": 1},
}


def test_facts_of_a_crawl(tmp_path: Path) -> None:
    (tmp_path / "status.json").write_text(json.dumps(STATS))
    found = crawl_facts(tmp_path)
    assert found is not None
    assert (found.days, found.pages, found.good, found.hosts, found.bytes) == (0.5, 150, 90, 7, 5_000_000)
    assert found.harvest == pytest.approx(0.45)
    assert found.pages_per_day == 300
    assert found.by_status == {"200": 150, "404": 50}
    said = crawl_json(found)
    assert said["papers"][0]["pages"] == 15_747_585
    json.dumps(said)


def test_shards_are_added_up(tmp_path: Path) -> None:
    for number, seconds in enumerate((86_400, 43_200)):
        (tmp_path / f"shard-{number}").mkdir()
        (tmp_path / f"shard-{number}" / "status.json").write_text(json.dumps(STATS | {"seconds": seconds}))
    found = crawl_facts(tmp_path)
    assert found is not None
    assert (found.days, found.pages, found.by_status["404"]) == (1.0, 300, 100)


def test_no_crawl(tmp_path: Path) -> None:
    assert crawl_facts(tmp_path) is None
    assert crawl_facts(tmp_path / "missing") is None
    (tmp_path / "status.json").write_text("{broken")
    assert crawl_facts(tmp_path) is None
    assert "not crawled" in crawl_section(None).missing


def test_section(tmp_path: Path) -> None:
    (tmp_path / "status.json").write_text(json.dumps(STATS))
    shown = crawl_section(crawl_facts(tmp_path)).as_html()
    assert 'id="crawl"' in shown
    assert all(paper.corpus in shown for paper in PAPERS)
    assert "130,602,410" in shown
    assert "45.00 %" in shown


@pytest.mark.parametrize(
    ("days", "text"),
    [
        (28.0, "28 days"),
        (1.5, "1.5 days"),
        (0.25, "6 hours"),
        (0.02, "29 minutes"),
        (5e-05, "4.3 seconds"),
        (0.0, "0 seconds"),
    ],
)
def test_a_short_crawl_is_told_in_seconds(days: float, text: str) -> None:
    assert duration(days) == text
