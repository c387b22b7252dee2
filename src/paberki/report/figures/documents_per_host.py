"""Documents per host (P5 §2): the mean, the largest hosts, and how many of them make up half of the corpus."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from paberki.amounts import number, several
from paberki.engine.plan import Plan
from paberki.markup.charts import rank_curve
from paberki.report.page_counts import Counter, counting, share
from paberki.report.section import Figure, Section
from paberki.store.directory import Directory

NO_HOST = "(no host)"
CURVE_POINTS = 200
_COUNTED = """CREATE OR REPLACE TEMP TABLE host_counts AS
    SELECT host, pages, kept, row_number() OVER ranked AS rank, sum(kept) OVER ranked AS running
    FROM (SELECT coalesce(host, '') AS host, count(*) AS pages, count(*) FILTER (keep) AS kept
          FROM pages GROUP BY 1)
    WINDOW ranked AS (ORDER BY kept DESC, pages DESC, host ROWS UNBOUNDED PRECEDING)"""


@dataclass(frozen=True, slots=True)
class HostCounts:
    """One host."""

    rank: int
    host: str
    pages: int
    kept: int
    kept_share: float
    """Of all kept pages."""


@dataclass(frozen=True, slots=True)
class HostSummary:
    """All hosts, summed up; ``top`` are those with the most kept pages."""

    hosts: int
    pages: int
    kept_hosts: int
    """Hosts with at least one kept page."""
    kept: int
    mean_pages: float
    mean_kept: float
    """Kept documents per host that has any (20 in DECOW, 158 in deWaC, P5 §2)."""
    half: int
    """Fewest hosts that together have at least half of the kept pages (P5 Fig. 1–3)."""
    top: tuple[HostCounts, ...]
    curve: tuple[tuple[int, int], ...]
    """Kept pages by rank, thinned out evenly on a logarithmic scale."""


def hosts(directory: Directory, plan: Plan, *, top: int = 20) -> HostSummary:
    """Documents per host, the largest hosts first."""
    with counting(directory, plan) as counter:
        return hosts_in(counter, top=top)


def hosts_in(counter: Counter, *, top: int = 20) -> HostSummary:
    """The same in an open corpus; leaves the table ``host_counts`` for :func:`all_hosts`."""
    counter.rows(_COUNTED)
    [(number, pages, kept_hosts, kept_pages)] = counter.rows(
        "SELECT count(*), coalesce(sum(pages), 0), count(*) FILTER (kept > 0), coalesce(sum(kept), 0) FROM host_counts"
    )
    number, pages, kept_hosts, kept_pages = int(number), int(pages), int(kept_hosts), int(kept_pages)
    [(half,)] = counter.rows("SELECT min(rank) FROM host_counts WHERE kept > 0 AND running * 2 >= ?", [kept_pages])
    first = counter.rows("SELECT rank, host, pages, kept FROM host_counts WHERE rank <= ? ORDER BY rank", [top])
    return HostSummary(
        hosts=number,
        pages=pages,
        kept_hosts=kept_hosts,
        kept=kept_pages,
        mean_pages=share(pages, number),
        mean_kept=share(kept_pages, kept_hosts),
        half=int(half or 0),
        top=tuple(
            HostCounts(int(rank), host or NO_HOST, all_, own, share(own, kept_pages)) for rank, host, all_, own in first
        ),
        curve=_curve(counter, kept_hosts),
    )


def _curve(counter: Counter, last: int) -> tuple[tuple[int, int], ...]:
    if not last:
        return ()
    steps = {round(last ** (step / CURVE_POINTS)) for step in range(CURVE_POINTS + 1)}
    ranks = ", ".join(str(rank) for rank in sorted(steps | {1, last}))
    rows = counter.rows(f"SELECT rank, kept FROM host_counts WHERE rank IN ({ranks}) ORDER BY rank")
    return tuple((int(rank), int(pages)) for rank, pages in rows)


def all_hosts(counter: Counter) -> Iterator[tuple[int, str, int, int]]:
    """Rank, host, pages and kept pages of every host, after :func:`hosts_in`."""
    query = "SELECT rank, host, pages, kept FROM host_counts ORDER BY rank"
    return ((int(rank), host, int(pages), int(kept_pages)) for rank, host, pages, kept_pages in counter.stream(query))


def hosts_figure(hosts: HostSummary) -> str:
    """Kept documents of every host by its rank."""
    most = number(hosts.curve[0][1] if hosts.curve else 0)
    about = f"{several(hosts.kept_hosts, 'host')}; the largest has {most} pages."
    return rank_curve(
        "hosts", "Kept pages per host", about, hosts.curve, across="rank of the host", upwards="kept pages"
    )


def hosts_section(hosts: HostSummary) -> Section:
    """The mean, the largest hosts and the curve."""
    caption = (
        f"{number(hosts.kept)} kept pages come from {number(hosts.kept_hosts)} of {several(hosts.hosts, 'host')}, "
        f"{hosts.mean_kept:,.1f} on average (P5: 20 in DECOW, 158 in deWaC); {number(hosts.half)} of them have half of the "
        "kept pages. All hosts are in hosts.csv."
    )
    values = {
        "mean": hosts.mean_kept,
        "hosts": hosts.hosts,
        "kept_hosts": hosts.kept_hosts,
        "pages": hosts.pages,
        "kept": hosts.kept,
        "half": hosts.half,
    }
    rows = [asdict(one) for one in hosts.top]
    figures = [Figure("hosts", hosts_figure(hosts))]
    return Section("documents_per_host", "Documents per host", caption, values, rows, figures)
