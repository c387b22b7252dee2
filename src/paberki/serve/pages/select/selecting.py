"""Select: what each rule left out, where a score is cut, what another cut would change, presets side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from starlette.responses import Response

from paberki.errors import PaberkiError, QueryError
from paberki.markup.charts import histogram
from paberki.markup.html import Safe, element, join_html, table, void
from paberki.query.counting.page_columns import page_numbers
from paberki.serve.pages.concordance.concordance_page import run_search
from paberki.serve.pages.concordance.cut import cut_form, score_names
from paberki.serve.pages.concordance.form import query_form
from paberki.serve.pages.concordance.toolbar import total
from paberki.serve.pages.frame import document
from paberki.serve.pages.pieces import scrolling_table, share_bar
from paberki.serve.pages.select.presets import presets_side_by_side

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["attrition_rows", "select_page"]

_BINS: Final = 30


def select_page(visit: Visit) -> Response:
    """``/select?q=&score=&cut=``."""
    say, ask = visit.say, visit.ask
    if visit.edition.corpus is None:
        return visit.answer(
            document(
                visit,
                say("Select"),
                element("h1", say("Select")),
                element("p", say("An index without a corpus has no rules."), class_="muted"),
            )
        )
    parts: list[object] = [element("h1", say("Select"))]
    names = score_names(visit)
    try:
        parts.append(element("div", _cut_card(visit, names), _effect(visit), class_="two"))
    except QueryError as error:
        parts.append(element("p", str(error), class_="query-error", role="alert"))
    if ask.q:
        try:
            result = run_search(visit, ask)
            parts.append(
                element("section", total(visit, result.job, result.count, result.hits.scope.tokens), class_="card")
            )
        except QueryError as error:
            parts.append(element("p", str(error), class_="query-error", role="alert"))
    parts.append(
        element(
            "details",
            element("summary", say("for a query")),
            query_form(visit, ask, ask.q, action="/select"),
            open=bool(ask.q),
        )
    )
    parts += [_attrition(visit), presets_side_by_side(visit), _remembered_selections(visit)]
    return visit.answer(document(visit, say("Select"), *parts))


def _cut_card(visit: Visit, names: list[str]) -> Safe:
    say = visit.say
    if not names:
        return element("p", say("This corpus has no scores."), class_="muted")
    options = [element("option", name, value=name, selected=name == visit.value("score")) for name in names]
    pairs = visit.ask.but(cut=None).pairs
    form = element(
        "form",
        *(void("input", type="hidden", name=name, value=value) for name, value in pairs if name != "score"),
        element("label", say("score"), element("select", *options, name="score", data_submit="change")),
        element("noscript", element("button", "→")),
        action="/select",
        method="get",
    )
    return element(
        "section",
        form,
        _figure(visit, visit.value("score") if visit.value("score") in names else names[0]),
        cut_form(visit, visit.ask, "/select"),
        class_="card stack",
    )


def _figure(visit: Visit, name: str) -> object:
    scores = page_numbers(visit.edition.concordancer._places, name)
    scores = scores[np.isfinite(scores)]
    if not len(scores):
        return ""
    low, high = float(scores.min()), float(np.quantile(scores, 0.99))
    counts, edges = np.histogram(np.clip(scores, low, max(high, low + 1e-9)), _BINS)
    bins = [
        ((f"{edges[at]:.0f}" if high - low > 10 else f"{edges[at]:.1f}") if at % 5 == 0 else "", int(count))
        for at, count in enumerate(counts)
    ]
    return element(
        "figure",
        Safe(
            histogram(
                "score",
                visit.say("Distribution of {name}", name=name),
                visit.say("Annotated pages by {name}", name=name),
                bins,
                axis=name,
                high=200,
            )
        ),
    )


def _effect(visit: Visit) -> Safe:
    """What the cut does to the corpus, in pages and tokens."""
    say, edition = visit.say, visit.edition
    if not visit.ask.cut:
        return element(
            "section", element("p", say("Move the cut to see what it would change."), class_="muted"), class_="card"
        )
    scopes = [(say("now"), edition.concordancer._scope())]
    scopes += [
        (say(label), edition.what_if(visit.ask.cut, name)._scope())
        for label, name in (("lost", "lost"), ("won", "won"), ("then", "kept"))
    ]
    rows = [
        (label, visit.count(int((scope.page_tokens > 0).sum())), visit.count(scope.tokens)) for label, scope in scopes
    ]
    about = (
        say("All rules for pages are those of the preset; blocks are those of now.")
        if visit.ask.cut.startswith("preset ")
        else say("Only the rule about this score changes; pages with a kept copy stay out.")
    )
    note = element("p", about, class_="small muted")
    return element(
        "section",
        element("h2", element("code", visit.ask.cut)),
        table((say("what"), say("pages"), say("tokens")), rows),
        note,
        class_="card stack",
        data_testid="what-if",
    )


def attrition_rows(visit: Visit) -> list[Any]:
    """Pages left after every rule, counted once for each state."""
    from paberki.report.figures.attrition import attrition

    corpus, memory = visit.edition.pages, visit.edition.index.__dict__
    if "_attrition" not in memory:
        memory["_attrition"] = attrition(corpus.directory, corpus.plan(), corpus.recipe)
    rows: list[Any] = memory["_attrition"]
    return rows


def _attrition(visit: Visit) -> Safe:
    say = visit.say
    try:
        rows = attrition_rows(visit)
    except PaberkiError as error:
        return element("p", str(error), class_="warning")
    most = max((row.pages for row in rows), default=1) or 1
    cells = []
    for row in rows:
        reason: object = row.reason
        if row.kind == "dropped" and row.pages:
            reason = element("a", row.reason, href=visit.here("/pages", reason=row.reason))
        kind = "kept" if row.kind == "kept" else "other" if row.kind == "crawled" else "dropped"
        bar = share_bar((row.pages / most, kind), height=8)
        cells.append(
            (
                reason,
                element("code", row.meaning, class_="tiny"),
                bar,
                visit.count(row.pages),
                f"{visit.decimal(row.share * 100, 1)} %",
                visit.count(row.left_pages),
                visit.count(row.words),
            )
        )
    head = (say("reason"), say("condition"), say("share"), say("pages"), "%", say("left"), say("words"))
    return element(
        "section",
        element("h2", say("What each rule leaves out")),
        scrolling_table(say("What each rule leaves out"), head, cells, 3),
        class_="card stack",
        data_testid="attrition",
    )


def _remembered_selections(visit: Visit) -> Safe:
    """Selections that the index remembers, side by side."""
    say, index = visit.say, visit.edition.index
    rows = []
    for key, entry in index.manifest.selections.items():
        now = key == index.manifest.selection
        whole = max(entry.tokens + entry.dropped_tokens, 1)
        rows.append(
            (
                join_html([element("code", key), " ", element("span", say("now"), class_="mark-in") if now else ""]),
                visit.count(entry.tokens),
                visit.count(entry.dropped_tokens),
                f"{visit.decimal(100 * entry.tokens / whole, 1)} %",
            )
        )
    head = (say("selection"), say("tokens kept"), say("tokens left out"), "%")
    return element("section", element("h2", say("Selections of this corpus")), table(head, rows), class_="card stack")
