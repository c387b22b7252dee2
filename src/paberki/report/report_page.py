"""The page of a report: one file that needs nothing else, neither script nor network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from paberki.amounts import number, percent, several, short_number
from paberki.markup.html import Safe, element
from paberki.markup.svg import COLOURS, STYLE, clean
from paberki.report.section import Section

_CSS = """* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main, header, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.5rem; } footer { padding: 2rem 1.25rem 3rem; color: var(--muted); font-size: .875rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; margin: 3rem 0 .5rem; } h3 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
p { margin: .5rem 0 1rem; max-width: 46rem; overflow-wrap: break-word; }
header p { color: var(--muted); } a { color: var(--link); }
nav { margin: 1rem 0 1.5rem; display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; font-size: .9375rem; }
dl.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .75rem; margin: 0; }
dl.cards div { background: var(--soft); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; }
dl.cards dt { color: var(--muted); font-size: .875rem; }
dl.cards dd { margin: 0; font-size: 1.6rem; line-height: 1.3; font-weight: 600; }
dl.cards dd small { display: block; font-size: .8125rem; font-weight: 400; color: var(--muted); }
figure { margin: 1rem 0 1.5rem; max-width: 42rem; }
@media (max-width: 30rem) { main, header, footer { padding-left: .75rem; padding-right: .75rem; } }
p.note, p.files { color: var(--muted); font-size: .875rem; }
p.missing { border-left: .25rem solid var(--dropped); padding: .25rem 0 .25rem .75rem; }
div.table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { padding: .4rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--muted); font-weight: 500; white-space: nowrap; }
td.word { overflow-wrap: anywhere; min-width: 6rem; max-width: 26rem; } td.word + td.word { min-width: 8rem; }
th.number, td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tr.strong td { font-weight: 600; background: var(--soft); }
code { font: .875em ui-monospace, monospace; overflow-wrap: anywhere; } p code { white-space: nowrap; }
@media print { body { font-size: 11pt; } nav { display: none; } figure, tr { break-inside: avoid; }
  h2 { break-after: avoid; } div.table { overflow: visible; } table { font-size: 8.5pt; } }
"""


def report_page(name: str, caption: str, sections: Mapping[str, Section], version: str) -> str:
    """The whole page of one corpus."""
    return page(name or "Corpus", f"{name}: report", caption, sections, version, _cards(sections))


def page(heading: str, title: str, caption: str, sections: Mapping[str, Section], version: str, *first: Safe) -> str:
    """Sections below each other, with a list of them at the top."""
    links = [element("a", one.title, href=f"#{one.name}") for one in sections.values()]
    header = element("header", element("h1", heading), element("p", caption), element("nav", *links))
    main = element("main", *first, *(one.as_html() for one in sections.values()))
    footer = element(
        "footer", f"Made by paberki {version}. Beside this page is a .json and a .csv file for each section."
    )
    return document(title, header, main, footer)


def document(title: str, *body: str) -> str:
    """A page with this body, in the colours of all reports."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f"<title>{clean(title)}</title>\n<style>\n{COLOURS}{STYLE}{_CSS}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def _cards(sections: Mapping[str, Section]) -> Safe:
    crawled_row, kept_row = sections["attrition"].rows[0], sections["attrition"].rows[-1]
    hosts, lengths = sections["documents_per_host"].values, sections["lengths"].values
    per_page = f"{number(round(kept_row['tokens'] / kept_row['pages']))} per page" if kept_row["pages"] else ""
    cards: Iterable[tuple[str, str, str]] = [
        ("Pages crawled", short_number(crawled_row["pages"]), f"{several(hosts['hosts'], 'host')}"),
        ("Pages kept", short_number(kept_row["pages"]), percent(kept_row["share"])),
        ("Tokens kept", short_number(kept_row["tokens"]), per_page),
        ("Characters kept", short_number(kept_row["chars"]), f"{number(round(lengths['mean']))} per page"),
        ("Hosts kept", short_number(hosts["kept_hosts"]), f"{hosts['mean']:,.1f} pages each"),
    ]
    inside = [
        element("div", element("dt", name), element("dd", value, element("small", note))) for name, value, note in cards
    ]
    return element("dl", *inside, class_="cards")
