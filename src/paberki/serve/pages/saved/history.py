"""History and named queries. The history stays in the browser; names and watches are kept with the corpus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from paberki.markup.html import Safe, element, void
from paberki.serve.pages.frame import document
from paberki.serve.pages.saved.watches import saved_ask, watch
from paberki.store.saved import SavedQueries

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["saved_page"]


def saved_page(visit: Visit) -> Response:
    """``/saved``."""
    say = visit.say
    items = [_item(visit, one) for one in SavedQueries(visit.edition.root).all()]
    nothing = element("p", say("Nothing is saved yet."), class_="muted") if not items else ""
    listing = element("ul", *items, class_="stack tight")
    names = element("section", element("h2", say("Named queries")), _form(visit), nothing, listing, class_="stack")
    history = element(
        "section",
        element("h2", say("History of this browser")),
        element("ol", id="history", class_="stack tight"),
        element("button", say("forget all"), type="button", id="forget-history", hidden=True),
        class_="stack",
    )
    return visit.answer(document(visit, say("Saved"), element("h1", say("Saved")), names, history, kind="narrow"))


def _item(visit: Visit, one: Mapping[str, Any]) -> Safe:
    ask, name = saved_ask(one), str(one["name"])
    link = element("a", name, href=ask.but(corpus=visit.value("corpus")).at("/concordance"))
    forget = element(
        "button", "✕", type="button", class_="quiet", data_forget=name, aria_label=visit.say("forget {name}", name=name)
    )
    query = element("code", str(one.get("q") or ""), class_="tiny")
    return element("li", link, query, watch(visit, one), forget, class_="row card saved", data_testid="saved-query")


def _form(visit: Visit) -> Safe:
    """A query with a name; a server that only reads says so."""
    say = visit.say
    if not visit.service.settings.edit:
        note = say("This server only reads; names can be saved when it is started with --edit.")
        return element("p", note, class_="muted small")
    name = void("input", type="text", name="name", id="save-name", maxlength="100", autocomplete="off", required=True)
    query = void("input", type="text", name="q", id="save-query", value=visit.value("q"), size="40", autocomplete="off")
    return element(
        "form",
        element("label", say("name"), name),
        element("label", say("query"), query),
        element("button", say("save"), class_="primary"),
        data_post=visit.here("/api/v1/saved"),
        class_="row card",
    )
