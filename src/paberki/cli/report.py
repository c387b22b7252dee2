"""paberki report."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet

if TYPE_CHECKING:
    from paberki.corpus import Corpus


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
    from paberki.report import report
    from paberki.report.figures.attrition import attrition
    from paberki.report.figures.crawl_summary import crawl_facts, crawl_json
    from paberki.report.figures.documents_per_host import hosts
    from paberki.report.figures.quality_scores import quality_in
    from paberki.report.page_counts import counting

    corpus = Corpus(directory)
    plan, recipe = corpus.plan(), corpus.recipe
    page = report(corpus.directory, plan, recipe, out=out)
    if json:
        rows = attrition(corpus.directory, plan, recipe)
        found = hosts(corpus.directory, plan)
        crawled = crawl_facts(corpus.directory.crawl)
        with counting(corpus.directory, plan) as counter:
            quality = quality_in(counter, corpus.directory, recipe.lang)
        show.as_json(
            {
                "page": str(page),
                "attrition": [dataclasses.asdict(row) for row in rows],
                "hosts": dataclasses.asdict(found),
                "quality": dataclasses.asdict(quality),
                "crawl": None if crawled is None else crawl_json(crawled),
            }
        )
        return
    if not quiet:
        print_attrition(corpus)
        show.say("")
        print_hosts(corpus)
        print_crawl(corpus)
        print_quality(corpus)
        show.say(f"\npage with figures: {page}")


def print_attrition(corpus: Corpus) -> None:
    """The attrition table (P1 Table 1, P5 Table 2)."""
    from paberki.report.figures.attrition import attrition

    rows = [
        (
            row.reason,
            show.count(row.pages),
            f"{row.share:.1%}",
            show.count(row.left_pages),
            f"{row.left_share:.1%}",
            show.count(row.left_words),
        )
        for row in attrition(corpus.directory, corpus.plan(), corpus.recipe)
    ]
    head = ("step", "pages", "share", "left", "share", "words left")
    show.table(head, rows, title="Attrition", right=(1, 2, 3, 4, 5))


def print_hosts(corpus: Corpus, limit: int = 10) -> None:
    """Hosts with the most kept pages (P5 §2)."""
    from paberki.report.figures.documents_per_host import hosts

    found = hosts(corpus.directory, corpus.plan())
    rows = [(host.host, show.count(host.kept), show.count(host.pages)) for host in found.top[:limit]]
    show.table(("host", "kept", "all"), rows, title="Top hosts", right=(1, 2))


def print_quality(corpus: Corpus) -> None:
    """3graph against a dictionary (P3 §6) and restored diacritics, where the corpus has them."""
    from paberki.report.figures.quality_scores import quality_in
    from paberki.report.page_counts import counting

    with counting(corpus.directory, corpus.plan()) as counter:
        found = quality_in(counter, corpus.directory, corpus.recipe.lang)
    for one in found.coverage:
        show.say(
            f"\n3graph and words known to a dictionary, {one.lang}: r = {one.r:.2f} over {show.count(one.pages)} pages"
        )
    for held in found.restoration:
        show.say(
            f"diacritics restored on held-out pages, {held.lang}: {held.restored:.1%} of words (bare {held.bare:.1%})"
        )


def print_crawl(corpus: Corpus) -> None:
    """The crawl beside those of the papers; nothing for a corpus that was not crawled."""
    from paberki.report.figures.crawl_summary import PAPERS, crawl_facts
    from paberki.report.report_sections import crawl_row

    found = crawl_facts(corpus.directory.crawl)
    if found is None:
        return
    counts = (found.pages, found.good, found.hosts, found.bytes)
    rows = [("this one", "", f"{found.days:.3g}", *map(show.count, counts)), *map(crawl_row, PAPERS)]
    heads = ("corpus", "source", "days", "pages", "good", "hosts", "bytes")
    show.say("")
    show.table(heads, rows, title="Crawl, beside the papers'", right=(2, 3, 4, 5, 6))
