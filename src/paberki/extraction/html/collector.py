"""Collects the blocks, links and title that one pass over a page finds."""

from __future__ import annotations

from typing import Final

from paberki.extraction.html.page_blocks import Block, Link, PlacedText, Segmented
from paberki.extraction.html.trim import trim
from paberki.extraction.repair.repeated_lines import lines_once

LINK_LIMIT: Final = 3_000
"""Links kept per page."""

BLOCK_LIMIT: Final = 50_000
"""Blocks per page; what follows them is not read. Real pages have a few hundred, the largest some ten thousand."""


_NO_PIECE: Final = PlacedText("", 0, 0)


class Collector:
    """Makes blocks, links and the title out of pieces of text and the stretch of source they come from."""

    __slots__ = (
        "_last_end", "_link_piece", "_markup_done", "full", "html", "markup", "markup_before", "markup_within", "page",
    )  # fmt: skip

    def __init__(self, html: str) -> None:
        self.html = html
        self.page = Segmented()
        self.full = False
        """Whether a block was refused: the page ends there."""
        self.markup = self.markup_before = self.markup_within = 0
        """Characters of markup so far, up to the first text of the open block, and up to its last text."""
        self._markup_done = 0
        self._last_end: dict[str, int] = {}
        self._link_piece = _NO_PIECE

    def block(
        self, parts: list[str], first: int, last: int, path: str, tag: str, link_chars: int, tag_count: int
    ) -> None:
        """Record a block; ``parts`` holds at least one character that is not white space."""
        if len(self.page.blocks) >= BLOCK_LIMIT:
            self.full = True
            return
        text = " ".join((parts[0] if len(parts) == 1 else "".join(parts)).split())
        start, end = trim(self.html, first, last)
        if link_chars > len(text):
            link_chars = len(text)
        block = Block(text, start, end, path, tag, link_chars, tag_count)
        if self.page.blocks:
            between = self.markup_before - self._markup_done
            block.markup = between / 2
            self.page.blocks[-1].markup += between / 2
        block.markup += self.markup_within - self.markup_before
        self._markup_done = self.markup_within
        if tag == "pre":
            block.lines_once = lines_once(self.html[start:end], text)
        self.page.blocks.append(block)

    def link_piece(self, parts: list[str], first: int, last: int) -> None:
        """A hidden element begins inside an anchor; the text of the link, which has one span, is the longest visible piece."""
        text = " ".join("".join(parts).split())
        if len(text.encode()) > len(self._link_piece.text.encode()):
            self._link_piece = PlacedText(text, *trim(self.html, first, last))

    def link(self, href: str, rel: str, parts: list[str], first: int, last: int) -> None:
        """Record an anchor; one without text has an empty span."""
        if parts:
            self.link_piece(parts, first, last)
        piece, self._link_piece = self._link_piece, _NO_PIECE
        if len(self.page.links) < LINK_LIMIT:
            self.page.links.append(Link(piece.text, href, rel, piece.start, piece.end))

    def title(self, parts: list[str], first: int, last: int) -> None:
        """Record the first title; others are dropped."""
        if parts and self.page.title is None:
            self.page.title = PlacedText(" ".join("".join(parts).split()), *trim(self.html, first, last))

    def closes_after(self, tag: str, position: int) -> bool:
        """Whether an end tag follows at all; an element nobody closes must not swallow the page."""
        if tag not in self._last_end:
            ends = (self.html.rfind("</" + tag), self.html.rfind("</" + tag.upper()))
            self._last_end[tag] = max(ends)
        return self._last_end[tag] > position
