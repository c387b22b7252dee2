"""The page explorer: one page of the corpus, from its bytes to its words, and why it is in or out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from paberki.markup.html import Safe, element
from paberki.serve.pages.explorer import parts
from paberki.serve.pages.explorer.foreign import foreign_page
from paberki.serve.pages.explorer.live_web import hit_fragment
from paberki.serve.pages.explorer.page_source import page_number, page_row
from paberki.serve.pages.explorer.taking_down import take_down_form
from paberki.serve.pages.frame import document
from paberki.serve.pages.pieces import fate_mark, text_attributes

if TYPE_CHECKING:
    from paberki.report.one_page.row import Row
    from paberki.serve.pages.visit import Visit

__all__ = ["explorer_page"]

_TABS: Final = (
    ("", "Page"), ("text", "Text"), ("blocks", "Blocks"), ("bytes", "Bytes"), ("tokens", "Tokens"),
    ("provenance", "Provenance"), ("explain", "Explain"), ("copies", "Copies"), ("captures", "Captures"),
)  # fmt: skip


def explorer_page(visit: Visit) -> Response:
    """``/page/ID`` and ``/page/ID/PART``."""
    parameters = visit.call.request.path_params
    if visit.edition.corpus is None:
        return foreign_page(visit, str(parameters["id"]))
    number, part = page_number(str(parameters["id"])), str(parameters.get("part", ""))
    row = page_row(visit.edition, number, tokens=part in ("text", "tokens"))
    inside: dict[str, Callable[[Visit, Row], object]] = {
        "": parts.original_frame, "text": parts.text, "blocks": parts.blocks, "bytes": parts.raw_bytes, "tokens": parts.tokens,
        "provenance": parts.provenance, "explain": parts.explain, "copies": parts.copies, "captures": parts.captures,
    }  # fmt: skip
    title = str(row["title"] or row["url"] or f"{number:09d}")
    return visit.answer(
        document(visit, title[:100], _head(visit, row, title), _tabs(visit, row, part), inside[part](visit, row))
    )


def _head(visit: Visit, row: Row, title: str) -> Safe:
    url, say = str(row["url"] or ""), visit.say
    mark: object = ""
    if row["keep"] is not None:
        mark = fate_mark(visit, row["keep"], f"{say('left out')}: {row['reason']}")
    live: object = ""
    if url.startswith(("http://", "https://")):
        address = url.partition("#")[0] + hit_fragment(visit, row)
        live = element("a", say("live web"), " ↗", href=address, rel="nofollow noreferrer noopener", target="_blank")
    return element(
        "header",
        element("h1", title, **text_attributes(row["lang"])),
        element("p", url, class_="address"),
        element(
            "p",
            mark,
            " ",
            element("span", f"{row['date'] or ''}", class_="small muted"),
            " ",
            live,
            class_="row",
        ),
        take_down_form(visit, [str(row["id"])], str(row["host"] or "")),
        class_="page-head",
    )


def _tabs(visit: Visit, row: Row, part: str) -> Safe:
    links = [
        element(
            "a",
            visit.say(name),
            href=visit.here(f"/page/{row['id']}{'/' if key else ''}{key}", q=visit.value("q")),
            aria_current="page" if key == part else None,
        )
        for key, name in _TABS
    ]
    return element("nav", *links, class_="tabs", aria_label=visit.say("Views of the page"))
