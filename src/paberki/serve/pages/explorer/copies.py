"""Copies: the cluster of a page, and two pages side by side."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from paberki.markup.html import Safe, element, join_html, table
from paberki.serve.pages.explorer.page_source import page_number, page_row
from paberki.serve.pages.frame import document
from paberki.serve.pages.pieces import text_attributes
from paberki.store.sql.quoting import quote

if TYPE_CHECKING:
    from paberki.report.one_page.row import Row
    from paberki.serve.pages.visit import Visit

__all__ = ["cluster_page", "cluster_table", "compare_page"]

_MOST: Final = 200
_WORDS: Final = 4000
"""Words of a page that are compared."""


def cluster_table(visit: Visit, row: Row) -> Safe:
    """All pages of the cluster of near-copies, with hosts, dates and fates."""
    group = str(row["dup_cluster"] or row["dup_exact"] or "")
    if not group:
        return element("p", visit.say("This page has no copies."), class_="muted")
    column = "dup_cluster" if row["dup_cluster"] else "dup_exact"
    names, rows = visit.edition.pages.sql(
        f"SELECT id, host, date, keep, reason, url FROM pages WHERE {column} = {quote(group)} ORDER BY date, id LIMIT {_MOST}"
    )
    cells = []
    for one in rows:
        values = dict(zip(names, one, strict=True))
        link = element("a", str(values["id"]), href=visit.here(f"/page/{values['id']}"))
        fate = visit.say("kept") if values["keep"] else str(values["reason"] or "")
        compare = (
            ""
            if values["id"] == row["id"]
            else element("a", visit.say("compare"), href=visit.here(f"/compare/{row['id']}/{values['id']}"))
        )
        cells.append((link, str(values["host"]), str(values["date"] or ""), fate, str(values["url"]), compare))
    head = (visit.say("page"), visit.say("host"), visit.say("fetched"), visit.say("verdict"), visit.say("address"), "·")
    return element("div", table(head, cells, words=6), tabindex="0", role="region", aria_label=visit.say("Copies"))


def cluster_page(visit: Visit) -> Response:
    """``/cluster/ID``."""
    row = page_row(visit.edition, page_number(str(visit.call.request.path_params["id"])))
    title = visit.say("Copies of {title}", title=str(row["title"] or row["url"]))
    return visit.answer(document(visit, title, element("h1", title), cluster_table(visit, row)))


def compare_page(visit: Visit) -> Response:
    """``/compare/ID/ID``: two pages side by side, what differs marked."""
    parameters = visit.call.request.path_params
    first, second = (page_row(visit.edition, page_number(str(parameters[name]))) for name in ("id", "other"))
    one, other = (
        " \n ".join(row.selected_texts() or [block["text"] or "" for block in row["blocks"] or []]).split(" ")[:_WORDS]
        for row in (first, second)
    )
    left: list[object] = []
    right: list[object] = []
    for kind, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind == "equal":
            left.append(" ".join(one[a:b]) + " ")
            right.append(" ".join(other[c:d]) + " ")
            continue
        left += [element("del", " ".join(one[a:b])), " "] if b > a else []
        right += [element("ins", " ".join(other[c:d])), " "] if d > c else []
    sides = [
        element("section", element("h2", element("a", str(row["url"]), href=visit.here(f"/page/{row['id']}")), class_="small"), element("div", join_html(words), class_="running", **text_attributes(row["lang"])))
        for row, words in ((first, left), (second, right))
    ]  # fmt: skip
    title = visit.say("Two pages side by side")
    return visit.answer(document(visit, title, element("h1", title), element("div", *sides, class_="side-by-side")))
