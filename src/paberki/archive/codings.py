"""Transfer and content codings of HTTP, undone within bounds.

Output is bounded twice: by size, and by ratio beyond the first megabyte, because nothing that people wrote
compresses a thousand times.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

import brotli
import zstandard
from isal import isal_zlib

from paberki.archive.reading.gzipped import TRUNCATED, InflateError
from paberki.archive.reading.record import Problem
from paberki.archive.reading.zstd import frame_length

_RATIO = 1000
_RATIO_FREE = 1 << 20
_LAYERS = 4
"""Most codings on top of each other."""
_CHUNKS = 1 << 20
"""Most chunks of one body; more are not sent by anything that means well."""
_PIECE = 1 << 16
_OUT = 1 << 18

_CHUNK_SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]{0,1024})?\r?\n")
_CHUNK_END = re.compile(rb"\r?\n")
_ERRORS: tuple[type[Exception], ...] = (InflateError, brotli.error, zstandard.ZstdError, EOFError)

_Pieces = Callable[[bytes], Iterator[bytes]]


def dechunk(body: bytes) -> tuple[bytes, bool]:
    """(data, truncated) of a chunked body; the body itself when its first chunk shows that it is none."""
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
    """(data, truncated, error) after undoing the named codings, last one first."""
    names = [name.strip().lower() for name in codings.split(",") if name.strip()]
    truncated = False
    for name in reversed(names[-_LAYERS:]):
        if not body:
            break
        reader = _reader(name, body)
        if reader is None:
            break
        data, whole, error = _collect(reader, body, max_bytes)
        if error:
            return b"", False, error
        if not data and not whole:
            break
        if not whole and _is_markup(body):
            break
        body, truncated = data, truncated or not whole
    return body, truncated, None


def _collect(reader: _Pieces, body: bytes, max_bytes: int) -> tuple[bytes, bool, Problem | None]:
    """Run one decoder: (what came out, whether it came to its end, error)."""
    kept: list[bytes] = []
    total, allowed = 0, max(_RATIO_FREE, _RATIO * len(body))
    try:
        for piece in reader(body):
            kept.append(piece)
            total += len(piece)
            if total > max_bytes:
                return b"", False, ("bomb", f"the content coding inflates to more than {max_bytes} bytes")
            if total > allowed:
                return b"", False, ("bomb", f"the content coding inflates more than {_RATIO} to 1")
    except _ERRORS:
        return b"".join(kept), False, None
    return b"".join(kept), True, None


def _reader(name: str, body: bytes) -> _Pieces | None:
    """The decoder for a coding, ``None`` when it is unknown or the body plainly is not coded so."""
    if name in ("gzip", "x-gzip"):
        return partial(_inflate, wbits=31) if body.startswith(b"\x1f\x8b") else None
    if name == "deflate":
        zlib_head = len(body) > 1 and body[0] & 15 == 8 and (body[0] << 8 | body[1]) % 31 == 0
        return partial(_inflate, wbits=15 if zlib_head else -15)
    if name == "zstd":
        return _unzstd if body.startswith(b"\x28\xb5\x2f\xfd") else None
    return _unbrotli if name == "br" else None


def _is_markup(body: bytes) -> bool:
    """Codings without a magic number decode a little of anything; markup was never coded at all."""
    return body[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def _inflate(body: bytes, wbits: int) -> Iterator[bytes]:
    """All members of a gzip body, or one zlib or raw deflate stream; what follows it is ignored."""
    rest = memoryview(body)
    while True:
        inflater = isal_zlib.decompressobj(wbits=wbits)
        while not inflater.eof:
            piece, rest = rest[:_PIECE], rest[_PIECE:]
            if not piece:
                raise EOFError
            out = inflater.decompress(piece, _OUT)
            yield out
            while not inflater.eof and (len(out) == _OUT or inflater.unconsumed_tail):
                out = inflater.decompress(inflater.unconsumed_tail, _OUT)
                yield out
        rest = memoryview(body)[len(body) - len(rest) - len(inflater.unused_data) :]
        if wbits != 31 or bytes(rest[:3]) != b"\x1f\x8b\x08":
            return


def _unbrotli(body: bytes) -> Iterator[bytes]:
    decoder = brotli.Decompressor()
    rest = memoryview(body)
    while not decoder.is_finished():
        piece: bytes | memoryview = b""
        if decoder.can_accept_more_data():
            piece, rest = rest[:_PIECE], rest[_PIECE:]
            if not piece:
                raise EOFError
        yield decoder.process(bytes(piece), output_buffer_limit=_OUT)


def _unzstd(body: bytes) -> Iterator[bytes]:
    decompressor = zstandard.ZstdDecompressor(max_window_size=1 << 27)
    with decompressor.stream_reader(body, read_across_frames=True) as stream:
        while out := stream.read(_OUT):
            yield out
    if _is_cut(_Memory(body)):
        raise EOFError


def _is_cut(body: _Memory) -> bool:
    """Whether the last frame is incomplete, of which the decompressor says nothing."""
    at = 0
    while at < body.size:
        length, error = frame_length(body, at)
        if error or length is None:
            return error == TRUNCATED
        at += length
    return False


class _Memory:
    """Bytes that can be looked at like a file."""

    def __init__(self, data: bytes) -> None:
        self.size = len(data)
        self._data = memoryview(data)

    def view(self, offset: int, count: int) -> memoryview:
        return self._data[offset : offset + count]
