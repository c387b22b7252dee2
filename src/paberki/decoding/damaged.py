"""UTF-8 in which some bytes are damaged: how many sequences are whole, how many are not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

# ASCII -> a, continuation -> c, first bytes -> how long their sequence is, what UTF-8 never holds -> x
_KINDS: Final = b"a" * 0x80 + b"c" * 0x40 + b"xx" + b"2" * 30 + b"3" * 16 + b"4" * 5 + b"x" * 11
_SEQUENCES: Final = ((b"2c", 2), (b"3cc", 3), (b"4ccc", 4))


@dataclass(frozen=True, slots=True)
class Reading:
    """A page read as UTF-8."""

    text: str
    whole: int
    """Multi-byte characters."""
    broken: int
    """Places that became U+FFFD."""
    high_bytes: int


def resembles_utf8(sample: bytes) -> bool:
    """Whether a good part of the high bytes stands in well-formed sequences: a cheap test before the exact one."""
    kinds = sample.translate(_KINDS)
    inside = sum(length * kinds.count(pattern) for pattern, length in _SEQUENCES)
    return inside * 3 > len(kinds) - kinds.count(b"a")


def read_damaged(data: bytes) -> Reading:
    """Decode and count."""
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd") - data.count(b"\xef\xbf\xbd")
    ascii_count = data.translate(_KINDS).count(b"a")
    return Reading(text, len(text) - broken - ascii_count, broken, len(data) - ascii_count)
