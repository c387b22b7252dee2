"""What opens under a line: where it comes from, more of its context, its copies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from starlette.responses import Response

from paberki.markup.html import Safe, element, join_html, table
from paberki.query.counting.places import PagePlaces
from paberki.query.hits.lines import lines_of
from paberki.serve.json_answers import not_found
from paberki.serve.pages.explorer.citing import citations
from paberki.serve.pages.explorer.explorer_page import explorer_page
from paberki.serve.pages.explorer.foreign import foreign_facts
from paberki.serve.pages.explorer.page_source import page_number, page_of_index, page_row
from paberki.serve.pages.explorer.parts import PROVENANCE, provenance_facts
from paberki.serve.pages.explorer.token_places import byte_span
from paberki.serve.pages.explorer.tree_view import span_of
from paberki.serve.pages.frame import document
from paberki.serve.pages.pieces import text_attributes

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["provenance_page", "unfold_page", "wider_page"]

_WIDER: Final = 120
_MOST: Final = 100


def _fragment(visit: Visit, title: str, *inside: object, **attributes: Any) -> Response:
    """A part that scripts take out of the page, and a page of its own without them."""
    return visit.answer(
        document(
            visit,
            title,
            element("section", element("h2", title), *inside, id="fragment", class_="stack tight", **attributes),
        )
    )


def provenance_page(visit: Visit) -> Response:
    """``/page/ID/provenance?start=&end=``: where a line comes from; without a place, the view of the page."""
    edition, page_id = visit.edition, str(visit.call.request.path_params["id"])
    if edition.corpus is not None and not visit.value("end"):
        visit.call.request.path_params["part"] = "provenance"
        return explorer_page(visit)
    if edition.corpus is None:
        page = page_of_index(edition, page_id)
        if page is None:
            raise not_found(f"the index has no page {page_id[:40]!r}")
        return _fragment(
            visit, visit.say("Where this line comes from"), foreign_facts(visit, page), data_testid="provenance"
        )
    number = page_number(page_id)
    row = page_row(edition, number, columns=PROVENANCE | {"blocks"})
    facts = provenance_facts(visit, row)
    start, end = span_of(visit)
    facts[3:3] = _place_facts(visit, row, number, start, end)
    rows = join_html(join_html([element("dt", visit.say(name)), element("dd", value)]) for name, value in facts)
    return _fragment(
        visit,
        visit.say("Where this line comes from"),
        element("dl", rows, class_="facts"),
        citations(visit, row),
        data_testid="provenance",
    )


def _place_facts(visit: Visit, row: Any, number: int, start: int, end: int) -> list[tuple[str, object]]:
    """The bytes of the hit, and the block that it is in."""
    facts: list[tuple[str, object]] = []
    span = byte_span(visit.edition, number, start, end)
    if span:
        facts.append(
            ("bytes", element("a", f"{span[0]}–{span[1]}", href=visit.here(f"/page/{row['id']}/bytes", at=span[0])))
        )
        for at, block in enumerate(row["blocks"] or []):
            if block["start"] <= span[0] < block["end"]:
                score = f" {block['score']:.2f}" if block["score"] is not None else ""
                facts.append(
                    (
                        "block",
                        element(
                            "a",
                            f"{at} {block['label'] or ''}{score}",
                            href=visit.here(f"/page/{row['id']}/blocks") + f"#block-{at}",
                        ),
                    )
                )
                break
    return facts


def wider_page(visit: Visit) -> Response:
    """``/wider?start=&end=``: more context in place."""
    from paberki.query.matching import HitTable

    start, end = span_of(visit)
    places: PagePlaces = visit.edition.concordancer._places
    [line] = lines_of(places, HitTable(np.array([start], np.int64), np.array([end], np.int64)), context=_WIDER)
    text = element(
        "p",
        line.left,
        " ",
        element("mark", line.node),
        " ",
        line.right,
        **text_attributes(line.reference.get("lang") or visit.edition.index.lang),
    )
    return _fragment(visit, visit.say("Wider context"), element("div", text, class_="running"), data_testid="wider")


def unfold_page(visit: Visit) -> Response:
    """``/unfold?q=&start=&end=``: the lines that were folded into this one, with hosts and dates."""
    start, end = span_of(visit)
    rows = _copies(visit, start, end)
    head = (visit.say("host"), visit.say("fetched"), visit.say("page"), visit.say("line"))
    return _fragment(
        visit,
        visit.say("Copies of this line"),
        _count(visit, rows),
        element("div", table(head, rows, words=4), tabindex="0", role="region", aria_label=visit.say("Copies")),
        data_testid="copies",
    )


def _count(visit: Visit, rows: list[Any]) -> Safe:
    return element("p", f"×{len(rows)}", class_="muted")


def _copies(visit: Visit, start: int, end: int) -> list[tuple[object, ...]]:
    """All hits of the query whose page is in the same cluster, or whose line has the same words."""
    from paberki.query.counting.page_columns import page_strings
    from paberki.query.hits.steps import _line_keys

    hits = visit.ask.but(fold=False, sort=None, sample=None).hits(visit.edition, visit.service.settings)
    table_of_hits, places = hits.table, hits.scope.places
    own = np.flatnonzero((table_of_hits.starts == start) & (table_of_hits.ends == end))
    if not len(own):
        return []
    keys = _line_keys(hits.scope, table_of_hits)
    same = keys == keys[own[0]]
    pages = places.locate(table_of_hits.starts).astype(np.int64)
    if "dup_cluster" in places.index.structures.get(places.structure or "", ()):
        clusters, names = page_strings(places, "dup_cluster")
        mine = int(clusters[pages[own[0]]])
        if mine >= 0 and names[mine]:
            same |= clusters[pages] == mine
    lines = lines_of(places, table_of_hits.take(np.flatnonzero(same)[:_MOST]), context=8)
    return [
        (line.reference.get("host", ""), line.reference.get("date", ""), element("a", line.reference.get("id", ""), href=visit.here(f"/page/{line.reference.get('id', '')}", q=visit.ask.q)),
         join_html([line.left, " ", element("b", line.node), " ", line.right]))
        for line in lines
    ]  # fmt: skip
