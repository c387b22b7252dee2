"""Which elements end a paragraph, which end each other, and which hold no text of the page."""

from __future__ import annotations

import re
from enum import IntEnum, auto
from typing import Final


class Kind(IntEnum):
    """What an element means for segmentation; all others are inline."""

    BLOCK = auto()
    """Starts and ends a paragraph, and is a step of the path (list of P5 §3.1, enlarged)."""
    BREAK = auto()
    """Ends a paragraph, but holds nothing (``br``: P1 §3 step 1)."""
    ANCHOR = auto()
    RAW = auto()
    """Its content is one text token, which is dropped; the paragraph around it goes on."""
    TRANSPARENT = auto()
    """Skipped with all it holds; the paragraph around it goes on."""
    CONTROL = auto()
    """Skipped with all it holds; the paragraph ends before it, so that no span covers its text."""
    TITLE = auto()
    HEAD = auto()
    """Says something about the page in its attributes."""


_MEMBERS: Final = {
    Kind.BLOCK: "address article aside blockquote caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup label legend li main menu nav "
    "ol p pre section summary table tbody td tfoot th thead tr ul",
    Kind.BREAK: "br hr body",
    Kind.ANCHOR: "a",
    Kind.RAW: "script style noscript noembed noframes xmp plaintext",
    Kind.TRANSPARENT: "svg template math",
    Kind.CONTROL: "select button textarea iframe object applet audio video canvas datalist option optgroup",
    Kind.TITLE: "title",
    Kind.HEAD: "html meta link base",
}

KINDS: Final[dict[str, Kind]] = {tag: kind for kind, tags in _MEMBERS.items() for tag in tags.split()}
"""Tag -> kind."""

VOID: Final = frozenset(("area", "base", "col", "embed", "img", "input", "link", "meta", "source", "wbr"))
"""Inline elements that hold nothing, so hiding them hides nothing."""

_P: Final = frozenset(("p",))
_CELLS: Final = _P | {"td", "th"}
_ROWS: Final = _CELLS | {"tr", "caption"}
_SECTIONS: Final = _ROWS | {"tbody", "thead", "tfoot"}
_TERMS: Final = _P | {"dt", "dd"}

_OPENS_IN_P: Final = frozenset(("label", "legend", "frameset"))

CLOSES: Final[dict[str, frozenset[str]]] = {
    **{tag: _P for tag, kind in KINDS.items() if kind is Kind.BLOCK and tag not in _OPENS_IN_P},
    "li": _P | {"li"},
    **dict.fromkeys(("dt", "dd"), _TERMS),
    **dict.fromkeys(("td", "th"), _CELLS),
    "tr": _ROWS,
    **dict.fromkeys(("tbody", "thead", "tfoot"), _SECTIONS),
    "option": frozenset(("option",)),
    "optgroup": frozenset(("option", "optgroup")),
}
"""Start tag -> elements that it closes when they are innermost."""

WALLS: Final = frozenset(("td", "th", "caption", "table"))
"""End tags of other elements do not reach beyond these."""

TABLE_PARTS: Final = WALLS | {"tr", "tbody", "thead", "tfoot"}

_DISPLAY_NONE: Final = re.compile(r"display\s*:\s*none", re.IGNORECASE)


def hides(style: object, hidden: object) -> bool:
    """Whether these attribute values (None for none) take an element off the screen."""
    if hidden is not None and hidden != "until-found":
        return True
    return isinstance(style, str) and _DISPLAY_NONE.search(style) is not None
