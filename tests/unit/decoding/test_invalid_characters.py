"""Characters that no text has are counted, whatever encoding they come in."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.decoding import decode
from paberki.decoding.invalid_characters import count_invalid


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Sve je u redu:\tčćžšđ\r\n 日本語 \u0a0f \xa0 « » – €", 0),
        ("ka\ufffda i ku\ufffda", 2),
        ("a\x00b\x07c\x1bd\x7fe", 4),
        ("that\x92s \x85", 2),
        ("&#xFFFD; &#65533; &#0; &#x0; &#65534 &#05; &#655330;", 4),
        ("\ufffe\uffff\ufdd0", 3),
        ("<script>a='\ufffd\x00'</script><STYLE>\x01</style >b", 0),
        ("a<script>\ufffd", 0),
    ],
)
def test_invalid_characters(text, count):
    assert count_invalid(text) == count


@given(
    st.text(
        st.sampled_from("a \t\n\x0b\x00\x1f\x7f\x80\x9f\xa0č\ufdcf\ufdd0\ufdef\ufdf0\ufffc\ufffd\uffff&#xX0fFdD653;"),
        max_size=90,
    )
)
def test_the_quick_look_misses_nothing(text):
    """Without scripts, all characters and references count: an expression over the whole text says how many."""
    plain = re.findall("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffd-\uffff]", text)
    references = re.findall(r"(?i)&#(?:0*65533|x0*fffd|0+|x0+)(?![0-9a-f]);?", text)
    for padding in (0, 40, 64):  # blocks of bytes begin elsewhere
        assert count_invalid("x" * padding + text) == len(plain) + len(references)


def test_they_are_told_from_bytes_that_do_not_decode():
    found = decode("kuća i šuma, \ufffd\x01, žito, đak, ćup, čaša".encode() + b"\xff.")
    assert (found.replaced_count, found.invalid_count) == (1, 2)
    assert decode("kuća".encode("cp1250"), http_charset="windows-1250").invalid_count == 0
    assert decode("\ufeffA\x02".encode("utf-16-le")).invalid_count == 1


def test_scripts_without_end_take_linear_time():
    begin = time.process_time()
    count_invalid("\x00" + "<script" * 60_000)
    count_invalid("\x00" + "<script></scrip" * 30_000)
    assert time.process_time() - begin < 1.0
