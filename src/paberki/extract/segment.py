"""Cut a page into blocks of text, straight from the token stream: no tree, no recursion, linear time."""

from __future__ import annotations

import re
from typing import Final

from paberki.extract.blocks import Block, Link, Segmented, Span
from paberki.extract.elements import BLOCK, CLOSES, CONTROLS, RAW, TRANSPARENT, UNSTACKED, hides
from paberki.extract.head import read_head_element
from paberki.extract.paths import Paths
from paberki.extract.tokens import DOCTYPE, END, START, TEXT, Token, line_starts, tokens
from paberki.extract.trim import trim

LINK_LIMIT: Final = 3_000
"""Links kept per page."""

_DEPTH_LIMIT: Final = 4_096
_SEARCH_LIMIT: Final = 64
_HEAD: Final = frozenset(("html", "title", "meta", "link", "base"))
_SPECIAL: Final = RAW | TRANSPARENT | CONTROLS | _HEAD | {"a"}
_TABLE_WALLS: Final = frozenset(("td", "th", "caption", "table"))
_TABLE_PARTS: Final = _TABLE_WALLS | {"tr", "tbody", "thead", "tfoot"}
_OPENING: Final = re.compile(r"</?[A-Za-z]")

Frame = tuple[str, str, bool]  # tag, path, hidden
_BODY: Final[Frame] = ("body", "", False)


def segment(html: str) -> Segmented:
    """Blocks, links and head of a page, with character offsets into ``html``.

    Text between block-level tags, and between ``br`` tags, is a block of its own (P1 §3 step 1). Never fails.
    """
    return _Segmenter(html).run()


class _Segmenter:
    """State of one pass over the tokens."""

    __slots__ = (
        "first", "hidden", "html", "in_title", "last", "link", "link_chars", "link_first", "link_parts",
        "out", "parts", "paths", "pending", "quiet", "raw", "skip_depth", "skip_tag", "stack", "starts",
        "tag_count", "top",
    )  # fmt: skip

    def __init__(self, html: str) -> None:
        self.html = html
        self.starts = line_starts(html)
        self.out = Segmented()
        self.paths = Paths()
        self.stack: list[Frame] = [_BODY]
        self.top: Frame = _BODY
        self.hidden = False  # inside an element that is not shown
        self.raw = False  # inside script, style and the like
        self.skip_tag: str | None = None  # inside svg and the like
        self.skip_depth = 0
        self.quiet = False  # any of these: text does not count
        self.in_title = False
        self.parts: list[str] = []  # text of the block so far
        self.first = self.last = 0  # its source
        self.pending = False  # the last text token waits for its end
        self.link_chars = self.tag_count = 0
        self.link: tuple[str, str] | None = None  # href and rel of the open anchor
        self.link_parts: list[str] = []
        self.link_first = 0

    def run(self) -> Segmented:
        """Read all tokens."""
        starts = self.starts
        on_text, on_start, on_end = self.on_text, self.on_start, self.on_end
        token = None
        for token in tokens(self.html):
            if self.pending:
                self.last = starts[token.line] + token.col
                self.pending = False
            kind = token.type
            if kind is TEXT:
                on_text(token)
            elif kind is START:
                on_start(token)
            elif kind is END:
                on_end(token)
            elif kind is DOCTYPE and self.out.doctype is None:
                self.out.doctype = token.public_id or token.name or ""
        self.finish(token)
        return self.out

    def on_text(self, token: Token) -> None:
        """Text belongs to the open block, the open link, the title, or nobody."""
        if self.quiet:
            return
        data = token.data
        assert data is not None
        if data.isspace():
            if self.parts:
                self.parts.append(" ")
            if self.link_parts:
                self.link_parts.append(" ")
            return
        if not self.parts:
            self.first = self.starts[token.line] + token.col
        self.parts.append(data)
        self.pending = True
        if self.link is not None:
            if not self.link_parts:
                self.link_first = self.starts[token.line] + token.col
            self.link_parts.append(data)
            self.link_chars += len(data) if len(data) < 3 else len(" ".join(data.split()))

    def on_start(self, token: Token) -> None:
        """A start tag ends the block, opens an element of the path, or is counted."""
        tag = token.tag
        assert tag is not None
        if self.skip_tag is not None:
            self.skip_depth += tag == self.skip_tag and not token.self_closing
        elif tag in BLOCK:
            self.end_block()
            if tag not in UNSTACKED:
                self.open_block(tag, token)
            elif tag == "html":
                read_head_element(token, self.html, 0, self.out)
        elif tag in _SPECIAL:
            self.open_special(tag, token)
        else:
            self.tag_count += 1
            if token.attrs:
                self.open_inline(tag, token)
            elif self.hidden and tag == self.top[0]:
                self.push(tag, self.top[1], hidden=True)

    def open_block(self, tag: str, token: Token) -> None:
        """Close what the start tag closes and go one step down the path."""
        closed = CLOSES.get(tag)
        if closed is not None:
            while self.top[0] in closed:
                self.pop()
        identifier = classes = None
        hidden = self.hidden
        for name, value in token.attrs or ():
            if name == "class":
                classes = value
            elif name == "id":
                identifier = value
            elif not hidden and hides(name, value):
                hidden = True
        self.push(tag, self.paths.below(self.top[1], tag, identifier, classes), hidden=hidden)

    def open_inline(self, tag: str, token: Token) -> None:
        """Inline elements matter when they are hidden: the block ends before them."""
        if self.hidden:
            if tag == self.top[0]:
                self.push(tag, self.top[1], hidden=True)
            return
        for name, value in token.attrs or ():
            if hides(name, value) and tag not in ("img", "input", "wbr", "embed", "source", "area"):
                self.end_block()
                self.push(tag, self.top[1], hidden=True)
                return

    def open_special(self, tag: str, token: Token) -> None:
        """Anchors, head elements, and elements whose text does not count."""
        if tag == "a":
            self.tag_count += 1
            self.close_link()
            self.open_link(token)
            self.open_inline(tag, token)
        elif tag in RAW:
            self.raw = self.quiet = True
        elif tag in TRANSPARENT:
            if not token.self_closing and self.closes_later(tag, token):
                self.skip_tag, self.skip_depth, self.quiet = tag, 1, True
        elif tag in CONTROLS:
            self.end_block()
            while tag == "option" and self.top[0] == "option":
                self.pop()
            self.push(tag, self.top[1], hidden=True)
        elif tag == "title":
            self.end_block()
            self.in_title = True
        else:
            read_head_element(token, self.html, self.starts[token.line] + token.col, self.out)

    def closes_later(self, tag: str, token: Token) -> bool:
        """Whether an end tag follows at all; an element nobody closes must not swallow the page."""
        position = self.starts[token.line] + token.col
        return max(self.html.rfind("</" + tag), self.html.rfind("</" + tag.upper())) > position

    def open_link(self, token: Token) -> None:
        """Remember target and rel; the text follows."""
        href = token.attr("href")
        if isinstance(href, str):
            rel = token.attr("rel")
            self.link = (href, rel if isinstance(rel, str) else "")

    def close_link(self) -> None:
        """Record the open anchor; its text may have run over several blocks."""
        if self.link is None:
            return
        if len(self.out.links) < LINK_LIMIT:
            if self.link_parts:
                text = " ".join("".join(self.link_parts).split())
                start, end = trim(self.html, self.link_first, self.last)
            else:
                text, start, end = "", 0, 0
            self.out.links.append(Link(text, self.link[0], self.link[1], start, end))
        self.link = None
        self.link_parts = []

    def on_end(self, token: Token) -> None:
        """An end tag ends the block or something that was skipped."""
        tag = token.tag
        assert tag is not None
        if self.skip_tag is not None:
            if tag == self.skip_tag:
                self.skip_depth -= 1
                if self.skip_depth == 0:
                    self.skip_tag, self.quiet = None, self.hidden
        elif self.raw:
            self.raw, self.quiet = False, self.hidden
        elif tag in BLOCK:
            self.end_block()
            if tag == self.top[0]:
                self.pop()
            else:
                self.close(tag)
        elif self.hidden and tag == self.top[0]:
            self.pop()
        elif tag == "a":
            self.close_link()
        elif tag == "title":
            self.end_title()
        elif self.hidden:
            self.close(tag)

    def close(self, tag: str) -> None:
        """Close the nearest open element of that name, with all it holds; a wrong end tag does nothing."""
        stack = self.stack
        for index in range(len(stack) - 2, max(0, len(stack) - _SEARCH_LIMIT), -1):
            name = stack[index][0]
            if name == tag:
                del stack[index + 1 :]
                self.pop()
                return
            if name in _TABLE_WALLS and tag not in _TABLE_PARTS:
                return

    def push(self, tag: str, path: str, *, hidden: bool) -> None:
        """Go into an element."""
        if len(self.stack) < _DEPTH_LIMIT:
            self.top = (tag, path, hidden)
            self.stack.append(self.top)
            self.hidden = self.quiet = hidden

    def pop(self) -> None:
        """Leave the innermost element; ``body`` stays."""
        if len(self.stack) > 1:
            self.stack.pop()
            self.top = self.stack[-1]
            self.hidden = self.quiet = self.top[2]

    def end_block(self) -> None:
        """Record the open block, if it holds any text."""
        if self.parts:
            if self.in_title:
                self.end_title()
            else:
                text = " ".join("".join(self.parts).split())
                start, end = trim(self.html, self.first, self.last)
                tag, path, _ = self.top
                linked = min(self.link_chars, len(text))
                self.out.blocks.append(Block(text, start, end, path, tag, linked, self.tag_count))
            self.parts = []
        self.link_chars = self.tag_count = 0

    def end_title(self) -> None:
        """The first title counts; text of others is dropped."""
        self.in_title = False
        if self.parts and self.out.title is None:
            start, end = trim(self.html, self.first, self.last)
            self.out.title = Span(" ".join("".join(self.parts).split()), start, end)
        self.parts = []

    def finish(self, last: Token | None) -> None:
        """The page is over: a text at the very end stops where a broken tag begins."""
        if self.pending and last is not None:
            broken = _OPENING.search(self.html, self.starts[last.line] + last.col)
            self.last = broken.start() if broken else len(self.html)
        if self.in_title:  # a title that nobody closes has swallowed the rest of the page
            self.in_title, self.parts = False, []
        self.close_link()
        self.end_block()
