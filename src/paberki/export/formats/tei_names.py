"""Ids of TEI: XML wants them to begin with a letter and to occur once. What an imported file called a paragraph or sentence stays.

A page 000000012 is ``p000000012``, its block 3 is ``p000000012.3``, the first sentence in it ``p000000012.3.1``. Where an imported file
had a name that cannot be made of these, it stands in ``n``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from paberki.export.words.markup_text import attribute
from paberki.export.words.sentence_comments import PARAGRAPH_ID

_NOT_IN_NAME: Final = re.compile(r"[^A-Za-z0-9-]")
_SENTENCE_ID: Final = re.compile(r"^#\s*sent_id\s*=\s*(.*)$", re.MULTILINE)


def xml_name(name: str) -> str:
    """An id for XML: a letter first, and no sign that ids cannot hold; a point divides pages, paragraphs and sentences."""
    return "p" + _NOT_IN_NAME.sub(lambda match: f"_{ord(match[0]):x}_", name)


class ParagraphNames:
    """Ids of the paragraphs of a page."""

    def __init__(self, page_name: str, page_id: str, block_attributes: Sequence[Any] | None) -> None:
        self._page, self._id = page_name, page_id
        self._imported_names = [_given_name(pairs) for pairs in block_attributes or ()]
        self._names_in_use: set[str] = set()

    def of_block(self, at: int) -> tuple[str, str]:
        """The id of a block, and its attributes ``xml:id`` and ``n``."""
        imported_name = self._imported_names[at] if at < len(self._imported_names) else None
        number = (imported_name or "").removeprefix(f"{self._id}.")
        is_ours = imported_name == f"{self._id}.{number}" and number.isascii() and number.isdigit()
        name = f"{self._page}.{number if is_ours else at}"
        while name in self._names_in_use:
            name += "-"
        self._names_in_use.add(name)
        more = (
            f' n="{attribute(imported_name)}"'
            if imported_name and not (is_ours and name == f"{self._page}.{number}")
            else ""
        )
        return name, f' xml:id="{name}"{more}'


def _given_name(pairs: Sequence[Any] | None) -> str | None:
    return next((one["value"] for one in pairs or () if one["name"] == PARAGRAPH_ID), None) or None


def sentence_attributes(name: str, page_id: str, comments: str | None) -> str:
    """``xml:id`` of a sentence, and ``n`` where an imported file called it by another name."""
    match = _SENTENCE_ID.search(comments) if comments else None
    own = match[1].strip() if match else ""
    usual = page_id + name[name.index(".") :]
    return f' xml:id="{name}"' + (f' n="{attribute(own)}"' if own not in ("", usual) else "")
