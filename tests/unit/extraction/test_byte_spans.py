"""Offsets of characters become offsets of bytes, in every encoding and also in damaged text."""

import codecs
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.decoding import decode_as
from paberki.extraction.html.byte_spans import byte_offsets, mark_length

TEXT = "aŽb č漢字かな!\r\nкњига ü € ~ konec"


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "gb18030"])
def test_every_character_of_unicode_encodings(codec):
    payload = TEXT.encode(codec)
    expected = [len(TEXT[:index].encode(codec)) for index in range(len(TEXT) + 1)]
    assert byte_offsets(range(len(TEXT) + 1), payload, codec) == expected


@pytest.mark.parametrize(
    ("codec", "text"),
    [("cp932", "aかな漢字ｶﾅ z"), ("euc_jp", "aかな漢字 z"), ("cp1250", "šđčćž"), ("cp949", "가나 다 z")],
)
def test_every_character_of_legacy_encodings(codec, text):
    expected = [len(text[:index].encode(codec)) for index in range(len(text) + 1)]
    assert byte_offsets(range(len(text) + 1), text.encode(codec), codec) == expected


def test_escape_sequences_stand_once_before_the_characters_that_need_them():
    text = "a漢字かな<b>字</b> z"
    encoder = codecs.getincrementalencoder("iso2022_jp")()
    expected = [0, *itertools.accumulate(len(encoder.encode(char)) for char in text)]
    assert byte_offsets(range(len(text) + 1), text.encode("iso2022_jp"), "iso2022_jp") == expected


def test_order_of_offsets_is_kept():
    assert byte_offsets([3, 0, 2, 2], "čšž".encode("utf-16-le"), "utf-16-le") == [6, 0, 4, 4]


@pytest.mark.parametrize(
    ("codec", "mark"), [("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"), ("utf-32-be", b"\0\0\xfe\xff")]
)
def test_byte_order_mark_shifts(codec, mark):
    payload = mark + "čšž".encode(codec)
    assert byte_offsets([0, 3], payload, codec) == [len(mark), len(payload)]


@given(st.binary(max_size=1500), st.sampled_from(["utf-8", "cp932", "euc_jp", "gb18030", "utf-16-le"]))
def test_damaged_text_is_cut_at_the_same_characters(data, codec):
    text = decode_as(data[mark_length(data, codec) :], codec)
    places = byte_offsets(range(len(text) + 1), data, codec)
    assert len(places) == len(text) + 1
    assert places == sorted(places)
    assert places[-1] <= len(data)
    for index, char in enumerate(text):
        if char != "\ufffd" and places[index] < places[index + 1]:
            assert decode_as(data[places[index] : places[index + 1]], codec)[:1] in (char, "\ufffd")


_PIECES = [
    b"a",
    b"\xc3",
    b"\xa9",
    "€".encode(),
    b"\xe2\x82",
    b"\xf0\x9f\x98\x80",
    b"\xf0\x9f\x98",
    b"\xed\xa0",
    b"\xe0\x80",
]
_PIECES += [b"\xe0\xa0", b"\xf4\x90", b"\xf4\x8f\x80", b"\xf5", b"\xc0\x80", b"\x80", b"\xff"]


@given(st.lists(st.sampled_from(_PIECES), max_size=60))
def test_every_piece_of_damaged_utf8_has_its_place(pieces):
    data = b"".join(pieces)
    text = data.decode("utf-8", "replace")
    places = byte_offsets(range(len(text) + 1), data, "utf-8")
    assert places[-1] == len(data)
    assert "".join(data[a:b].decode("utf-8", "replace") for a, b in itertools.pairwise(places)) == text
    assert all(b > a for a, b in itertools.pairwise(places))


@given(
    st.lists(
        st.sampled_from([b"\x1b$B", b"\x1b(J", b"\x1b", b"\x1b$", b"\x0e", b"\x1b$)C", b'$"', b"abc <p>"]), max_size=400
    ),
    st.sampled_from(["iso2022_jp", "iso2022_kr", "iso2022_jp_3"]),
)
def test_escape_sequences_that_do_not_end(pieces, codec):
    data = b"".join(pieces)
    text = decode_as(data, codec)
    places = byte_offsets(range(len(text) + 1), data, codec)
    assert places == sorted(places)
    assert places[-1] <= len(data)
