"""Pieces that several pages show: a number in a card, a bar in a cell, what became of a page, a table that scrolls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from paberki.markup.html import Safe, element, table

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["fate_mark", "figure_card", "link_next", "post_button", "scrolling_table", "share_bar"]


def figure_card(name: str, value: str, note: str = "", kind: str = "card figure-card") -> Safe:
    """A number with its name."""
    return element("dl", element("dt", name), element("dd", value, element("small", note) if note else ""), class_=kind)


def share_bar(*parts: tuple[float, str], width: int = 160, height: int = 10) -> Safe:
    """Parts of a whole side by side: each a share and its kind (kept, dropped, other)."""
    rects, at = [], 0.0
    for share, kind in parts:
        wide = width * share
        rects.append(f'<rect class="{kind}" x="{at:.1f}" width="{wide:.1f}" height="{height}" rx="1"/>')
        at += wide
    return Safe(
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" preserveAspectRatio="none" class="bar-cell" aria-hidden="true" focusable="false">{"".join(rects)}</svg>'
    )


def fate_mark(visit: Visit, keep: Any, reason: Any) -> Safe:
    """Kept, or the reason why not."""
    if keep:
        return element("span", visit.say("kept"), class_="mark-in")
    return element("span", str(reason or "–"), class_="mark-out")


def scrolling_table(
    name: str, head: Sequence[str], rows: Sequence[Sequence[Any]], words: int = 1, kind: str = ""
) -> Safe:
    """A table that scrolls by itself on small screens; the keyboard reaches it."""
    inside = table(tuple(head), rows, words=words)
    return element("div", inside, tabindex="0", role="region", aria_label=name, class_=kind or None)


def link_next(visit: Visit, address: str) -> Safe:
    """A link to the rows that follow."""
    return element("a", visit.say("next"), " ▸", href=address, class_="button", rel="next")


def post_button(
    visit: Visit, label: str, path: str, content: Mapping[str, Any], name: str, spoken: str | None = None
) -> Safe:
    """A button that sends something to be written; the page is loaded again when that is done."""
    return element(
        "button", label, type="button", data_post=visit.here(path), data_content=json.dumps(content), data_testid=name, aria_label=spoken,
    )  # fmt: skip
