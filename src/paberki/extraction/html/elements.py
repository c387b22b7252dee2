"""Which elements end a paragraph, which end each other, and which hold no text of the page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum, auto
from functools import lru_cache
from typing import Final, Literal

from paberki.nearest import nearest


class Kind(IntEnum):
    """What an element means for segmentation; all others are inline."""

    BLOCK = auto()
    """Starts and ends a paragraph, and is a step of the path (list of texrex, enlarged; P5 §3.1)."""
    BREAK = auto()
    """Ends a paragraph, but holds nothing (``br``: P1 §2.2 step 1)."""
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
    SPACE = auto()
    """Block-level for a browser, but not in the list of those that end a paragraph: a space between words."""


_MEMBERS: Final = {
    Kind.BLOCK: "address article aside blockquote caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup label legend li main menu nav "
    "ol p pre section summary table tbody td tfoot th thead tr ul",
    Kind.BREAK: "br hr body",
    Kind.ANCHOR: "a",
    Kind.RAW: "script style noscript",
    Kind.TRANSPARENT: "svg template",
    Kind.CONTROL: "select button textarea iframe object applet audio video canvas datalist option optgroup math noembed "
    "noframes xmp plaintext",
    Kind.TITLE: "title",
    Kind.HEAD: "html meta link base",
}

KINDS: Final[dict[str, Kind]] = {tag: kind for kind, tags in _MEMBERS.items() for tag in tags.split()}
"""Tag -> kind."""

_OTHERS: Final = (
    "abbr acronym b bdi bdo big blink cite code data del dfn em font i ins isindex kbd listing map mark marquee meter "
    "multicol nobr output param picture portal progress q rb rp rt rtc ruby s samp slot small spacer span strike strong "
    "sub sup time track tt u var"
)
ELEMENTS: Final = frozenset((*KINDS, *_OTHERS.split()))
"""Elements that settings may name."""

BREAKING: Final[dict[str, str]] = {
    "texrex": "div p li h1 h2 h3 h4 h5 h6 blockquote td article section",
    "www2sf": "address blockquote br caption center dd dir div dl dt fieldset form h1 h2 h3 h4 h5 h6 hr isindex li listing "
    "menu multicol noframes noscript ol option p plaintext pre select table tbody td tfoot th thead tr ul xmp",
}
"""Tags that end a paragraph in texrex (P5 §3.1) and in WWW2sf (P4 §2.2)."""
SKIPPED: Final[dict[str, str]] = {
    "texrex": "script style head form applet code audio video",
    "www2sf": "script style",
}
"""Elements that are skipped with all they hold."""
_ALWAYS: Final = (Kind.ANCHOR, Kind.RAW, Kind.TRANSPARENT, Kind.TITLE, Kind.HEAD)
"""Kinds that the segmenter depends on; no setting changes them."""
_ONE_TOKEN: Final = ("iframe", "noembed", "noframes", "xmp", "plaintext")
"""Elements whose content is one token, not text of the page."""
_EMPTY: Final = frozenset(("br", "hr", "isindex", "body", "head"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementsConfig:
    """How a page is cut: which tags end a paragraph, which elements are skipped."""

    preset: Literal["own", "texrex", "www2sf"] = "own"
    """own: HTML's block-level elements. texrex: the list of P5's tool. www2sf: the list of P4's."""
    breaking: tuple[str, ...] = ()
    """Tags that end a paragraph, instead of those of the preset."""
    skipped: tuple[str, ...] = ()
    """Elements that are skipped with all they hold, instead of those of the preset; script and style always are."""
    every_tag: bool = False
    """Whether inline tags end a block too, as in P2 (§3, step 4); the method victor always cuts so."""

    def __post_init__(self) -> None:
        for name in (*self.breaking, *self.skipped):
            if name not in ELEMENTS:
                raise ValueError(f"elements: {name!r} is no HTML element{nearest(name, ELEMENTS)}")


def cut_for(method: str, elements: ElementsConfig | None = None) -> ElementsConfig:
    """How a method wants pages cut: the blocks of Victor end at every tag (P2 §3, step 4)."""
    elements = elements or ElementsConfig()
    return replace(elements, every_tag=True) if method == "victor" else elements


@lru_cache(maxsize=16)
def kinds_for(config: ElementsConfig) -> Mapping[str, Kind]:
    """What every element means under these settings."""
    if replace(config, every_tag=False) == ElementsConfig():
        return KINDS
    breaking, skipped = set(config.breaking), set(config.skipped)
    own = config.preset == "own"
    breaking = breaking or set((_tags(Kind.BLOCK, Kind.BREAK) if own else BREAKING[config.preset]).split())
    skipped = skipped or set((_tags(Kind.CONTROL) if own else SKIPPED[config.preset]).split())
    kinds: dict[str, Kind] = {tag: kind for tag, kind in KINDS.items() if kind in _ALWAYS}
    kinds.update(dict.fromkeys(("body", "br", "hr"), Kind.BREAK))  # without them words would grow together
    for tag in breaking - kinds.keys():
        kinds[tag] = Kind.BREAK if tag in _EMPTY or tag in VOID else Kind.BLOCK
    for tag in skipped - _EMPTY - VOID:
        if kinds.get(tag) not in _ALWAYS:
            kinds[tag] = Kind.CONTROL
    kinds.update(dict.fromkeys(_ONE_TOKEN, Kind.CONTROL))
    return {**dict.fromkeys(KINDS, Kind.SPACE), **kinds}


def _tags(*kinds: Kind) -> str:
    return " ".join(_MEMBERS[kind] for kind in kinds)


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


def hides(style: object, hidden_value: object) -> bool:
    """Whether these attribute values (None for none) take an element off the screen."""
    if hidden_value is not None and hidden_value != "until-found":
        return True
    return isinstance(style, str) and _DISPLAY_NONE.search(style) is not None
