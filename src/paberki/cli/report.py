"""paberki report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from paberki.cli import show
from paberki.cli.listing import time_limit
from paberki.cli.options import Dir, Json, Quiet

if TYPE_CHECKING:
    from paberki.report.section import Section


def run(
    directory: Dir,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Directory to write to; default DIR/report.")] = None,
    topics: Annotated[
        bool, typer.Option("--topics", help="Learn topics too, which takes longer than the rest.")
    ] = False,
    topic_count: Annotated[int, typer.Option("--topic-count", min=2, max=1000, help="How many topics.")] = 20,
    reference: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Corpus, index or file to show parts of speech, sentences and unknown words beside."
        ),
    ] = None,
    timeout: Annotated[float | None, typer.Option(metavar="SECONDS", min=0, help="Give up after this time.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """What is in the corpus and what was left out: tables here, and a page with figures in DIR/report.

    Beside the page there is a .json and a .csv file for each section. Sections that need something the corpus does not
    have say what, and how to get it.

    \b
    Examples:
      paberki report hr
      paberki report hr --topics
      paberki report hr --reference news.vert.gz
      paberki report hr --json
    """
    from paberki.corpus import Corpus
    from paberki.report.written_report import write_report

    corpus = Corpus(directory)
    with time_limit(timeout), show.watching(quiet=quiet or json) as listen:
        page, sections = write_report(
            corpus.directory,
            corpus.plan(),
            corpus.recipe,
            out=out,
            with_topics=topics,
            topic_count=topic_count,
            reference=reference,
            listen=listen,
        )
    if json:
        show.as_json({"page": str(page), **{name: section.as_json() for name, section in sections.items()}})
    elif not quiet:
        print_attrition(sections["attrition"])
        show.say("")
        print_hosts(sections["documents_per_host"])
        _print_facts(sections)
        show.say(f"\npage with figures: {page}")


def print_attrition(section: Section) -> None:
    """The attrition table (P1 Table 1, P5 Table 2)."""
    rows = [
        (
            row["reason"],
            show.count(row["pages"]),
            f"{row['share']:.1%}",
            show.count(row["left_pages"]),
            f"{row['left_share']:.1%}",
            show.count(row["left_words"]),
        )
        for row in section.rows
    ]
    head = ("step", "pages", "share", "left", "share", "words left")
    show.table(head, rows, title="Attrition", right=(1, 2, 3, 4, 5))


def print_hosts(section: Section, limit: int = 10) -> None:
    """Hosts with the most kept pages (P5 §2)."""
    rows = [(row["host"], show.count(row["kept"]), show.count(row["pages"])) for row in section.rows[:limit]]
    show.table(("host", "kept", "all"), rows, title="Top hosts", right=(1, 2))


def _print_facts(sections: Mapping[str, Section]) -> None:
    """A line for each section: what it says, or what it misses."""
    rows = [
        (section.title, section.missing or section.caption or "")
        for name, section in sections.items()
        if name not in ("attrition", "documents_per_host", "recipe") and (section.missing or section.caption)
    ]
    show.say("")
    show.table(("section", ""), rows, title="Also in the report")
