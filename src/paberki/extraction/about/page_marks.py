"""Plain strings mark the places of a page at which metadata stand; here they are found and read.

No tree is built and no regular expression runs over the whole page.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from html import unescape
from typing import Final

META_TAGS: Final = 300
HEAD_CHARS: Final = 500_000
"""Characters in which meta tags are looked for."""
MARKS: Final = 60
"""Places looked at per mark."""
VALUE_CHARS: Final = 500
_ATTRIBUTE: Final = re.compile(r"""([A-Za-z_:][\w:.-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?\s*""")
_TAG_CHARS: Final = 4_000
_TAGS: Final = re.compile(r"<[^<>]{0,2000}>")
TAG_NAME: Final = re.compile(r"<\w{1,20}")
_META_NAME: Final = re.compile(r"""(?:name|property|itemprop|http-equiv)\s*=\s*["']?([\w:.-]+)""", re.IGNORECASE)


def meta_tags(html: str, names: Collection[str]) -> dict[str, list[str]]:
    """Contents of the head's meta tags of these names (name, property or itemprop), by name in small letters."""
    tags: dict[str, list[str]] = {}
    end = html.find("</head", 0, HEAD_CHARS)
    end = end if end >= 0 else min(len(html), HEAD_CHARS)
    mark = "<meta" if html.find("<meta", 0, end) >= 0 else "<META"
    place = html.find(mark, 0, end)
    for _ in range(META_TAGS):
        if place < 0:
            break
        name = _META_NAME.search(html, place, place + 400)
        if name is not None and name.group(1).lower() in names:
            attributes = attributes_at(html, place + 5)
            content = attributes.get("content")
            for key in ("property", "name", "itemprop", "http-equiv") if content else ():
                if content and key in attributes:
                    tags.setdefault(attributes[key].lower(), []).append(clean(content))
        place = html.find(mark, place + 5, end)
    return tags


def attributes_at(html: str, place: int) -> dict[str, str]:
    """Attributes of the tag whose name ends at ``place``."""
    attributes: dict[str, str] = {}
    limit = min(place + _TAG_CHARS, len(html))
    while place < limit and html[place] in " \t\r\n\f/":
        place += 1
    for _ in range(30):
        match = _ATTRIBUTE.match(html, place, limit)
        if match is None:
            break
        value = match.group(2) or match.group(3) or match.group(4) or ""
        attributes.setdefault(match.group(1).lower(), value)
        place = match.end()
    return attributes


def places_of(html: str, marks: tuple[str, ...]) -> Iterator[int]:
    for mark in marks:
        place = html.find(mark)
        for _ in range(MARKS):
            if place < 0:
                break
            yield place
            place = html.find(mark, place + len(mark))


def values_of(meta: Mapping[str, list[str]], names: tuple[str, ...]) -> Iterator[str | None]:
    for name in names:
        yield from meta.get(name, ())


def plain(piece: str) -> str:
    cut = piece.find("<script")
    while cut >= 0:
        end = piece.find("</script", cut)
        piece = piece[:cut] + (piece[end + 9 :] if end > 0 else "")
        cut = piece.find("<script")
    return clean(_TAGS.sub(" ", piece), len(piece))


def clean(value: str, limit: int = VALUE_CHARS) -> str:
    return " ".join(unescape(value).split())[:limit]
