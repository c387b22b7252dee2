"""Documents: pages that are about some words, annotated or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starlette.responses import Response

from paberki.errors import PaberkiError, QueryError
from paberki.markup.html import Safe, element, join_html, void
from paberki.search.asking.wider import wider_searches
from paberki.search.searching import DocumentSearch, SearchRequest
from paberki.serve.pages.frame import document
from paberki.serve.pages.pieces import link_next, text_attributes

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["search_page"]

_ROWS: Final = 20
_WIDER: Final = {
    "forms": "With other forms of the words: {n}",
    "any": "With one of the words: {n}",
    "all": "Left-out documents included: {n}",
}
_SETS: Final = (("kept", "kept"), ("dropped", "left out"), ("all", "all"))


def search_page(visit: Visit) -> Response:
    """``/search?q=&set=&from=&fold=&forms=&any=``."""
    say, words = visit.say, visit.value("q").strip()
    set_name = visit.value("set") if visit.value("set") in ("kept", "dropped", "all") else "kept"
    head = [element("h1", say("Documents")), _form(visit, words, set_name), _sets(visit, words, set_name)]
    status, result_list = 200, join_html([])
    if visit.edition.corpus is None:
        result_list = element("p", say("An index without a corpus has no documents."), class_="muted")
    elif words:
        try:
            result_list = _results(visit, words, set_name)
        except QueryError as error:
            status, result_list = 400, element("p", str(error), class_="query-error", role="alert")
        except PaberkiError as error:
            status, result_list = 503, element("p", str(error), class_="card warning")
    return visit.answer(document(visit, words[:80] or say("Documents"), *head, result_list, kind="narrow"), status)


def _form(visit: Visit, words: str, set_name: str) -> Safe:
    say = visit.say
    field = void(
        "input", type="search", name="q", value=words, data_testid="search-words", autocomplete="off", aria_label=say("Words"),
        placeholder=say('words, "phrases", AND OR NOT, title:words'),
    )  # fmt: skip
    hidden_fields = [("set", set_name), *([("corpus", visit.value("corpus"))] if visit.value("corpus") else [])]
    return element(
        "form",
        *(void("input", type="hidden", name=name, value=value) for name, value in hidden_fields),
        element("div", field, class_="simple-box"),
        element("button", say("Search"), class_="primary"),
        action="/search", method="get", class_="search-form card", role="search",
    )  # fmt: skip


def _sets(visit: Visit, words: str, set_name: str) -> Safe:
    links = [
        element("a", visit.say(label), href=visit.here("/search", q=words, set=key), role="button", data_testid=f"set-{key}",
                aria_pressed="true" if key == set_name else "false")
        for key, label in _SETS
    ]  # fmt: skip
    return element("div", *links, class_="segments")


def _results(visit: Visit, words: str, set_name: str) -> Safe:
    documents, start = _documents(visit), visit.number("from", 1, 1)
    request = SearchRequest(
        set=set_name, first=start, size=_ROWS, fold=visit.value("fold", "1") == "1",
        operator="OR" if visit.value("any") == "1" else "AND", base_forms=visit.value("forms") == "1",
    )  # fmt: skip
    answer = documents.search(words, request)
    ways = {"forms": visit.value("forms"), "any": visit.value("any")}
    address = visit.here("/search", q=words, set=set_name, **ways, **{"from": start + _ROWS})
    more = link_next(visit, address) if answer.total >= start + _ROWS else ""
    total = element(
        "p", visit.say("{n} documents", n=answer.total), class_="total", data_testid="total", data_value=str(answer.total), data_state="done",
    )  # fmt: skip
    wider = join_html([]) if answer.total else _wider(visit, documents, words, request)
    return join_html([total, wider, element("ol", *(_row(visit, one) for one in answer.rows), class_="stack"), more])


def _wider(visit: Visit, documents: DocumentSearch, words: str, request: SearchRequest) -> Safe:
    """Links to searches that find something."""
    links = []
    for one in wider_searches(documents, words, request):
        change = {"set": "all"} if one.way == "all" else {"set": request.set, one.way: "1"}
        links.append(
            element("a", visit.say(_WIDER[one.way], n=one.total), href=visit.here("/search", q=words, **change),
                    data_testid=f"wider-{one.way}")
        )  # fmt: skip
    return (
        element("ul", *(element("li", link) for link in links), class_="card stack tight") if links else join_html([])
    )


def _documents(visit: Visit) -> DocumentSearch:
    from paberki.search.opening import open_documents

    memory: dict[str, Any] = visit.edition.index.__dict__
    documents = memory.get("_documents")
    if documents is None or documents.is_replaced:
        documents = memory["_documents"] = open_documents(visit.edition.pages)
    return documents


def _row(visit: Visit, hit: Any) -> Safe:
    parts: list[object] = []
    at = 0
    for low, high in hit.snippet_hits:
        parts += [hit.snippet[at:low], element("b", hit.snippet[low:high])]
        at = high
    mark: object = ""
    if hit.keep is not None and not hit.keep:
        mark = element("span", hit.reason or "", class_="mark-out", data_testid="reason")
    copies: object = ""
    if hit.copies:
        copies = element(
            "a", visit.say("and {n} copies", n=hit.copies), href=visit.here(f"/cluster/{hit.id}"), class_="tiny"
        )
    return element(
        "li",
        element("h2", element("a", hit.title or hit.url, href=visit.here(f"/page/{hit.id}")), **text_attributes(hit.lang)),
        element("p", join_html([hit.host or "", " · ", (hit.date or "")[:16].replace("T", " "), " ", mark, " ", copies]), class_="small muted"),
        element("p", *parts, hit.snippet[at:], class_="text", **text_attributes(hit.lang)),
        class_="card stack tight", data_testid="document",
    )  # fmt: skip
