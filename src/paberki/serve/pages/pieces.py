"""Pieces that several pages show: a number in a card, a bar in a cell, what became of a page, a table that scrolls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from paberki.markup.html import Safe, element, join_html, table

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = [
    "breaking", "column_name", "fate_mark", "figure_card", "link_next", "no_annotation", "post_button", "scrolling_table", "share_bar", "text_attributes",
]  # fmt: skip

_COLUMNS: Final = {
    "arf": "ARF", "dp": "DP", "per_million": "per million", "logdice": "logDice", "mi": "MI", "mi3": "MI³", "ll": "LL", "minsens": "min. sens.",
    "simplemaths": "simple maths", "logratio": "log ratio",
}  # fmt: skip
"""How columns are called where people read them."""
_RIGHT_TO_LEFT: Final = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "ps", "sd", "syr", "ug", "ur", "yi"})


def column_name(visit: Visit, name: str) -> str:
    """The head of a column of numbers."""
    return visit.say(_COLUMNS.get(name, name))


def no_annotation(visit: Visit) -> object:
    """What can be done with a corpus whose languages have no model: nothing where there are tokens."""
    if visit.edition.index.tokens:
        return ""
    text = visit.say(
        "No page of this corpus is annotated, so it has no words to ask for; its documents can be searched."
    )
    link = element("a", visit.say("Documents"), href=visit.here("/search"))
    return element("p", text, " ", link, class_="offer", data_testid="no-annotation")


def text_attributes(lang: str | None) -> dict[str, str | None]:
    """Language and direction of a text of the corpus."""
    code = (lang or "").partition("-")[0].lower()
    unknown = code in ("", "mul", "und")
    return {"lang": lang or None, "dir": "rtl" if code in _RIGHT_TO_LEFT else "auto" if unknown else None}


def breaking(value: str) -> Safe:
    """A value that may be broken before the bars of a set."""
    first, *others = value.strip("|").split("|")
    return join_html([first, *(join_html([Safe("<wbr>"), "|", one]) for one in others)])


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
    visit: Visit, label: str, path: str, content: Mapping[str, Any], name: str, spoken_label: str | None = None
) -> Safe:
    """A button that sends something to be written; the page is loaded again when that is done."""
    return element(
        "button", label, type="button", data_post=visit.here(path), data_content=json.dumps(content), data_testid=name, aria_label=spoken_label,
    )  # fmt: skip
