"""Names of bytes and of bounds of characters, for compiled loops: kernels compare with these, never with bare numbers."""

from __future__ import annotations

from typing import Final

TAB: Final = 0x09
LINE_FEED: Final = 0x0A
FORM_FEED: Final = 0x0C
CARRIAGE_RETURN: Final = 0x0D
BLANK: Final = 0x20
EXCLAMATION: Final = 0x21
QUOTE: Final = 0x22
NUMBER_SIGN: Final = 0x23
AMPERSAND: Final = 0x26
APOSTROPHE: Final = 0x27
OPENING_BRACKET: Final = 0x28
CLOSING_BRACKET: Final = 0x29
COMMA: Final = 0x2C
DASH: Final = 0x2D
DOT: Final = 0x2E
SLASH: Final = 0x2F
DIGIT_0: Final = 0x30
DIGIT_9: Final = 0x39
COLON: Final = 0x3A
SEMICOLON: Final = 0x3B
LESS: Final = 0x3C
EQUALS: Final = 0x3D
GREATER: Final = 0x3E
QUESTION: Final = 0x3F
AT_SIGN: Final = 0x40
UPPER_A: Final = 0x41
UPPER_Z: Final = 0x5A
UNDERSCORE: Final = 0x5F
LOWER_A: Final = 0x61
LOWER_D: Final = 0x64
LOWER_F: Final = 0x66
LOWER_X: Final = 0x78
LOWER_Z: Final = 0x7A
LAST_ASCII: Final = 0x7F

FIRST_NOT_ASCII: Final = 0x80
CONTINUATION: Final = 0x80
CONTINUATION_MASK: Final = 0xC0
"""``byte & CONTINUATION_MASK == CONTINUATION``: a second or later byte of a character in UTF-8."""

FIRST_OF_THREE: Final = 0x800
"""Characters from here on take three bytes in UTF-8."""
FIRST_OF_FOUR: Final = 0x10000
"""Characters from here on take four bytes in UTF-8; those before are the basic plane, for which kernels have tables."""
FIRST_SURROGATE: Final = 0xD800
LAST_SURROGATE: Final = 0xDFFF
LAST_CHARACTER: Final = 0x10FFFF
