"""Bodies: what kind they are and what is inside, never more of it than asked for."""

from __future__ import annotations

import zlib
from typing import cast

from isal import isal_zlib

_Damage = cast("type[Exception]", isal_zlib.error)

PAGE_TYPES = frozenset(("text/html", "application/xhtml+xml"))


def media_type(content_type: str) -> str:
    """``text/html`` of ``Text/HTML; charset=…``; empty if there is none."""
    essence = content_type.partition(";")[0].strip().lower()
    return essence if "/" in essence else ""


def inflate(body: bytes, encoding: str, limit: int) -> bytes:
    """Content of a body sent with a Content-Encoding, up to ``limit`` bytes; damaged data up to the damage.

    An encoding that was not asked for gives nothing.
    """
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        return body[:limit]
    if encoding in ("gzip", "x-gzip"):
        return _inflate(body, zlib.MAX_WBITS | 32, limit)
    if encoding == "deflate":
        return _inflate(body, zlib.MAX_WBITS | 32, limit) or _inflate(body, -zlib.MAX_WBITS, limit)
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
