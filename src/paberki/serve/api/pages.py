"""Answers about one page: what is known of it, its bytes, its text, its tokens, the tree of a sentence, its copies."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from paberki.query.hits.page_tokens import IndexedPage, indexed_page
from paberki.serve.api.address import ROWS, Address
from paberki.serve.api.corpus_facts import about
from paberki.serve.api.envelopes import envelope
from paberki.serve.api.results import AnswerRows, Explained, PageDescription, PageText, PageTokens
from paberki.serve.json_answers import CountState, json_answer, not_found
from paberki.serve.parameters import read
from paberki.serve.security import ORIGINAL_POLICY
from paberki.serve.service import ServiceCall

if TYPE_CHECKING:
    from paberki.report.one_page.row import Row

__all__ = ["ADDRESSES", "page_of", "row_of"]

_ID, _KEY = re.compile(r"[0-9]{1,9}"), re.compile(r"[0-9a-f]{32}")
_SHOWN = frozenset({"text/html", "application/xhtml+xml", "text/plain"})
"""Media types that a browser shows without running anything; others are files to save."""
_CHARSET = re.compile(r"[A-Za-z0-9_.:-]{1,40}")
_COPIES = ("id", "key", "url", "host", "date", "title", "keep", "reason", "dup_similarity")


def _name(call: ServiceCall) -> str:
    return str(call.request.path_params["id"])


def row_of(call: ServiceCall, name: str, *, tokens: bool = False) -> Row:
    """A page of a corpus of ours by id or key; one that was taken down is not found."""
    from paberki.errors import QueryError
    from paberki.report.one_page.find import find
    from paberki.report.one_page.row import read_row

    corpus, layout = call.edition.pages, call.edition.layout
    if not _ID.fullmatch(name) and not _KEY.fullmatch(name):
        raise not_found(f"no page {name[:80]!r}; an id has nine digits, a key 32 hexadecimal ones")
    try:
        number = int(name) if _ID.fullmatch(name) else find(corpus.directory, layout, name).number
        row = read_row(corpus.directory, layout, number, tokens=tokens)
    except QueryError as error:
        raise not_found(str(error)) from error
    if row.is_taken_down:
        raise not_found(f"page {name} was taken down")
    return row


def page_of(call: ServiceCall, name: str) -> IndexedPage:
    """A page of the index by id or key; one that was taken down is not found."""
    if call.edition.corpus is not None and _ID.fullmatch(name):
        name = name.rjust(9, "0")
    page = indexed_page(call.edition.concordancer._places, name, call.edition.index.selection("all"))
    if page is None:
        raise not_found(
            f"page {name[:80]!r} is not in the index: it does not exist, was taken down or is not annotated"
        )
    return page


def page(call: ServiceCall) -> Response:
    """Where a page comes from, and what is in it."""
    if call.edition.corpus is None:
        return json_answer(_foreign_page(call))
    row = row_of(call, _name(call))
    names = ("key", "url", "host", "date", "title", "warc_file", "warc_offset", "encoding", "reason")
    return json_answer(
        PageDescription(
            **about(call),
            id=str(row["id"]),
            **{name: row[name] for name in names},
            kept=row["keep"],
            blocks=_blocks(row),
            columns={name: value for name, value in row.values.items() if _is_plain(value)},
        )
    )


def _foreign_page(call: ServiceCall) -> PageDescription:
    page, name = page_of(call, _name(call)), _name(call)
    facts = page.facts
    page_facts: dict[str, Any] = {one: facts.get(one) for one in ("key", "url", "host", "date", "title", "encoding")}
    blocks = [{"number": number, "text": text} for number, text in enumerate(page.texts("p"))]
    return PageDescription(
        **about(call), id=name, **page_facts, warc_file=None, warc_offset=None, kept=None, reason=None, blocks=blocks,
        columns=dict(facts),
    )  # fmt: skip


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool) or hasattr(value, "isoformat")


def _blocks(row: Row) -> list[dict[str, Any]]:
    """Blocks with the verdict on them, without what repairs need."""
    blocks = row["blocks"] or []
    keep = row["block_keep"] or [block["kept"] for block in blocks]
    reasons = row["block_reason"] or [None] * len(blocks)
    hidden_columns = ("source", "breakpoints", "kept", "reason")
    return [
        {
            "number": number,
            **{name: value for name, value in block.items() if name not in hidden_columns},
            "extracted": block["kept"],
            "kept": bool(stays),
            "reason": reason or block["reason"],
        }
        for number, (block, stays, reason) in enumerate(zip(blocks, keep, reasons, strict=False))
    ]


def original(call: ServiceCall) -> Response:
    """The bytes of the page, as the server sent them; nothing in them runs or loads."""
    from paberki.report.one_page.original import read_original

    page = read_original(call.edition.pages.directory, row_of(call, _name(call)))
    return original_response(page.data, page.mime, page.encoding)


def original_response(data: bytes, mime: str, encoding: str | None) -> Response:
    """Bytes of a page of the web, in a sandbox."""
    headers = {"Content-Security-Policy": ORIGINAL_POLICY, "Cross-Origin-Resource-Policy": "same-origin"}
    if mime not in _SHOWN:
        headers["Content-Disposition"] = "attachment"
        return Response(data, headers={**headers, "Content-Type": "application/octet-stream"})
    charset = f"; charset={encoding}" if encoding and _CHARSET.fullmatch(encoding) else ""
    return Response(data, headers={**headers, "Content-Type": f"{mime}{charset}"})


def text(call: ServiceCall) -> Response:
    """The text that is in the corpus, block by block."""
    if call.edition.corpus is None:
        texts = page_of(call, _name(call)).texts("p")
        name = _name(call)
    else:
        row = row_of(call, _name(call))
        name, texts = str(row["id"]), row.selected_texts()
    return json_answer(PageText(**about(call), id=name, blocks=texts, text="\n".join(texts)))


def tokens(call: ServiceCall) -> Response:
    """All tokens of a page with their attributes; with ``s`` those of one sentence."""
    page, sentence = page_of(call, _name(call)), read(call.parameters, ("s",))["s"]
    edges = page.edges("s")
    low, high = _sentence(edges, sentence) if sentence is not None else (page.start, page.end)
    rows = page.tokens(low, high)
    _add_bytes(call, page, rows)
    return json_answer(PageTokens(**about(call), id=_name(call), sentences=len(edges) - 1, rows=rows))


def _sentence(edges: Any, number: int) -> tuple[int, int]:
    if number >= len(edges) - 1:
        raise not_found(f"no sentence {number}; the page has {len(edges) - 1}, from 0 on")
    return int(edges[number]), int(edges[number + 1])


def _add_bytes(call: ServiceCall, page: IndexedPage, rows: list[dict[str, Any]]) -> None:
    """Where each token is in the bytes of the page."""
    spans, number = call.edition.token_bytes, page.facts.get("page_number")
    if spans is None or not number:
        return
    for row in rows:
        first = row["position"] - page.start
        span = spans.span(int(number), first, first + 1, page.end - page.start)
        row["bytes"] = None if span is None else list(span)


def tree(call: ServiceCall) -> Response:
    """The tree of a sentence: words from 1 on, the number of the head (0 for the root) and the relation to it."""
    page = page_of(call, _name(call))
    edges = page.edges("s")
    low, high = _sentence(edges, read(call.parameters, ("s",))["s"] or 0)
    rows = page.tokens(low, high)
    if "deprel" not in call.edition.index.attributes:
        raise not_found("this corpus has no dependency trees")
    for number, row in enumerate(rows, 1):
        head = row["head"]
        inside = head is not None and low <= head < high
        row |= {"id": number, "head": head - low + 1 if inside else 0}
    return json_answer(PageTokens(**about(call), id=_name(call), sentences=len(edges) - 1, rows=rows))


def explain(call: ServiceCall) -> Response:
    """Every decision about a page."""
    from paberki.report.one_page.explain import explain as explain_page

    row = row_of(call, _name(call))
    corpus = call.edition.pages
    explanation = explain_page(corpus.directory, call.edition.layout, corpus.decisions(), str(row["id"]))
    return json_answer(Explained(**about(call), id=str(row["id"]), explanation=explanation.to_dict()))


def cluster(call: ServiceCall) -> Response:
    """Pages that are near-copies of each other, by the name of their group or by one of them."""
    name, corpus = _name(call), call.edition.pages
    if _ID.fullmatch(name):
        name = str(row_of(call, name)["dup_cluster"] or "")
    if not _KEY.fullmatch(name) or "dup_cluster" not in {one.name for one in call.edition.layout.columns.values()}:
        raise not_found("no such group of copies: the page has no near-copies, or the recipe looks for none")
    names = {one.name for one in call.edition.layout.columns.values()}
    columns = [column for column in _COPIES if column in names]
    tombstones = corpus.directory.tombstones()
    pages = corpus.pages(*columns, where=f"dup_cluster = '{name}'", kept=False)
    rows = [dict(row) for row in pages if row.get("key") not in tombstones]
    if not rows:
        raise not_found(f"no group of copies {name[:80]!r}")
    return json_answer(envelope(call, rows[:1000], CountState(len(rows), "done", 1.0)))


def search(call: ServiceCall) -> Response:
    """Documents that are about some words, the best first."""
    from paberki.search.opening import pages_where
    from paberki.search.searching import SearchRequest

    options = read(call.parameters, ("q", "set", "where", "fold", "forms", "sort", "from", "per_page"))
    edition, where = call.edition, options["where"]
    numbers = pages_where(edition.pages, where) if where else None
    request = SearchRequest(
        set=options["set"] or "kept", first=options["from"] + 1, size=options["per_page"], fold=options["fold"],
        sort=options["sort"] or "score", base_forms=options["forms"], pages=numbers,
    )  # fmt: skip
    hits = edition.documents.search(options["q"], request)
    rows = [{**asdict(hit), "page": hit.id} for hit in hits.rows]
    count = CountState(hits.total, "done" if hits.exact else "stopped", 1.0)
    more = options["from"] + len(rows) < hits.total and len(rows) == options["per_page"]
    scope = request.set if not where else f"{request.set} and {where}"
    answer = envelope(call, rows, count, scope_name=scope, more=more)
    return json_answer(replace(answer, query=options["q"], canonical=hits.query))


ADDRESSES = (
    Address(
        "/search",
        search,
        "documents about some words",
        ("q", "set", "where", "fold", "forms", "sort", *ROWS),
        ("q",),
        AnswerRows,
    ),
    Address("/pages/{id}", page, "a page", (), (), PageDescription),
    Address("/pages/{id}/original", original, "the bytes of a page", (), (), None, media="*/*"),
    Address("/pages/{id}/text", text, "the text of a page", (), (), PageText),
    Address("/pages/{id}/tokens", tokens, "the tokens of a page", ("s",), (), PageTokens),
    Address("/pages/{id}/tree", tree, "the tree of a sentence", ("s",), (), PageTokens),
    Address("/pages/{id}/explain", explain, "why a page is in or out", (), (), Explained, slow=True),
    Address("/clusters/{id}", cluster, "near-copies", (), (), AnswerRows, slow=True),
)
