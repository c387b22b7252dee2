"""Reads one Zstandard frame of a ``.warc.zst`` file, and the dictionary at the beginning of such a file.

The block headers of a frame give its exact length before it is decompressed, so damage inside a frame seldom affects
the next one. The dictionary is the skippable first frame of the draft for WARC with Zstandard, raw or compressed.
"""

from __future__ import annotations

import re
from typing import IO, Protocol, cast

import zstandard

from paberki.archive.reading.archived_record import Problem, RecordLimits
from paberki.archive.reading.gzipped import BROKEN, NO_START, TRUNCATED, Member
from paberki.archive.reading.heads import ARC_LINE_BYTES
from paberki.archive.reading.source import WindowedFile

MAGIC = re.compile(rb"\x28\xb5\x2f\xfd")
_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
_DICTIONARY = b"\x5d\x2a\x4d\x18"
_DICTIONARY_BYTES = 16 << 20
_WINDOW_BYTES = 1 << 27
_BLOCKS = 1 << 20
"""Most blocks of one frame: plenty at 128 kB a block, but empty blocks cost time and no space."""


class Viewable(Protocol):
    """A file or bytes in memory that hold frames."""

    @property
    def size(self) -> int: ...

    def view(self, offset: int, count: int) -> memoryview: ...


class FrameReader:
    """Reads the frames of one file; keeps the decompressor, since loading the dictionary for each frame is slow."""

    def __init__(self, source: WindowedFile) -> None:
        self._source = source
        self._decompressor = decompressor(source)

    def member(self, offset: int, limits: RecordLimits) -> Member:
        """Decompress the frame at ``offset``; a skippable frame is an empty member."""
        length, error = frame_length(self._source, offset)
        if error or length is None:
            return Member(length=length, error=error)
        if _SKIPPABLE.match(self._source.view(offset, 4)):
            return Member(length=length)
        data, is_broken = self._inflate(offset, length, limits.record_bytes + 1)
        if len(data) > limits.record_bytes:
            error = _overflow(len(data), length, limits)
        elif is_broken:
            error = BROKEN
        return Member(data, length, error=error)

    def head(self, offset: int) -> bytes:
        """The first decompressed bytes of a frame."""
        return self._inflate(offset, self._source.size - offset, ARC_LINE_BYTES + 1)[0]

    def _inflate(self, offset: int, length: int, room: int) -> tuple[bytes, bool]:
        pieces: list[bytes] = []
        try:
            part = cast("IO[bytes]", _Slice(self._source, offset, length))
            with self._decompressor.stream_reader(part, read_size=1 << 16) as stream:
                while room > 0 and (out := stream.read(min(room, 1 << 18))):
                    pieces.append(out)
                    room -= len(out)
        except zstandard.ZstdError:
            return b"".join(pieces), True
        return b"".join(pieces), False


def decompressor(source: WindowedFile) -> zstandard.ZstdDecompressor:
    """A decompressor with the file's own dictionary."""
    return zstandard.ZstdDecompressor(dict_data=_dictionary(source), max_window_size=_WINDOW_BYTES)


def frame_length(source: Viewable, offset: int) -> tuple[int | None, Problem | None]:
    """Stored length of the frame at ``offset``, from its headers only, and the problem, if any."""
    head = bytes(source.view(offset, 18))
    if _SKIPPABLE.match(head) and len(head) >= 8:
        length = 8 + int.from_bytes(head[4:8], "little")
        return (length, None) if offset + length <= source.size else (source.size - offset, TRUNCATED)
    if not MAGIC.match(head):
        return None, NO_START
    if len(head) < 6:
        return source.size - offset, TRUNCATED
    return _walk_blocks(source, offset, head[4])


def _walk_blocks(source: Viewable, offset: int, descriptor: int) -> tuple[int | None, Problem | None]:
    single = descriptor >> 5 & 1
    at = offset + 5 + (1 - single) + (0, 1, 2, 4)[descriptor & 3] + (single, 2, 4, 8)[descriptor >> 6]
    for _ in range(_BLOCKS):
        header = int.from_bytes(source.view(at, 3), "little")
        kind, size = header >> 1 & 3, header >> 3
        if at + 3 > source.size:
            return source.size - offset, TRUNCATED
        if kind == 3:
            return None, BROKEN
        at += 3 + (1 if kind == 1 else size)
        if header & 1:
            at += 4 if descriptor & 4 else 0
            return (at - offset, None) if at <= source.size else (source.size - offset, TRUNCATED)
    return None, BROKEN


def _overflow(size: int, length: int, limits: RecordLimits) -> Problem:
    if size > limits.ratio * length:
        return "bomb", f"inflates more than {limits.ratio} to 1, beyond {limits.record_bytes} bytes"
    return "too-large", f"inflates to more than {limits.record_bytes} bytes"


def _dictionary(source: WindowedFile) -> zstandard.ZstdCompressionDict | None:
    """The file's dictionary; ``None`` if it has none, or one that is too large or damaged."""
    head = bytes(source.view(0, 8))
    length = int.from_bytes(head[4:8], "little")
    if head[:4] != _DICTIONARY or length > _DICTIONARY_BYTES:
        return None
    data = source.bytes_at(8, length)
    if MAGIC.match(data):
        try:
            with zstandard.ZstdDecompressor(max_window_size=_WINDOW_BYTES).stream_reader(data) as stream:
                data = stream.read(_DICTIONARY_BYTES)
        except zstandard.ZstdError:
            return None
    return zstandard.ZstdCompressionDict(data) if data else None


class _Slice:
    """Part of the file as a readable object for the decompressor."""

    def __init__(self, source: WindowedFile, offset: int, length: int) -> None:
        self._source, self._at, self._end = source, offset, offset + length

    def read(self, count: int) -> bytes:
        data = bytes(self._source.view(self._at, min(count, self._end - self._at)))
        self._at += len(data)
        return data
