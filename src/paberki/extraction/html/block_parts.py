"""Types of blocks (heading, list, table, footer, …), by markup and position.

Blocks of the text are headings, lists, tables, captions, quotes and code, or just text. Others are what TSUBAKI calls
header, footer, link, image and form (its program; not in P4), or boilerplate. Comments of readers are labelled as such, in the text or not.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.extraction.learned.features import KINDS, NAMES, Floats

Flags = npt.NDArray[np.bool_]

LABELS: Final = (
    "boilerplate", "text", "heading", "list", "table", "caption", "quote", "code", "comment", "header", "footer",
    "link", "image", "form",
)  # fmt: skip

_CELL_WORDS: Final = 25
"""A table cell with more words is a piece of layout: its text is text."""

_AT: Final = {name: number for number, name in enumerate(NAMES)}
_FLAGS: Final = (
    "in_li", "in_blockquote", "in_figure", "in_h1", "link", "in_nav", "words_navigation", "own_media", "in_form",
    "in_label", "in_header", "words_head", "in_footer", "words_footer",
)  # fmt: skip
"""Features that say yes or no, and the share of links as more or less than half."""
_FLAG_COLUMNS: Final = [_AT[name] for name in _FLAGS]
_KIND: Final = {name: number + 1 for number, name in enumerate(KINDS)}


def label_parts(features: Floats, is_text: Flags, comment: Flags) -> npt.NDArray[np.int8]:
    """Label of every block of a page as number in :data:`LABELS`, given which blocks are text and which are comments."""
    flag = dict(zip(_FLAGS, features[:, _FLAG_COLUMNS].T > 0.5, strict=True))
    tag = features[:, _AT["kind"]]
    label = np.where(is_text, LABELS.index("text"), LABELS.index("boilerplate")).astype(np.int8)
    cell = ((tag == _KIND["td"]) | (tag == _KIND["th"])) & (features[:, _AT["words"]] <= _CELL_WORDS)
    for name, where in (
        ("list", flag["in_li"]), ("table", cell), ("quote", flag["in_blockquote"]), ("code", tag == _KIND["pre"]),
        ("caption", (tag == _KIND["figcaption"]) | flag["in_figure"]), ("heading", flag["in_h1"]),
    ):  # fmt: skip
        label[is_text & where] = LABELS.index(name)
    link = flag["link"] | flag["in_nav"] | flag["words_navigation"]
    for name, where in (
        ("image", flag["in_figure"] | flag["own_media"]), ("link", link), ("form", flag["in_form"] | flag["in_label"]),
        ("header", flag["in_header"] | flag["words_head"]), ("footer", flag["in_footer"] | flag["words_footer"]),
    ):  # fmt: skip
        label[~is_text & where] = LABELS.index(name)
    label[comment] = LABELS.index("comment")
    return label
