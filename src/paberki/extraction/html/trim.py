"""Narrow a stretch of source to its first and last character that is not white space."""

from __future__ import annotations

import re
from html import unescape
from typing import Final

_SPACE: Final = re.compile(r"\s+")
_REFERENCE: Final = re.compile(r"&(?:#[0-9xX][0-9a-fA-F]*|[A-Za-z0-9]+);?")
_LAST_REFERENCE: Final = re.compile(r"&(?:#[0-9xX][0-9a-fA-F]*|[A-Za-z0-9]+);?\Z")
_REFERENCE_CHARS: Final = 24
_WINDOW: Final = 256


def trim(html: str, start: int, end: int) -> tuple[int, int]:
    """Offsets without leading and trailing white space, whether written plainly or as a character reference."""
    if start >= end:
        return start, end
    first = html[start]
    if first <= " " or first in "&<" or first.isspace():
        space = _SPACE.match(html, start, end)
        if space is not None:
            start = space.end()
            first = html[start] if start < end else ""
        if first in "&<":
            start = _skip_leading(html, start, end)
    tail = html[end - 10 : end] if end - 10 > start else html[start:end]
    if not tail[-1:].isalnum() or "&" in tail:
        rest = tail.rstrip()
        if rest and rest[-1] not in ";>" and "&" not in tail:
            return start, end - len(tail) + len(rest)
        end = _skip_trailing(html, start, end)
    return start, end


def _skip_leading(html: str, start: int, end: int) -> int:
    while start < end:
        space = _SPACE.match(html, start, end)
        if space:
            start = space.end()
        reference = _REFERENCE.match(html, start, min(end, start + _REFERENCE_CHARS))
        if reference and unescape(reference.group()).isspace():
            start = reference.end()
        elif html.startswith("</>", start, end):  # the tokenizer drops it without a trace
            start += 3
        elif not space:
            break
    return start


def _skip_trailing(html: str, start: int, end: int) -> int:
    while start < end:
        window = html[max(start, end - _WINDOW) : end]
        rest = window.rstrip()
        if len(rest) < len(window):
            end -= len(window) - len(rest)
            continue
        reference = _LAST_REFERENCE.search(window[-_REFERENCE_CHARS:])
        if reference and unescape(reference.group()).isspace():
            end -= len(reference.group())
        elif rest.endswith("</>"):
            end -= 3
        else:
            break
    return end
