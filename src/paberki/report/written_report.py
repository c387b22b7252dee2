"""The report of a corpus: every section as data and CSV, and one HTML page with all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from paberki.engine.plan import Plan
from paberki.engine.progress import Progress
from paberki.recipe.corpus_recipe import Recipe
from paberki.report.figures.documents_per_host import all_hosts
from paberki.report.page_counts import counting
from paberki.report.report_page import report_page
from paberki.report.report_sources import CorpusView
from paberki.report.section import Section, write_csv
from paberki.report.sections import SECTIONS, topics
from paberki.report.words.word_source import WordSource
from paberki.store.directory import Directory
from paberki.store.files import explain, write_text

__all__ = ["Report", "report", "write_report"]

Listener = Callable[[Progress], None]


class Report(NamedTuple):
    """A report that was written: its page, and the sections in it."""

    page: Path
    sections: Mapping[str, Section]


def report(directory: Directory, plan: Plan, recipe: Recipe, *, out: Path | None = None) -> Path:
    """Write the report of a corpus, by default into its folder ``report``; the path of the page."""
    return write_report(directory, plan, recipe, out=out).page


def write_report(
    directory: Directory,
    plan: Plan,
    recipe: Recipe,
    *,
    out: Path | None = None,
    with_topics: bool = False,
    topic_count: int = 20,
    reference: Path | None = None,
    listen: Listener | None = None,
) -> Report:
    """Write the report and return its sections too, so that nobody counts them a second time."""
    folder = out or directory.report
    try:
        with counting(directory, plan) as counter, _references(reference, listen) as references:
            view = CorpusView(counter, directory, plan, recipe, references=references)
            sections = _sections(view, with_topics, topic_count, listen)
            names = ("rank", "host", "pages", "kept")
            write_csv(folder / "hosts.csv", (dict(zip(names, row, strict=True)) for row in all_hosts(counter)))
        for section in sections.values():
            section.write(folder)
        caption = f"Web corpus of {', '.join(recipe.lang) or 'any language'}, after the preset {recipe.preset}."
        write_text(folder / "index.html", report_page(recipe.name, caption, sections, version("paberki")))
    except OSError as error:
        raise explain(error, f"writing the report in {folder}") from error
    return Report(folder / "index.html", sections)


@contextmanager
def _references(path: Path | None, listen: Listener | None) -> Iterator[list[WordSource]]:
    """A reference corpus, index or file, read as ``paberki compare`` reads it."""
    if path is None:
        yield []
        return
    from paberki.report.comparison.compare import CompareOptions, open_sources

    with open_sources([path], CompareOptions(), listen) as sources:
        yield sources


def _sections(view: CorpusView, with_topics: bool, topic_count: int, listen: Listener | None) -> dict[str, Section]:
    """All sections in the order of the page."""
    progress = Progress(unit="sections", total=len(SECTIONS) + with_topics, started=time.time())
    sections: dict[str, Section] = {}

    def tell(name: str) -> None:
        progress.stage, progress.done = f"report, {name}", len(sections)
        if listen:
            listen(progress)

    for name, make in SECTIONS.items():
        tell(name)
        sections[name] = make(view)
        if with_topics and name == "homogeneity":
            sections["topics"] = topics(
                view, count=topic_count, listen=lambda number, total: tell(f"topics, round {number} of {total}")
            )
    return sections
