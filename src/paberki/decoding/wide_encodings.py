"""UTF-16 and UTF-32 without a byte order mark, and encodings that are recognised by their escape sequences."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from paberki.decoding.letter_counts import Array, read_counts

_HEAD_BYTES: Final = 1024
_FIRST_BYTES: Final = 512
_FEWEST_UNITS: Final = 4
_ENOUGH: Final = 0.35
"""Mean worth of code units from which bytes are taken for UTF-16."""
_LIKELY, _POSSIBLE, _UNLIKELY = 1.0, 0.1, -2.0
_COMMON_IDEOGRAPHS: Final = 1000

# Characters that no text holds, but that halves of wide characters often are.
CONTROLS: Final = bytes(value for value in (*range(0x20), 0x7F) if value not in b"\t\n\f\r\x1b")
_DIGIT_ZERO: Final = b"0"  # first half of all kana
_EIGHT_BITS: Final = bytes(range(0x80, 0x100))
_DAMAGED_SHARE: Final = 0.02
_ESCAPES: Final = (
    (b"\x1b$B", "iso2022_jp"),
    (b"\x1b$@", "iso2022_jp"),
    (b"\x1b(J", "iso2022_jp"),
    (b"\x1b(I", "iso2022_jp_3"),
    (b"\x1b$)C", "iso2022_kr"),
)


def escape_encoding(data: bytes) -> str | None:
    """The encoding that the escape sequences of a page belong to. Such text has seven bits; other bytes are damage."""
    if b"\x1b" not in data:
        return None
    encoding = next((codec for escape, codec in _ESCAPES if escape in data), None)
    is_damaged = encoding and len(data.translate(None, _EIGHT_BITS)) < len(data) * (1 - _DAMAGED_SHARE)
    return None if is_damaged else encoding


def wide_encoding(data: bytes) -> str | None:
    """UTF-16 or UTF-32 that lacks its mark, by the characters that each reading gives."""
    head = data[:_HEAD_BYTES]
    head = head[: len(head) & ~1]
    if len(head) < 2 * _FEWEST_UNITS or not _suspicious(head):
        return None
    if head.count(0) * 5 >= len(head) * 2:
        wider = _utf32(head[: len(head) & ~3])
        if wider:
            return wider
    worth = _worth()
    little, big = (float(worth.take(np.frombuffer(head, order)).sum()) for order in ("<u2", ">u2"))
    if max(little, big) * 2 < _ENOUGH * len(head):
        return None
    return "utf-16-le" if little > big else "utf-16-be"


def _suspicious(head: bytes) -> bool:
    """Whether the bytes hold controls, or every other one is the same: cheap, because every page is asked."""
    first = head[:_FIRST_BYTES]
    if len(first.translate(None, CONTROLS)) != len(first):
        return True
    return first.count(_DIGIT_ZERO) * 8 > len(first)


def _utf32(head: bytes) -> str | None:
    for codec, order in (("utf-32-le", "<u4"), ("utf-32-be", ">u4")):
        units = np.frombuffer(head, order)
        if int(units.max()) < 0x110000 and float(_worth().take(units & 0xFFFF).sum()) >= _ENOUGH * len(units):
            return codec
    return None


@lru_cache(maxsize=1)
def _worth() -> Array:
    """How much each code unit speaks for text: letters of the model's languages do, controls speak against it."""
    worth = np.full(0x10000, _UNLIKELY, np.float32)
    for first, last in ((0x3000, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xFF01, 0xFF9F), (0xD800, 0xDFFF)):
        worth[first : last + 1] = _POSSIBLE
    for first, last in (
        (0xA0, 0x17F),
        (0x370, 0x4FF),
        (0x5D0, 0x5EA),
        (0x600, 0x6FF),
        (0xE00, 0xE5B),
        (0x2010, 0x2122),
    ):
        worth[first : last + 1] = _POSSIBLE
    counts = read_counts()
    for one in counts.alphabetic.values():
        worth[[ord(char) for char in one.letters]] = _LIKELY
    for other in counts.ideographic.values():
        common = (char for char in other.letters[:_COMMON_IDEOGRAPHS] if char <= "\uffff")
        worth[[ord(char) for char in common]] = _LIKELY
    worth[0x20:0x7F] = _LIKELY
    worth[[0x09, 0x0A, 0x0D]] = _LIKELY
    return worth
