"""Markup that stands in the text itself: ``&amp;nbsp;`` in the source reads ``&nbsp;`` (P5 §3.1 [19 23]).

It comes from pages that escaped twice. A page *about* HTML, or about programs, looks the same and is left alone. One word
does not make it one (a class may be one of a school): what counts is how tags are mentioned. They stand in quotes, next
to the word *tag*, or in a list with commas; code has signs of its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from html import unescape
from html.entities import html5
from typing import Final

from paberki.extraction.html.elements import ELEMENTS, KINDS, VOID, Kind
from paberki.extraction.repair.edits import Edit, Origins, replaced, substitute

_REFERENCE: Final = re.compile(r"&(?:#(?:[0-9]{1,7}|[xX][0-9a-fA-F]{1,6})|[A-Za-z][A-Za-z0-9]{1,31});")
_DEPTH: Final = 3
"""``&amp;amp;amp;nbsp;`` does occur; deeper nesting is somebody's joke."""
_MORE_TAGS: Final = "basefont dialog frame noindex o tbody xml"
_NAMES: Final = sorted({*ELEMENTS, *VOID, *_MORE_TAGS.split()}, key=lambda name: (-len(name), name))
_ATTRIBUTES: Final = (
    r"(?:\s[^<>=]{0,200}=[^<>]{0,1000}"
    r"|\s(?:hidden|disabled|checked|selected|nowrap|noshade|compact|async|defer|controls|required|readonly|multiple))?\s?/?"
)
_TAG: Final = re.compile(
    rf"</?({'|'.join(_NAMES)}|[a-z][a-z0-9]{{0,9}}:[a-z][a-z0-9]{{0,19}}){_ATTRIBUTES}>"
    r"|<!\[CDATA\[|\]\]>|<!--|<!doctype\s[^<>]{0,200}>"
    rf"|<(?:{'|'.join(_NAMES)})\s+[a-z-]{{1,20}}=[^<>]{{0,1000}}\Z",
    re.IGNORECASE,
)
"""A tag, also of another namespace as word processors make them, or one that the end of the text cuts."""
_BREAKING: Final = frozenset(
    name for name, kind in KINDS.items() if kind in (Kind.BLOCK, Kind.BREAK, Kind.CONTROL, Kind.TITLE)
)
_WHOLE: Final = (("<script", "</script>"), ("<style", "</style>"), ("<!--", "-->"))

_MARKUP_WORD: Final = (
    r"(?:x?html5?|xml|css|markup|tags?|balises?|etiquetas?|značk[aeiouy]\w*|oznak[aeiou]?\w*|znacznik\w*|címk\w*|тег\w*"
    r"|таг\w*|ознак\w*|タグ|标签|標籤)"
)
_NEAR_WORD: Final = (
    rf"(?:{_MARKUP_WORD}|elements?|elementi?\w*|elemente?n?|attribut\w*|элемент\w*|елемент\w*|要素|属性)"
)
_BEFORE: Final = re.compile(rf"(?<!\w){_NEAR_WORD}\s\Z", re.IGNORECASE)
_AFTER: Final = re.compile(rf"[-\s]{_NEAR_WORD}(?!\w|:)", re.IGNORECASE)
_CALLED_TAG: Final = re.compile("タグ|要素|标签|標籤")
_ANYWHERE: Final = re.compile(rf"(?<!\w){_MARKUP_WORD}(?!\w|:)", re.IGNORECASE)
_CODE: Final = re.compile(
    r"[{}]|;\s*(?:$|[a-z_$]+[\s.(=])|\(\)|=>|->|::|==|\+=|\b(?:var|let|const|function|return|import)\s+\w+\s*[=({;]"
)
_QUOTES: Final = frozenset(
    {
        ('"', '"'),
        ("'", "'"),
        ("`", "`"),
        ("„", "“"),
        ("“", "”"),
        ("‘", "’"),
        ("«", "»"),
        ("»", "«"),
        ("(", ")"),
        ("„", "”"),
        ("‚", "‘"),
        ("「", "」"),
        ("”", "”"),
    }
)
_LISTED: Final = frozenset(
    ("", ",", "and", "or", "i", "ili", "a", "nebo", "in", "ali", "und", "oder", "et", "ou", "y", "o", "и", "или", "、")
)
_ENOUGH: Final = 2
"""Signs that make a text one about markup."""
_LOOK: Final = 30


def repair_references(text: str, origins: Origins | None = None) -> str:
    """Character references that are left in the text, resolved; only whole, known ones."""
    for _ in range(_DEPTH):
        if "&" not in text:
            break
        repaired_text = substitute(_REFERENCE, _resolve, text, origins)
        if repaired_text == text:
            break
        text = repaired_text
    return text


def strip_tags(text: str, origins: Origins | None = None) -> str:
    """The text without literal HTML tags and comments, lone ones too; script and style go with what they hold.

    A text about markup is left as it is.
    """
    if "<" not in text and "]]>" not in text:
        return text
    tags = list(_TAG.finditer(text))
    if not tags or _speaks_of(text, tags):
        return text
    for opening, closing in _WHOLE:
        text = _without(text, opening, closing, origins)
    return substitute(_TAG, lambda tag: " " if _breaks(tag) else "", text, origins)


def _name(tag: re.Match[str]) -> str:
    return (tag.group(1) or "").lower()


def _breaks(tag: re.Match[str]) -> bool:
    return _name(tag) in _BREAKING


def _speaks_of(text: str, tags: Sequence[re.Match[str]]) -> bool:
    """Whether the text is about markup or programs: several signs of it, or one that is hard to mistake."""
    signs = bool(_ANYWHERE.search(_TAG.sub(" ", text))) + min(len(_CODE.findall(_TAG.sub(" ", text))), _ENOUGH)
    closed_names = {_name(tag) for tag in tags if tag.group().startswith("</")}
    for at, tag in enumerate(tags):
        signs += _is_mentioned(text, tag, tags[at + 1] if at + 1 < len(tags) else None, closed_names)
        if signs >= _ENOUGH:
            return True
    return False


def _is_mentioned(text: str, tag: re.Match[str], following: re.Match[str] | None, closed_names: Collection[str]) -> int:
    """How strongly the surroundings of a tag suggest that it is only mentioned: in quotes, called a tag, or one of a list."""
    before, after = text[max(0, tag.start() - _LOOK) : tag.start()], text[tag.end() : tag.end() + _LOOK]
    if (before[-1:], after[:1]) in _QUOTES or _CALLED_TAG.match(after):
        return _ENOUGH
    if _BEFORE.search(before) or _AFTER.match(after):
        return 1 + (before[-1:].isspace() and after[:1].isspace())
    between = text[tag.end() : following.start()] if following is not None else "."
    if not before[-1:].isspace() or between[:1] not in (",", " ") or between.strip() not in _LISTED:
        return 0
    return int(not _breaks(tag) and _name(tag) not in closed_names)


def _resolve(match: re.Match[str]) -> str:
    reference = match.group()
    if reference[1] != "#" and reference[1:] not in html5:
        return reference
    character = unescape(reference)
    return character if character.isprintable() or character.isspace() or character == "\u00ad" else reference


def _without(text: str, opening: str, closing: str, origins: Origins | None) -> str:
    """Without what stands between these two, as long as it is closed; one pass, whatever the text."""
    lower = text.lower()
    if len(lower) != len(text) or opening not in lower:  # lower-casing can change the length
        return text
    edits: list[Edit] = []
    start = lower.find(opening)
    while start >= 0:
        end = lower.find(closing, start)
        if end < 0:
            break
        edits.append(Edit(start, end + len(closing), " "))
        start = lower.find(opening, end + len(closing))
    return replaced(text, edits, origins)
