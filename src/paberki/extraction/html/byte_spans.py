"""Character offsets of the decoded page -> byte offsets of the payload."""

from __future__ import annotations

import codecs
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.decoding.declared import BOMS
from paberki.decoding.encoding_labels import SINGLE_BYTE

_CHUNK_BYTES: Final = 512
_PIECE_BYTES: Final = 1 << 20
_LOWEST_SECOND, _HIGHEST_SECOND = np.full(256, 0x80, np.uint8), np.full(256, 0xBF, np.uint8)
_LOWEST_SECOND[[0xE0, 0xF0]], _HIGHEST_SECOND[[0xED, 0xF4]] = (0xA0, 0x90), (0x9F, 0x8F)


def mark_length(payload: bytes, encoding: str) -> int:
    """Bytes that the byte order mark of this encoding takes at the beginning of the payload."""
    return next((len(mark) for mark, codec in BOMS if codec == encoding and payload.startswith(mark)), 0)


def byte_offsets(offsets: Sequence[int], payload: bytes, encoding: str) -> list[int]:
    """Where the characters at ``offsets`` of the decoded payload begin in the payload, in the same order."""
    mark = mark_length(payload, encoding)
    if encoding in SINGLE_BYTE or (encoding == "utf-8" and payload.isascii()):
        return list(offsets)
    places = offsets_in_piece(offsets, payload[mark:] if mark else payload, encoding)
    return [place + mark for place in places] if mark else places


def offsets_in_piece(offsets: Sequence[int], piece: bytes, encoding: str) -> list[int]:
    """The same for a piece of a payload, at whose beginning a byte order mark is a character like any other."""
    if encoding == "utf-8":
        return _in_utf8(offsets, piece)
    rising = sorted(set(offsets))
    in_order = accumulate(_by_chunks(rising, piece, encoding), max)  # broken escape sequences may seem to go back
    places = dict(zip(rising, in_order, strict=True))
    return [places[offset] for offset in offsets]


def _in_utf8(offsets: Sequence[int], body: bytes) -> list[int]:
    """Place of a character: its number plus the continuation bytes before it."""
    try:
        body.decode("utf-8")
        tails = np.flatnonzero(np.frombuffer(body, np.int8) < -64).astype(np.int32)
    except UnicodeDecodeError:
        tails = np.concatenate([_tails(body, begin) for begin in range(0, len(body), _PIECE_BYTES)])
    owner = tails - np.arange(1, len(tails) + 1, dtype=np.int32)
    characters = np.array(offsets, dtype=np.int32)
    places: list[int] = (characters + np.searchsorted(owner, characters)).tolist()
    return places


def _tails(body: bytes, begin: int) -> npt.NDArray[np.int32]:
    """Second and later bytes of the characters that begin in a piece of damaged UTF-8.

    They are counted the way Python replaces them: as many bytes as could have been the beginning of a character are one
    (Unicode 3.9, "maximal subpart").
    """
    piece = np.frombuffer(body[begin : begin + _PIECE_BYTES + 3] + bytes(3), np.uint8)
    mine = piece[:_PIECE_BYTES]
    lead = np.flatnonzero((mine >= 0xC2) & (mine <= 0xF4)).astype(np.int32)
    first, second = piece[lead], piece[lead + 1]
    is_tail = np.zeros(len(piece), np.bool_)
    lead = lead[(second >= _LOWEST_SECOND[first]) & (second <= _HIGHEST_SECOND[first])]
    for place in (1, 2, 3):
        is_tail[lead + place] = True
        lead = lead[piece[lead] >= (0xE0, 0xF0, 0xFF)[place - 1]]
        lead = lead[piece[lead + min(place + 1, 3)] & 0xC0 == 0x80]
    return (np.flatnonzero(is_tail) + begin).astype(np.int32)


def _by_chunks(offsets: Sequence[int], body: bytes, encoding: str) -> list[int]:
    """Any other encoding, damaged text included: decode in chunks, look inside those where an offset lies."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    places: list[int] = []
    char_count = 0
    for begin in range(0, len(body), _CHUNK_BYTES):
        chunk = body[begin : begin + _CHUNK_BYTES]
        state = decoder.getstate()
        try:
            text = decoder.decode(chunk)
        except UnicodeError:  # Python gives up on an escape sequence that does not end; nothing after it has a place
            return places + [begin] * (len(offsets) - len(places))
        last = bisect_left(offsets, char_count + len(text), len(places))
        inside = offsets[len(places) : last]
        if inside:
            relative = [offset - char_count for offset in inside]
            places += [begin + place for place in _inside(relative, chunk, text, state, encoding)]
        char_count += len(text)
        if last == len(offsets):
            break
    unfinished = len(body) - len(decoder.getstate()[0])  # a cut character at the very end
    return places + [min(unfinished + offset - char_count, len(body)) for offset in offsets[len(places) :]]


def _inside(offsets: Sequence[int], chunk: bytes, text: str, state: tuple[bytes, int], encoding: str) -> list[int]:
    is_stateless = not encoding.startswith("iso2022")  # there, a part encoded alone has escape sequences of its own
    if is_stateless and not state[0] and _encode(text, encoding) == chunk:
        places, place, before = [], 0, 0
        for offset in offsets:
            place += len(text[before:offset].encode(encoding))
            before = offset
            places.append(place)
        return places
    starts = _starts(chunk, state, encoding)
    return [starts[offset] if offset < len(starts) else len(chunk) for offset in offsets]


def _encode(text: str, encoding: str) -> bytes | None:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return None


def _starts(chunk: bytes, state: tuple[bytes, int], encoding: str) -> list[int]:
    """First byte of every character of a chunk, byte by byte; negative if it began in the chunk before."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    decoder.setstate(state)
    carried_bytes = len(state[0])
    source = state[0] + chunk
    begin = 0
    starts: list[int] = []
    for place in range(carried_bytes, len(source)):
        try:
            text = decoder.decode(source[place : place + 1])
        except UnicodeError:
            break
        if text:
            end = place + 1 - len(decoder.getstate()[0])
            starts.append(begin - carried_bytes)
            if len(text) > 1:
                starts += [begin - carried_bytes + cut for cut in _cuts(source[begin:end], text, encoding)]
            begin = end
    return starts


def _cuts(source: bytes, text: str, encoding: str) -> list[int]:
    """Where the second and later characters begin in the few bytes around a broken sequence."""
    cuts: list[int] = []
    cut = 0
    for index in range(1, len(text)):
        places = range(cut + 1, len(source) + 1)
        cut = next((at for at in places if source[at:].decode(encoding, "replace") == text[index:]), cut)
        cuts.append(cut)
    return cuts
