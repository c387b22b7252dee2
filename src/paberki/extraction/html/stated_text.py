"""Text that a page states for search engines, ``articleBody`` of its JSON-LD, read as a part of the page.

The script around the text becomes a comment, and each escape of JSON becomes what stands for it in HTML, with as many
letters. So all places in the payload stay what they are.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

LARGEST: Final = 2_000_000
MARK: Final = '"articleBody"'
MARKS: Final = 20
"""So many statements of a page are looked at."""
_BODY: Final = re.compile(MARK + r'\s*:\s*"((?:[^"\\]|\\.)*+)"', re.DOTALL)
_SCRIPT: Final = re.compile(r"<script[^>]{0,200}ld\+json[^>]{0,200}>", re.IGNORECASE)
_END: Final = "</script>"
_ESCAPE: Final = re.compile(r"\\r\\n|\\n\\n|<\\/(\w+)>|\\u([0-9a-fA-F]{4})(?!\d)|\\.", re.DOTALL)
_SHORT_ESCAPES: Final = {r"\r\n": "<br>", r"\n\n": "<br>", r"\"": "''", r"\/": "/ "}
_LARGEST_REFERENCE: Final = 10_000
"""References to characters from this on are longer than their escapes."""
_OPEN, _CLOSE = "--><p>", "</p><!--"


class _Stated(NamedTuple):
    """Where a script begins, the text in it begins and ends, and the script ends."""

    script: int
    begin: int
    end: int
    script_end: int


def stated_length(text: str) -> int:
    """Characters of the longest text that a page states; 0 if there is none."""
    longest = _longest(text)
    return longest.end - longest.begin if longest else 0


def with_stated_text(text: str) -> str:
    """The same page, as long as before, with the text that it states as a paragraph."""
    longest = _longest(text)
    if longest is None:
        return text
    script, begin, end, script_end = longest
    before, after = text[script:begin], text[end:script_end]
    if "--" in before or "--" in after or not (before[-len(_OPEN) :] + after[: len(_CLOSE)]).isascii():
        return text
    head = f"<!--{before[4 : -len(_OPEN)]}{_OPEN}"
    tail = f"{_CLOSE}{after[len(_CLOSE) : -3]}-->"
    return f"{text[:script]}{head}{without_escapes(text[begin:end])}{tail}{text[script_end:]}"


def without_escapes(text: str) -> str:
    """JSON's escapes as what stands for them in HTML, letter for letter."""
    return _ESCAPE.sub(_in_html, text)


def _longest(text: str) -> _Stated | None:
    if len(text) > LARGEST:
        return None
    best: _Stated | None = None
    at = text.find(MARK)
    for _ in range(MARKS):
        if at < 0:
            break
        statement = _stated(text, at)
        if statement and (best is None or statement.end - statement.begin > best.end - best.begin):
            best = statement
        at = text.find(MARK, statement.end if statement else at + 1)
    return best


def _stated(text: str, at: int) -> _Stated | None:
    body = _BODY.match(text, at)
    script = text.rfind("<script", 0, at)
    if body is None or script < 0 or not _SCRIPT.match(text, script) or text.find(_END, script, at) >= 0:
        return None
    script_end = text.find(_END, body.end(1))
    return _Stated(script, *body.span(1), script_end + len(_END)) if script_end >= 0 else None


def _in_html(escape: re.Match[str]) -> str:
    tag, code = escape.groups()
    if tag:
        return f"</{tag} >"
    if code:
        number = int(code, 16)
        return f"&#{number:03};" if number < 1_000 else f"&#{number}" if number < _LARGEST_REFERENCE else " " * 6
    return _SHORT_ESCAPES.get(escape.group(), " " * len(escape.group()))
