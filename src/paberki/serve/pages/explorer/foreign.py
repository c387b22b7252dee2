"""A page of an index without a corpus: what the index knows of it, and its words. There are no bytes and no verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from starlette.responses import Response

from paberki.markup.html import Safe, element, join_html
from paberki.query.hits.lines import TokenTexts
from paberki.serve.json_answers import not_found
from paberki.serve.pages.explorer.page_source import page_of_index
from paberki.serve.pages.explorer.token_places import MARK_STYLE, own_hit, page_hits
from paberki.serve.pages.frame import document

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["foreign_facts", "foreign_page", "foreign_text"]

_MOST_TOKENS: Final = 5000


def foreign_facts(visit: Visit, page: int) -> Safe:
    """All attributes of a page that have a value."""
    places: Any = visit.edition.concordancer._places
    segment = visit.edition.index.segments[int(places.segments[page])]
    structure, region, rows = segment.structure(places.structure), int(places.regions[page]), []
    for name in structure.attributes if region >= 0 else ():
        attribute = structure.attribute(name)
        if value := attribute.value(int(attribute.ids[region])):
            rows += [element("dt", name), element("dd", value)]
    return element("dl", join_html(rows), class_="facts")


def foreign_text(visit: Visit, page_id: str) -> bytes:
    """``/page/ID/original`` of an index without a corpus: its words, in place of the bytes that it does not have."""
    page = page_of_index(visit.edition, page_id)
    if page is None:
        raise not_found(f"the index has no page {page_id[:40]!r}")
    places: Any = visit.edition.concordancer._places
    hits = page_hits(visit.edition, page, visit.ask, visit.service.settings)
    own, high = own_hit(visit, hits), int(places.edges[page + 1])
    low = max(hits.first, (int(hits.starts[own]) if len(hits.starts) else hits.first) - _MOST_TOKENS)
    tokens = TokenTexts(visit.edition.index, visit.edition.index.default).between(
        np.array([low], np.int64), np.array([min(high, low + 2 * _MOST_TOKENS)], np.int64)
    )[0]
    words: list[object] = []
    at = 0
    for place, (start, end) in enumerate(zip(hits.starts.tolist(), hits.ends.tolist(), strict=True)):
        if start - low < at or end - low > len(tokens):
            continue
        name = f"hit-{1 if place == own else place + 1 + (place < own)}"
        mark = element(
            "mark", _joined_words(tokens[start - low : end - low]), id=name, data_testid=name, style=MARK_STYLE
        )
        words += [_joined_words(tokens[at : start - low]), "" if tokens[start - low][1] else " ", mark]
        at = end - low
        words.append("" if at < len(tokens) and tokens[at][1] else " ")
    words.append(_joined_words(tokens[at:]))
    text = element("p", *words, dir="auto", style="font:1.05rem/1.6 serif;max-width:42rem;margin:1.5rem auto")
    page_html = element("html", element("title", page_id), element("body", text), lang=visit.edition.index.lang)
    return f"<!doctype html>{page_html}".encode("utf-8", "replace")


def _joined_words(tokens: Any) -> str:
    """Words as a text, with spaces where there are some."""
    return "".join(("" if glued or not at else " ") + word for at, (word, glued) in enumerate(tokens))


def foreign_page(visit: Visit, page_id: str) -> Response:
    """``/page/ID`` of an index without a corpus."""
    page = page_of_index(visit.edition, page_id)
    if page is None:
        raise not_found(f"the index has no page {page_id[:40]!r}")
    places: Any = visit.edition.concordancer._places
    low, high = int(places.starts[page]), int(places.edges[page + 1])
    tokens = TokenTexts(visit.edition.index, visit.edition.index.default).between(
        np.array([low], np.int64), np.array([min(high, low + _MOST_TOKENS)], np.int64)
    )
    text = "".join(("" if glued else " ") + word for word, glued in tokens[0]).strip()
    note = visit.say("An index without a corpus has no bytes; this is what it knows of the page.")
    return visit.answer(
        document(
            visit,
            page_id[:100],
            element("h1", page_id),
            element("p", note, class_="muted small"),
            element("section", foreign_facts(visit, page), class_="card", data_testid="provenance"),
            element("div", element("p", text, dir="auto"), class_="running", lang=visit.edition.index.lang),
        )
    )
