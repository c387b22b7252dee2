"""Characters in compiled loops: classes as Python's, offsets as those of the encoded text."""

from __future__ import annotations

import sys
from types import FunctionType, ModuleType, SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from paberki.kernels import characters_kernel, utf8_kernel
from paberki.kernels.basic_plane import SIZE, table_of

EVERY = range(sys.maxunicode + 1)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=40)


def _plain(module: ModuleType) -> SimpleNamespace:
    """The functions of a module as Python runs them; parts of kernels can be called by kernels only."""
    parts = {name: one.py_func for name, one in vars(module).items() if hasattr(one, "py_func")}
    names = vars(module) | parts
    names |= {name: FunctionType(part.__code__, names) for name, part in parts.items()}
    return SimpleNamespace(**{name: names[name] for name in parts})


CLASSES, UTF8 = _plain(characters_kernel), _plain(utf8_kernel)


def _bytes(data: bytes) -> np.ndarray:
    return np.frombuffer(data or b"\0", np.uint8)


def test_white_space_is_that_of_python() -> None:
    assert [code for code in EVERY if CLASSES.is_space(code) != chr(code).isspace()] == []


def test_letters_and_digits_are_those_of_ascii() -> None:
    for code in EVERY:
        char = chr(code)
        assert CLASSES.is_letter(code) == (char.isascii() and char.isalpha()), char
        assert CLASSES.is_digit(code) == (char.isascii() and char.isdigit()), char
        assert CLASSES.small(code) == ord(char.lower() if char.isascii() else char), char


@given(TEXTS)
def test_characters_are_those_of_the_text(text: str) -> None:
    data, at, codes, basic = text.encode(), 0, [], []
    while at < len(data):
        basic.append(UTF8.basic_character(_bytes(data), at, len(data))[0])
        code, at = UTF8.character(_bytes(data), at, len(data))
        codes.append(code)
    assert codes == list(map(ord, text))
    assert basic == [ord(char) if ord(char) < SIZE else 0 for char in text]


@given(st.binary(min_size=1, max_size=40), st.integers(1, 40))
def test_any_bytes_are_read_once_and_none_behind_the_end(data: bytes, end: int) -> None:
    end = min(end, len(data))
    other = data[:end] + bytes(255 - byte for byte in data[end:])
    at = 0
    while at < end:
        code, after = UTF8.character(_bytes(data), at, end)
        assert at < after <= end
        assert 0 <= code <= sys.maxunicode
        assert UTF8.character(_bytes(other), at, end) == (code, after)
        at = after


@given(TEXTS, st.integers(0, 50))
def test_so_many_characters_further(text: str, count: int) -> None:
    data = text.encode()
    assert UTF8.forward(_bytes(data), 0, len(data), count) == len(text[:count].encode())


def test_a_table_has_the_value_of_each_character() -> None:
    table = table_of(str.isalpha, np.bool_)
    assert table.shape == (SIZE,)
    assert (table[ord("ž")], table[ord("7")], table[0xFFFF]) == (True, False, False)
