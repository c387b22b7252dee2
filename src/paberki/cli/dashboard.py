"""Shows a running crawl: a live table on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from paberki.cli import show
from paberki.terminal import visible

if TYPE_CHECKING:
    from paberki.crawl import CrawlStats

_MOST_CAUSES = 10

Tell = Callable[["CrawlStats"], None]


@contextmanager
def telling(line: Callable[[CrawlStats], str], *, quiet: bool) -> Iterator[Tell | None]:
    """A function to call with the statistics of a crawl about once a second; None if ``quiet``."""
    if quiet:
        yield None
    elif show.err.is_terminal:
        with Live(console=show.err, refresh_per_second=2, transient=True) as live:
            yield lambda stats: live.update(panel(stats))
    else:
        last = [time.monotonic()]

        def tell(stats: CrawlStats) -> None:
            if time.monotonic() - last[0] >= show.LINE_EVERY:
                last[0] = time.monotonic()
                show.err.print(line(stats), markup=False)

        yield tell


def panel(stats: CrawlStats) -> Group:
    """The whole dashboard, low enough for a terminal of 24 lines, where lines beyond the last are cut off."""
    lists = Table.grid(padding=(0, 3), expand=False)
    lists.add_row(_hosts(stats), _waste(stats), _failures(stats))
    return Group(_figures(stats), Text(), lists)


def _figures(stats: CrawlStats) -> Table:
    table = Table.grid(padding=(0, 3))
    rows: list[tuple[Any, ...]] = [
        ("pages", show.count(stats.pages), "pages/s", f"{stats.pages_per_second:.1f}"),
        ("good", show.count(stats.good), "good/s", f"{stats.good_per_second:.1f}"),
        ("requests", show.count(stats.requests), "harvest", f"{stats.harvest:.1%}"),
        ("queue", show.count(stats.queued), "hosts", show.count(stats.hosts)),
        ("copies", show.count(stats.copies), "opted out", show.count(stats.opted_out)),
        ("bytes", show.size(stats.bytes), "time", show.duration(stats.seconds)),
    ]
    for row in rows:
        table.add_row(*row)
    return table


def _hosts(stats: CrawlStats) -> Table:
    table = Table("host", "pages", "good", box=None, pad_edge=False)
    for name, pages, good in stats.top_hosts:
        table.add_row(Text(visible(str(name))), show.count(pages), show.count(good))
    return table


def _waste(stats: CrawlStats) -> Table:
    table = Table("lost to", "requests and links", box=None, pad_edge=False)
    for rule, count in stats.by_trap.most_common(8):
        table.add_row(Text(visible(rule)), show.count(count))
    return table


def _failures(stats: CrawlStats) -> Table:
    table = Table("failed", "URLs", box=None, pad_edge=False)
    for cause, count in stats.failures.most_common(_MOST_CAUSES):
        table.add_row(Text(visible(cause)), show.count(count))
    return table
