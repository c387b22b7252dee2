"""Cut a page into blocks of text, straight from the token stream: no tree, no recursion, linear time.

:func:`segment` is one long loop on purpose. A page has thousands of tokens, and at this rate every call per
token shows in the speed of a whole build; what happens less often is in the modules imported here.
"""

from __future__ import annotations

import re
from typing import Final

from paberki.extraction.html.collector import Collector
from paberki.extraction.html.elements import CLOSES, VOID, ElementsConfig, Kind, hides, kinds_for
from paberki.extraction.html.html_tokens import DOCTYPE, END, START, TEXT, Token, line_starts, tokens
from paberki.extraction.html.open_elements import BODY, DEPTH_LIMIT, Frame, close
from paberki.extraction.html.page_blocks import Segmented
from paberki.extraction.html.page_head import read_head_element
from paberki.extraction.html.tag_paths import path_below

_OPENING: Final = re.compile(r"</?[A-Za-z]")
_BLOCK, _BREAK, _ANCHOR, _RAW = Kind.BLOCK, Kind.BREAK, Kind.ANCHOR, Kind.RAW
_TRANSPARENT, _TITLE, _HEAD, _SPACE = Kind.TRANSPARENT, Kind.TITLE, Kind.HEAD, Kind.SPACE


def segment(html: str, elements: ElementsConfig | None = None) -> Segmented:
    """Blocks, links and head of a page, with character offsets into ``html``; ``elements`` says where it is cut.

    Text between block-level tags, and between ``br`` tags, is a block of its own (P1 §2.2 step 1). Never fails.
    """
    collect = Collector(html)
    starts = line_starts(html)
    paths: dict[tuple[str, str, str | None, str | None], str] = {}
    elements = elements or ElementsConfig()
    kind_of, every_tag = kinds_for(elements).get, elements.every_tag
    stack: list[Frame] = [BODY]
    top_tag, path, hidden = BODY
    quiet = False  # text does not count: hidden, raw, or inside a transparent element
    skipped: str | None = None  # the transparent element we are in
    skipped_depth = 0
    raw = in_title = False
    parts: list[str] = []  # text of the open block
    first = last = 0  # its source so far
    pending = False  # the last text token waits for its end
    link_chars = tag_count = 0
    href: str | None = None  # target of the open anchor
    rel = ""
    link_parts: list[str] = []
    link_first = 0
    markup_from = -1  # where the tag, comment or script begins whose end is the next token
    token: Token | None = None

    for token in tokens(html):
        if pending:
            last = starts[token.line] + token.col
            pending = False
        kind = token.type
        if markup_from >= 0:
            collect.markup += starts[token.line] + token.col - markup_from
        markup_from = starts[token.line] + token.col if kind is not TEXT or raw else -1

        if kind is TEXT:
            if quiet:
                continue
            data = token.data
            if data.isspace():
                if parts:
                    parts.append(" ")
                if link_parts:
                    link_parts.append(" ")
                continue
            pending = True
            if not parts:
                first = starts[token.line] + token.col
                collect.markup_before = collect.markup
            collect.markup_within = collect.markup
            parts.append(data)
            if href is not None:
                if not link_parts:
                    link_first = starts[token.line] + token.col
                link_parts.append(data)
                link_chars += len(" ".join(data.split()))

        elif kind is START:
            tag = token.tag
            if skipped is not None:
                if tag == skipped and not token.self_closing:
                    skipped_depth += 1
                continue
            what = kind_of(tag)
            if every_tag and parts and (what is None or what is _SPACE or what is _ANCHOR):
                collect.block(parts, first, last, path, top_tag, link_chars, tag_count)
                if collect.full:
                    return collect.found
                parts, link_chars, tag_count = [], 0, 0
            if what is None or what is _SPACE:
                tag_count += 1
                if what is _SPACE and parts:
                    parts.append(" ")
                if what is _SPACE and link_parts:
                    link_parts.append(" ")
                if hidden:
                    conceal = tag == top_tag
                else:
                    style, attribute = token.attr("style"), token.attr("hidden")
                    conceal = (style or attribute) is not None and tag not in VOID and hides(style, attribute)
                if not conceal:
                    continue
            elif what is _ANCHOR:
                tag_count += 1
                if href is not None:
                    collect.link(href, rel, link_parts, link_first, last)
                    link_parts = []
                href, rel = token.attr("href"), token.attr("rel") or ""
                style, attribute = token.attr("style"), token.attr("hidden")
                if hidden or (style or attribute) is None or not hides(style, attribute):
                    continue
            elif what is _RAW:
                raw = quiet = True
                continue
            elif what is _TRANSPARENT:
                if not token.self_closing and collect.closes_after(tag, starts[token.line] + token.col):
                    skipped, skipped_depth, quiet = tag, 1, True
                continue
            elif what is _HEAD:
                read_head_element(token, html, starts[token.line] + token.col, collect.found)
                if tag != "html":
                    continue

            # A block-level element, or one that is skipped: the paragraph ends here.
            if parts:
                collect.block(parts, first, last, path, top_tag, link_chars, tag_count)
                if collect.full:
                    return collect.found
                parts = []
            link_chars = tag_count = 0
            if link_parts:
                link_parts.append(" ")
            if what is _BREAK or what is _HEAD:
                continue
            if what is _TITLE:
                in_title = True
                continue
            closed = CLOSES.get(tag)
            if closed is not None:
                while top_tag in closed:
                    stack.pop()
                    top_tag, path, hidden = stack[-1]
            if len(stack) >= DEPTH_LIMIT:
                continue
            if what is _BLOCK:
                style, attribute = token.attr("style"), token.attr("hidden")
                step = (path, tag, token.attr("id"), token.attr("class"))
                known = paths.get(step)
                path = paths[step] = path_below(*step) if known is None else known
                if (style or attribute) is not None and hides(style, attribute):
                    hidden = True
            else:
                hidden = True
            if hidden and link_parts:
                collect.link_piece(link_parts, link_first, last)
                link_parts = []
            top_tag, quiet = tag, hidden
            stack.append((tag, path, hidden))

        elif kind is END:
            tag = token.tag
            if skipped is not None:
                if tag == skipped:
                    skipped_depth -= 1
                    if not skipped_depth:
                        skipped, quiet = None, hidden
                continue
            if raw:
                raw, quiet = False, hidden
                continue
            what = kind_of(tag)
            if every_tag and parts and (what is None or what is _SPACE or what is _ANCHOR):
                collect.block(parts, first, last, path, top_tag, link_chars, tag_count)
                if collect.full:
                    return collect.found
                parts, link_chars, tag_count = [], 0, 0
            if what is _SPACE and parts:
                parts.append(" ")
            if what is _SPACE and link_parts:
                link_parts.append(" ")
            if what is _ANCHOR and href is not None:
                collect.link(href, rel, link_parts, link_first, last)
                link_parts, href = [], None
            elif what is _TITLE and in_title:
                collect.title(parts, first, last)
                parts, in_title = [], False
                continue
            elif what is _BLOCK or what is _BREAK:
                if parts:
                    collect.block(parts, first, last, path, top_tag, link_chars, tag_count)
                    if collect.full:
                        return collect.found
                    parts = []
                link_chars = tag_count = 0
                if link_parts:
                    link_parts.append(" ")
            elif not hidden:
                continue
            if tag == top_tag:
                if len(stack) > 1:
                    stack.pop()
            elif what is _BLOCK or hidden:
                close(stack, tag)
            top_tag, path, hidden = stack[-1]
            quiet = hidden

        elif kind is DOCTYPE and collect.found.doctype is None:
            collect.found.doctype = token.public_id or token.name or ""

    if pending and token is not None:  # a text at the very end stops where a broken tag begins
        broken = _OPENING.search(html, starts[token.line] + token.col)
        last = broken.start() if broken else len(html)
    if href is not None:
        collect.link(href, rel, link_parts, link_first, last)
    if parts and not in_title:  # a title that nobody closes has swallowed the rest of the page
        collect.block(parts, first, last, path, top_tag, link_chars, tag_count)
    return collect.found
