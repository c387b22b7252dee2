"""Inflates one gzip member within bounds.

Pieces are counted from the member's own offset, so that every decision and every error text is the same whether the
file is scanned as a whole or in ranges.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

from isal import isal_zlib
from isal.isal_zlib import Decompress

from paberki.archive.reading.archived_record import Problem, RecordLimits
from paberki.archive.reading.heads import ARC_LINE_BYTES
from paberki.archive.reading.source import WindowedFile

MAGIC = re.compile(rb"\x1f\x8b\x08[\x00-\x1f]")
InflateError = cast("type[Exception]", isal_zlib.error)
PIECE = 1 << 16
_DISCARD = 1 << 20
_LOOKAHEAD = 16
"""Bytes that the inflater may have read beyond those it used."""

BROKEN: Problem = ("damaged", "the compressed data is broken")
TRUNCATED: Problem = ("truncated", "the file ends inside the record")
NO_START: Problem = ("damaged", "no record begins here")


@dataclass(slots=True)
class Member:
    """An inflated member; its ``data`` may be incomplete when there is an error."""

    data: bytes = b""
    length: int | None = None
    """Bytes that it occupies in the file; ``None`` when its end could not be found."""
    least: int = 1
    """The next record begins at least this many bytes after its start."""
    error: Problem | None = None


def gzip_member(source: WindowedFile, offset: int, limits: RecordLimits) -> Member:
    """Inflate the member at ``offset``, check its checksum, and keep at most ``limits.record_bytes``."""
    if not MAGIC.match(source.view(offset, 4)):
        return Member(error=NO_START)
    inflater = isal_zlib.decompressobj(wbits=31)
    pieces: list[bytes] = []
    room = limits.record_bytes + 1
    position = offset
    try:
        while not inflater.eof and room > 0:
            piece: bytes | memoryview = source.view(position, PIECE)
            if not piece:
                return Member(b"".join(pieces), source.size - offset, error=TRUNCATED)
            position += len(piece)
            room -= _feed(inflater, piece, room, pieces)
        if room > 0:
            return Member(_join(pieces), position - len(inflater.unused_data) - offset)
        return _overflow_member(source, offset, position, inflater, pieces, limits)
    except InflateError:
        return Member(b"".join(pieces), _raw_length(source, offset, limits), error=BROKEN)


def gzip_head(source: WindowedFile, offset: int) -> bytes:
    """The first inflated bytes of a member, enough to tell whether a record begins there."""
    try:
        piece = source.view(offset, ARC_LINE_BYTES)
        return bytes(isal_zlib.decompressobj(wbits=31).decompress(piece, ARC_LINE_BYTES + 1))
    except InflateError:
        return b""


def _join(pieces: list[bytes]) -> bytes:
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _feed(inflater: Decompress, piece: bytes | memoryview, room: int, pieces: list[bytes]) -> int:
    """Inflate one piece into ``pieces`` and return its size; a full output buffer means that more may be waiting."""
    size = 0
    while True:
        ask = room - size
        out = inflater.decompress(piece, ask)
        size += len(out)
        pieces.append(out)
        piece = inflater.unconsumed_tail
        if inflater.eof or size >= room or (len(out) < ask and not piece):
            return size


def _overflow_member(
    source: WindowedFile,
    offset: int,
    position: int,
    inflater: Decompress,
    pieces: list[bytes],
    limits: RecordLimits,
) -> Member:
    """Read a too large member to its end: a search for the next record could find an archive inside it."""
    data = b"".join(pieces)
    pieces.clear()
    total = len(data)
    read_bytes = max(1, position - offset - len(inflater.unconsumed_tail))
    while not inflater.eof:
        read_bytes = max(1, position - offset - len(inflater.unconsumed_tail))
        least = max(1, read_bytes - _LOOKAHEAD)
        if total > limits.ratio * read_bytes:
            detail = f"inflates more than {limits.ratio} to 1, beyond {limits.record_bytes} bytes"
            return Member(data, None, least, ("bomb", detail))
        if total > limits.skip_bytes:
            return Member(data, None, least, _too_large(limits))
        out = inflater.decompress(inflater.unconsumed_tail, _DISCARD)
        total += len(out)
        if out or inflater.eof:
            continue
        piece = source.view(position, PIECE)
        if not piece:
            return Member(data, source.size - offset, error=TRUNCATED)
        position += len(piece)
        total += len(inflater.decompress(piece, _DISCARD))
    return Member(data, position - len(inflater.unused_data) - offset, error=_too_large(limits))


def _too_large(limits: RecordLimits) -> Problem:
    return ("too-large", f"inflates to more than {limits.record_bytes} bytes")


def _raw_length(source: WindowedFile, offset: int, limits: RecordLimits) -> int | None:
    """Length of a member with a wrong checksum, from its deflate stream; ``None`` if that is damaged too."""
    start = _deflate_start(bytes(source.view(offset, PIECE)))
    if start is None:
        return None
    inflater = isal_zlib.decompressobj(wbits=-15)
    position, total = offset + start, 0
    try:
        while not inflater.eof and total <= limits.record_bytes:
            piece: bytes | memoryview = inflater.unconsumed_tail
            if not piece:
                piece = source.view(position, PIECE)
                position += len(piece)
            out = inflater.decompress(piece, _DISCARD)
            total += len(out)
            if not out and not piece:
                return None
    except InflateError:
        return None
    return position - len(inflater.unused_data) + 8 - offset if inflater.eof else None


def _deflate_start(head: bytes) -> int | None:
    """Offset of the deflate stream after the gzip header and its optional fields."""
    if len(head) < 18:
        return None
    flags, at = head[3], 10
    if flags & 4:
        at += 2 + int.from_bytes(head[at : at + 2], "little")
    for flag in (8, 16):
        if flags & flag:
            at = head.find(b"\0", at) + 1
            if at == 0:
                return None
    return at + (2 if flags & 2 else 0)
