"""What the crawl reads of a body: up to a limit, and of a damaged one up to the damage."""

from __future__ import annotations

import gzip
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from paberki.crawl.fetching.body import Content, inflate, media_type, quick

TEXT = "<p>Kiša nad Zagrebom.</p> ".encode() * 400


def _raw(data: bytes) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


CODINGS = [
    ("gzip", lambda data: gzip.compress(data, mtime=0)),
    ("x-gzip", lambda data: gzip.compress(data, mtime=0)),
    ("deflate", zlib.compress),
    ("deflate", _raw),
    ("deflate", lambda data: gzip.compress(data, mtime=0)),
    ("br", brotli.compress),
    ("zstd", zstandard.ZstdCompressor().compress),
    ("", lambda data: gzip.compress(data, mtime=0)),
    ("identity", lambda data: data),
]


@pytest.mark.parametrize(("encoding", "pack"), CODINGS)
@pytest.mark.parametrize("limit", [1, 100, len(TEXT), 1 << 20])
def test_a_sound_body_is_read_up_to_the_limit(encoding, pack, limit):
    assert inflate(pack(TEXT), encoding, limit) == Content(TEXT[:limit])


@pytest.mark.parametrize(("encoding", "pack"), CODINGS[:-1])
def test_half_a_body_is_not_whole(encoding, pack):
    text = TEXT.replace(b"<", b"").replace(b">", b"")  # a tag would show that it is not compressed
    body = pack(text)
    content = inflate(body[: len(body) // 2], encoding, 1 << 20)
    assert not content.whole
    assert text.startswith(content.data)


def test_what_comes_before_the_damage_is_read():
    body = gzip.compress(TEXT, mtime=0)
    damaged = body[:-30] + b"\xff" * 8 + body[-22:]
    content = inflate(gzip.compress(b"first ", mtime=0) + damaged, "gzip", 1 << 20)
    assert not content.whole
    assert content.data.startswith(b"first <p>")
    assert len(content.data) > 500


@pytest.mark.parametrize("padding", [b"\0" * 512, b"\r\n", b"junk"])
def test_padding_after_the_last_member_is_no_damage(padding):
    assert inflate(gzip.compress(TEXT, mtime=0) + padding, "gzip", 1 << 20) == Content(TEXT)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "x-unknown"])
def test_a_page_that_was_not_compressed_after_all_is_taken_as_it_is(encoding):
    assert inflate(TEXT, encoding, 1 << 20) == Content(TEXT)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", ""])
def test_an_empty_body_is_whole(encoding):
    assert inflate(b"", encoding, 10) == Content(b"")


def test_a_million_empty_members_are_left_after_some_thousands():
    content = inflate(gzip.compress(b"", mtime=0) * 6000 + gzip.compress(b"x", mtime=0), "gzip", 10)
    assert content == Content(b"", whole=False)


@given(st.binary(max_size=300), st.sampled_from(["gzip", "deflate", "br", "zstd", "gzip, br", "x, gzip"]))
def test_any_bytes_are_survived_within_the_limit(body, encoding):
    assert len(inflate(body, encoding, 64).data) <= 64


@pytest.mark.parametrize(
    ("value", "kind"),
    [("Text/HTML; charset=utf-8", "text/html"), ("application/pdf", "application/pdf"), ("html", ""), ("", "")],
)
def test_media_types(value, kind):
    assert media_type(value) == kind


@pytest.mark.parametrize(
    ("encoding", "is_quick"),
    [("", True), ("identity", True), ("GZIP", True), ("deflate", True), ("br", False), ("gzip, gzip", False)],
)
def test_which_codings_take_little_time(encoding, is_quick):
    assert quick(encoding) is is_quick
