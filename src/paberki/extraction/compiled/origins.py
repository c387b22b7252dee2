"""The bytes of the payload behind stretches of a block's text.

Extraction keeps where a block begins and ends; what lies between is read once more, by the same compiled reader, whenever
somebody wants to know about single characters: that takes microseconds, while breakpoints for every tag and reference of
every page would fill a tenth of the layer. Nothing is looked for: white space apart, the n-th character that is read is the
n-th character of the text, and if it is not, that is a bug.
"""

from __future__ import annotations

import codecs
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.decoding.encoding_labels import SINGLE_BYTE, decode_as
from paberki.errors import ContractError
from paberki.extraction.compiled import kernel_layout
from paberki.extraction.compiled.tag_tables import TAGS, tables
from paberki.extraction.html.byte_spans import offsets_in_piece
from paberki.extraction.html.stated_text import without_escapes
from paberki.kernels import load

Longs = npt.NDArray[np.int64]
_Ints = npt.NDArray[np.int32]
STATEFUL: Final = frozenset(("iso2022_jp",))
"""Encodings in which a piece cannot be read without what stands before it."""
_NO_TAG: Final = -1
_TEXTAREA: Final = TAGS.index("textarea")


class PageSource:
    """A page as it was received, for questions about the bytes behind its text."""

    def __init__(self, payload: bytes, encoding: str, *, is_plain: bool = False) -> None:
        self.payload, self.encoding = payload, encoding
        self.is_plain = is_plain
        """The page is plain text, so that tags and references are just characters."""

    def byte_spans(self, start: int, end: int, text: str, firsts: Longs, lasts: Longs) -> tuple[Longs, Longs]:
        """First byte, and byte after the last one, of stretches of the text of a block.

        The block lies from ``start`` to ``end`` in the payload; stretches go from character ``firsts`` to before
        ``lasts`` and neither begin nor end with white space.
        """
        piece = self.payload[start:end]
        piece_text, source = self._read_piece(piece, start)
        begins, ends = self._origins(source, text)
        ranks = np.cumsum(_is_ink(_points(text))) - 1
        places = np.concatenate([begins[ranks[firsts]], ends[ranks[lasts - 1]]]).astype(np.int64)
        if piece_text is not None:
            places = self._bytes_of(_characters(places, source), piece, piece_text, start)
        return start + places[: len(firsts)], start + places[len(firsts) :]

    def _read_piece(self, piece: bytes, start: int) -> tuple[str | None, bytes]:
        """A piece decoded and as UTF-8; the former is None if the piece is UTF-8 as it is."""
        if self.encoding == "utf-8":
            try:
                piece.decode("utf-8")
                return None, piece
            except UnicodeDecodeError:
                pass
        if self.encoding in STATEFUL:
            piece_text = self._whole[self._count_before(start) : self._count_before(start + len(piece))]
        else:
            piece_text = decode_as(piece, self.encoding)
        return piece_text, piece_text.encode("utf-8", "replace")

    def _origins(self, source: bytes, text: str) -> tuple[_Ints, _Ints]:
        """Where each character of the text that is not white space begins and ends in the source of its block."""
        points = _points(text)
        points = points[_is_ink(points)]
        for reading in (_plain,) if self.is_plain else (_markup, _textarea, _stated_spans):
            chars, begins, ends = reading(source)
            if len(chars) == len(points) and (chars == points).all():
                return begins, ends
        raise ContractError(f"the text of a block is not what its bytes say: {text[:60]!r}")

    def _bytes_of(self, places: Longs, piece: bytes, piece_text: str, start: int) -> Longs:
        """Character offsets of a decoded piece as byte offsets."""
        if self.encoding in SINGLE_BYTE:
            return places
        if self.encoding in STATEFUL:
            before = self._count_before(start)
            return np.array(offsets_in_piece((places + before).tolist(), self.payload, self.encoding), np.int64) - start
        if self.encoding.startswith("utf-16"):
            long = np.flatnonzero(_points(piece_text) > 0xFFFF)
            in_pairs: Longs = np.minimum(2 * (places + np.searchsorted(long, places)), len(piece))
            return in_pairs
        return np.array(offsets_in_piece(places.tolist(), piece, self.encoding), np.int64)

    @cached_property
    def _whole(self) -> str:
        return decode_as(self.payload, self.encoding)

    def _count_before(self, at: int) -> int:
        """Characters before a byte of a payload that must be read from its beginning."""
        return len(codecs.getincrementaldecoder(self.encoding)("replace").decode(self.payload[:at]))


def _points(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _is_ink(points: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Which characters of a block's text are not white space (there, spaces and line ends)."""
    ink: npt.NDArray[np.bool_] = (points != 32) & (points != 10)
    return ink


def _characters(places: Longs, source: bytes) -> Longs:
    """Byte offsets of UTF-8 as character offsets."""
    tails = np.flatnonzero(np.frombuffer(source, np.int8) < -64)
    return places - np.searchsorted(tails, places)


def _markup(source: bytes, tag: int = _NO_TAG) -> tuple[_Ints, _Ints, _Ints]:
    chars, begins, ends = (np.empty(len(source), np.int32) for _ in range(3))
    count = _kernel().read_origins(
        np.frombuffer(source, np.uint8), *tables(), *_scratch(), tag, chars, begins, ends
    )  # fmt: skip
    return chars[:count], begins[:count], ends[:count]


def _textarea(source: bytes) -> tuple[_Ints, _Ints, _Ints]:
    """A block that begins in a textarea, where tags are text: some settings of extraction keep it."""
    return _markup(source, _TEXTAREA)


def _stated_spans(source: bytes) -> tuple[_Ints, _Ints, _Ints]:
    """A block of the text that a page states in JSON."""
    return _markup(without_escapes(source.decode("utf-8", "replace")).encode())


def _plain(source: bytes) -> tuple[_Ints, _Ints, _Ints]:
    text = source.decode("utf-8")
    ink = np.array([not char.isspace() for char in text], bool)
    heads = np.flatnonzero(np.frombuffer(source, np.int8) >= -64).astype(np.int32)
    ends = np.append(heads[1:], np.int32(len(source)))
    return _points(text)[ink].astype(np.int32), heads[ink], ends[ink]


@lru_cache(maxsize=1)
def _scratch() -> tuple[Longs, Longs]:
    return np.zeros(kernel_layout.STATE_FIELDS, np.int64), np.empty((kernel_layout.ATTRIBUTES, 2), np.int64)


@lru_cache(maxsize=1)
def _kernel() -> Any:
    return load("paberki.extraction.compiled.segmenter_kernel")
