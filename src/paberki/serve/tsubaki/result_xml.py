"""The XML of TSUBAKI's answers (P4, figure 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import quote

from paberki.errors import QueryError
from paberki.export.standard_format.standard_xml import DECLARATION, attribute, text
from paberki.search.searching import DocumentHit, DocumentHits, SearchRequest

ITEMS: Final = ("Id", "Title", "Score", "Snippet", "Url", "Cache")
_FACTS: Final = {
    "Title": "title",
    "Url": "url",
    "Id": "id",
    "Time": "date",
    "OriginalEncoding": "encoding",
    "Host": "host",
}


@dataclass(frozen=True, slots=True)
class ResultSet:
    """What an answer says."""

    hits: DocumentHits
    request: SearchRequest
    operator: str
    filter_similar: bool
    items: tuple[str, ...]
    """The facts in the answer about each page; all of them if no list is given."""
    cache: str
    """Address that gives pages by id."""
    corpus: str = ""


def result_set(answer: ResultSet) -> bytes:
    """The document of an answer."""
    return (DECLARATION + "\n".join(_lines(answer)) + "\n").encode("utf-8", "replace")


def _lines(answer: ResultSet) -> Iterator[str]:
    hits, request = answer.hits, answer.request
    attributes = {
        "time": f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}",
        "query": hits.query,
        "totalResultsAvailable": hits.total,
        "totalResultsReturned": len(hits.rows),
        "firstResultPosition": request.first,
        "logicalOperator": answer.operator,
        "forceDpnd": int(request.force_pairs),
        "dpnd": int(request.alpha > 0),
        "filterSimpages": int(answer.filter_similar),
        "sort_by": request.sort,
    }
    yield "<ResultSet" + "".join(f' {name}="{attribute(str(value))}"' for name, value in attributes.items()) + ">"
    for row in hits.rows:
        yield from _result(row, answer)
    yield "</ResultSet>"


def _result(row: DocumentHit, answer: ResultSet) -> Iterator[str]:
    item_names = answer.items or ITEMS
    attributes = f' Rank="{row.rank}"'
    attributes += f' Id="{attribute(row.id)}"' if "Id" in item_names else ""
    attributes += f' Score="{row.score:.5f}"' if "Score" in item_names else ""
    yield f"<Result{attributes}>"
    if "Title" in item_names:
        yield f"<Title>{text(row.title or '')}</Title>"
    if "Url" in item_names:
        yield f"<Url>{text(row.url or '')}</Url>"
    if answer.request.kwic is not None:
        yield from _kwic(row)
    elif answer.request.snippets and "Snippet" in item_names:
        yield f"<Snippet>{text(row.snippet)}</Snippet>"
    if "Cache" in item_names:
        corpus = f"&corpus={quote(answer.corpus)}" if answer.corpus else ""
        yield f"<Cache><Url>{text(f'{answer.cache}?id={row.id}&format=html{corpus}')}</Url><Size>{row.size or 0}</Size></Cache>"
    yield "</Result>"


def _kwic(row: DocumentHit) -> Iterator[str]:
    start, end = row.snippet_hits[0] if row.snippet_hits else (0, 0)
    parts = {"Keyword": row.snippet[start:end], "LeftContext": row.snippet[:start], "RightContext": row.snippet[end:]}
    yield "<KWIC>" + "".join(f"<{name}>{text(part)}</{name}>" for name, part in parts.items()) + "</KWIC>"


def document_info(rows: Sequence[Mapping[str, Any]], fields: Sequence[str]) -> bytes:
    """Facts about some pages."""
    for name in fields:
        if name not in _FACTS:
            raise QueryError(f"field holds {', '.join(_FACTS)}, not {name[:40]!r}")
    lines = ["<DocInfo>"]
    for row in rows:
        facts = "".join(f"<{name}>{text(str(row.get(_FACTS[name]) or ''))}</{name}>" for name in fields)
        lines.append(f'<Result Id="{attribute(row["id"])}">{facts}</Result>')
    return (DECLARATION + "\n".join([*lines, "</DocInfo>"]) + "\n").encode("utf-8", "replace")
