"""The sections of the page: each a heading, a sentence, a figure and a table."""

from __future__ import annotations

from collections.abc import Sequence

from paberki.markup.charts import Bar, bars, histogram, rank_curve
from paberki.markup.html import Safe, element, link, table
from paberki.report.figures.attrition import AttritionRow
from paberki.report.figures.crawl_summary import PAPERS, CrawlFacts, PaperCrawl
from paberki.report.figures.documents_per_host import NO_HOST, Hosts
from paberki.report.figures.encodings import SOURCES, Encoding
from paberki.report.figures.failed_pages import Failure
from paberki.report.figures.language_shares import Language
from paberki.report.figures.text_lengths import Lengths
from paberki.report.number_words import number, percent, rounded

MOST = 15
"""Rows of a figure; tables go on."""


def section(name: str, title: str, *inside: object) -> Safe:
    """A part of the page that the list at its top points to."""
    return element("section", element("h2", title), *inside, id=name)


def attrition_figure(rows: Sequence[AttritionRow]) -> str:
    """What is left after every step, and what the step left out."""
    drawn = [
        Bar("pages crawled", row.pages, number(row.pages), "other")
        if row.kind == "crawled"
        else Bar("kept", row.pages, f"{number(row.pages)} ({percent(row.share)})")
        if row.kind == "kept"
        else Bar(
            row.reason,
            row.left_pages,
            f"−{number(row.pages)} ({percent(row.share)})" if row.pages else "0",
            "other",
            row.pages,
            "dropped",
        )
        for row in rows
    ]
    about = f"Of {number(rows[0].pages)} pages, {number(rows[-1].pages)} are kept; each bar shows what one rule leaves."
    return bars("attrition", "Pages left after every rule", about, drawn)


def attrition_section(rows: Sequence[AttritionRow]) -> Safe:
    """The attrition table (P1 Table 1, P5 Table 2)."""
    head = ("reason", "condition", "pages", "% of crawled", "left", "% left", "words", "words left")
    body = [
        (
            row.reason,
            element("code", row.meaning) if row.kind == "dropped" else row.meaning,
            number(row.pages),
            percent(row.share),
            number(row.left_pages),
            percent(row.left_share),
            number(row.words),
            number(row.left_words),
        )
        for row in rows
    ]
    said = (
        "A page is counted once, under the first rule that holds for it. Nothing is deleted: every page keeps its row."
    )
    figure = element("figure", Safe(attrition_figure(rows)))
    shown = table(head, body, words=2, strong=(0, len(rows) - 1))
    return section("attrition", "What was left out, and why", element("p", said), figure, shown)


def hosts_figure(found: Hosts) -> str:
    """Kept documents of every host by its rank (P5 Fig. 1–3)."""
    about = (
        f"{number(found.kept_hosts)} hosts; the largest has {number(found.curve[0][1] if found.curve else 0)} pages."
    )
    return rank_curve(
        "hosts", "Kept pages per host", about, found.curve, across="rank of the host", upwards="kept pages"
    )


def hosts_section(found: Hosts) -> Safe:
    """Documents per host."""
    said = (
        f"{number(found.kept)} kept pages come from {number(found.kept_hosts)} of {number(found.hosts)} hosts, "
        f"{found.mean_kept:,.1f} on average; {number(found.half)} of them have half of the kept pages."
    )
    rows = [
        (one.rank, _host(one.host), number(one.pages), number(one.kept), percent(one.kept_share)) for one in found.top
    ]
    shown = table(("rank", "host", "pages", "kept", "% of kept"), rows, words=2)
    return section(
        "hosts", "Documents per host", element("p", said), element("figure", Safe(hosts_figure(found))), shown
    )


def _host(name: str) -> Safe:
    return Safe(element("span", name)) if name == NO_HOST else link(f"http://{name}/", name)


def languages_section(found: Sequence[Language]) -> Safe:
    """Pages per language."""
    drawn = [
        Bar(one.lang, one.kept, f"{number(one.pages)} ({percent(one.share)})", "kept", one.pages - one.kept, "other")
        for one in found[:MOST]
    ]
    figure = bars("languages", "Pages per language", "Dark: kept pages. Light: pages that were left out.", drawn)
    rows = [
        (one.lang, number(one.pages), percent(one.share), number(one.kept), number(one.kept_words)) for one in found
    ]
    shown = table(("language", "pages", "% of pages", "kept", "kept words"), rows)
    said = "The full part of a bar is kept, the pale part was left out, for its language or for another reason."
    return section("languages", "Languages", element("p", said), element("figure", Safe(figure)), shown)


def lengths_section(found: Lengths) -> Safe:
    """Lengths of kept texts."""
    said = (
        f"A kept page has {number(round(found.mean))} characters on average; half of the pages have at most "
        f"{number(found.median)}, the shortest {number(found.shortest)}, the longest {number(found.longest)}."
    )
    bins = [(rounded(one.start).replace(" ", ""), one.pages) for one in found.bins]
    figure = histogram("lengths", "Lengths of kept texts", said, bins, axis="characters (lower end of each bin)")
    return section("lengths", "Length of texts", element("p", said), element("figure", Safe(figure)))


def encodings_section(found: Sequence[Encoding]) -> Safe:
    """Pages per encoding, and how it was found."""
    head = ("encoding", "found by", "pages", "% of pages", "kept", "with damaged characters")
    rows = [
        (
            one.encoding,
            SOURCES.get(one.source, one.source or "–"),
            number(one.pages),
            percent(one.share),
            number(one.kept),
            number(one.damaged),
        )
        for one in found
    ]
    said = "The last piece of evidence decides; declarations that the bytes contradict do not count."
    return section("encodings", "Encodings", element("p", said), table(head, rows, words=2))


def failures_section(found: Sequence[Failure]) -> Safe:
    """What stages failed on; empty when nothing failed."""
    if not found:
        return Safe("")
    rows = [(one.stage, one.code, one.example, number(one.pages)) for one in found]
    look, again = element("code", "paberki explain DIR ID"), element("code", "paberki build DIR --retry-errors")
    said = element("p", "Look at one with ", look, "; try all of them again with ", again, ".")
    shown = table(("stage", "code", "for example", "pages"), rows, words=3)
    return section("failures", "Pages that failed", said, shown)


def crawl_section(found: CrawlFacts | None) -> Safe:
    """The crawl beside those of the papers; empty for a corpus that was not crawled."""
    if found is None:
        return Safe("")
    said = (
        f"{number(found.requests)} requests in {_days(found.days)} days gave {number(found.pages)} pages, of which the "
        f"crawl took {number(found.good)} for good ({percent(found.harvest)} of the requests). {number(found.copies)} pages "
        f"repeated others, {number(found.opted_out)} were not kept because their owners do not want it, and "
        f"{number(found.robots_denied)} addresses were not asked for because robots.txt forbids it."
    )
    head = ("corpus", "source", "days", "pages", "good pages", "hosts", "bytes")
    own = ("this one", "", _days(found.days), *map(number, (found.pages, found.good, found.hosts, found.bytes)))
    rows = [own, *(crawl_row(paper) for paper in PAPERS)]
    notes = "; ".join(f"{paper.corpus}: {paper.note}" for paper in PAPERS if paper.note)
    shown = table(head, rows, words=2, strong=(0,))
    return section("crawl", "The crawl", element("p", said), shown, element("p", f"{notes}."))


def crawl_row(paper: PaperCrawl) -> tuple[str, ...]:
    """What a paper says about its crawl, in words."""
    counts = (paper.pages, paper.good, paper.hosts, paper.bytes)
    days = "–" if paper.days is None else _days(paper.days)
    return (paper.corpus, paper.source, days, *("–" if one is None else number(one) for one in counts))


def _days(days: float) -> str:
    return f"{days:,.0f}" if days >= 10 else f"{days:.2g}"
