"""How the arrays are laid out that the kernel fills: the numbers that both sides agree on. numba is not imported here."""

from __future__ import annotations

from typing import Final

from paberki.extract.stack import DEPTH_LIMIT

DONE, ROOM_ENDS = 0, 1
"""What the kernel answers."""

TEXT_AT, LINK_TEXT_AT, HREF_AT, REL_AT, HEAD_AT, BLOCK_COUNT, LINK_COUNT, PATH_COUNT, PATH_AT = range(9)
"""Fields of the state that outlive a page: how full the buffers and arrays are. The five buffers come first."""
BUFFERS: Final = 5
STATE_FIELDS: Final = 28

START, END, PATH, TEXT_END, CHARS, WORDS, LINK_CHARS, TAG_COUNT, FIRST_CHAR, LAST_CHAR, TAG = range(11)
"""Rows of the array of blocks; a block's text begins where that of the block before ends."""
BLOCK_ROWS: Final = 11

LINK_START, LINK_END, LINK_TEXT_END, HREF_END, REL_END = range(5)
"""Rows of the array of links."""
LINK_ROWS: Final = 5

PATH_END, PATH_HASH = range(2)
"""Rows of the array of paths; the end of path n is in column n + 1."""

TITLE, KEYWORDS, DESCRIPTION, LANGUAGE, CANONICAL, BASE, DOCTYPE = range(7)
"""Slots of a head; each has begin and end of its text in the head's bytes, then start and end in the source."""
HEAD_SLOTS: Final = 7

STACK_ROWS: Final = 7
STACK_DEPTH: Final = DEPTH_LIMIT
ATTRIBUTES: Final = 11
"""Attributes that matter to the kernel."""
