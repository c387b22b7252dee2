"""TSUBAKI's open API at ``/api`` (P4 §4): search for pages, then fetch them by id.

Parameters and defaults are those of the paper, operators those of the manual of 2009; the answer is the XML of figure 2. What
neither knows is ignored, or an error with ``strict=1``. There are no quotas. Errors are plain text, as they were.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl

from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from paberki.errors import QueryError
from paberki.export.page_forms import FORMS, NoSuchPage, page_form, page_row
from paberki.search.asking.planning import ALPHA
from paberki.search.asking.search_tree import TermGroup, Value
from paberki.search.asking.thesaurus import Thesaurus, read_thesaurus
from paberki.search.searching import DocumentHits, SearchRequest
from paberki.serve.json_answers import ErrorAnswer, Refusal
from paberki.serve.security import ORIGINAL_POLICY
from paberki.serve.service import ServiceCall, endpoint
from paberki.serve.tsubaki.result_xml import ITEMS, ResultSet, document_info, result_set

PARAMETERS: Final = (
    "query", "start", "starts", "results", "logical_operator", "logical", "snippets", "filter_simpages", "id", "format",
    "only_hitcount", "near", "force_dpnd", "dpnd", "result_items", "sort_by", "site", "kwic", "kwic_window_size", "field",
    "no_encoding", "verbose", "blocktype", "synonym", "set", "strict", "corpus", "build",
)  # fmt: skip
_OPERATORS: Final = {"AND": "AND", "OR": "OR", "WORD_AND": "AND", "DPND_AND": "AND"}
_THESAURUS: Final = "thesaurus.tsv"
"""File in the directory of a corpus whose synonyms and hypernyms are searched too."""
_RESULTS, _KWIC_WORDS = 20, 10
_DIGITS: Final = 12


def routes() -> list[BaseRoute]:
    """Addresses of this part; clients of 2008 ask for ``api.cgi``."""
    answer = endpoint(_answer, _complain)
    return [Route(path, answer, methods=["GET", "POST"], name=f"tsubaki{path}") for path in ("/api", "/api.cgi")]


def _complain(call: ServiceCall, status: int, failure: ErrorAnswer, headers: dict[str, str]) -> Response:
    return PlainTextResponse(f"{failure.error}\n", status, headers)


def _answer(call: ServiceCall) -> Response:
    parameters = _parameters(call)
    if _flag(parameters, "strict", False):
        for name in parameters:
            if name not in PARAMETERS:
                raise Refusal(400, f"unknown parameter {name[:80]!r}; there are: {', '.join(PARAMETERS)}")
    if parameters.get("field") and parameters.get("id"):
        return _document_info(call, parameters)
    if "id" in parameters or ("format" in parameters and "query" not in parameters):
        return _page(call, parameters)
    return _search(call, parameters)


def _parameters(call: ServiceCall) -> dict[str, str]:
    """Parameters of the address and of a form that was posted."""
    form_fields = parse_qsl(call.body.decode("utf-8", "replace"), keep_blank_values=True) if call.body else []
    return {**call.parameters, **dict(form_fields)}


def _page(call: ServiceCall, parameters: Mapping[str, str]) -> Response:
    """The page with an id."""
    name, form = parameters.get("id", "").strip(), parameters.get("format", "")
    if not name:
        raise Refusal(400, "the parameter id is required: the id of a page")
    if form not in FORMS:
        raise Refusal(400, f"the parameter format is required with id: {' or '.join(FORMS)}")
    try:
        content = page_form(call.edition.pages, _id(name), form, call.edition.linked_pages if form == "xml" else None)
    except NoSuchPage as error:
        raise Refusal(404, f"no page with the id {name[:40]!r}") from error
    if form == "html":
        headers = {"Content-Type": content.media_type, "Content-Security-Policy": ORIGINAL_POLICY}
        return Response(content.data, headers=headers)
    return Response(content.data, headers={"Content-Type": f"{content.media_type}; charset=utf-8"})


def _id(name: str) -> str:
    if not (name.isascii() and name.isdigit()):
        raise Refusal(404, f"no page with the id {name[:40]!r}")
    return name.lstrip("0") or "0"


def _search(call: ServiceCall, parameters: Mapping[str, str]) -> Response:
    words = parameters.get("query", "")
    if "\n" in words or "\r" in words:
        raise Refusal(400, "a query is one line")
    if not words.strip() and not parameters.get("site"):
        raise Refusal(400, "the parameter query is required")
    request = _request(call, parameters)
    hits = call.edition.documents.search(words, request)
    if _flag(parameters, "only_hitcount", False):
        return PlainTextResponse(str(hits.total))
    return _xml(call, parameters, request, hits)


def _request(call: ServiceCall, parameters: Mapping[str, str]) -> SearchRequest:
    operator = (parameters.get("logical_operator") or parameters.get("logical") or "AND").upper()
    if operator not in _OPERATORS:
        raise Refusal(400, f"logical_operator is one of {', '.join(_OPERATORS)}, not {operator[:40]!r}")
    kwic = _flag(parameters, "kwic", False)
    count = _flag(parameters, "only_hitcount", False)
    return SearchRequest(
        set=parameters.get("set") or "kept",
        operator="OR" if operator == "OR" else "AND",
        first=_number(parameters, "start", _number(parameters, "starts", 1)),
        size=0 if count else _size(parameters),
        snippets=kwic or _flag(parameters, "snippets", False) or "Snippet" in _items(parameters),
        sort=parameters.get("sort_by") or "score",
        alpha=ALPHA if _flag(parameters, "dpnd", True) else 0.0,
        force_pairs=operator == "DPND_AND" or _flag(parameters, "force_dpnd", False),
        near=_number(parameters, "near", 0, least=0) or None,
        base_forms=True,
        block_types=tuple(part for part in parameters.get("blocktype", "").replace(",", ":").split(":") if part),
        thesaurus=_thesaurus(call) if _flag(parameters, "synonym", True) else Thesaurus(),
        also=_site(parameters),
        similar=not _flag(parameters, "filter_simpages", False),
        kwic=_number(parameters, "kwic_window_size", _KWIC_WORDS) if kwic else None,
    )


def _size(parameters: Mapping[str, str]) -> int | None:
    if parameters.get("results", "").lower() == "all":
        return None
    return _number(parameters, "results", _RESULTS)


def _site(parameters: Mapping[str, str]) -> tuple[TermGroup, ...]:
    site = parameters.get("site", "").strip().lower()
    return (TermGroup("OR", (Value("host", site), Value("domain", site))),) if site else ()


def _thesaurus(call: ServiceCall) -> Thesaurus:
    path: Path = call.edition.pages.root / _THESAURUS
    return read_thesaurus(path) if path.is_file() else Thesaurus()


def _number(parameters: Mapping[str, str], name: str, default: int, least: int = 1) -> int:
    text = parameters.get(name, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS) or int(text) < least:
        raise Refusal(400, f"{name} is a whole number from {least} on, not {text[:40]!r}")
    return int(text)


def _flag(parameters: Mapping[str, str], name: str, default: bool) -> bool:
    text = parameters.get(name, "").strip()
    if text not in ("", "0", "1"):
        raise Refusal(400, f"{name} is 0 or 1, not {text[:40]!r}")
    return text == "1" if text else default


def _items(parameters: Mapping[str, str]) -> tuple[str, ...]:
    items = tuple(part for part in parameters.get("result_items", "").split(":") if part)
    for item in items:
        if item not in ITEMS:
            raise Refusal(400, f"result_items holds {', '.join(ITEMS)}, not {item[:40]!r}")
    return items


def _xml(call: ServiceCall, parameters: Mapping[str, str], request: SearchRequest, hits: DocumentHits) -> Response:
    operator = (parameters.get("logical_operator") or parameters.get("logical") or "AND").upper()
    answer = ResultSet(
        hits=hits,
        request=request,
        operator=operator,
        filter_similar=not request.similar,
        items=_items(parameters),
        cache=f"{call.request.url.scheme}://{call.request.url.netloc}/api",
        corpus=parameters.get("corpus", ""),
    )
    return Response(result_set(answer), headers={"Content-Type": "text/xml; charset=utf-8"})


def _document_info(call: ServiceCall, parameters: Mapping[str, str]) -> Response:
    """Facts about pages, by their ids: ``field=Title:Url&id=000000001:000000002``."""
    fields = [part for part in parameters["field"].replace(",", ":").split(":") if part]
    rows: list[dict[str, Any]] = []
    for name in parameters["id"].replace(",", ":").split(":")[:1000]:
        try:
            rows.append(page_row(call.edition.pages, _id(name.strip())).values)
        except QueryError as error:
            raise Refusal(404, f"no page with the id {name[:40]!r}") from error
    return Response(document_info(rows, fields), headers={"Content-Type": "text/xml; charset=utf-8"})
