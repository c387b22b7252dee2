"""Transfer and content codings of HTTP, decoded within bounds; the only decoders for archive and crawl.

``inflate_pieces``, ``brotli_pieces`` and ``zstd_pieces`` decode one coding, a piece at a time and never beyond a limit.
``decode_content`` is what the archive makes of them: it refuses bombs by size, and by ratio beyond the first megabyte,
because nothing that people wrote compresses a thousand times. The crawl reads up to a limit and salvages damaged bodies
(:mod:`paberki.crawl.fetching.body`).
"""

from __future__ import annotations

import io
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO

import brotli
import zstandard
from isal import isal_zlib
from isal.isal_zlib import Decompress

from paberki.archive.reading.archived_record import Problem
from paberki.archive.reading.gzipped import TRUNCATED, InflateError
from paberki.archive.reading.zstd import frame_length

GZIP_MAGIC = b"\x1f\x8b\x08"
GZIP, ZLIB, RAW_DEFLATE = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS, -zlib.MAX_WBITS
"""Windows of the three formats that hold a deflate stream, as zlib numbers them."""
GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS
"""Window that tells gzip from zlib by the first bytes."""
_RATIO = 1000
_RATIO_FREE = 1 << 20
_LAYERS = 4
"""Most codings on top of each other."""
_CHUNKS = 1 << 20
"""Most chunks of one body; honest servers send fewer."""
_PIECE = 1 << 16
_OUT = 1 << 18
_SALVAGED = 512
"""Compressed bytes given to the inflater at a time once a stream is known to be damaged."""
_ZSTD_WINDOW = 1 << 27

_CHUNK_SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]{0,1024})?\r?\n")
_CHUNK_END = re.compile(rb"\r?\n")

_Pieces = Callable[[], Iterator[bytes]]


class DamagedStream(Exception):
    """A deflate stream that cannot be inflated: where its member begins, and how much came out before that member."""

    def __init__(self, offset: int, before: int) -> None:
        super().__init__(f"the deflate stream at {offset} is damaged")
        self.offset, self.before = offset, before


DECODE_ERRORS: tuple[type[Exception], ...] = (DamagedStream, brotli.error, zstandard.ZstdError, EOFError)
"""What the decoders raise for damaged bodies, and for cut ones (EOFError)."""


def dechunk(body: bytes) -> tuple[bytes, bool]:
    """Return (data, truncated) of a chunked body; the body itself if its first chunk is invalid."""
    pieces: list[bytes] = []
    at = 0
    for _ in range(_CHUNKS):
        size = _CHUNK_SIZE.match(body, at)
        if size is None:
            break
        count = int(size.group(1), 16)
        if count == 0:
            return b"".join(pieces), False
        start, end = size.end(), size.end() + count
        stop = _CHUNK_END.match(body, end)
        if stop is None and end + 1 < len(body):
            break
        pieces.append(body[start:end])
        if stop is None:
            break
        at = stop.end()
    return (b"".join(pieces), True) if pieces else (body, False)


def decode_content(body: bytes, codings: str, max_bytes: int) -> tuple[bytes, bool, Problem | None]:
    """Return (data, truncated, error) after decoding the named codings, the last one first."""
    names = [name.strip().lower() for name in codings.split(",") if name.strip()]
    truncated = False
    for name in reversed(names[-_LAYERS:]):
        if not body:
            break
        decoder = _decoder(name, body, max_bytes + _OUT)
        if decoder is None:
            break
        data, whole, error = _collect(decoder, len(body), max_bytes)
        if error:
            return b"", False, error
        if not data and not whole:
            break
        if not whole and _is_markup(body):
            break
        body, truncated = data, truncated or not whole
    return body, truncated, None


def _collect(decoder: _Pieces, size: int, max_bytes: int) -> tuple[bytes, bool, Problem | None]:
    """Run a decoder over a body of ``size`` bytes: (the data, whether the stream came to its end, error)."""
    pieces: list[bytes] = []
    total, most = 0, max(_RATIO_FREE, _RATIO * size)
    try:
        for piece in decoder():
            pieces.append(piece)
            total += len(piece)
            if total > max_bytes:
                return b"", False, ("bomb", f"the content coding inflates to more than {max_bytes} bytes")
            if total > most:
                return b"", False, ("bomb", f"the content coding inflates more than {_RATIO} to 1")
    except DECODE_ERRORS:
        return b"".join(pieces), False, None
    return b"".join(pieces), True, None


def _decoder(name: str, body: bytes, limit: int) -> _Pieces | None:
    """The decoder for a coding; ``None`` when the coding is unknown or the body's first bytes contradict it."""
    if name in ("gzip", "x-gzip"):
        return partial(inflate_pieces, body, GZIP, limit) if body.startswith(GZIP_MAGIC[:2]) else None
    if name == "deflate":
        zlib_head = len(body) > 1 and body[0] & 15 == 8 and (body[0] << 8 | body[1]) % 31 == 0
        return partial(inflate_pieces, body, ZLIB if zlib_head else RAW_DEFLATE, limit)
    if name == "zstd":
        return partial(zstd_pieces, body, limit) if body.startswith(b"\x28\xb5\x2f\xfd") else None
    return partial(brotli_pieces, body, limit) if name == "br" else None


def _is_markup(body: bytes) -> bool:
    """Whether a body is plain markup: codings without a magic number decode a little of anything."""
    return body[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def inflate_pieces(
    body: bytes, window: int, limit: int, *, first_piece: int = _PIECE, most_members: int = sys.maxsize
) -> Iterator[bytes]:
    """Inflate all members of a gzip body, or one zlib or raw deflate stream; whatever follows it is ignored.

    ``first_piece`` is the number of bytes that a member is given at first, four times as many each time after: the
    library copies what follows a member's end, which is costly where members are short.
    """
    at = total = 0
    for _ in range(most_members):
        inflater, begin, before, size = isal_zlib.decompressobj(wbits=window), at, total, first_piece
        while not inflater.eof:
            piece = memoryview(body)[at : at + size]
            if not piece:
                raise EOFError
            at, size = at + len(piece), min(_PIECE, 4 * size)
            try:
                for out in _inflate(inflater, piece, limit - total):
                    total += len(out)
                    yield out
            except InflateError as error:
                raise DamagedStream(begin, before) from error
            if total >= limit:
                return
        at -= len(inflater.unused_data)
        if window not in (GZIP, GZIP_OR_ZLIB) or body[at : at + 3] != GZIP_MAGIC:
            return
    raise EOFError


def _inflate(inflater: Decompress, piece: memoryview, room: int) -> Iterator[bytes]:
    """All that comes out of one piece, at most ``room`` bytes; a full output buffer means that more may be waiting."""
    rest: bytes | memoryview = piece
    while room > 0:
        asked_bytes = min(_OUT, room)
        out = inflater.decompress(rest, asked_bytes)
        room -= len(out)
        yield out
        rest = inflater.unconsumed_tail
        if inflater.eof or (len(out) < asked_bytes and not rest):
            return


def salvage(body: bytes, at: int, window: int, limit: int) -> bytes:
    """What comes before the damage in the stream at ``at``; zlib gives it, the faster library gives nothing."""
    stream, content = zlib.decompressobj(window), bytearray()
    for start in range(at, len(body), _SALVAGED):
        try:
            content += stream.decompress(body[start : start + _SALVAGED], max(1, limit - len(content)))
        except zlib.error:
            break
        if len(content) >= limit or stream.eof:
            break
    return bytes(content[:limit])


def brotli_pieces(body: bytes, limit: int, *, piece_bytes: int = _PIECE) -> Iterator[bytes]:
    """Decode Brotli; of a damaged body, what comes before the damaged piece."""
    decoder = brotli.Decompressor()
    at = total = 0
    while not decoder.is_finished() and total < limit:
        piece = b""
        if decoder.can_accept_more_data():
            piece = body[at : at + piece_bytes]
            at += len(piece)
            if not piece:
                raise EOFError
        out: bytes = decoder.process(piece, output_buffer_limit=_OUT)
        total += len(out)
        yield out


def zstd_pieces(body: bytes, limit: int, *, piece_bytes: int | None = None) -> Iterator[bytes]:
    """Decode all Zstandard frames; of a damaged body, what precedes the damaged piece of ``piece_bytes``."""
    total = 0
    source: bytes | IO[bytes] = body if piece_bytes is None else io.BytesIO(body)
    reader = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).stream_reader(
        source, read_size=piece_bytes or _PIECE, read_across_frames=True
    )
    with reader as stream:
        while total < limit and (out := stream.read(piece_bytes or _OUT)):
            total += len(out)
            yield out
    if total < limit and _is_cut(_Memory(body)):
        raise EOFError


def _is_cut(body: _Memory) -> bool:
    """Whether the last frame is incomplete, which the decompressor does not report."""
    at = 0
    while at < body.size:
        length, error = frame_length(body, at)
        if error or length is None:
            return error == TRUNCATED
        at += length
    return False


class _Memory:
    """Bytes in memory, viewed like a file."""

    def __init__(self, data: bytes) -> None:
        self.size = len(data)
        self._data = memoryview(data)

    def view(self, offset: int, count: int) -> memoryview:
        return self._data[offset : offset + count]
