"""Never empty: pages that give next to no text although they are full of it are read again with a wider eye.

Some pages hide their text from a careful reader: a title or script that is never closed swallows the rest of the page, a
link that is never closed makes everything a link, the text is in ``noframes`` or ``noscript``, or in an element that a
script shows later. Each has another *reading*: the same page with the obstacle blanked out, letter by letter, so that
places in the payload stay what they are. The reading that gives most text counts if it gives much more than the page did.
Where blocks were read and not taken for text, all prose outside menus and footers is the last resort.

A page whose text comes with a script may still state it for search engines, as ``articleBody`` of its JSON-LD. The
reading that puts it where it stands counts if it has much more text than the page gave.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.extraction.compiled import kernel_layout
from paberki.extraction.compiled.harvest import Harvest, encode
from paberki.extraction.html.byte_spans import mark_length
from paberki.extraction.html.stated_text import stated_length, with_stated_text
from paberki.extraction.learned.features import NAMES, Floats

Flags = npt.NDArray[np.bool_]

UNCLOSED: Final = "an element that was never closed is read as text"
HIDDEN: Final = "hidden elements are read"
FRAMES: Final = "what is for browsers without frames or scripts is read"
LINKS: Final = "links that were never closed are read as text"
STATED: Final = "the text that is stated for search engines is read"
PROSE: Final = "all prose outside menus and footers is kept"

POOR_CHARS: Final = 200
"""A page with less text, links aside, is looked at again."""
LITTLE_CHARS: Final = 700
"""A page with less text is looked at again if it states its text."""
_MUCH_MORE: Final = 3
_LARGEST: Final = 2_000_000
_LINK_SHARE: Final = 0.8
_LONG_LINK: Final = 150
"""Characters of links beyond this, on average, are no anchors."""

_SWALLOWING: Final = (
    "title",
    "textarea",
    "style",
    "script",
    "noscript",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "select",
)
_OPENS: Final = re.compile(rf"<(/?)({'|'.join(_SWALLOWING)})(?=[\s/>])", re.IGNORECASE | re.ASCII)
_HIDDEN: Final = re.compile(r"(?<=[\s\"'])hidden(?=[\s=>/])|(?<=[:\s])none(?=\s*[;\"'!])", re.ASCII | re.IGNORECASE)
_FRAMES: Final = re.compile(r"(?<=</)no(?=frames|script)|(?<=<)no(?=frames|script)", re.ASCII | re.IGNORECASE)
_LINK: Final = re.compile(r"(?<=</)a(?=[\s>])|(?<=<)a(?=\s)", re.ASCII | re.IGNORECASE)

_AT: Final = {name: number for number, name in enumerate(NAMES)}
_OUTSIDE: Final = [
    _AT[name] for name in ("in_nav", "in_footer", "words_footer", "words_overlay", "words_navigation", "copyright", "words_comment",
                          "words_related")
]  # fmt: skip
_PROSE_CHARS: Final = 800
_PROSE_SHARE: Final = 0.15


def prose_left_out(features: Floats, lengths: npt.NDArray[np.int32], is_text: Flags) -> Flags | None:
    """The prose of a page, where what was taken for text is a small part of it; None elsewhere."""
    kept_chars = int(lengths[is_text].sum())
    if kept_chars >= POOR_CHARS:
        return None
    words, link = features[:, _AT["words"]], features[:, _AT["link"]]
    prose: Flags = (link < 0.3) & (((features[:, _AT["ends_sentence"]] > 0.5) & (words >= 6)) | (words >= 25))
    prose &= ~(features[:, _OUTSIDE] > 0.5).any(axis=1)
    chars = int(lengths[prose].sum())
    return prose if chars >= _PROSE_CHARS and kept_chars < _PROSE_SHARE * chars else None


def other_readings(text: str, harvest: Harvest, page: int) -> Iterator[tuple[str, str]]:
    """Other readings of a page that gave little text, as long as the page itself, and what each does."""
    if len(text) > _LARGEST:
        return
    without_unclosed = _without_unclosed(text)
    if without_unclosed != text:
        yield UNCLOSED, without_unclosed
    for name, obstacle in ((HIDDEN, _HIDDEN), (FRAMES, _FRAMES)):
        other_text = _blanked(obstacle, text)
        if other_text != text:
            yield name, other_text
    blocks = slice(harvest.block_ends[page - 1] if page else 0, harvest.block_ends[page])
    chars, links = (int(harvest.blocks[row, blocks].sum()) for row in (kernel_layout.CHARS, kernel_layout.LINK_CHARS))
    count = harvest.link_ends[page] - (harvest.link_ends[page - 1] if page else 0)
    if links > _LINK_SHARE * chars >= POOR_CHARS and links > _LONG_LINK * count:
        yield LINKS, _blanked(_LINK, text)


def _blanked(obstacle: re.Pattern[str], text: str) -> str:
    return obstacle.sub(lambda match: "x" * len(match.group()), text)


def stated_reading(text: str, chars: int) -> str | None:
    """The page with the text that it states for search engines; None if that is not much more than these characters."""
    return with_stated_text(text) if much_more(stated_length(text), chars) else None


def _without_unclosed(text: str) -> str:
    """The text without the start tags of elements that swallow the rest of the page."""
    waiting: dict[str, list[int]] = {}
    for match in _OPENS.finditer(text):
        name = match.group(2).lower()
        if match.group(1):
            waiting.pop(name, None)
        else:
            waiting.setdefault(name, []).append(match.start())
    places = sorted(place for places in waiting.values() for place in places)
    for place in places:
        text = f"{text[: place + 1]}x{text[place + 2 :]}"
    comment = text.rfind("<!--")
    return text if comment < 0 or text.find("-->", comment) >= 0 else f"{text[:comment]}    {text[comment + 4 :]}"


def changed_payload(payload: bytes, text: str, encoding: str) -> bytes:
    """The payload of a reading: in UTF-8 its own bytes, else those of the page, which only give places."""
    mark = mark_length(payload, encoding)
    source = encode(text)
    return payload[:mark] + source if encoding == "utf-8" and len(payload) - mark == len(source) else payload


def much_more(chars: int, before: int) -> bool:
    """Whether a reading gives so much more text that it counts."""
    return chars >= max(POOR_CHARS, _MUCH_MORE * before)
