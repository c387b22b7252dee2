"""JSON-LD of a page: the objects that say who wrote it, when, and where it was published.

The input is untrusted: its length, its depth and the number of objects are bounded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any, Final

SCRIPTS: Final = 30
CHARS: Final = 400_000
OBJECTS: Final = 400
_DEPTH: Final = 8

_MARK: Final = "application/ld+json"
_CONTROL: Final = re.compile(r"[\x00-\x1f]+")
_TRAILING: Final = re.compile(r",\s*([}\]])")
_WRAPPING: Final = re.compile(
    r"^\s*(?:<!--|/\*\s*<!\[CDATA\[\s*\*/|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|/\*\s*\]\]>\s*\*/|//\s*\]\]>|\]\]>)\s*;?\s*$"
)
_FIELD: Final = re.compile(r'"(datePublished|dateModified|dateCreated|uploadDate)"\s*:\s*"([^"]{4,60})"')
_ARTICLE: Final = re.compile(r"Article|Posting|Report|Review|NewsItem|Recipe|CreativeWork|Question|VideoObject|Podcast")


def objects(html: str) -> list[Mapping[str, Any]]:
    """All objects of the page's JSON-LD in document order, the nested ones after those that hold them."""
    things: list[Mapping[str, Any]] = []
    for script in _scripts(html):
        things += _flat(_parse(script))
        if len(things) >= OBJECTS:
            break
    return things[:OBJECTS]


def about_the_page(things: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The same objects in another order: articles first, then pages, then all others."""
    return sorted(things, key=_rank)


def kinds(thing: Mapping[str, Any]) -> str:
    """The object's types in one string."""
    kind = thing.get("@type", "")
    return " ".join(map(str, kind)) if isinstance(kind, list) else str(kind)


def text_of(value: object) -> str | None:
    """A string, the name of an object, or the first of a list of such."""
    if isinstance(value, str):
        return " ".join(unescape(value).split()) or None
    if isinstance(value, Mapping):
        return text_of(value.get("name") or value.get("@value"))
    if isinstance(value, list):
        return next((text for item in value[:20] if (text := text_of(item))), None)
    return None


def texts_of(value: object) -> list[str]:
    """All strings and names in a value; a string with commas is a list."""
    if isinstance(value, list):
        return [text for item in value[:50] for text in texts_of(item)]
    if isinstance(value, str):
        return [words for part in unescape(value).split(",") if (words := " ".join(part.split()))]
    text = text_of(value)
    return [text] if text else []


def _rank(thing: Mapping[str, Any]) -> int:
    kind = kinds(thing)
    if _ARTICLE.search(kind):
        return 0 if "headline" in thing or "articleBody" in thing or "datePublished" in thing else 1
    return 2 if "WebPage" in kind or "ItemPage" in kind else 3


def _scripts(html: str) -> Iterator[str]:
    place, char_count = html.find(_MARK), 0
    for _ in range(SCRIPTS):
        if place < 0 or char_count > CHARS:
            return
        begin = html.find(">", place, place + 500) + 1
        end = html.find("</script", begin) if begin else -1
        if end < 0:
            end = html.find("</SCRIPT", begin) if begin else -1
        if begin and end > 0:
            yield html[begin : min(end, begin + CHARS)]
            char_count += end - begin
        place = html.find(_MARK, max(end, place + 1))


def _parse(script: str) -> object:
    """The value of a script, read as leniently as it takes: real ones have line ends in strings and stray commas."""
    text = _WRAPPING.sub("", script) if "<!" in script[:40] else script
    for attempt in (text, _TRAILING.sub(r"\1", _CONTROL.sub(" ", text))):
        try:
            return json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
    return dict(reversed(_FIELD.findall(text[:CHARS])))


def _flat(value: object) -> list[Mapping[str, Any]]:
    things: list[Mapping[str, Any]] = []
    waiting: list[tuple[object, int]] = [(value, 0)]
    visits = 0
    while visits < min(len(waiting), 20 * OBJECTS) and len(things) < OBJECTS:
        item, depth = waiting[visits]
        visits += 1
        if isinstance(item, list):
            waiting += [(one, depth + 1) for one in item[:OBJECTS] if depth < _DEPTH]
        elif isinstance(item, dict):
            things.append(item)
            if depth < _DEPTH:
                waiting += [(one, depth + 1) for one in item.values() if isinstance(one, (list, dict))]
    return things
