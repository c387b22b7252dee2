"""UTF-8 in which some bytes are damaged: how many sequences are whole, how many are not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

# ASCII -> a, continuation -> c, first bytes -> how long their sequence is, what UTF-8 never holds -> x
_KINDS: Final = b"a" * 0x80 + b"c" * 0x40 + b"xx" + b"2" * 30 + b"3" * 16 + b"4" * 5 + b"x" * 11
_CUT_SIGN: Final = re.compile(rb"\xe2\x80(?![\x80-\xbf])")
_NEAR, _FAR = 1000, 40_000
_ENOUGH: Final = 8


@dataclass(frozen=True, slots=True)
class Utf8Reading:
    """A page read as UTF-8."""

    text: str
    whole: int
    """Multi-byte characters."""
    broken_count: int
    """Places that became U+FFFD."""
    cut: int = 0
    """Those of them that lack only the last byte of a typographic sign, as where a filter replaced it by a plain one."""


def resembles_utf8(data: bytes, error_at: int) -> bool:
    """Whether a good part of the high bytes stands in well-formed sequences: a cheap test before the exact one.

    It looks around the first error, and farther where that shows too little.
    """
    kinds = data[max(error_at - _NEAR, 0) : error_at + _NEAR].translate(_KINDS)
    high = len(kinds) - kinds.count(b"a")
    if high < _ENOUGH and len(kinds) < len(data):
        kinds = data[max(error_at - _FAR, 0) : error_at + _FAR].translate(_KINDS)
        high = len(kinds) - kinds.count(b"a")
    inside = 2 * kinds.count(b"2c") + 3 * kinds.count(b"3cc") + 4 * kinds.count(b"4ccc")
    return inside * 3 > high


def read_damaged(data: bytes) -> Utf8Reading:
    """Decode and count."""
    text = data.decode("utf-8", "replace")
    broken_count = text.count("\ufffd") - data.count(b"\xef\xbf\xbd")
    ascii_count = data.translate(_KINDS).count(b"a")
    return Utf8Reading(text, len(text) - broken_count - ascii_count, broken_count, len(_CUT_SIGN.findall(data)))
