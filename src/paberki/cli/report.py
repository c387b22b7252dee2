"""paberki report."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet

if TYPE_CHECKING:
    from paberki.report.report_page import Findings


def run(
    directory: Dir,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Directory to write to; default DIR/report.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """What is in the corpus and what was left out: tables here, and a page with figures in DIR/report.

    \b
    Examples:
      paberki report hr
      paberki report hr --json
    """
    from paberki.corpus import Corpus
    from paberki.report import write_report

    corpus = Corpus(directory)
    page, findings = write_report(corpus.directory, corpus.plan(), corpus.recipe, out=out)
    if json:
        show.as_json({"page": str(page), **_as_json(findings)})
    elif not quiet:
        print_attrition(findings)
        show.say("")
        print_hosts(findings)
        _print_crawl(findings)
        _print_quality(findings)
        show.say(f"\npage with figures: {page}")


def _as_json(findings: Findings) -> dict[str, Any]:
    from paberki.report.figures.crawl_summary import crawl_json

    return {
        "attrition": [dataclasses.asdict(row) for row in findings.attrition],
        "hosts": dataclasses.asdict(findings.hosts),
        "quality": dataclasses.asdict(findings.quality),
        "crawl": None if findings.crawl is None else crawl_json(findings.crawl),
    }


def print_attrition(findings: Findings) -> None:
    """The attrition table (P1 Table 1, P5 Table 2)."""
    rows = [
        (
            row.reason,
            show.count(row.pages),
            f"{row.share:.1%}",
            show.count(row.left_pages),
            f"{row.left_share:.1%}",
            show.count(row.left_words),
        )
        for row in findings.attrition
    ]
    head = ("step", "pages", "share", "left", "share", "words left")
    show.table(head, rows, title="Attrition", right=(1, 2, 3, 4, 5))


def print_hosts(findings: Findings, limit: int = 10) -> None:
    """Hosts with the most kept pages (P5 §2)."""
    rows = [(host.host, show.count(host.kept), show.count(host.pages)) for host in findings.hosts.top[:limit]]
    show.table(("host", "kept", "all"), rows, title="Top hosts", right=(1, 2))


def _print_quality(findings: Findings) -> None:
    """3graph against a dictionary (P3 §6) and restored diacritics, where the corpus has them."""
    for one in findings.quality.coverage:
        show.say(
            f"\n3graph and words known to a dictionary, {one.lang}: r = {one.r:.2f} over {show.count(one.pages)} pages"
        )
    for restoration in findings.quality.restoration:
        show.say(
            f"diacritics restored on held-out pages, {restoration.lang}: {restoration.restored:.1%} of words (bare {restoration.bare:.1%})"
        )


def _print_crawl(findings: Findings) -> None:
    """The crawl beside those of the papers; nothing for a corpus that was not crawled."""
    from paberki.report.figures.crawl_summary import PAPERS
    from paberki.report.report_sections import crawl_row

    crawl = findings.crawl
    if crawl is None:
        return
    counts = (crawl.pages, crawl.good, crawl.hosts, crawl.bytes)
    rows = [("this one", "", f"{crawl.days:.3g}", *map(show.count, counts)), *map(crawl_row, PAPERS)]
    heads = ("corpus", "source", "days", "pages", "good", "hosts", "bytes")
    show.say("")
    show.table(heads, rows, title="Crawl, beside the papers'", right=(2, 3, 4, 5, 6))
