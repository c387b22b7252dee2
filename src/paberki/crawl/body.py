"""Bodies: what kind they are and what is inside, never more of it than asked for."""

from __future__ import annotations

import zlib
from typing import cast

from isal import isal_zlib

_Damage = cast("type[Exception]", isal_zlib.error)

_GZIP = b"\x1f\x8b\x08"
_MOST_CODINGS = 3
_PLAIN = 512
"""Bytes among which a page that was not compressed after all shows a tag."""
_STEP = 64

PAGE_TYPES = frozenset(("text/html", "application/xhtml+xml"))


def media_type(content_type: str) -> str:
    """``text/html`` of ``Text/HTML; charset=…``; empty if there is none."""
    essence = content_type.partition(";")[0].strip().lower()
    return essence if "/" in essence else ""


def inflate(body: bytes, encoding: str, limit: int) -> bytes:
    """Content of a body sent with a Content-Encoding, up to ``limit`` bytes; damaged data up to the damage.

    A body that is not what it is said to be is taken as it is: servers compress without saying so, and say so without
    compressing.
    """
    codings = [coding for part in encoding.lower().split(",") if (coding := part.strip()) not in ("", "identity")]
    if not codings and body[:3] == _GZIP:
        codings = ["gzip"]
    for coding in reversed(codings[-_MOST_CODINGS:]):
        body = _decoded(body, coding, limit)
    return body[:limit]


def _decoded(body: bytes, coding: str, limit: int) -> bytes:
    if coding in ("gzip", "x-gzip"):
        content = _inflate(body, zlib.MAX_WBITS | 32, limit)
    elif coding == "deflate":
        content = _inflate(body, zlib.MAX_WBITS | 32, limit) or _inflate(body, -zlib.MAX_WBITS, limit)
    elif coding == "br":
        content = _unbrotli(body, limit)
    elif coding == "zstd":
        content = _unzstd(body, limit)
    else:
        content = b""
    return content if content or body[:3] == _GZIP or b"<" not in body[:_PLAIN] else body


def _unbrotli(body: bytes, limit: int) -> bytes:
    """Not asked for, but some servers know nothing else; a little at a time, since it can become very much."""
    import brotli

    stream, content = brotli.Decompressor(), bytearray()
    try:
        for start in range(0, len(body), _STEP):
            content += stream.process(body[start : start + _STEP])
            if len(content) >= limit:
                break
    except brotli.error:
        pass
    return bytes(content[:limit])


def _unzstd(body: bytes, limit: int) -> bytes:
    import zstandard

    try:
        with zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(body) as stream:
            return bytes(stream.read(limit))
    except zstandard.ZstdError:
        return b""


def _inflate(body: bytes, window: int, limit: int) -> bytes:
    content = b""
    while body and len(content) < limit:
        stream = isal_zlib.decompressobj(window)
        try:
            content += stream.decompress(body, limit - len(content))
        except (zlib.error, OSError, EOFError, _Damage):
            # The faster library gives nothing of a damaged stream; the other one what comes before the damage.
            return content + _salvage(body, window, limit - len(content))
        body = stream.unused_data if stream.eof else b""
    return content


def _salvage(body: bytes, window: int, limit: int) -> bytes:
    stream, content = zlib.decompressobj(window), bytearray()
    for start in range(0, len(body), 512):
        try:
            content += stream.decompress(body[start : start + 512], max(1, limit - len(content)))
        except zlib.error:
            break
        if len(content) >= limit or stream.eof:
            break
    return bytes(content[:limit])
