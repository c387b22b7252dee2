"""Bodies of answers: their media type, and their decoded content up to a limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from paberki.archive.codings import (
    DECODE_ERRORS,
    GZIP_MAGIC,
    GZIP_OR_ZLIB,
    RAW_DEFLATE,
    DamagedStream,
    brotli_pieces,
    inflate_pieces,
    salvage,
    zstd_pieces,
)

_QUICK = frozenset(("gzip", "x-gzip", "deflate"))
_MOST_CODINGS = 3
_MOST_MEMBERS = 5000
"""Gzip members that are read; a body of empty ones can hold a million."""
_PLAIN = 512
"""First bytes of a body in which a tag shows that it was not compressed after all."""
_FIRST_PIECE = 1 << 10
_SMALL_PIECE = 64
"""Bytes of Brotli or Zstandard decoded at a time: of a damaged body, nearly all that precedes the damage is read."""

PAGE_TYPES = frozenset(("text/html", "application/xhtml+xml"))


@dataclass(frozen=True, slots=True)
class Content:
    """The decoded content of a body."""

    data: bytes
    whole: bool = True
    """Whether nothing is missing except what exceeds the limit."""


def media_type(content_type: str) -> str:
    """``text/html`` of ``Text/HTML; charset=…``; empty if there is none."""
    essence = content_type.partition(";")[0].strip().lower()
    return essence if "/" in essence else ""


def quick(encoding: str) -> bool:
    """Whether a body with this Content-Encoding is decoded in a time that its length and the limit bound tightly."""
    codings = _codings(encoding)
    return not codings or (len(codings) == 1 and codings[0] in _QUICK)


def _codings(encoding: str) -> list[str]:
    return [coding for part in encoding.lower().split(",") if (coding := part.strip()) not in ("", "identity")]


def inflate(body: bytes, encoding: str, limit: int) -> Content:
    """Decode a body that was sent with a Content-Encoding, up to ``limit`` bytes; a damaged one up to the damage.

    A body that contradicts its Content-Encoding is taken as it is: some servers compress without saying so, others say
    so without compressing.
    """
    codings = _codings(encoding)
    if not codings and body[:3] == GZIP_MAGIC:
        codings = ["gzip"]
    content = Content(body)
    for coding in reversed(codings[-_MOST_CODINGS:]):
        inner = _decode(content.data, coding, limit)
        content = Content(inner.data, content.whole and inner.whole)
    return Content(content.data[:limit], content.whole)


def _decode(body: bytes, coding: str, limit: int) -> Content:
    if coding in ("gzip", "x-gzip"):
        content = _inflate(body, GZIP_OR_ZLIB, limit)
    elif coding == "deflate":
        content = _inflate(body, GZIP_OR_ZLIB, limit)
        content = content if content.data else _inflate(body, RAW_DEFLATE, limit)
    elif coding == "br":  # not asked for, but some servers send nothing else
        content = _collect(brotli_pieces(body, limit, piece_bytes=_SMALL_PIECE), bytearray(), limit)
    elif coding == "zstd":
        content = _collect(zstd_pieces(body, limit, piece_bytes=_SMALL_PIECE), bytearray(), limit)
    else:
        content = Content(b"", whole=False)
    return content if content.data or body[:3] == GZIP_MAGIC or b"<" not in body[:_PLAIN] else Content(body)


def _inflate(body: bytes, window: int, limit: int) -> Content:
    """All members of a gzip body, or one deflate stream of another kind."""
    if not body:
        return Content(b"")
    content = bytearray()
    pieces = inflate_pieces(body, window, limit, first_piece=_FIRST_PIECE, most_members=_MOST_MEMBERS)
    try:
        return _collect(pieces, content, limit)
    except DamagedStream as damage:
        start = bytes(content[: damage.before])
        return Content(start + salvage(body, damage.offset, window, limit - len(start)), whole=False)


def _collect(pieces: Iterator[bytes], content: bytearray, limit: int) -> Content:
    """Add pieces to the content; a stream that is cut or damaged is not whole."""
    try:
        for piece in pieces:
            content += piece
    except DamagedStream:
        raise
    except DECODE_ERRORS:
        return Content(bytes(content[:limit]), whole=False)
    return Content(bytes(content[:limit]))
