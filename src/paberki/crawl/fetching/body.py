"""Bodies: what kind they are and what is inside, never more of it than asked for."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import cast

from isal import isal_zlib

_Damage = cast("type[Exception]", isal_zlib.error)

_GZIP = b"\x1f\x8b\x08"
_QUICK = frozenset(("gzip", "x-gzip", "deflate"))
_MOST_CODINGS = 3
_MOST_MEMBERS = 5000
"""Gzip members that are read; a body of empty ones can hold a million."""
_PLAIN = 512
"""Bytes among which a page that was not compressed after all shows a tag."""
_STEP = 64
_FED_FIRST, _FED_MOST = 1 << 10, 1 << 20
"""Bytes given to an inflater at a time: what follows the end of a member is copied."""

PAGE_TYPES = frozenset(("text/html", "application/xhtml+xml"))


@dataclass(frozen=True, slots=True)
class Content:
    """What is inside a body."""

    data: bytes
    whole: bool = True
    """Whether nothing is missing but what the limit keeps out."""


def media_type(content_type: str) -> str:
    """``text/html`` of ``Text/HTML; charset=…``; empty if there is none."""
    essence = content_type.partition(";")[0].strip().lower()
    return essence if "/" in essence else ""


def quick(encoding: str) -> bool:
    """Whether a body of this Content-Encoding is inflated in a time that its length and the limit bound tightly."""
    codings = _codings(encoding)
    return not codings or (len(codings) == 1 and codings[0] in _QUICK)


def _codings(encoding: str) -> list[str]:
    return [coding for part in encoding.lower().split(",") if (coding := part.strip()) not in ("", "identity")]


def inflate(body: bytes, encoding: str, limit: int) -> Content:
    """Content of a body sent with a Content-Encoding, up to ``limit`` bytes; damaged data up to the damage.

    A body that is not what it is said to be is taken as it is: servers compress without saying so, and say so without
    compressing.
    """
    codings = _codings(encoding)
    if not codings and body[:3] == _GZIP:
        codings = ["gzip"]
    content = Content(body)
    for coding in reversed(codings[-_MOST_CODINGS:]):
        inner = _decoded(content.data, coding, limit)
        content = Content(inner.data, content.whole and inner.whole)
    return Content(content.data[:limit], content.whole)


def _decoded(body: bytes, coding: str, limit: int) -> Content:
    if coding in ("gzip", "x-gzip"):
        content = _inflate(body, zlib.MAX_WBITS | 32, limit)
    elif coding == "deflate":
        content = _inflate(body, zlib.MAX_WBITS | 32, limit)
        content = content if content.data else _inflate(body, -zlib.MAX_WBITS, limit)
    elif coding == "br":
        content = _unbrotli(body, limit)
    elif coding == "zstd":
        content = _unzstd(body, limit)
    else:
        content = Content(b"", whole=False)
    return content if content.data or body[:3] == _GZIP or b"<" not in body[:_PLAIN] else Content(body)


def _unbrotli(body: bytes, limit: int) -> Content:
    """Not asked for, but some servers know nothing else; a little at a time, since it can become very much."""
    import brotli

    stream, content = brotli.Decompressor(), bytearray()
    try:
        for start in range(0, len(body), _STEP):
            content += stream.process(body[start : start + _STEP])
            if len(content) >= limit:
                return Content(bytes(content[:limit]))
    except brotli.error:
        return Content(bytes(content[:limit]), whole=False)
    return Content(bytes(content), whole=bool(stream.is_finished()))


def _unzstd(body: bytes, limit: int) -> Content:
    import zstandard

    stream, content = zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj(), bytearray()
    try:
        for start in range(0, len(body), _STEP):
            content += stream.decompress(body[start : start + _STEP])
            if len(content) >= limit or stream.eof:
                return Content(bytes(content[:limit]))
    except zstandard.ZstdError:
        pass
    return Content(bytes(content[:limit]), whole=False)


def _inflate(body: bytes, window: int, limit: int) -> Content:
    """All members of a gzip file, or one stream of another kind."""
    content = bytearray()
    at = members = 0
    while at < len(body) and len(content) < limit:
        if members == _MOST_MEMBERS:
            return Content(bytes(content), whole=False)
        begin = len(content)
        try:
            ended, following = _member(body, at, window, content, limit)
        except (zlib.error, OSError, EOFError, _Damage):
            # The faster library gives nothing of a damaged stream; the other one what comes before the damage.
            del content[begin:]
            content += _salvage(body, at, window, limit - len(content))
            # What follows the last member is no member: padding, which many servers send.
            return Content(bytes(content), whole=members > 0 and body[at : at + 2] != _GZIP[:2])
        if not ended:
            return Content(bytes(content), whole=len(content) >= limit)
        at, members = following, members + 1
    return Content(bytes(content))


def _member(body: bytes, at: int, window: int, content: bytearray, limit: int) -> tuple[bool, int]:
    """Inflate the member that begins at an offset; whether it ended before the limit, and where the next one begins."""
    stream = isal_zlib.decompressobj(window)
    size, rest = _FED_FIRST, b""
    while len(content) < limit and (rest or at < len(body)):
        if not rest:
            rest = body[at : at + size]
            at += len(rest)
            size = min(_FED_MOST, 4 * size)
        content += stream.decompress(rest, limit - len(content))
        if stream.eof:
            return True, at - len(stream.unused_data)
        rest = stream.unconsumed_tail
    return False, at


def _salvage(body: bytes, at: int, window: int, limit: int) -> bytes:
    stream, content = zlib.decompressobj(window), bytearray()
    for start in range(at, len(body), 512):
        try:
            content += stream.decompress(body[start : start + 512], max(1, limit - len(content)))
        except zlib.error:
            break
        if len(content) >= limit or stream.eof:
            break
    return bytes(content[:limit])
