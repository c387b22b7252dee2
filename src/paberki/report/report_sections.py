"""The sections of the page: each a heading, a sentence, a figure and a table."""

from __future__ import annotations

from collections.abc import Sequence

from paberki.markup.charts import Bar, bars, histogram, rank_curve
from paberki.markup.html import Safe, element, link, table
from paberki.report.figures.attrition import AttritionRow
from paberki.report.figures.crawl_summary import PAPERS, CrawlFacts, PaperCrawl
from paberki.report.figures.documents_per_host import NO_HOST, HostSummary
from paberki.report.figures.encodings import SOURCES, Encoding
from paberki.report.figures.failed_pages import Failure
from paberki.report.figures.language_shares import LanguageShare
from paberki.report.figures.text_lengths import Lengths
from paberki.report.number_words import number, percent, short_number

MOST = 15
"""Rows of a figure; tables go on."""


def section(name: str, title: str, *inside: object) -> Safe:
    """A part of the page that the list at its top points to."""
    return element("section", element("h2", title), *inside, id=name)


def attrition_figure(rows: Sequence[AttritionRow]) -> str:
    """What is left after every step, and what the step left out."""
    drawn_bars = [
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
    return bars("attrition", "Pages left after every rule", about, drawn_bars)


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
    caption = (
        "A page is counted once, under the first rule that holds for it. Nothing is deleted: every page keeps its row."
    )
    figure = element("figure", Safe(attrition_figure(rows)))
    rows_table = table(head, body, words=2, strong=(0, len(rows) - 1))
    return section("attrition", "What was left out, and why", element("p", caption), figure, rows_table)


def hosts_figure(hosts: HostSummary) -> str:
    """Kept documents of every host by its rank (P5 Fig. 1–3)."""
    about = (
        f"{number(hosts.kept_hosts)} hosts; the largest has {number(hosts.curve[0][1] if hosts.curve else 0)} pages."
    )
    return rank_curve(
        "hosts", "Kept pages per host", about, hosts.curve, across="rank of the host", upwards="kept pages"
    )


def hosts_section(hosts: HostSummary) -> Safe:
    """Documents per host."""
    caption = (
        f"{number(hosts.kept)} kept pages come from {number(hosts.kept_hosts)} of {number(hosts.hosts)} hosts, "
        f"{hosts.mean_kept:,.1f} on average; {number(hosts.half)} of them have half of the kept pages."
    )
    rows = [
        (one.rank, _host(one.host), number(one.pages), number(one.kept), percent(one.kept_share)) for one in hosts.top
    ]
    hosts_table = table(("rank", "host", "pages", "kept", "% of kept"), rows, words=2)
    return section(
        "hosts", "Documents per host", element("p", caption), element("figure", Safe(hosts_figure(hosts))), hosts_table
    )


def _host(name: str) -> Safe:
    return Safe(element("span", name)) if name == NO_HOST else link(f"http://{name}/", name)


def languages_section(languages: Sequence[LanguageShare]) -> Safe:
    """Pages per language."""
    drawn_bars = [
        Bar(one.lang, one.kept, f"{number(one.pages)} ({percent(one.share)})", "kept", one.pages - one.kept, "other")
        for one in languages[:MOST]
    ]
    figure = bars("languages", "Pages per language", "Dark: kept pages. Light: pages that were left out.", drawn_bars)
    rows = [
        (one.lang, number(one.pages), percent(one.share), number(one.kept), number(one.kept_words)) for one in languages
    ]
    languages_table = table(("language", "pages", "% of pages", "kept", "kept words"), rows)
    caption = "The full part of a bar is kept, the pale part was left out, for its language or for another reason."
    return section("languages", "Languages", element("p", caption), element("figure", Safe(figure)), languages_table)


def lengths_section(lengths: Lengths) -> Safe:
    """Lengths of kept texts."""
    caption = (
        f"A kept page has {number(round(lengths.mean))} characters on average; half of the pages have at most "
        f"{number(lengths.median)}, the shortest {number(lengths.shortest)}, the longest {number(lengths.longest)}."
    )
    bins = [(short_number(one.start).replace(" ", ""), one.pages) for one in lengths.bins]
    figure = histogram("lengths", "Lengths of kept texts", caption, bins, axis="characters (lower end of each bin)")
    return section("lengths", "Length of texts", element("p", caption), element("figure", Safe(figure)))


def encodings_section(encodings: Sequence[Encoding]) -> Safe:
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
        for one in encodings
    ]
    caption = "The last piece of evidence decides; declarations that the bytes contradict do not count."
    return section("encodings", "Encodings", element("p", caption), table(head, rows, words=2))


def failures_section(failures: Sequence[Failure]) -> Safe:
    """What stages failed on; empty when nothing failed."""
    if not failures:
        return Safe("")
    rows = [(one.stage, one.code, one.example, number(one.pages)) for one in failures]
    look, again = element("code", "paberki explain DIR ID"), element("code", "paberki build DIR --retry-errors")
    caption = element("p", "Look at one with ", look, "; try all of them again with ", again, ".")
    failures_table = table(("stage", "code", "for example", "pages"), rows, words=3)
    return section("failures", "Pages that failed", caption, failures_table)


def crawl_section(crawl: CrawlFacts | None) -> Safe:
    """The crawl beside those of the papers; empty for a corpus that was not crawled."""
    if crawl is None:
        return Safe("")
    caption = (
        f"{number(crawl.requests)} requests in {_days(crawl.days)} days gave {number(crawl.pages)} pages, of which the "
        f"crawl took {number(crawl.good)} for good ({percent(crawl.harvest)} of the requests). {number(crawl.copies)} pages "
        f"repeated others, {number(crawl.opted_out)} were not kept because their owners do not want it, and "
        f"{number(crawl.robots_denied)} addresses were not asked for because robots.txt forbids it."
    )
    head = ("corpus", "source", "days", "pages", "good pages", "hosts", "bytes")
    own = ("this one", "", _days(crawl.days), *map(number, (crawl.pages, crawl.good, crawl.hosts, crawl.bytes)))
    rows = [own, *(crawl_row(paper) for paper in PAPERS)]
    notes = "; ".join(f"{paper.corpus}: {paper.note}" for paper in PAPERS if paper.note)
    crawls_table = table(head, rows, words=2, strong=(0,))
    return section("crawl", "The crawl", element("p", caption), crawls_table, element("p", f"{notes}."))


def crawl_row(paper: PaperCrawl) -> tuple[str, ...]:
    """What a paper says about its crawl, in words."""
    counts = (paper.pages, paper.good, paper.hosts, paper.bytes)
    days = "–" if paper.days is None else _days(paper.days)
    return (paper.corpus, paper.source, days, *("–" if one is None else number(one) for one in counts))


def _days(days: float) -> str:
    return f"{days:,.0f}" if days >= 10 else f"{days:.2g}"
