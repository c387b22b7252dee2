"""Markup that stands in the text itself: ``&amp;nbsp;`` in the source reads ``&nbsp;`` (P5 §3.1 [19 23]).

It comes from pages that escaped twice. A page *about* HTML looks the same; a tag that is quoted or called a tag is
therefore left alone.
"""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5
from typing import Final

_REFERENCE: Final = re.compile(r"&(?:#(?:[0-9]{1,7}|[xX][0-9a-fA-F]{1,6})|[A-Za-z][A-Za-z0-9]{1,31});")
_DEPTH: Final = 3
"""``&amp;amp;amp;nbsp;`` does occur; deeper nesting is somebody's joke."""
_TAGS: Final = (
    "a abbr acronym address area article aside b base basefont bdo big blockquote body br button caption center cite "
    "code col colgroup dd del dfn div dl dt em embed fieldset figcaption figure font footer form frame frameset "
    "h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label legend li link main map mark menu meta nav "
    "nobr noscript object ol optgroup option p param pre q s samp section select small source span strike strong "
    "sub sup table tbody td textarea tfoot th thead time title tr tt u ul var video wbr"
)
_BREAKING_WORDS: Final = (
    "address article aside blockquote body br caption center dd div dl dt fieldset figcaption figure footer form h1 h2 "
    "h3 h4 h5 h6 header hr li main nav ol option p pre section table tbody td tfoot th thead title tr ul"
)
_BREAKING: Final = frozenset(_BREAKING_WORDS.split())
_TAG: Final = re.compile(
    r"</?(" + "|".join(sorted(_TAGS.split(), key=len, reverse=True)) + r")(?:\s[^<>]{0,1000})?\s?/?>"
    r"|<!\[CDATA\[|\]\]>",
    re.IGNORECASE,
)
_ABOUT_MARKUP: Final = re.compile(
    r"\b(?:x?html|xml|css|markup|tags?|elements?|balises?|značk|oznak|znacznik|címk|attribut|function|class)"
    r"|\bтег|\bтаг|элемент|елемент|タグ|要素|标签|標籤|[{}]",
    re.IGNORECASE,
)
_SINGLE: Final = frozenset(("br", "hr", "img", "p", "li", "wbr", "nobr"))
"""Tags that go without a partner; any other tag alone is rather the name of something."""
_WHOLE: Final = (("<script", "</script>"), ("<style", "</style>"), ("<!--", "-->"))


def repair_references(text: str) -> str:
    """Character references that are left in the text, resolved; only whole, known ones."""
    for _ in range(_DEPTH):
        if "&" not in text:
            break
        resolved = _REFERENCE.sub(_resolve, text)
        if resolved == text:
            break
        text = resolved
    return text


def strip_tags(text: str) -> str:
    """The text without literal HTML tags and comments; script and style go with what they hold.

    A text about markup is left alone, and so is a tag without its partner.
    """
    if "<" not in text and "]]>" not in text:
        return text
    for opening, closing in _WHOLE:
        text = _without(text, opening, closing)
    found = {(tag.group().startswith("</"), tag.group(1).lower()) for tag in _TAG.finditer(text) if tag.lastindex}
    if not found and "<!" not in text and "]]>" not in text:
        return text
    if _ABOUT_MARKUP.search(_TAG.sub(" ", text)):
        return text

    def strip(match: re.Match[str]) -> str:
        if match.lastindex is None:
            return ""
        name = match.group(1).lower()
        if name not in _SINGLE and not {(True, name), (False, name)} <= found:
            return match.group()
        return " " if name in _BREAKING else ""

    return _TAG.sub(strip, text)


def _resolve(match: re.Match[str]) -> str:
    reference = match.group()
    if reference[1] != "#" and reference[1:] not in html5:
        return reference
    found = unescape(reference)
    return found if found.isprintable() or found.isspace() or found == "\u00ad" else reference


def _without(text: str, opening: str, closing: str) -> str:
    """Without what stands between these two, as long as it is closed; one pass, whatever the text."""
    lower = text.lower()
    if len(lower) != len(text) or opening not in lower:  # lower-casing can change the length
        return text
    parts: list[str] = []
    done = 0
    start = lower.find(opening)
    while start >= 0:
        end = lower.find(closing, start)
        if end < 0:
            break
        parts.append(text[done:start])
        done = end + len(closing)
        start = lower.find(opening, done)
    return " ".join([*parts, text[done:]]) if parts else text
