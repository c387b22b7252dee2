"""Decoders of content codings: bounds, damage, members and frames."""

from __future__ import annotations

import gzip
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from paberki.archive.codings import (
    DECODE_ERRORS,
    GZIP,
    GZIP_OR_ZLIB,
    RAW_DEFLATE,
    ZLIB,
    DamagedStream,
    brotli_pieces,
    decode_content,
    inflate_pieces,
    salvage,
    zstd_pieces,
)

TEXT = " ".join(f"Kiša {number} nad Zagrebom." for number in range(9000)).encode()


def _raw(data: bytes) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, RAW_DEFLATE)
    return packer.compress(data) + packer.flush()


PACKED = {
    "gzip": (gzip.compress(TEXT, mtime=0), lambda body, limit: inflate_pieces(body, GZIP, limit)),
    "gzip or zlib": (gzip.compress(TEXT, mtime=0), lambda body, limit: inflate_pieces(body, GZIP_OR_ZLIB, limit)),
    "zlib": (zlib.compress(TEXT), lambda body, limit: inflate_pieces(body, ZLIB, limit)),
    "raw": (_raw(TEXT), lambda body, limit: inflate_pieces(body, RAW_DEFLATE, limit)),
    "br": (brotli.compress(TEXT), brotli_pieces),
    "zstd": (zstandard.ZstdCompressor().compress(TEXT), zstd_pieces),
    "zstd in small pieces": (
        zstandard.ZstdCompressor().compress(TEXT),
        lambda body, limit: zstd_pieces(body, limit, piece_bytes=64),
    ),
}
CASES = pytest.mark.parametrize("name", PACKED)


@CASES
def test_a_sound_body_comes_back(name):
    body, decode = PACKED[name]
    assert b"".join(decode(body, 1 << 30)) == TEXT


@CASES
def test_no_decoder_goes_far_beyond_its_limit(name):
    body, decode = PACKED[name]
    data = b"".join(decode(body, 1000))
    assert 1000 <= len(data) <= 1000 + (1 << 18)
    assert TEXT.startswith(data)


@CASES
def test_a_cut_body_is_an_error_after_its_beginning(name):
    body, decode = PACKED[name]
    pieces = decode(body[:-9], 1 << 30)
    data = b""
    with pytest.raises(DECODE_ERRORS):
        for piece in pieces:
            data += piece
    assert TEXT.startswith(data)


@CASES
@given(place=st.floats(0, 0.999), value=st.binary(min_size=1, max_size=3))
def test_damage_is_an_error_of_decoding_or_none(name, place, value):
    body, decode = PACKED[name]
    at = int(place * len(body))
    try:
        size = sum(len(piece) for piece in decode(body[:at] + value + body[at + len(value) :], 1 << 20))
    except DECODE_ERRORS:
        return
    assert size <= (1 << 20) + (1 << 18)


def test_members_of_a_gzip_body_are_one_text_and_padding_is_ignored():
    body = gzip.compress(b"one ", mtime=0) + gzip.compress(b"two", mtime=0) + b"\0" * 20
    assert b"".join(inflate_pieces(body, GZIP, 100)) == b"one two"
    assert b"".join(inflate_pieces(body, GZIP, 100, first_piece=1)) == b"one two"
    with pytest.raises(EOFError):
        list(inflate_pieces(body, GZIP, 100, most_members=1))


def test_damage_names_the_member_and_salvage_reads_up_to_it():
    sound, packed = gzip.compress(b"sound ", mtime=0), gzip.compress(TEXT, mtime=0)
    body = sound + packed[:-8] + bytes(8)  # the checksum is wrong
    with pytest.raises(DamagedStream) as caught:
        list(inflate_pieces(body, GZIP, 1 << 30))
    assert (caught.value.offset, caught.value.before) == (len(sound), 6)
    data = salvage(body, caught.value.offset, GZIP, 1 << 30)
    assert len(data) > 1000
    assert data[:1000] == TEXT[:1000]
    assert salvage(body, caught.value.offset, GZIP, 10) == TEXT[:10]


@pytest.mark.parametrize("piece_bytes", [None, 64])
def test_frames_that_follow_each_other_are_one_text(piece_bytes):
    body = b"".join(zstandard.ZstdCompressor().compress(part) for part in (b"one ", b"two"))
    assert b"".join(zstd_pieces(body, 100, piece_bytes=piece_bytes)) == b"one two"


@given(st.binary(max_size=2000), st.lists(st.sampled_from(["gzip", "deflate", "br", "zstd"]), max_size=3))
def test_codings_are_undone_last_one_first(data, names):
    pack = {
        "gzip": lambda body: gzip.compress(body, mtime=0),
        "deflate": zlib.compress,
        "br": brotli.compress,
        "zstd": zstandard.ZstdCompressor().compress,
    }
    body = data
    for name in names:
        body = pack[name](body)
    assert decode_content(body, ", ".join(names), 1 << 20) == (data, False, None)
