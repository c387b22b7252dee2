"""Numbers for strings: the same on every machine and in every process, unlike Python's own ``hash``."""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

_SPREAD = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1


@lru_cache(maxsize=1 << 17)
def key(text: str, kind: int = 0) -> int:
    """A 64-bit number for a string; ``kind`` keeps prefixes, suffixes and tags apart."""
    value = crc32(text.encode("utf-8", "surrogatepass"), kind * 0x01000193 & 0xFFFFFFFF)
    mixed = (value + (kind << 32) + 1) * _SPREAD & _MASK
    return mixed ^ (mixed >> 31)
