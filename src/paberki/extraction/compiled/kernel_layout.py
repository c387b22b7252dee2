"""Layout of the arrays that the kernel fills; a module of its own, so that readers need not import numba."""

from __future__ import annotations

from typing import Final

from paberki.extraction.html.open_elements import DEPTH_LIMIT

DONE, ROOM_ENDS, ELEMENTS_GROW, PATHS_GROW, PAGE_ENDS = 0, 1, 2, 3, 4
"""What the kernel answers: all is well; larger arrays are needed, for paths as a rule; a larger array of elements is
needed; the page's paths are out of all proportion; all is well, but the page has more blocks than a page may have, and
the rest of it was not read."""

TEXT_AT, LINK_TEXT_AT, HREF_AT, REL_AT, HEAD_AT = range(5)
BLOCK_COUNT, LINK_COUNT, ELEMENT_COUNT, PATH_COUNT, PATH_AT, RUN, SHORT_PATHS, EVERY_TAG = range(5, 13)
"""Fields of the state that outlive a page: how full the buffers and arrays are. The five buffers come first.
RUN is another number each time the kernel runs, SHORT_PATHS tells it to shorten paths earlier, EVERY_TAG to end a
block at inline tags too."""
BUFFERS: Final = 5
STATE_FIELDS: Final = 41

START, END, PATH, TEXT_END, CHARS, WORDS, LINK_CHARS, TAG_COUNT, FIRST_CHAR, LAST_CHAR, TAG, ELEMENT, MARKUP = range(13)
"""Rows of the array of blocks; a block's text begins where that of the block before ends. MARKUP is twice
:attr:`Block.markup`, which may have a half."""
BLOCK_ROWS: Final = 13

PARENT, FIRST_BLOCK, ELEMENT_PATH, ELEMENT_TAG, MARK = range(5)
"""Rows of the array of elements: those that hold a block, in document order, so that a parent comes before its
children. The first of each page is its body, which is its own parent. MARK is a set of :data:`MARKS` as bits."""
ELEMENT_ROWS: Final = 5

MARKS: Final = (
    ("itemprop", "articlebody"), ("itemprop", "comment"), ("itemprop", "description"), ("role", "main"),
    ("role", "article"), ("role", "navigation"), ("role", "banner"), ("role", "contentinfo"),
    ("role", "complementary"), ("role", "dialog"), ("role", "search"),
)  # fmt: skip
"""What an element says of itself apart from id and class."""

LINK_START, LINK_END, LINK_TEXT_END, HREF_END, REL_END = range(5)
"""Rows of the array of links."""
LINK_ROWS: Final = 5

PATH_END, PATH_HASH, PATH_RUN = range(3)
"""Rows of the array of paths; the end of path n is in column n + 1. PATH_RUN is the last run that met it."""
PATH_ROWS: Final = 3

TITLE, KEYWORDS, DESCRIPTION, LANGUAGE, CANONICAL, BASE, DOCTYPE = range(7)
"""Slots of a head; each has begin and end of its text in the head's bytes, then start and end in the source."""
HEAD_SLOTS: Final = 7

STACK_ROWS: Final = 9
STACK_DEPTH: Final = DEPTH_LIMIT
ATTRIBUTES: Final = 13
"""Attributes that matter to the kernel."""
