"""A record that says nothing, with exactly the length of the one whose place it takes.

Positions of all other records stay as they are, because a page is known by its position. Inside of a gzip member or a
Zstandard frame, blocks without content fill the rest: they inflate to nothing. The record is a page without text, so that
pages keep their numbers if the archive is numbered again.
"""

from __future__ import annotations

import struct
from typing import Final

_STORED: Final = struct.Struct("<BHH")
_EMPTY_DEFLATE: Final = b"\x00\x00\x00\xff\xff"
_LAST_DEFLATE: Final = b"\x01\x00\x00\xff\xff"
_GZIP_HEAD: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_GZIP_HEAD_WITH_COMMENT: Final = b"\x1f\x8b\x08\x10\x00\x00\x00\x00\x00\xff"
_GZIP_NOTHING: Final = b"\x03\x00" + bytes(8)
"""A last block without content, checksum and length of nothing."""
_ZSTD_HEAD: Final = b"\x28\xb5\x2f\xfd\x00\x00"
_ZSTD_EMPTY: Final = b"\x00\x00\x00"
_ZSTD_LAST: Final = b"\x01\x00\x00"


def blank_record(form: str, key: str, length: int) -> bytes:
    """Bytes of a record of this length in an archive of this form (``warc.gz``, ``arc``, …)."""
    kind, _, packing = form.partition(".")
    if packing == "gz":
        return _gzip(kind, key, length)
    if packing == "zst":
        return _zstd(kind, key, length)
    return _plain(kind, key, length)


def _text(kind: str, key: str, body_bytes: int, padding: int = 0) -> bytes:
    """The record without compression; ``padding`` makes it longer by so many bytes."""
    if kind == "arc":
        line = f"urn:paberki:{key}{'-' * padding} 0.0.0.0 19700101000000 text/plain {body_bytes}\n"
        return line.encode() + b" " * body_bytes + b"\n"
    head = (
        f"WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:paberki:{key}>\r\nWARC-Date: 1970-01-01T00:00:00Z\r\n"
        f"WARC-Target-URI: urn:paberki:{key}{'-' * padding}\r\nContent-Type: text/plain\r\nContent-Length: {body_bytes}\r\n\r\n"
    )
    return head.encode() + b" " * body_bytes + b"\r\n\r\n"


def _gzip(kind: str, key: str, length: int) -> bytes:
    fixed_size = len(_GZIP_HEAD) + _STORED.size + len(_LAST_DEFLATE) + 8
    rest = length - fixed_size - len(_text(kind, key, 0))
    if rest < 0:  # too short for a record: a member without content, which readers skip
        comment = b"x" * (length - len(_GZIP_HEAD) - 1 - len(_GZIP_NOTHING)) + b"\x00"
        return _GZIP_HEAD_WITH_COMMENT + comment + _GZIP_NOTHING
    text = _text(kind, key, 0, rest % 5)
    stored_block = _STORED.pack(0, len(text), len(text) ^ 0xFFFF) + text
    return _GZIP_HEAD + stored_block + _EMPTY_DEFLATE * (rest // 5) + _LAST_DEFLATE + _trailer(text)


def _trailer(text: bytes) -> bytes:
    from zlib import crc32

    return struct.pack("<II", crc32(text), len(text))


def _zstd(kind: str, key: str, length: int) -> bytes:
    rest = length - len(_ZSTD_HEAD) - 3 - len(_ZSTD_LAST) - len(_text(kind, key, 0))
    if rest < 0:  # a frame that readers skip
        return b"\x50\x2a\x4d\x18" + struct.pack("<I", length - 8) + bytes(length - 8)
    text = _text(kind, key, 0, rest % 3)
    block = (len(text) << 3).to_bytes(3, "little") + text
    return _ZSTD_HEAD + block + _ZSTD_EMPTY * (rest // 3) + _ZSTD_LAST


def _plain(kind: str, key: str, length: int) -> bytes:
    body_bytes = length - len(_text(kind, key, 0))
    while body_bytes > 0 and len(_text(kind, key, body_bytes)) > length:
        body_bytes -= 1
    if body_bytes < 0:
        return b" " * (length - 1) + b"\n"
    return _text(kind, key, body_bytes, length - len(_text(kind, key, body_bytes)))
