"""Reports: what became of the pages, as tables, figures and one HTML page."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from paberki.engine.plan import Plan
from paberki.markup.svg import standalone
from paberki.recipe.corpus_recipe import Recipe
from paberki.report.figures.attrition import AttritionRow, attrition_in
from paberki.report.figures.crawl_summary import crawl_facts, crawl_json
from paberki.report.figures.documents_per_host import all_hosts, hosts_in
from paberki.report.figures.duplicate_clusters import duplicates_in
from paberki.report.figures.encodings import encodings_in
from paberki.report.figures.failed_pages import failures_in
from paberki.report.figures.language_shares import languages_in
from paberki.report.figures.quality_scores import quality_in
from paberki.report.figures.text_lengths import lengths_in
from paberki.report.page_counts import Counter, counting
from paberki.report.report_page import Findings, page
from paberki.report.report_sections import attrition_figure, hosts_figure
from paberki.store.directory import Directory
from paberki.store.files import explain, replacing, write_json, write_text

__all__ = ["Report", "report", "write_report"]


class Report(NamedTuple):
    """A report that was written: its page, and the numbers in it."""

    page: Path
    findings: Findings


def report(directory: Directory, plan: Plan, recipe: Recipe, *, out: Path | None = None) -> Path:
    """Write the report of a corpus, by default into its folder ``report``; the path of the page."""
    return write_report(directory, plan, recipe, out=out).page


def write_report(directory: Directory, plan: Plan, recipe: Recipe, *, out: Path | None = None) -> Report:
    """Write the report and return its numbers too, so that nobody counts them a second time."""
    folder = out or directory.report
    try:
        with counting(directory, plan) as counter:
            findings = _count(counter, recipe, directory)
            _write_numbers(folder, findings, recipe)
            _write_csv(folder / "hosts.csv", ["rank", "host", "pages", "kept"], all_hosts(counter))
        return Report(_write_page(folder, findings, recipe), findings)
    except OSError as error:
        raise explain(error, f"writing the report in {folder}") from error


def _count(counter: Counter, recipe: Recipe, directory: Directory) -> Findings:
    return Findings(
        attrition=attrition_in(counter, recipe),
        hosts=hosts_in(counter),
        languages=languages_in(counter),
        lengths=lengths_in(counter),
        encodings=encodings_in(counter),
        failures=failures_in(counter),
        crawl=crawl_facts(directory.crawl),
        quality=quality_in(counter, directory, recipe.lang),
        duplicates=duplicates_in(counter),
    )


def _write_numbers(folder: Path, findings: Findings, recipe: Recipe) -> None:
    """The numbers as JSON and CSV."""
    if findings.duplicates:
        write_json(folder / "duplicates.json", asdict(findings.duplicates))
    if findings.quality:
        write_json(folder / "quality.json", asdict(findings.quality))
    names = [field.name for field in fields(AttritionRow)]
    rows = [asdict(row) for row in findings.attrition]
    _write_csv(folder / "attrition.csv", names, (list(row.values()) for row in rows))
    write_json(folder / "attrition.json", {"corpus": recipe.name, "lang": list(recipe.lang), "rows": rows})
    if findings.crawl is not None:
        write_json(folder / "crawl.json", crawl_json(findings.crawl))


def _write_page(folder: Path, findings: Findings, recipe: Recipe) -> Path:
    """The figures and the page that shows them."""
    write_text(folder / "attrition.svg", standalone(attrition_figure(findings.attrition)))
    write_text(folder / "hosts.svg", standalone(hosts_figure(findings.hosts)))
    write_text(folder / "index.html", page(recipe, findings, version("paberki")))
    return folder / "index.html"


def _write_csv(path: Path, names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with replacing(path) as beside, open(beside, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows([_cell(value) for value in row] for row in rows)


def _cell(value: object) -> object:
    """Spreadsheets run a cell that begins like a formula; host names come from strangers."""
    if isinstance(value, float):
        return f"{value:.6f}"
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
