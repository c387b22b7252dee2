"""Envelopes of answers to queries: what the rows are about, the count, the addresses that belong to them."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from paberki.serve.json_answers import CountState, Envelope, Links
from paberki.serve.parameters import read
from paberki.serve.question import Question
from paberki.serve.service import ServiceCall

__all__ = ["envelope", "list_envelope", "next_address", "rows_of"]


def rows_of(table: Any, start: int, size: int) -> list[dict[str, Any]]:
    """Some rows of an Arrow table."""
    rows: list[dict[str, Any]] = table.slice(start, size).to_pylist()
    return rows


def next_address(call: ServiceCall, more: bool) -> str | None:
    """The address of the rows that follow."""
    if not more:
        return None
    page = read(call.parameters, ("from", "per_page"))
    parameters = {**call.parameters, "from": str(page["from"] + page["per_page"])}
    return f"{call.request.url.path}?{urlencode(parameters)}"


def envelope(
    call: ServiceCall,
    rows: list[dict[str, Any]],
    count: CountState,
    *,
    question: Question | None = None,
    scope_name: str | None = None,
    more: bool = False,
    links: Links | None = None,
) -> Envelope:
    """An answer with rows."""
    edition = call.edition
    query = question.query(edition) if question is not None and question.q else None
    return Envelope(
        corpus=edition.name,
        build=edition.build,
        selection=scope_name or edition.selection,
        query=question.q if question is not None and question.q else None,
        canonical=str(query) if query is not None else None,
        strategy=(question.strategy if question else None) or (query.strategy if query is not None else None),
        took_ms=call.took_ms,
        count=count,
        rows=rows,
        next=next_address(call, more),
        links=links or Links(),
    )


def list_envelope(
    call: ServiceCall,
    table: Any,
    count: CountState | None = None,
    *,
    question: Question | None = None,
    scope_name: str | None = None,
) -> Envelope:
    """An answer with a page of a list; without a count, the number of rows is the count."""
    page = read(call.parameters, ("from", "per_page"))
    start, size = page["from"], page["per_page"]
    rows, more = rows_of(table, start, size), table.num_rows > start + size
    number = count or CountState(table.num_rows, "done", 1.0)
    links = Links(
        concordance=question.address("/concordance", corpus=call.parameters.get("corpus"))
        if question and question.q
        else None
    )
    return envelope(call, rows, number, question=question, scope_name=scope_name, more=more, links=links)
