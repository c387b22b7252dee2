"""The concordance: lines first, the count while it goes on, what narrows them beside."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from starlette.responses import Response

from paberki.errors import QueryError
from paberki.markup.html import Safe, element, join_html
from paberki.serve.pages.concordance.chain import chain_of, chips
from paberki.serve.pages.concordance.facets import narrowing
from paberki.serve.pages.concordance.form import query_form
from paberki.serve.pages.concordance.nothing import why_nothing
from paberki.serve.pages.concordance.rendering import line_list, pager
from paberki.serve.pages.concordance.shown_lines import ShownLine, shown_lines
from paberki.serve.pages.concordance.then_now import remember_build, then_now
from paberki.serve.pages.concordance.toolbar import tabs, toolbar, total
from paberki.serve.pages.frame import document
from paberki.serve.pages.saved.watches import pin_form

if TYPE_CHECKING:
    from paberki.query.hits.hits import Hits
    from paberki.serve.jobs import Job
    from paberki.serve.json_answers import CountState
    from paberki.serve.pages.ask import Ask
    from paberki.serve.pages.visit import Visit

__all__ = ["Result", "concordance_page", "query_page", "run_search"]

_COUNT_SECONDS, _SMALL_COUNT_SECONDS = 0.02, 0.5
"""How long a page waits for its count; those of small corpora are nearly always there by then."""
_SMALL_TOKENS: Final = 2_000_000
_PAGE_SECONDS: Final = 2.0
"""How long a reader waits for lines; then the page comes with those that are there, and again when the search is over."""
_INLINE_HITS: Final = 5_000
"""With more hits, what narrows them is loaded when the lines are there."""
_MOST_START: Final = 1_000_000
_MOST_NARROWED: Final = 10_000_000


@dataclass(frozen=True)
class Result:
    """The search behind a page."""

    job: Job
    hits: Hits
    count: CountState
    lines: list[ShownLine]
    has_more: bool
    is_partial: bool = False
    """Not all lines of the page were found in the time that a reader waits for a page; the search goes on."""


def run_search(visit: Visit, ask: Ask, lines: bool = True) -> Result:
    """Search: the first lines, and the count as far as it is after a moment."""
    service, edition = visit.service, visit.edition
    job = service.jobs.start(edition, ask.as_search)
    is_ordered = bool(ask.sort or ask.good or ask.sample is not None)
    if is_ordered or not lines:
        job.wait(_PAGE_SECONDS if lines else service.settings.search_seconds)
    hits = job.hits or ask.hits(
        edition, replace(service.settings, search_seconds=_PAGE_SECONDS) if lines else service.settings
    )
    first_lines, more, partial = [], False, False
    if lines and is_ordered and not job.end_event.is_set():
        partial = True
    elif lines:
        start = min(ask.start, _MOST_START)
        table = hits.first_table(start + ask.size + 1)
        more = len(table) > start + ask.size
        partial = not more and hits.search.progress().state == "stopped"
        job.saw(len(table))
        part = table.take(np.arange(min(start, len(table)), min(start + ask.size, len(table))))
        first_lines = shown_lines(edition, hits.scope.places, part, ask.view, ask.width)
    patience = _COUNT_SECONDS if edition.index.tokens > _SMALL_TOKENS else _SMALL_COUNT_SECONDS
    return Result(job, hits, job.wait(patience), first_lines, more, partial)


def cql_of_ask(visit: Visit, ask: Ask) -> str:
    """The query in CQL, as it stands in the field."""
    from paberki.query.syntax.plain_words import cql_of

    return cql_of(ask.q, visit.edition.index)


def concordance_page(visit: Visit) -> Response:
    """``/concordance``."""
    ask = visit.ask
    remember_build(visit.edition)
    if not ask.q:
        return visit.answer(query_page(visit, ask, _examples(visit)))
    key = (visit.call.request.url.query, visit.language, visit.theme, visit.is_part)
    pages = visit.edition.shown_pages
    with nullcontext() if pages.get(key) else pages.made_once(key):
        if (cached_page := pages.get(key)) is not None:
            return visit.answer(cached_page)
        try:
            result = run_search(visit, ask)
        except QueryError as error:
            return error_page(visit, ask, error)
        title = visit.say("{q}: concordance", q=cql_of_ask(visit, ask)[:80])
        html = query_page(visit, ask, _lines(visit, ask, result), title=title)
        if result.count.state == "done" and not (result.is_partial or ask.build or ask.state or _is_counting(html)):
            pages.keep(key, html)
        return visit.answer(html)


def _is_counting(html: str) -> bool:
    """Whether a number of the page is not there yet."""
    return "data-counting" in html


def error_page(visit: Visit, ask: Ask, error: QueryError, path: str = "/concordance") -> Response:
    """The form with what is wrong; scripts take this part of it and leave the lines of before."""
    return visit.answer(query_page(visit, ask, "", error=error, path=path), 400)


def query_page(
    visit: Visit,
    ask: Ask,
    inside: object,
    *,
    path: str = "/concordance",
    error: QueryError | None = None,
    title: str = "",
) -> str:
    """The frame of all views of a result: form, chain, tabs."""
    cql = cql_of_ask(visit, ask)
    parts: list[object] = [
        element("h1", title or visit.say("Concordance"), class_="unseen"),
        query_form(visit, ask, cql, error),
    ]
    if ask.q and error is None:
        parts += [chain_of(visit, ask, cql, path), then_now(visit, ask, path), tabs(visit, ask, path)]
    parts.append(inside)
    work = element(
        "div", *parts, id="work", class_="stack", hx_boost="true", hx_target="#work", hx_select="#work",
        hx_swap="outerHTML show:none", hx_push_url="true", data_query=cql if ask.q and error is None else None, data_page=path,
    )  # fmt: skip
    return document(visit, title or visit.say("Concordance"), work)


def _lines(visit: Visit, ask: Ask, result: Result) -> Safe:
    from paberki.serve.pages.concordance.categories import labels_of

    count = result.count
    inline = count.state == "done" and count.value <= _INLINE_HITS
    pinning = pin_form(visit, ask, count.value) if count.state == "done" else ""
    parts: list[object] = [total(visit, result.job, count, result.hits.scope.tokens, pinning)]
    if ask.conditions:
        parts.append(element("div", chips(visit, ask, "/concordance"), class_="row"))
    if count.state == "done" and not count.value:
        parts.append(why_nothing(visit, ask))
    else:
        parts += [
            toolbar(visit, ask),
            _searching(visit) if result.is_partial and count.state == "running" else "",
            line_list(visit, ask, result.lines, labels_of(visit, result.lines)),
            pager(visit, ask, len(result.lines), result.has_more, count.value),
        ]
    beside = narrowing(visit, ask, result.hits) if inline else _later(visit, ask)
    return element("div", element("div", *parts, class_="main", id="result"), beside, class_="result")


def _searching(visit: Visit) -> Safe:
    """The search takes long; scripts load the page again when it is over."""
    bar = element("progress", aria_label=visit.say("The search goes on …"))
    return element(
        "p", bar, " ", visit.say("The search goes on …"), class_="muted", data_partial=True, data_testid="searching"
    )


def _later(visit: Visit, ask: Ask) -> Safe:
    """What narrows the hits, loaded after the lines."""
    address = ask.at("/narrow")
    return element(
        "div", element("a", visit.say("Narrow"), href=address), hx_get=address, hx_trigger="load", hx_swap="outerHTML",
        hx_target="this", hx_select="#narrowing", hx_push_url="false",
    )  # fmt: skip


def narrow_page(visit: Visit) -> Response:
    """``/narrow``: what narrows the hits, as a page of its own."""
    ask = visit.ask
    try:
        job = visit.service.jobs.start(visit.edition, ask.as_search)
        count = job.wait(visit.service.settings.search_seconds)
        if count.state == "done" and count.value <= _MOST_NARROWED:
            beside: Safe = narrowing(visit, ask, job.hits or ask.hits(visit.edition, visit.service.settings))
        else:
            beside = element("p", visit.say("There are too many hits to narrow; a sample has fewer."), class_="muted small", id="narrowing")  # fmt: skip
    except QueryError as error:
        return error_page(visit, ask, error)
    return visit.answer(document(visit, visit.say("Narrow"), beside))


def _examples(visit: Visit) -> Safe:
    from paberki.serve.pages.examples import example_list

    return join_html([element("h2", visit.say("Try")), example_list(visit)])
