"""Furniture that looks like text: lines around every post of a thread, bylines, cookie notices, tables of contents, players.

The trees look at one block and what is near it; on a page whose text is all around, they take such lines for text. Rules
for whole pages find them. *Frames*: short lines with a number ("Posts: 4032", "#2 Reply") that come back with other numbers in
elements of their own, with prose between them; lines that come back beside them ("Registered user", a signature); and short
blocks with the same path that stand among them (names of writers). *Named elements*: what stands in an element that is named
for a cookie notice, a table of contents, a player or line numbers. *Lines*: a byline with a date, a notice about cookies on a
page about something else; what follows a copyright sign far below the text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.extraction.compiled import kernel_layout
from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.learned.attribute_words import FILED
from paberki.extraction.learned.features import KINDS, NAMES, Floats
from paberki.extraction.learned.page_type import FORUM, LISTING

Flags = npt.NDArray[np.bool_]

_AT: Final = {name: number for number, name in enumerate(NAMES)}
_WORDS: Final = _AT["words"]
_SENTENCE: Final = _AT["ends_sentence"]
_HEADING: Final = _AT["in_h1"]
_COPYRIGHT: Final = _AT["copyright"]
_KIND: Final = _AT["kind"]
_PARAGRAPH: Final = KINDS.index("p") + 1
_DIGIT_SHARE: Final = _AT["digit_share"]
_FRAME_WORDS: Final = 14
_OFTEN: Final = 3
"""A line comes back so often at least."""
_PROSE_WORDS: Final = 12
_GAPS: Final = 0.6
"""Such a share of the gaps between its places holds a block of so many words."""
_BESIDE: Final = 4
"""Other lines of the frame stand so many blocks away at most."""
_BESIDE_SHARE: Final = 0.8
_SIGNATURE_WORDS: Final = 40
_NAME_WORDS: Final = 4
_NOTICE_WORDS: Final = 80
_MOST: Final = 0.9
"""Elements that hold a larger share of the words of a page are no furniture."""
_OTHER_WORDS: Final = 60
"""A notice about cookies or of the owner is furniture where the rest of the text has so many words."""
_APART: Final = 5
"""Blocks between the text and a notice of the owner."""

_DIGITS: Final = re.compile(rb"\d+")
_NAMED: Final = re.compile(
    rb"[.#](?:[^.#>]*(?:cookie|gdpr|consent|\btoc\b|table-of-contents|tableofcontents|vjs-|video-js|jwplayer|mejs|plyr|"
    rb"lineno|line-number|linenumber|product-options|variations_form)|gutter(?![^.#>]))"
)
_FILED: Final = re.compile(FILED.encode())
_NAMED_STEMS: Final = (
    b"cookie", b"gdpr", b"consent", b"toc", b"contents", b"vjs", b"video-js", b"jwpl", b"mejs", b"plyr", b"line", b"gutter", b"options", b"variations",
)  # fmt: skip
"""Classes and ids of elements that hold no text, and what all of them have in them."""
_CODE: Final = re.compile(
    rb"[.#](?:highlight|sourcecode|source-code|prettyprint|syntaxhighlighter|codehilite|codeblock|code-block|blob-code|hljs|"
    rb"codemirror|crayon|wp-block-code|geshi|code)\b|>(?:code|samp|kbd)$"
)
_CODE_STEMS: Final = (
    b"light", b"code", b"prettyp", b"hljs", b"crayon", b"geshi", b"samp", b"kbd",
)  # fmt: skip
_COOKIE_STEMS: Final = tuple(
    word.encode()
    for stem in (
        "cookie", "kolačić", "колачић", "piškot", "ciastecz", "evästei", "kapsler", "куки", "çerez", "sütik", "sīkdat", "slapuk",
        "küpsis", "vafrakök", "бисквитк", "עוגיות", "クッキー",
    )
    for word in sorted({stem, stem.capitalize()})
)  # fmt: skip
_COOKIE_SIGNS: Final = {
    sign: tuple(stem for stem in _COOKIE_STEMS if sign in stem)
    for sign in sorted({next((bytes([byte]) for byte in stem if byte > 127), stem[1:]) for stem in _COOKIE_STEMS})
}
"""Stems by their first byte beyond ASCII, or by all but the first letter: most pages have none of these."""
_DATE: Final = re.compile(
    r"\b\d{1,2}[./-]\s?\d{1,2}[./-]\s?(?:19|20)?\d\d\b|\b(?:19|20)\d\d[./-]\d{1,2}[./-]\d{1,2}\b|"
    r"\b\d{1,2}(?:st|nd|rd|th)?\.?\s+[^\W\d_]{3,12}\.?,?\s+(?:19|20)\d\d\b|[^\W\d_]{3,12}\.?\s+\d{1,2},?\s+(?:19|20)\d\d\b"
)
_BYLINE: Final = re.compile(
    r"^\W*(?:posted|published|submitted|written|updated|by\b|filed|objav|autor|napisa|piše|von\b|geschrieben|veröffentlicht|erstellt|"
    r"par\b|publi|por\b|escrito|scritto|pubblicato|di\b|opublikowa|dodan|zveřejn|vydán|napsal|zverejn|skrevet|skriven|publicerad|"
    r"geplaatst|door\b|автор|опубликован|добавлен|text:|tekst:|текст:|foto:)",
    re.IGNORECASE,
)


def furniture(harvest: Harvest, blocks: slice, features: Floats, is_text: Flags, kind: int) -> tuple[Flags, Flags]:
    """The blocks of a page that are taken for text and are furniture; and those that stand in elements for code and are no paragraphs.

    On listings and product pages, prices and counts belong to what the page is about: there only named elements count.
    """
    is_furniture: Flags = np.zeros(len(is_text), np.bool_)
    code: Flags = np.zeros(len(is_text), np.bool_)
    places = np.flatnonzero(is_text)
    if not len(places):
        return is_furniture, code
    is_furniture[places], code[places] = _in_named_elements(harvest, blocks.start + places)
    words = features[:, _WORDS]
    if (
        words[is_furniture].sum() > _MOST * words[places].sum()
    ):  # a page about cookies, or one whose body has such a class
        is_furniture[:] = False
    if kind == FORUM:
        short = places[features[places, _WORDS] <= _SIGNATURE_WORDS]
        _add_frames(is_furniture, harvest, blocks, features, is_text, _texts(harvest, blocks, short))
    if kind != LISTING:
        _add_bylines(is_furniture, harvest, blocks, features, places)
    _add_notices(is_furniture, harvest, blocks, features, places)
    _add_owners_notice(is_furniture, features, places)
    prose: Flags = (features[:, _KIND] == _PARAGRAPH) | (features[:, _HEADING] > 0.5)
    return is_furniture, code & ~is_furniture & ~prose


def _texts(harvest: Harvest, blocks: slice, places: npt.NDArray[np.int64]) -> dict[int, bytes]:
    ends, text = harvest.blocks[kernel_layout.TEXT_END], harvest.text
    texts = {}
    for place in places.tolist():
        block = blocks.start + place
        texts[place] = text[int(ends[block - 1]) if block else 0 : int(ends[block])].tobytes()
    return texts


def _paths(harvest: Harvest, numbers: npt.NDArray[np.integer[Any]]) -> list[bytes]:
    ends, data = harvest.path_ends, harvest.path_bytes
    return [data[ends[number] : ends[number + 1]].tobytes() for number in numbers.tolist()]


def _in_named_elements(harvest: Harvest, blocks: npt.NDArray[np.int64]) -> tuple[Flags, Flags]:
    numbers, back = np.unique(harvest.blocks[kernel_layout.PATH, blocks], return_inverse=True)
    paths = [_FILED.sub(b"", path.lower()) for path in _paths(harvest, numbers)]
    every = b"\n".join(paths)
    flags = []
    for stems, pattern in ((_NAMED_STEMS, _NAMED), (_CODE_STEMS, _CODE)):
        some = any(stem in every for stem in stems)  # most pages have none of them
        flags.append(np.array([some and pattern.search(path) is not None for path in paths], np.bool_)[back])
    return flags[0], flags[1]


def _add_frames(
    is_furniture: Flags, harvest: Harvest, blocks: slice, features: Floats, is_text: Flags, texts: dict[int, bytes]
) -> None:
    """Lines that come back around posts."""
    lines: dict[bytes, list[int]] = defaultdict(list)
    for place, text in texts.items():
        lines[_DIGITS.sub(b"0", text)].append(place)
    elements = harvest.blocks[kernel_layout.ELEMENT, blocks]
    prose = np.cumsum(is_text & (features[:, _WORDS] >= _PROSE_WORDS))
    strong: list[int] = []
    repeats: list[list[int]] = []
    for line, places in lines.items():
        if len(places) < _OFTEN or len(set(elements[places].tolist())) < len(places):
            continue
        if np.mean(np.diff(prose[places]) > 0) < _GAPS:
            continue
        repeats.append(places)
        if b"0" not in line or features[places[0], _WORDS] > _FRAME_WORDS:
            continue
        if not (features[places][:, [_SENTENCE, _HEADING]] > 0.5).any():
            strong += places
    if not strong:
        return
    near = np.zeros(len(is_furniture), np.bool_)
    for place in strong:
        near[max(place - _BESIDE, 0) : place + _BESIDE + 1] = True
    for places in repeats:
        if near[places].mean() >= _BESIDE_SHARE:
            strong += places
    is_furniture[strong] = True
    _add_names(is_furniture, harvest, blocks, features, texts)


def _add_names(is_furniture: Flags, harvest: Harvest, blocks: slice, features: Floats, texts: dict[int, bytes]) -> None:
    """Short blocks of a path that has nothing else, each beside a line of the frame; ids of posts have numbers."""
    numbers, back = np.unique(harvest.blocks[kernel_layout.PATH, blocks], return_inverse=True)
    names = [_DIGITS.sub(b"0", path) for path in _paths(harvest, numbers)]
    groups: dict[bytes, list[int]] = defaultdict(list)
    for place, number in enumerate(back.tolist()):
        groups[names[number]].append(place)
    brief = is_furniture | ((features[:, _WORDS] <= _NAME_WORDS) & (features[:, _SENTENCE] < 0.5))
    for group in groups.values():
        at = np.array([place for place in group if place in texts], np.int64)
        if len(group) < _OFTEN or not len(at) or not brief[group].all():
            continue
        beside = is_furniture[np.maximum(at - 1, 0)] | is_furniture[np.minimum(at + 1, len(is_furniture) - 1)]
        if beside.mean() >= _BESIDE_SHARE:
            is_furniture[at] = True


def _add_bylines(
    is_furniture: Flags, harvest: Harvest, blocks: slice, features: Floats, places: npt.NDArray[np.int64]
) -> None:
    """Short lines with a date that begin as bylines do."""
    some = features[places]
    brief = (some[:, _WORDS] <= _FRAME_WORDS) & (some[:, _SENTENCE] < 0.5) & (some[:, _DIGIT_SHARE] > 0)
    for place, data in _texts(harvest, blocks, places[brief]).items():
        text = data.decode("utf-8", "replace")
        if _BYLINE.match(text) and _DATE.search(text):
            is_furniture[place] = True


def _add_notices(
    is_furniture: Flags, harvest: Harvest, blocks: slice, features: Floats, places: npt.NDArray[np.int64]
) -> None:
    """Notices about cookies on a page that is about something else; they stand in elements of their own."""
    ends = harvest.blocks[kernel_layout.TEXT_END]
    begin, end = int(ends[blocks.start - 1]) if blocks.start else 0, int(ends[blocks.stop - 1])
    every = harvest.text[begin:end].tobytes()
    here = [stem for sign, stems in _COOKIE_SIGNS.items() if sign in every for stem in stems if stem in every]
    if not here:
        return
    brief = places[features[places, _WORDS] <= _NOTICE_WORDS]
    texts = _texts(harvest, blocks, brief)
    paths, long = harvest.blocks[kernel_layout.PATH, blocks], features[:, _WORDS] >= _PROSE_WORDS
    about = [place for place, data in texts.items() if any(stem in data for stem in here)]
    of_text = set(paths[[place for place in places.tolist() if long[place] and place not in about]].tolist())
    notices = [place for place in about if int(paths[place]) not in of_text]
    others = float(features[places, _WORDS].sum() - features[notices, _WORDS].sum())
    if len(notices) <= _OFTEN and others >= _OTHER_WORDS:
        is_furniture[notices] = True


def _add_owners_notice(is_furniture: Flags, features: Floats, places: npt.NDArray[np.int64]) -> None:
    """The last stretch of text, where a copyright sign opens it and other blocks part it from the text before."""
    gaps = np.flatnonzero(np.diff(places) > _APART)
    if not len(gaps):
        return
    before, notice = np.split(places, [gaps[-1] + 1])
    below = 2 * notice[0] >= len(is_furniture)
    if below and features[notice[:2], _COPYRIGHT].any() and features[before, _WORDS].sum() >= _OTHER_WORDS:
        is_furniture[notice] = True
