"""The page of a report: one file that needs nothing else, neither script nor network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from paberki.markup.html import Safe, element, table
from paberki.markup.svg import COLOURS, STYLE, clean
from paberki.recipe.corpus_recipe import Recipe
from paberki.recipe.settings import plain
from paberki.report.figures.attrition import AttritionRow
from paberki.report.figures.crawl_summary import CrawlFacts
from paberki.report.figures.documents_per_host import HostSummary
from paberki.report.figures.duplicate_clusters import DuplicateFacts, duplicates_section
from paberki.report.figures.encodings import Encoding
from paberki.report.figures.failed_pages import Failure
from paberki.report.figures.language_shares import LanguageShare
from paberki.report.figures.quality_scores import QualityFacts, quality_section
from paberki.report.figures.text_lengths import Lengths
from paberki.report.number_words import number, percent, short_number
from paberki.report.report_sections import (
    attrition_section,
    crawl_section,
    encodings_section,
    failures_section,
    hosts_section,
    languages_section,
    lengths_section,
    section,
)

_CSS = """* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main, header, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.5rem; } footer { padding: 2rem 1.25rem 3rem; color: var(--muted); font-size: .875rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; margin: 3rem 0 .5rem; } p { margin: .5rem 0 1rem; max-width: 46rem; }
header p { color: var(--muted); } a { color: var(--link); }
nav { margin: 1rem 0 1.5rem; display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; font-size: .9375rem; }
dl.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .75rem; margin: 0; }
dl.cards div { background: var(--soft); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; }
dl.cards dt { color: var(--muted); font-size: .875rem; }
dl.cards dd { margin: 0; font-size: 1.6rem; line-height: 1.3; font-weight: 600; }
dl.cards dd small { display: block; font-size: .8125rem; font-weight: 400; color: var(--muted); }
figure { margin: 1rem 0 1.5rem; overflow-x: auto; } figure svg.figure { min-width: 34rem; }
div.table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { padding: .4rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--muted); font-weight: 500; white-space: nowrap; }
td.word { overflow-wrap: anywhere; min-width: 7.5rem; max-width: 26rem; } td.word + td.word { min-width: 12rem; }
th.number, td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tr.strong td { font-weight: 600; background: var(--soft); }
code { font: .875em ui-monospace, monospace; overflow-wrap: anywhere; } p code { white-space: nowrap; }
@media print { body { font-size: 11pt; } nav { display: none; } figure, tr { break-inside: avoid; }
  h2 { break-after: avoid; } }
"""
_NAMES = {
    "attrition": "Left out",
    "hosts": "Hosts",
    "languages": "Languages",
    "lengths": "Lengths",
    "encodings": "Encodings",
    "duplicates": "Duplicates",
    "quality": "Quality",
    "crawl": "Crawl",
    "failures": "Failures",
    "recipe": "Recipe",
}


@dataclass(frozen=True, slots=True)
class Findings:
    """All that the page shows."""

    attrition: Sequence[AttritionRow]
    hosts: HostSummary
    languages: Sequence[LanguageShare]
    lengths: Lengths
    encodings: Sequence[Encoding]
    failures: Sequence[Failure]
    crawl: CrawlFacts | None = None
    quality: QualityFacts = field(default_factory=QualityFacts)
    duplicates: DuplicateFacts = field(default_factory=DuplicateFacts)


def page(recipe: Recipe, findings: Findings, version: str) -> str:
    """The whole page."""
    body = [
        _header(recipe, findings),
        element(
            "main",
            _cards(findings),
            attrition_section(findings.attrition),
            failures_section(findings.failures),
            hosts_section(findings.hosts),
            languages_section(findings.languages),
            lengths_section(findings.lengths),
            encodings_section(findings.encodings),
            duplicates_section(findings.duplicates),
            quality_section(findings.quality),
            crawl_section(findings.crawl),
            _recipe(recipe),
        ),
        element(
            "footer", f"Made by paberki {version}. The numbers are in attrition.csv, attrition.json and hosts.csv."
        ),
    ]
    return document(f"{recipe.name}: report", *body)


def document(title: str, *body: str) -> str:
    """A page with this body, in the colours of all reports."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f"<title>{clean(title)}</title>\n<style>\n{COLOURS}{STYLE}{_CSS}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def _header(recipe: Recipe, findings: Findings) -> Safe:
    languages = ", ".join(recipe.lang) or "any language"
    caption = f"Web corpus of {languages}, after the preset {recipe.preset}."
    missing = {name for name in ("failures", "duplicates", "quality", "crawl") if not getattr(findings, name)}
    there = {name: label for name, label in _NAMES.items() if name not in missing}
    links = [element("a", label, href=f"#{name}") for name, label in there.items()]
    return element("header", element("h1", recipe.name or "Corpus"), element("p", caption), element("nav", *links))


def _cards(findings: Findings) -> Safe:
    crawled, kept_row = findings.attrition[0], findings.attrition[-1]
    per_page = f"{number(round(kept_row.words / kept_row.pages))} per page" if kept_row.pages else ""
    cards = [
        ("Pages crawled", short_number(crawled.pages), f"{number(findings.hosts.hosts)} hosts"),
        ("Pages kept", short_number(kept_row.pages), percent(kept_row.share)),
        ("Words kept", short_number(kept_row.words), per_page),
        ("Characters kept", short_number(kept_row.chars), f"{number(round(findings.lengths.mean))} per page"),
        ("Hosts kept", short_number(findings.hosts.kept_hosts), f"{findings.hosts.mean_kept:,.1f} pages each"),
    ]
    inside = [
        element("div", element("dt", name), element("dd", value, element("small", note))) for name, value, note in cards
    ]
    return element("dl", *inside, class_="cards")


def _recipe(recipe: Recipe) -> Safe:
    rows = [(stage.name, _settings(plain(config))) for stage, config in recipe.stages]
    caption = "The stages that made this corpus, in order, with their settings."
    return section("recipe", "Recipe", element("p", caption), table(("stage", "settings"), rows, words=2))


def _settings(values: object) -> Safe:
    if not isinstance(values, dict) or not values:
        return Safe("–")
    settings = {name: value for name, value in values.items() if name not in ("pages", "blocks")}
    return element("code", "; ".join(f"{name} = {_value(value)}" for name, value in settings.items()))


def _value(value: object) -> str:
    return ", ".join(str(one) for one in value) or "none" if isinstance(value, list) else str(value)
