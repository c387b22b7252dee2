"""How well bytes fit the double-byte encodings of Japanese, Chinese and Korean."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from paberki.decoding.first_method.alphabets import COMMON_HAN, COMMON_HAN_TRADITIONAL, COMMON_HANGUL, COMMON_KANJI

DOUBLE_BYTE: Final[tuple[tuple[str, str], ...]] = (
    ("ja", "cp932"),
    ("ja", "euc_jp"),
    ("zh", "gb18030"),
    ("zh", "big5hkscs"),
    ("ko", "cp949"),
)

_SAMPLE_BYTES: Final = 30_000
_INVALID, _HALF_WIDTH, _STRANGE, _PUNCTUATION, _FULL_WIDTH = -18.0, -10.0, -15.0, -4.0, -7.0
_COMMON, _KANA, _KATAKANA, _FOREIGN_KANA, _IDEOGRAPH, _RARE = -4.5, -4.0, -5.0, -9.0, -7.5, -12.0
_FREQUENT: Final[dict[str, frozenset[str]]] = {
    "gb18030": frozenset(COMMON_HAN),
    "big5hkscs": frozenset(COMMON_HAN_TRADITIONAL),
    "cp949": frozenset(COMMON_HANGUL),
    "cp932": frozenset(COMMON_KANJI),
    "euc_jp": frozenset(COMMON_KANJI),
}
# Lead bytes of the rows that hold the usual characters; the rest is rare in running text.
_USUAL_ROWS: Final[dict[str, range]] = {
    "gb18030": range(0xB0, 0xD8),
    "big5hkscs": range(0xA4, 0xC7),
    "cp949": range(0xB0, 0xC9),
    "cp932": range(0x88, 0x99),
    "euc_jp": range(0xB0, 0xD0),
}


_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_HIGH: Final = re.compile(rb"[\x80-\xff]")


def double_byte_score(sample: bytes, encoding: str, *, give_up_below: float) -> float | None:
    """Log-likelihood of the high bytes as double-byte text; None when they cannot be that."""
    first = _HIGH.search(sample)
    start = max(first.start() - 1, 0) if first else 0
    part = sample[start : start + _SAMPLE_BYTES]
    text = part.decode(encoding, "replace")
    high_count = len(text) - len(text.encode("ascii", "ignore"))
    if text.count("\ufffd") > 2 + high_count // 10:
        return None
    total = 0.0
    for char, count in Counter(_NOT_ASCII.findall(text)).items():
        total += count * _cost(char, encoding)
    scale = max(1.0, (len(sample) - start) / len(part)) if part else 1.0
    score = total * scale
    return score if score > give_up_below else None


def _cost(char: str, encoding: str) -> float:
    if char == "\ufffd":
        return _INVALID
    if char in _FREQUENT[encoding]:
        return _COMMON
    japanese = encoding in ("cp932", "euc_jp")
    if "\u3041" <= char <= "\u309f":
        return _KANA if japanese else _FOREIGN_KANA
    if "\u30a0" <= char <= "\u30ff":
        return _KATAKANA if japanese else _FOREIGN_KANA
    if "\u3000" <= char <= "\u301f" or char in "，。！？：；（）“”‘’…—·":
        return _PUNCTUATION
    if "\uff61" <= char <= "\uff9f":
        return _HALF_WIDTH
    if "\uff01" <= char <= "\uff5e":
        return _FULL_WIDTH
    if "\u4e00" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3":
        return _ideograph_cost(char, encoding)
    return _STRANGE


def _ideograph_cost(char: str, encoding: str) -> float:
    usual = char.encode(encoding)[0] in _USUAL_ROWS[encoding]
    return _IDEOGRAPH if usual else _RARE
