"""Which elements end a paragraph, which end each other, and which hold no text of the page."""

from __future__ import annotations

import re
from typing import Final

BLOCK: Final = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html label legend li main menu nav ol p pre section "
    "summary table tbody td tfoot th thead tr ul br".split()
)
"""Elements that start a new paragraph (P1 §3 step 1 for ``br``, P5 §3.1 for the list)."""

UNSTACKED: Final = frozenset(("br", "hr", "body", "html"))
"""Block-level elements that are no step of a path."""

VOID: Final = frozenset("area base br col embed hr img input link meta param source track wbr".split())

TRANSPARENT: Final = frozenset(("template", "svg", "math"))
"""Skipped with all they hold; the paragraph around them goes on."""

RAW: Final = frozenset(("script", "style", "noscript", "noembed", "noframes", "xmp", "plaintext"))
"""The tokenizer gives their content as one text token, which is dropped; the paragraph around them goes on."""

CONTROLS: Final = frozenset(
    "select button textarea iframe object applet audio video canvas datalist option optgroup".split()
)
"""Skipped with all they hold; a paragraph ends before them, so that no span covers their text."""

_P_ENDERS: Final = frozenset(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 "
    "h4 h5 h6 header hgroup hr main menu nav ol p pre section summary table ul li dt dd td th tr tbody thead "
    "tfoot caption".split()
)

_CELLS: Final = frozenset(("td", "th"))
_ROWS: Final = _CELLS | {"tr", "caption"}
_SECTIONS: Final = _ROWS | {"tbody", "thead", "tfoot"}
_TERMS: Final = frozenset(("dt", "dd"))

CLOSES: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(_P_ENDERS, frozenset(("p",))),
    "li": frozenset(("p", "li")),
    "dt": _TERMS | {"p"},
    "dd": _TERMS | {"p"},
    "td": _CELLS | {"p"},
    "th": _CELLS | {"p"},
    "tr": _ROWS | {"p"},
    **dict.fromkeys(("tbody", "thead", "tfoot"), _SECTIONS | {"p"}),
    "option": frozenset(("option",)),
}
"""Start tag -> elements that it closes when they are innermost."""

_HIDDEN_STYLE: Final = re.compile(r"display\s*:\s*none", re.IGNORECASE)


def hides(name: str, value: str | None) -> bool:
    """Whether this attribute takes its element off the screen."""
    if name == "hidden":
        return (value or "").lower() != "until-found"
    return (
        name == "style" and value is not None and "none" in value and _HIDDEN_STYLE.search(value) is not None
    )
