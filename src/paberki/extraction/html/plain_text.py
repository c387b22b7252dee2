"""Plain text pages: paragraphs between empty lines."""

from __future__ import annotations

import re
from typing import Final

from paberki.extraction.html.page_blocks import Block, Segmented
from paberki.extraction.repair.repeated_lines import plain_lines_once

_EMPTY_LINE: Final = re.compile(r"(?>\r\n|\r|\n)[ \t\f\v\xa0]*[\r\n]\s*")
_LINE: Final = re.compile(r"[\r\n]\s*")


def segment_text(text: str) -> Segmented:
    """Paragraphs of a plain text, all kept; offsets count characters.

    Empty lines divide paragraphs. A text without any is divided at every line.
    """
    body = text.rstrip()
    divider = _EMPTY_LINE if _EMPTY_LINE.search(body) else _LINE
    page = Segmented()
    begin = 0
    for gap in divider.finditer(body):
        _add(page, body, begin, gap.start())
        begin = gap.end()
    _add(page, body, begin, len(body))
    return page


def _add(page: Segmented, text: str, begin: int, end: int) -> None:
    start, end = _without_space(text, begin, end)
    if start < end:
        words = " ".join(text[start:end].split())
        block = Block(words, start, end, "", "p", 0, 0, "text", 1.0, True, "plain text")
        block.lines_once = plain_lines_once(text[start:end])
        page.blocks.append(block)


def _without_space(text: str, begin: int, end: int) -> tuple[int, int]:
    """White space only: in plain text a character reference is just characters."""
    piece = text[begin:end]
    rest = piece.lstrip()
    begin += len(piece) - len(rest)
    return begin, begin + len(rest.rstrip())
