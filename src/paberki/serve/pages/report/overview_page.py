"""``/report``: pages by reason, host, language …, every bar a link; then the sections that were written, one below the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starlette.responses import Response

from paberki.errors import PaberkiError
from paberki.markup.html import Safe, element
from paberki.serve.pages.frame import document
from paberki.serve.pages.pieces import figure_card, scrolling_table, share_bar
from paberki.serve.pages.report.written import written_sections
from paberki.serve.pages.select.selecting import attrition_rows

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["report_page"]

_ROWS: Final = 20
_FIGURES: Final = (
    ("reason", "Reasons"), ("host", "Hosts"), ("lang", "Languages"), ("encoding", "Encodings"), ("status", "HTTP status"),
    ("mime", "Media types"),
)  # fmt: skip


def report_page(visit: Visit) -> Response:
    """``/report`` and ``/report?folder=``, a comparison that was written into a folder of the report."""
    say, title = visit.say, element("h1", visit.say("Report"))
    if visit.edition.corpus is None:
        note = element("p", say("An index without a corpus has no report."), class_="muted")
        return visit.answer(document(visit, say("Report"), title, note))
    sections = written_sections(visit, visit.value("folder"))
    if visit.value("folder"):
        return visit.answer(document(visit, say("Report"), element("h1", visit.value("folder")), sections))
    counts = [_section(visit, name, heading) for name, heading in _FIGURES]
    return visit.answer(
        document(visit, say("Report"), title, _sizes(visit), element("div", *counts, class_="two"), sections)
    )


def _sizes(visit: Visit) -> Safe:
    rows = attrition_rows(visit)
    crawled_row, kept_row = rows[0], rows[-1]
    facts = (("pages crawled", crawled_row.pages), ("pages kept", kept_row.pages), ("words kept", kept_row.words))
    return element("div", *(figure_card(visit.say(name), visit.count(value)) for name, value in facts), class_="cards")


def _counts(visit: Visit, name: str) -> list[tuple[Any, int, int]]:
    memory: dict[str, Any] = visit.edition.index.__dict__.setdefault("_report", {})
    if name not in memory:
        try:
            _, memory[name] = visit.edition.pages.sql(
                f"SELECT {name}, count(*) AS n, count(*) FILTER (WHERE keep) FROM pages GROUP BY {name} ORDER BY n DESC, {name} LIMIT {_ROWS}"
            )
        except PaberkiError:
            memory[name] = []
    rows: list[tuple[Any, int, int]] = memory[name]
    return rows


def _section(visit: Visit, name: str, title: str) -> object:
    """Pages by the value of a column: kept ones and others, each bar a link."""
    rows = [row for row in _counts(visit, name) if row[0] is not None]
    if not rows:
        return ""
    most, say = max(row[1] for row in rows), visit.say
    cells = []
    for value, pages, kept_pages in rows:
        address = visit.here("/pages", **{name: value})
        bar = share_bar((kept_pages / most, "kept"), ((pages - kept_pages) / most, "dropped"), width=180)
        bar_link = element("a", bar, href=address, tabindex="-1", aria_hidden="true")
        cells.append(
            (element("a", str(value), href=address), bar_link, visit.count(int(kept_pages)), visit.count(int(pages)))
        )
    inside = scrolling_table(say(title), (say(name), say("share"), say("kept"), say("pages")), cells, 2)
    return element("section", element("h2", say(title)), inside, class_="card stack", data_testid=f"report-{name}")
