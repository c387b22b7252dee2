"""Metadata as a stage: dates, author, site, licence and HTTP headers, in a layer of its own."""

from __future__ import annotations

from datetime import date
from typing import Any

from paberki.extraction.about.metadata import Metadata, metadata
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.columns import builtin

NEEDS = ("decoded", "responses", "archive.url", "archive.date", "archive.mime")
LOCATION_CHARS = 2000


@map_stage("metadata.page.v1", layer="metadata", needs=NEEDS, adds=builtin("metadata"))
def page_metadata(batch: Batch, config: object) -> Columns:
    """Date, author, site, licence, categories from JSON-LD, OpenGraph, meta, microdata, URL and text (no paper).

    Document type and server date as in texrex, the tool of P5. No page is younger than its capture.
    """
    rows: list[dict[str, Any]] = []
    for text, response, url, captured, mime in zip(*(batch[name] for name in NEEDS), strict=True):
        server = response.http_headers.get("last-modified")
        html = text if text is not None and mime != "text/plain" else ""
        day = captured.date() if captured is not None else None
        facts = metadata(html, url, server_date=server, captured=day)
        rows.append(_row(facts, response.http_headers.get("location")))
    return {column.name: [row[column.name] for row in rows] for column in builtin("metadata")}


def _row(facts: Metadata, location: str | None) -> dict[str, Any]:
    return {
        "published": _day(facts.published),
        "modified": _day(facts.modified),
        "date_source": facts.date_source,
        "server_date": _day(facts.server_date),
        "author": _storable(facts.author),
        "site": _storable(facts.site),
        "licence": _storable(facts.licence),
        "categories": [_storable(one) for one in facts.categories],
        "tags": [_storable(one) for one in facts.keywords],
        "doctype": _storable(facts.doctype),
        "canonical": _storable(facts.canonical),
        "base": _storable(facts.base),
        "location": _storable(location[:LOCATION_CHARS]) if location else None,
    }


def _day(value: str | None) -> date | None:
    return date.fromisoformat(value) if value else None


def _storable(text: str | None) -> str | None:
    """Text that can be stored as UTF-8: unpaired surrogates become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8") if text else None
