"""Cut a page into blocks of text, straight from the token stream: no tree, no recursion, linear time.

This is the readable version of the compiled pass (:mod:`paberki.extraction.compiled.segmenter_kernel`) and what that is
tested against.
"""

from __future__ import annotations

import re
from typing import Final

from paberki.extraction.html.collector import Collector
from paberki.extraction.html.elements import CLOSES, VOID, ElementsConfig, Kind, hides, kinds_for
from paberki.extraction.html.html_tokens import DOCTYPE, END, START, TEXT, HtmlToken, line_starts, tokens
from paberki.extraction.html.open_elements import BODY, DEPTH_LIMIT, Frame, close
from paberki.extraction.html.page_blocks import Segmented
from paberki.extraction.html.page_head import read_head_element
from paberki.extraction.html.tag_paths import path_below

_OPENING: Final = re.compile(r"</?[A-Za-z]")
_INLINE: Final = (None, Kind.SPACE, Kind.ANCHOR)


def segment(html: str, elements: ElementsConfig | None = None) -> Segmented:
    """Blocks, links and head of a page, with character offsets into ``html``; ``elements`` says where it is cut.

    Text between block-level tags, and between ``br`` tags, is a block of its own (P1 §2.2 step 1). Never fails.
    """
    segmenter = _Segmenter(html, elements or ElementsConfig())
    for token in tokens(html):
        segmenter.read(token)
        if segmenter.collect.full:
            return segmenter.collect.page
    segmenter.finish()
    return segmenter.collect.page


class _Segmenter:
    """The state of one pass over a page: what is open, and what was read of it."""

    def __init__(self, html: str, elements: ElementsConfig) -> None:
        self.html = html
        self.collect = Collector(html)
        self.line_starts = line_starts(html)
        self.kind_of, self.every_tag = kinds_for(elements).get, elements.every_tag
        self.paths: dict[tuple[str, str, str | None, str | None], str] = {}
        self.stack: list[Frame] = [BODY]
        self.top_tag, self.path, self.is_hidden = BODY
        self.quiet = False
        """Whether text does not count: it is hidden, raw, or inside a transparent element."""
        self.skipped: str | None = None
        """The transparent element that is open, and how often."""
        self.skipped_depth = 0
        self.raw = self.in_title = False
        self.at = 0
        """Offset of the current token."""
        self.parts: list[str] = []
        """Text of the open block, and its source so far."""
        self.first = self.last = 0
        self.pending = False
        """Whether the last token was text, which ends where the next token begins."""
        self.link_chars = self.tag_count = 0
        self.href: str | None = None
        """Target of the open anchor, then its relation and text."""
        self.rel = ""
        self.link_parts: list[str] = []
        self.link_first = 0
        self.markup_from = -1
        """Where the tag, comment or script begins that ends at the next token; −1 after text."""

    def read(self, token: HtmlToken) -> None:
        """Take in the next token."""
        kind = token.type
        self.at = self.line_starts[token.line] + token.col
        if self.pending:
            self.last, self.pending = self.at, False
        if self.markup_from >= 0:
            self.collect.markup += self.at - self.markup_from
        self.markup_from = self.at if kind is not TEXT or self.raw else -1
        if kind is TEXT:
            if not self.quiet:
                self._text(token.data)
        elif kind is START:
            self._start(token)
        elif kind is END:
            self._end(token.tag)
        elif kind is DOCTYPE and self.collect.page.doctype is None:
            self.collect.page.doctype = token.public_id or token.name or ""

    def finish(self) -> None:
        """Take in the end of the page: what is open ends there."""
        if self.pending:  # a text at the very end stops where a broken tag begins
            match = _OPENING.search(self.html, self.at)
            self.last = match.start() if match else len(self.html)
        if self.href is not None:
            self._end_link()
        if not self.in_title:  # a title that nobody closes has swallowed the rest of the page
            self._end_block()

    def _text(self, text: str) -> None:
        if text.isspace():
            self._add_space()
            return
        self.pending = True
        if not self.parts:
            self.first = self.at
            self.collect.markup_before = self.collect.markup
        self.collect.markup_within = self.collect.markup
        self.parts.append(text)
        if self.href is not None:
            if not self.link_parts:
                self.link_first = self.at
            self.link_parts.append(text)
            self.link_chars += len(" ".join(text.split()))

    def _start(self, token: HtmlToken) -> None:
        tag = token.tag
        if self.skipped is not None:
            if tag == self.skipped and not token.self_closing:
                self.skipped_depth += 1
            return
        kind = self.kind_of(tag)
        if self.every_tag and self.parts and kind in _INLINE:
            self._end_block()
            if self.collect.full:
                return
        if kind is Kind.RAW:
            self.raw = self.quiet = True
        elif kind is Kind.TRANSPARENT:
            if not token.self_closing and self.collect.closes_after(tag, self.at):
                self.skipped, self.skipped_depth, self.quiet = tag, 1, True
        elif kind is Kind.HEAD:
            read_head_element(token, self.html, self.at, self.collect.page)
            if tag == "html":
                self._end_paragraph()
        elif kind is Kind.ANCHOR:
            self._start_anchor(token)
        elif kind is None or kind is Kind.SPACE:
            self._start_inline(token, kind)
        else:
            self._start_block(token, kind)

    def _start_inline(self, token: HtmlToken, kind: Kind | None) -> None:
        """An inline element is part of the paragraph, unless it is hidden."""
        self.tag_count += 1
        if kind is Kind.SPACE:
            self._add_space()
        hidden_again = self.is_hidden and token.tag == self.top_tag  # its end tag must not end the hidden one
        if hidden_again or (not self.is_hidden and token.tag not in VOID and _is_hidden(token)):
            self._start_block(token, kind)

    def _start_anchor(self, token: HtmlToken) -> None:
        self.tag_count += 1
        if self.href is not None:
            self._end_link()
        self.href, self.rel = token.attr("href"), token.attr("rel") or ""
        if not self.is_hidden and _is_hidden(token):
            self._start_block(token, Kind.ANCHOR)

    def _start_block(self, token: HtmlToken, kind: Kind | None) -> None:
        """A block-level element, or one that is hidden or skipped: the paragraph ends before it."""
        self._end_paragraph()
        if self.collect.full or kind is Kind.BREAK:
            return
        if kind is Kind.TITLE:
            self.in_title = True
            return
        tag, closed_tags = token.tag, CLOSES.get(token.tag, ())
        while self.top_tag in closed_tags:
            self.stack.pop()
            self.top_tag, self.path, self.is_hidden = self.stack[-1]
        if len(self.stack) < DEPTH_LIMIT:
            self._open(tag, token, kind)

    def _open(self, tag: str, token: HtmlToken, kind: Kind | None) -> None:
        if kind is Kind.BLOCK:
            self.path = self._path_of(token)
            self.is_hidden = self.is_hidden or _is_hidden(token)
        else:
            self.is_hidden = True
        if self.is_hidden and self.link_parts:
            self.collect.link_piece(self.link_parts, self.link_first, self.last)
            self.link_parts = []
        self.top_tag, self.quiet = tag, self.is_hidden
        self.stack.append((tag, self.path, self.is_hidden))

    def _path_of(self, token: HtmlToken) -> str:
        step = (self.path, token.tag, token.attr("id"), token.attr("class"))
        if step not in self.paths:
            self.paths[step] = path_below(*step)
        return self.paths[step]

    def _end(self, tag: str) -> None:
        if self.skipped is not None:
            self._end_in_skipped(tag)
            return
        if self.raw:
            self.raw, self.quiet = False, self.is_hidden
            return
        kind = self.kind_of(tag)
        if self.every_tag and self.parts and kind in _INLINE:
            self._end_block()
            if self.collect.full:
                return
        if kind is Kind.SPACE:
            self._add_space()
        if kind is Kind.ANCHOR and self.href is not None:
            self._end_link()
            self.href = None
        elif kind is Kind.TITLE and self.in_title:
            self.collect.title(self.parts, self.first, self.last)
            self.parts, self.in_title = [], False
            return
        elif kind is Kind.BLOCK or kind is Kind.BREAK:
            self._end_paragraph()
            if self.collect.full:
                return
        elif not self.is_hidden:
            return
        self._close(tag, kind)

    def _end_in_skipped(self, tag: str) -> None:
        if tag == self.skipped:
            self.skipped_depth -= 1
            if not self.skipped_depth:
                self.skipped, self.quiet = None, self.is_hidden

    def _close(self, tag: str, kind: Kind | None) -> None:
        if tag == self.top_tag:
            if len(self.stack) > 1:
                self.stack.pop()
        elif kind is Kind.BLOCK or self.is_hidden:
            close(self.stack, tag)
        self.top_tag, self.path, self.is_hidden = self.stack[-1]
        self.quiet = self.is_hidden

    def _add_space(self) -> None:
        if self.parts:
            self.parts.append(" ")
        if self.link_parts:
            self.link_parts.append(" ")

    def _end_paragraph(self) -> None:
        """End the open block; words of an anchor that goes on after it are divided by a space."""
        self._end_block()
        if self.collect.full:
            return
        self.link_chars = self.tag_count = 0
        if self.link_parts:
            self.link_parts.append(" ")

    def _end_block(self) -> None:
        if self.parts:
            self.collect.block(
                self.parts, self.first, self.last, self.path, self.top_tag, self.link_chars, self.tag_count
            )
            self.parts, self.link_chars, self.tag_count = [], 0, 0

    def _end_link(self) -> None:
        self.collect.link(self.href or "", self.rel, self.link_parts, self.link_first, self.last)
        self.link_parts = []


def _is_hidden(token: HtmlToken) -> bool:
    style, hidden_value = token.attr("style"), token.attr("hidden")
    return (style or hidden_value) is not None and hides(style, hidden_value)
