"""Frequency and collocations of a result; every row leads to its lines, and its number is theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

import numpy as np
from starlette.responses import Response

from paberki.errors import QueryError
from paberki.markup.html import Safe, element, join_html, void
from paberki.serve.pages.concordance.applied_steps import owners_near, window_of
from paberki.serve.pages.concordance.concordance_page import Result, error_page, query_page, run_search
from paberki.serve.pages.concordance.toolbar import total
from paberki.serve.pages.pieces import column_name

if TYPE_CHECKING:
    from paberki.serve.pages.ask import Ask
    from paberki.serve.pages.visit import Visit

__all__ = ["choice", "collocations_page", "frequency_page", "list_page", "number_cells", "sorted_head"]

_ROWS: Final = 100
_MEASURES: Final = ("logdice", "mi", "mi3", "t", "ll", "minsens")
NUMBERS: Final = ("hits", "pages", "hosts", "arf", "dp", "per_million")


def list_page(visit: Visit, path: str, make: Callable[[Visit, Ask, Result], object]) -> Response:
    """A list of a result in the frame of the concordance."""
    ask = visit.ask
    if not ask.q:
        return visit.answer(
            query_page(visit, ask, element("p", visit.say("Ask something first."), class_="muted"), path=path)
        )
    try:
        result = run_search(visit, ask.but(sort=None, good=False), lines=False)
        inside = make(visit, ask, result)
    except QueryError as error:
        return error_page(visit, ask, error, path)
    head = total(visit, result.job, result.count, result.hits.scope.tokens)
    return visit.answer(
        query_page(
            visit, ask, element("div", head, inside, class_="stack"), path=path, title=visit.say(path[1:].capitalize())
        )
    )


def choice(visit: Visit, ask: Ask, path: str, fields: list[tuple[str, str, str, tuple[str, ...]]]) -> Safe:
    """A form with some fields: name, label, value, choices (a text field where there are none)."""
    names = {name for name, *_ in fields}
    hidden_fields = [
        void("input", type="hidden", name=name, value=value) for name, value in ask.pairs if name not in names
    ]
    inputs = []
    for name, label, value, choices in fields:
        if choices:
            options = [element("option", one, value=one, selected=one == value) for one in choices]
            field = element("select", *options, name=name, data_submit="change")
        else:
            field = void("input", type="text", name=name, value=value, size="8")
        inputs.append(element("label", label, field))
    return element(
        "form", *hidden_fields, *inputs, element("button", visit.say("show")), action=path, method="get", class_="row"
    )


def sorted_head(visit: Visit, ask: Ask, path: str, extra: dict[str, str], names: tuple[str, ...], now: str) -> Safe:
    """Heads of number columns, each a link that sorts by it."""
    return join_html(
        element("th", element("a", column_name(visit, name), href=f"{ask.at(path)}&{urlencode({**extra, 'order': name})}"), class_="number", scope="col", aria_sort="descending" if name == now else None)
        for name in names
    )  # fmt: skip


def number_cells(visit: Visit, row: dict[str, Any], names: tuple[str, ...]) -> Safe:
    """Numbers of a row."""
    return join_html(element("td", _cell_text(visit, row[name]), class_="number") for name in names)


def _cell_text(visit: Visit, value: Any) -> str:
    if value is None or (isinstance(value, float) and not np.isfinite(value)):
        return "–"
    return visit.decimal(value, 2 if abs(value) < 1000 else 0) if isinstance(value, float) else visit.count(int(value))


def top_rows(table: Any, name: str) -> list[dict[str, Any]]:
    """The first rows by a column."""
    if name in table.column_names:
        table = table.sort_by([(name, "ascending" if name == "dp" else "descending")])
    rows: list[dict[str, Any]] = table.slice(0, _ROWS).to_pylist()
    return rows


def frequency_page(visit: Visit) -> Response:
    """``/frequency?q=&by=``."""
    return list_page(visit, "/frequency", _frequency)


def _attributes(visit: Visit) -> tuple[str, ...]:
    return tuple(visit.edition.index.attributes)


def _frequency(visit: Visit, ask: Ask, result: Result) -> object:
    by = visit.value("by") or ("lemma" if "lemma" in _attributes(visit) else visit.edition.index.default)
    order, least = visit.value("order", "hits"), visit.number("min", 1, 1)
    table = result.hits.freq(by, min=least)
    names = [name for name in table.column_names if name not in NUMBERS]
    rows, shown_rows = [], top_rows(table, order)
    most = max((row["hits"] for row in shown_rows), default=1)
    for row in shown_rows:
        picks = tuple(f"{name}:{row[name] or ''}" for name in names)
        label = " · ".join(str(row[name]) if row[name] else "–" for name in names)
        link = element("a", label, href=ask.at("/concordance", picks=(*ask.picks, *picks)))
        bar = Safe(
            f'<svg class="bar-cell" width="120" height="8" aria-hidden="true"><rect class="kept" width="{120 * row["hits"] / most:.1f}" height="8" rx="2"/></svg>'
        )
        rows.append(
            element(
                "tr",
                element("td", link, class_="word"),
                number_cells(visit, row, NUMBERS),
                element("td", bar),
                data_testid="frequency-row",
                data_value=label,
                data_hits=str(row["hits"]),
                data_per=repr(row["per_million"]),
            )
        )
    form = choice(
        visit,
        ask,
        "/frequency",
        [
            ("by", visit.say("by"), by, () if "," in by or "." in by else _attributes(visit)),
            ("min", visit.say("at least"), str(least), ()),
        ],
    )
    head = element(
        "tr",
        element("th", by, scope="col"),
        sorted_head(visit, ask, "/frequency", {"by": by}, NUMBERS, order),
        element("th", element("span", visit.say("share"), class_="unseen"), scope="col"),
    )
    return join_html([form, _note(visit, table.num_rows), _table(visit, head, rows)])


def _note(visit: Visit, rows: int) -> object:
    return element("p", visit.say("{n} values", n=rows), class_="muted small")


def _table(visit: Visit, head: Safe, rows: list[Safe]) -> Safe:
    inside = element("table", element("thead", head), element("tbody", *rows))
    return element("div", inside, class_="table card", tabindex="0", role="region", aria_label=visit.say("Table"))


def collocations_page(visit: Visit) -> Response:
    """``/collocations?q=&by=&window=&measure=&min=``."""
    return list_page(visit, "/collocations", _collocations)


def _collocations(visit: Visit, ask: Ask, result: Result) -> object:
    by = visit.value("by") or ("lemma" if "lemma" in _attributes(visit) else visit.edition.index.default)
    window, least = window_of(visit.value("window")), visit.number("min", 2, 1)
    measure = visit.value("measure") if visit.value("measure") in _MEASURES else "logdice"
    order = visit.value("order") or measure
    table = result.hits.collocations(by, window, measure, min=least)
    collocates = top_rows(table, order)
    counts = _lines_with(result, by, window, [row["collocate"] for row in collocates])
    span, numbers = f"{window[0]}..{window[1]}", (measure, "hits", "pages", "hosts", "arf")
    rows = []
    for row, lines in zip(collocates, counts, strict=True):
        link = element(
            "a", row["collocate"], href=ask.at("/concordance", nears=(*ask.nears, f"{by}:{span}:{row['collocate']}"))
        )
        rows.append(
            element(
                "tr",
                element("td", link, class_="word"),
                element("td", visit.count(lines), class_="number"),
                number_cells(visit, row, numbers),
                data_testid="collocate-row",
                data_value=row["collocate"],
                data_hits=str(lines),
                data_per=repr(row["per_million"]),
            )
        )
    form = choice(
        visit, ask, "/collocations",
        [("by", visit.say("by"), by, _attributes(visit)), ("window", visit.say("window"), span, ()), ("measure", visit.say("measure"), measure, _MEASURES), ("min", visit.say("at least"), str(least), ())],
    )  # fmt: skip
    head = element(
        "tr", element("th", visit.say("collocate"), scope="col"), element("th", visit.say("lines"), class_="number", scope="col"),
        sorted_head(visit, ask, "/collocations", {"by": by, "window": span, "measure": measure}, numbers, order),
    )  # fmt: skip
    return join_html([form, _note(visit, table.num_rows), _table(visit, head, rows)])


def _lines_with(result: Result, by: str, window: tuple[int, int], values: list[str]) -> list[int]:
    """How many hits have each value in their window: a hit with a value twice counts once."""
    rows, owners = owners_near(result.hits.scope, result.hits._in_corpus_order, by, window, values)
    if not len(rows):
        return [0] * len(values)
    pairs = np.unique(rows * (int(owners.max()) + 1) + owners)
    counts: list[int] = np.bincount(pairs // (int(owners.max()) + 1), minlength=len(values)).tolist()
    return counts
