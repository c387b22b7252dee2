"""Where the hits are: over hosts and years, along the corpus, over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starlette.responses import Response

from paberki.errors import QueryError
from paberki.markup.charts import histogram
from paberki.markup.html import Safe, element, join_html, table
from paberki.serve.pages.concordance.list_tabs import NUMBERS, choice, list_page, number_cells, sorted_head, top_rows
from paberki.store.sql.quoting import quote

if TYPE_CHECKING:
    from paberki.serve.pages.ask import Ask
    from paberki.serve.pages.concordance.concordance_page import Result
    from paberki.serve.pages.visit import Visit

__all__ = ["dispersion_page", "distribution_page", "trend_page"]

_COLUMNS: Final = (
    "host",
    "year",
    "month",
    "lang",
    "page_type",
    "open_licence",
    "encoding",
    "domain",
    "script",
    "reason",
)
_PERIODS: Final = frozenset({"month"})


def distribution_page(visit: Visit) -> Response:
    """``/distribution?q=&by=``."""
    return list_page(visit, "/distribution", _distribution)


def _columns(visit: Visit) -> tuple[str, ...]:
    attributes = visit.edition.index.structures.get(visit.edition.concordancer._places.structure or "", ())
    return tuple(name for name in _COLUMNS if name in attributes or (name == "month" and "date" in attributes)) or (
        "host",
    )


def _distribution(visit: Visit, ask: Ask, result: Result) -> object:
    choices = _columns(visit)
    by = visit.value("by") or choices[0]
    order = visit.value("order", "hits")
    values = result.hits.distribution(by)
    names = (*NUMBERS, "tokens")
    rows = [_row(visit, ask, by, row, names) for row in top_rows(values, order)]
    rest = result.count.value - sum(values.column("hits").to_pylist())
    if rest > 0:
        rows.append(
            element(
                "tr",
                element("td", "–", class_="word"),
                element("td", visit.count(rest), class_="number"),
                data_testid="distribution-row",
                data_value="",
                data_hits=str(rest),
                data_per="0",
            )
        )
    shown_hits = sum(one["hits"] for one in top_rows(values, order))
    more = sum(values.column("hits").to_pylist()) - shown_hits
    if more > 0:
        rows.append(
            element(
                "tr",
                element("td", visit.say("all others"), class_="word"),
                element("td", visit.count(more), class_="number"),
                data_testid="distribution-row",
                data_value="…",
                data_hits=str(more),
                data_per="0",
            )
        )
    head = element(
        "tr",
        element("th", visit.say(by), scope="col"),
        sorted_head(visit, ask, "/distribution", {"by": by}, names, order),
    )
    inside = element("table", element("thead", head), element("tbody", *rows))
    form = choice(
        visit, ask, "/distribution", [("by", visit.say("by"), by, choices if by in choices else (by, *choices))]
    )
    return element(
        "div",
        form,
        element("div", inside, class_="table card", tabindex="0", role="region", aria_label=visit.say("Table")),
        data_testid="distribution",
        class_="stack",
    )


def _row(visit: Visit, ask: Ask, by: str, row: dict[str, Any], names: tuple[str, ...]) -> Safe:
    value = row[by]
    label: object = "–" if value in (None, "") else value
    if value not in (None, "") and by not in _PERIODS:
        condition = f"{by} = {value if by == 'year' and str(value).isdecimal() else quote(str(value))}"
        label = element("a", value, href=ask.at("/concordance", conditions=(*ask.conditions, condition)))
    return element("tr", element("td", label, class_="word"), number_cells(visit, row, names), data_testid="distribution-row", data_value=str(value or ""), data_hits=str(row["hits"]), data_per=repr(row["per_million"]))  # fmt: skip


def dispersion_page(visit: Visit) -> Response:
    """``/dispersion?q=``."""
    return list_page(visit, "/dispersion", _dispersion)


def _dispersion(visit: Visit, ask: Ask, result: Result) -> object:
    say, facts = visit.say, result.hits.dispersion()
    bins = [("", int(count)) for count in facts["parts"]]
    title = say("Hits along the corpus")
    about = say("Hits in {n} parts of equal size, in the order of the corpus", n=len(bins))
    figure = element(
        "figure",
        Safe(
            histogram(
                "dispersion",
                title,
                about,
                bins,
                axis=say("from the first page of the corpus to the last"),
                upwards=say("hits"),
            )
        ),
        data_testid="dispersion",
        class_="card",
    )
    names = (
        ("hits", "hits"),
        ("pages", "pages"),
        ("hosts", "hosts"),
        ("arf", "ARF"),
        ("dp", "DP"),
        ("per_million", "per million"),
    )
    cards = [
        element(
            "dl",
            element("dt", say(label)),
            element(
                "dd",
                visit.decimal(float(facts[name]), 2)
                if isinstance(facts[name], float)
                else visit.count(int(facts[name])),
            ),
            class_="card figure-card",
        )
        for name, label in names
    ]
    twin = table(
        (say("part"), say("hits")), [(str(at), visit.count(int(count))) for at, count in enumerate(facts["parts"], 1)]
    )
    details = element(
        "details", element("summary", say("as a table")), element("div", twin, data_testid="dispersion-table")
    )
    return join_html([element("div", *cards, class_="cards"), figure, details])


def trend_page(visit: Visit) -> Response:
    """``/trend?q=&by=year``."""
    return list_page(visit, "/trend", _trend)


def _trend(visit: Visit, ask: Ask, result: Result) -> object:
    say, by = visit.say, visit.value("by") if visit.value("by") in ("year", "month") else "year"
    form = choice(visit, ask, "/trend", [("by", say("by"), by, ("year", "month"))])
    try:
        values = result.hits.distribution(by)
    except QueryError as error:
        return join_html([form, element("p", str(error), class_="muted")])
    rows = sorted((row for row in values.to_pylist() if row[by] not in (None, "")), key=lambda row: str(row[by]))
    bins = [(str(row[by]), round(row["per_million"])) for row in rows]
    figure = element(
        "figure",
        Safe(
            histogram(
                "trend",
                say("Hits per million over time"),
                say("Hits per million tokens in each period"),
                bins,
                axis=say(by),
                upwards=say("per million"),
                below=True,
            )
        ),
        class_="card",
        data_testid="trend",
    )
    cells = [
        (str(row[by]), visit.count(row["hits"]), visit.decimal(row["per_million"], 1), visit.count(row["tokens"]))
        for row in rows
    ]
    note = (
        element("p", say("Times are those of the pages; a crawl of one week has one."), class_="muted small")
        if len(rows) < 2
        else ""
    )
    return join_html(
        [
            form,
            figure,
            note,
            element("div", table((say(by), say("hits"), say("per million"), say("tokens")), cells), class_="card"),
        ]
    )
