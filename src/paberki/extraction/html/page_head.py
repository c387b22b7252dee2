"""What the head of a page declares: language, keywords, description, canonical address, base."""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from paberki.extraction.html.html_tokens import HtmlToken
from paberki.extraction.html.page_blocks import PlacedText, Segmented
from paberki.extraction.html.trim import trim

_CONTENT: Final = re.compile(r"""\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", re.IGNORECASE)


def read_head_element(token: HtmlToken, html: str, position: int, page: Segmented) -> None:
    """Read an html, meta, link or base tag; the first value of each field counts."""
    tag = token.tag
    if tag == "html":
        page.declared_language = page.declared_language or _value(token, "lang") or _value(token, "xml:lang")
    elif tag == "base":
        page.base = page.base or _value(token, "href")
    elif tag == "link":
        if page.canonical is None and "canonical" in (_value(token, "rel") or "").lower().split():
            page.canonical = _value(token, "href")
    elif tag == "meta":
        _read_meta(token, html, position, page)


def _read_meta(token: HtmlToken, html: str, position: int, page: Segmented) -> None:
    name = (_value(token, "name") or _value(token, "http-equiv") or "").lower()
    content = _value(token, "content")
    if content is None:
        return
    if name == "keywords" and page.keywords is None:
        page.keywords = _locate(content, html, position)
    elif name == "description" and page.description is None:
        page.description = _locate(content, html, position)
    elif name == "content-language":
        page.declared_language = page.declared_language or content.split(",")[0].strip() or None


def _value(token: HtmlToken, name: str) -> str | None:
    value = token.attr(name)
    return value.strip() or None if isinstance(value, str) else None


def _locate(content: str, html: str, position: int) -> PlacedText | None:
    """The attribute's place in the source: the first ``content=`` of the tag whose value says the same."""
    text = " ".join(content.split())
    for match in _CONTENT.finditer(html, position, position + 4 * len(content) + 2000):
        group = match.lastindex or 0
        if group and " ".join(unescape(match.group(group)).split()) == text:
            return PlacedText(text, *trim(html, *match.span(group)))
    return PlacedText(text, position, position)
