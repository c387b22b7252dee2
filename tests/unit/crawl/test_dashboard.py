"""What a running crawl shows."""

from __future__ import annotations

from collections import Counter

from rich.console import Console

from paberki.cli.crawl import crawl_line
from paberki.cli.dashboard import panel
from paberki.crawl import CrawlStats

STATS = CrawlStats(
    requests=2000, pages=1500, good=1000, queued=70_000, hosts=12, bytes=3_000_000, seconds=60.0,
    pages_per_second=25.5, good_per_second=17.0, by_trap=Counter(parameters=31), by_error=Counter(timeout=3),
    top_hosts=[["[bold]a.hr", 700, 600]],
)  # fmt: skip


def test_the_panel_has_the_figures() -> None:
    console = Console(width=100, record=True, force_terminal=False)
    with console.capture() as shown:
        console.print(panel(STATS))
    text = shown.get()
    for part in ("1,500", "25.5", "17.0", "50.0%", "70,000", "[bold]a.hr", "parameters", "31", "timeout"):
        assert part in text, part


def test_the_line_has_them_too() -> None:
    line = crawl_line(STATS)
    assert "1,500 pages, 1,000 good (50% of requests)" in line
    assert "70,000 queued" in line


def test_counters_survive_a_round_trip() -> None:
    assert CrawlStats.from_json(STATS.to_json()) == STATS
