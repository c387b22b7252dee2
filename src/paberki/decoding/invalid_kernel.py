# mypy: ignore-errors
"""Whether UTF-8 may hold characters that no text has, compiled: see :mod:`paberki.decoding.invalid_characters`.

Bytes are looked at :data:`BLOCK` at a time without a branch, which the compiler makes a few instructions of; only a
block with a byte that such a character may begin with is looked at again. Invariants: no byte outside ``data`` is read.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import inner, kernel, part
from paberki.kernels.kernel_types import FLAG, reads, types

BLOCK: Final = 64
_SPACE: Final = np.uint8(ord(" "))
_TAB: Final = np.uint8(ord("\t"))
_WHITE: Final = np.uint8(ord("\r") - ord("\t"))
"""Tab, line feed, vertical tab, form feed and carriage return follow each other."""
_DELETE: Final = np.uint8(0x7F)
_AMPERSAND: Final = np.uint8(ord("&"))
_HASH: Final = np.uint8(ord("#"))
_ZERO: Final = np.uint8(ord("0"))
_X: Final = np.uint8(ord("x"))
_A: Final = np.uint8(ord("a"))
_DIGITS: Final = np.uint8(10)
_HEX_LETTERS: Final = np.uint8(6)
_DECIMAL: Final = b"65533"
_HEXADECIMAL: Final = b"fffd"
_TO_SMALL: Final = np.uint8(0x20)
"""ASCII letters differ by this bit."""
_C1_LEAD: Final = np.uint8(0xC2)
_C1_END: Final = np.uint8(0xA0)
_LAST_LEAD: Final = np.uint8(0xEF)
"""First of the three bytes of U+F000 to U+FFFF."""
_SPECIALS: Final = np.uint8(0xBF)
_REPLACEMENT: Final = np.uint8(0xBD)
_ARABIC_FORMS: Final = np.uint8(0xB7)
_FORMS_BEGIN: Final = np.uint8(0x90)
_FORMS_COUNT: Final = np.uint8(0x20)
"""U+FDD0 to U+FDEF are EF B7 90 to EF B7 AF."""


@inner
def _control(byte):
    """Whether a byte is a control character that is no white space."""
    return ((byte < _SPACE) & (np.uint8(byte - _TAB) > _WHITE)) | (byte == _DELETE)


@inner
def _may_begin(byte):
    """Whether a byte may begin a character, or a reference to one, that no text has."""
    return _control(byte) | (byte == _AMPERSAND) | (byte == _C1_LEAD) | (byte == _LAST_LEAD)


@inner
def _byte_at(data, at):
    """A byte, 0 behind the end."""
    return data[at] if at < len(data) else np.uint8(0)


@part
def _stands_at(data, at, letters):
    """Whether small letters or digits stand here, in whatever case."""
    for offset in range(len(letters)):
        if _byte_at(data, at + offset) | _TO_SMALL != letters[offset]:
            return False
    return True


@part
def _refers(data, at):
    """Whether the digits of a reference begin here that say NUL or U+FFFD."""
    in_hex = _byte_at(data, at) | _TO_SMALL == _X
    first = at + 1 if in_hex else at
    end = first
    while _byte_at(data, end) == _ZERO:
        end += 1
    if _stands_at(data, end, _HEXADECIMAL if in_hex else _DECIMAL):
        return True
    byte = _byte_at(data, end)
    letter = in_hex and np.uint8((byte | _TO_SMALL) - _A) < _HEX_LETTERS
    return end > first and not letter and not np.uint8(byte - _ZERO) < _DIGITS


@part
def _begins(data, at):
    """Whether such a character, or a reference to one, begins here."""
    byte, second, third = data[at], _byte_at(data, at + 1), _byte_at(data, at + 2)
    if byte == _AMPERSAND:
        return second == _HASH and _refers(data, at + 2)
    if byte == _C1_LEAD:
        return second < _C1_END
    if byte == _LAST_LEAD:
        forms = second == _ARABIC_FORMS and np.uint8(third - _FORMS_BEGIN) < _FORMS_COUNT
        return forms or (second == _SPECIALS and third >= _REPLACEMENT)
    return _control(byte)


@kernel(reads(types.uint8), returns=FLAG)
def suspect(data):
    """Whether a character, or a reference to one, may be there that no text has."""
    whole = len(data) - len(data) % BLOCK
    for begin in range(0, whole, BLOCK):
        any_byte = np.uint8(0)
        for at in range(begin, begin + BLOCK):
            any_byte |= np.uint8(_may_begin(data[np.uint64(at)]))
        if any_byte:
            for at in range(begin, begin + BLOCK):
                if _may_begin(data[np.uint64(at)]) and _begins(data, at):
                    return True
    for at in range(whole, len(data)):
        if _may_begin(data[np.uint64(at)]) and _begins(data, at):
            return True
    return False
