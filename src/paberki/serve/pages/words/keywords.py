"""Keywords: what is typical of some pages, compared with the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from paberki.errors import QueryError
from paberki.markup.html import element
from paberki.serve.pages.concordance.list_tabs import top_rows
from paberki.serve.pages.examples import example_queries
from paberki.serve.pages.words.wordlists import attribute_of, list_form, list_table, literal, word_frame
from paberki.store.sql.quoting import quote

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["keywords_page"]

_MEASURES: Final = ("simplemaths", "logratio", "ll")


def keywords_page(visit: Visit) -> Response:
    """``/keywords?where=&attr=&measure=``."""
    attribute, where = attribute_of(visit), visit.value("where") or _default_part(visit)
    measure = visit.value("measure") if visit.value("measure") in _MEASURES else "simplemaths"
    order, least = visit.value("order") or measure, visit.number("min", 2, 1)
    form = list_form(visit, "/keywords", [
        ("where", visit.say("pages with"), where, ()), ("attr", visit.say("attribute"), attribute, tuple(visit.edition.index.attributes)),
        ("measure", visit.say("measure"), measure, _MEASURES), ("min", visit.say("at least"), str(least), ()),
    ])  # fmt: skip
    note = element("p", visit.say("Compared with all other pages of the corpus."), class_="muted small")
    try:
        part, rest = visit.edition.concordancer.part(where), visit.edition.concordancer.part(f"not ({where})")
        table = part.keywords(rest, attribute, measure=measure, min=least)
    except QueryError as error:
        return word_frame(visit, "/keywords", form, element("p", str(error), class_="query-error", role="alert"))
    rows = [
        (str(row[attribute]), f'[{attribute}="{literal(str(row[attribute]))}"]', row) for row in top_rows(table, order)
    ]
    return word_frame(
        visit,
        "/keywords",
        form,
        note,
        list_table(visit, attribute, rows, (measure, "hits", "pages", "hosts", "arf"), order, "keyword-row", where),
    )


def _default_part(visit: Visit) -> str:
    """The largest host, so that the first page shows something."""
    import numpy as np

    places = visit.edition.concordancer._places
    hosts = places.hosts[visit.edition.concordancer._scope().page_tokens > 0]
    hosts = hosts[hosts >= 0]
    if not len(hosts) or not example_queries(visit.edition):
        return "true"
    return f"host = {quote(places.host_names[int(np.bincount(hosts).argmax())])}"
