"""Pages for which something holds: where the bars of figures lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starlette.responses import Response

from paberki.markup.html import element
from paberki.serve.pages.frame import document
from paberki.serve.pages.pieces import fate_mark, link_next, scrolling_table
from paberki.store.sql.quoting import quote

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["pages_page"]

_ROWS: Final = 50
_COLUMNS: Final = ("reason", "host", "lang", "encoding", "status", "mime", "open_licence", "opted_out")
_SCORES: Final = ("selected_char_count", "char_count", "badness")


def pages_page(visit: Visit) -> Response:
    """``/pages?reason=&host=&lang=``: pages whose columns have these values; ``score=&low=&high=``, a part of a scale."""
    say, start = visit.say, visit.number("from", 0)
    column_values = {name: visit.value(name) for name in _COLUMNS if visit.value(name)}
    conditions = [f"CAST({name} AS VARCHAR) = {quote(value)}" for name, value in column_values.items()]
    if (score := visit.value("score")) in _SCORES:
        low, high = visit.number("low", 0), visit.number("high", 1_000_000_000)
        conditions.append(f"{score} >= {low} AND {score} < {high} AND keep")
        column_values |= {"score": score, "low": str(low), "high": str(high)}
    names, rows = visit.edition.pages.sql(
        f"SELECT id, host, title, url, date, keep, reason FROM pages {'WHERE ' + ' AND '.join(conditions) if conditions else ''} ORDER BY id LIMIT {_ROWS + 1} OFFSET {start}"
    )
    cells: list[Any] = []
    for row in rows[:_ROWS]:
        one = dict(zip(names, row, strict=True))
        cells.append(
            (
                element("a", str(one["title"] or one["url"] or one["id"])[:120], href=visit.here(f"/page/{one['id']}")),
                str(one["host"] or ""),
                str(one["date"] or ""),
                fate_mark(visit, one["keep"], one["reason"]),
            )
        )
    title = ", ".join(f"{name} {value}" for name, value in column_values.items()) or say("Pages")
    address = visit.here("/pages", **column_values, **{"from": start + _ROWS})
    more = link_next(visit, address) if len(rows) > _ROWS else ""
    head = (say("page"), say("host"), say("fetched"), say("verdict"))
    return visit.answer(
        document(
            visit,
            title,
            element("h1", title),
            scrolling_table(say("Pages"), head, cells, 4, "card"),
            more,
        )
    )
