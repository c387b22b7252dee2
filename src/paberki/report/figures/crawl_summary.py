"""The crawl behind a corpus: how long, how much, from where, beside the crawls of the papers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from paberki.amounts import number, percent, several
from paberki.report.section import Section

_COMPARED = ("days", "pages", "good", "hosts", "bytes")
STATUS = "status.json"
"""What a crawl publishes about itself, in its folder or in one folder per shard."""
_DAY = 86_400
_SUMS = ("seconds", "requests", "pages", "good", "hosts", "bytes", "good_bytes", "copies", "opted_out", "robots_denied")


@dataclass(frozen=True, slots=True)
class CrawlFacts:
    """What a crawl has done, all its runs and shards together."""

    days: float
    """Days of crawling; for parallel shards, of the longest one."""
    requests: int
    """Requests for pages."""
    pages: int
    """Pages stored."""
    good: int
    """Pages that the crawl's own judge expects to be kept."""
    hosts: int
    """Hosts met."""
    bytes: int
    """Bytes received."""
    good_bytes: int = 0
    """Bytes of running text in a wanted language."""
    copies: int = 0
    """Pages that repeat an earlier one."""
    opted_out: int = 0
    """Pages not kept because their owners do not want it."""
    robots_denied: int = 0
    """URLs that robots.txt forbids."""
    by_status: dict[str, int] = field(default_factory=dict)
    """Answers per HTTP status."""
    by_trap: dict[str, int] = field(default_factory=dict)
    """Requests and links saved or lost per rule against traps."""
    running: bool = False
    """Whether the crawl is going on."""

    @property
    def harvest(self) -> float:
        """Good pages per request."""
        return self.good / self.requests if self.requests else 0.0

    @property
    def pages_per_day(self) -> float:
        """Pages stored per day of crawling."""
        return self.pages / self.days if self.days else 0.0


@dataclass(frozen=True, slots=True)
class PaperCrawl:
    """A crawl reported in a paper; None where the paper gives no number."""

    corpus: str
    source: str
    days: float | None = None
    pages: int | None = None
    good: int | None = None
    """Documents that were left in the end."""
    hosts: int | None = None
    bytes: int | None = None
    note: str = ""


PAPERS = (
    PaperCrawl(
        "hrWaC",
        "P1 Table 1",
        None,
        15_747_585,
        3_409_226,
        16_398,
        None,
        "several weeks, January to March 2011; domains",
    ),
    PaperCrawl(
        "slWaC", "P1 Table 1", None, 9_247_341, 1_287_895, 18_418, None, "several weeks, January to March 2011; domains"
    ),
    PaperCrawl("bsWaC, hrWaC 2.0, srWaC", "P3 §3", 21, note="each; 16 cores for processing"),
    PaperCrawl(
        "TSUBAKI",
        "P4 §3.1, §3.2, Table 2",
        92,
        233_000_000,
        100_000_000,
        None,
        600_000_000_000,
        "10 machines; bytes of good pages, gzipped",
    ),
    PaperCrawl("SECOW2011", "P5 §2, Table 1", 7, None, 1_910_000),
    PaperCrawl("DECOW2012", "P5 §2, §4.1, Fig. 1", 28, 130_602_410, 7_759_892),
)
"""What the papers say about their crawls."""


def crawl_facts(folder: Path) -> CrawlFacts | None:
    """The facts about the crawl in a corpus's folder ``crawl``; None if there was none."""
    parts = list(_read_statuses(folder))
    if not parts:
        return None
    total: Counter[str] = Counter()
    for part in parts:
        total.update({name: part[name] for name in _SUMS if isinstance(part.get(name), int | float)})
    return CrawlFacts(
        days=max(float(part.get("seconds") or 0) for part in parts) / _DAY,
        **{name: int(total[name]) for name in _SUMS if name != "seconds"},
        by_status=dict(_sum_counts(parts, "by_status")),
        by_trap=dict(_sum_counts(parts, "by_trap")),
        running=any(part.get("running") is True for part in parts),
    )


def crawl_state(folder: Path) -> dict[str, Any] | None:
    """What a crawl says about itself now; of several shards the sums. None if there was none."""
    parts = list(_read_statuses(folder))
    if len(parts) == 1:
        return parts[0]
    facts = crawl_facts(folder)
    return None if facts is None else asdict(facts)


def _read_statuses(folder: Path) -> Iterator[dict[str, Any]]:
    """The status of each shard; a status file of the whole crawl replaces them."""
    whole = folder / STATUS
    for path in [whole] if whole.exists() else sorted(folder.glob(f"*/{STATUS}")):
        try:
            status = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(status, dict):
            yield status


def _sum_counts(parts: list[dict[str, Any]], name: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for part in parts:
        counts.update({key: value for key, value in (part.get(name) or {}).items() if isinstance(value, int)})
    return counts


def crawl_section(crawl: CrawlFacts | None) -> Section:
    """The crawl beside those of the papers."""
    if crawl is None:
        return Section("crawl", "The crawl", missing="The corpus was not crawled by paberki; its pages were imported.")
    caption = (
        f"{several(crawl.requests, 'request')} in {duration(crawl.days)} gave {several(crawl.pages, 'page')}, of which the "
        f"crawl took {number(crawl.good)} for good ({percent(crawl.harvest)} of the requests). {several(crawl.copies, 'page')} "
        f"repeated others, {number(crawl.opted_out)} were not kept because their owners do not want it, and "
        f"{number(crawl.robots_denied)} addresses were not asked for because robots.txt forbids it."
    )
    own = {"corpus": "this one", "source": "", **{name: getattr(crawl, name) for name in _COMPARED}}
    rows = [own, *({name: getattr(paper, name) for name in own} for paper in PAPERS)]
    notes = [f"{paper.corpus}: {paper.note}" for paper in PAPERS if paper.note]
    return Section("crawl", "The crawl", caption, crawl_json(crawl), rows, notes=notes)


def duration(days: float) -> str:
    """A time in the largest unit that it fills: ``28 days``, ``3.5 hours``, ``12 seconds``."""
    units = (("days", 1.0), ("hours", 24.0), ("minutes", 1440.0), ("seconds", _DAY))
    name, per_day = next((unit for unit in units if days * unit[1] >= 1), units[-1])
    value = days * per_day
    return f"{value:,.0f} {name}" if value >= 10 else f"{value:.2g} {name}"


def crawl_json(crawl: CrawlFacts) -> dict[str, Any]:
    """The facts and, beside them, what the papers say."""
    rates = {"harvest": crawl.harvest, "pages_per_day": crawl.pages_per_day}
    return {**asdict(crawl), **rates, "papers": [asdict(paper) for paper in PAPERS]}
