"""Bytes are what their names say."""

from __future__ import annotations

import pytest

from paberki.kernels import byte_names

CHARACTERS = {
    "TAB": "\t", "LINE_FEED": "\n", "FORM_FEED": "\f", "CARRIAGE_RETURN": "\r", "BLANK": " ", "EXCLAMATION": "!",
    "QUOTE": '"', "NUMBER_SIGN": "#", "AMPERSAND": "&", "APOSTROPHE": "'", "OPENING_BRACKET": "(",
    "CLOSING_BRACKET": ")", "COMMA": ",", "DASH": "-", "DOT": ".", "SLASH": "/", "DIGIT_0": "0", "DIGIT_9": "9",
    "COLON": ":", "SEMICOLON": ";", "LESS": "<", "EQUALS": "=", "GREATER": ">", "QUESTION": "?", "AT_SIGN": "@",
    "UPPER_A": "A", "UPPER_Z": "Z", "UNDERSCORE": "_", "LOWER_A": "a", "LOWER_D": "d", "LOWER_F": "f",
    "LOWER_X": "x", "LOWER_Z": "z", "LAST_ASCII": "\x7f",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(CHARACTERS))
def test_names_of_ascii(name):
    assert chr(getattr(byte_names, name)) == CHARACTERS[name]


@pytest.mark.parametrize("char", ["a", "č", "字", "😀"])
def test_continuation_bytes_are_all_but_the_first(char):
    mask, value = byte_names.CONTINUATION_MASK, byte_names.CONTINUATION
    assert [byte & mask == value for byte in char.encode()] == [False, *[True] * (len(char.encode()) - 1)]


def test_lengths_in_utf8_change_where_the_bounds_say():
    assert [len(chr(byte_names.FIRST_OF_THREE - one).encode()) for one in (0, 1)] == [3, 2]
    assert [len(chr(byte_names.FIRST_OF_FOUR - one).encode()) for one in (0, 1)] == [4, 3]
    with pytest.raises(ValueError, match="surrogates"):
        chr(byte_names.FIRST_SURROGATE).encode()
