"""What the index keeps of a page for lists of hits: facts about it, its text, and where its tokens are."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

_HEAD: Final = struct.Struct("<III")
_SMALL: Final = 1
_SMALL_HEAD, _LARGE_HEAD = bytes([_SMALL, 0, 0, 0]), bytes(4)
_encode: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class SearchedPage:
    """A page as the index has it."""

    about: dict[str, Any]
    text: str
    _spans: bytes

    @cached_property
    def spans(self) -> Ints:
        """First and last character of every token: two rows."""
        kind = np.uint8 if self._spans[:1] == bytes([_SMALL]) else np.uint32
        steps = np.frombuffer(self._spans, kind, offset=4).astype(np.int64)
        edges = np.cumsum(steps)
        return np.stack([edges[::2], edges[1::2]])

    @cached_property
    def tokens(self) -> list[str]:
        """The tokens in lower case, as they stand in the index."""
        text, (starts, ends) = self.text, self.spans.tolist()
        return ["\x1f".join(text[start:end].lower().split()) for start, end in zip(starts, ends, strict=True)]

    def token(self, at: int) -> str:
        """One token; an empty one beyond the last."""
        starts, ends = self.spans
        return "\x1f".join(self.text[starts[at] : ends[at]].lower().split()) if at < len(starts) else ""


def pack(about: dict[str, Any], text: str, starts: Ints, ends: Ints) -> bytes:
    """The bytes of a page."""
    return page_bytes(about, text, packed_spans(starts, ends, np.array([0, len(starts)]))[0])


def page_bytes(about: dict[str, Any], text: str, spans: bytes) -> bytes:
    """The bytes of a page whose spans are packed."""
    facts = _encode(about).encode("utf-8", "replace")
    return b"".join([_HEAD.pack(len(facts), len(spans), 0), facts, spans, text.encode("utf-8", "replace")])


def packed_spans(starts: Ints, ends: Ints, edges: Ints) -> list[bytes]:
    """Spans of many pages, whose tokens lie between these edges: steps from one end to the next."""
    places = np.empty(2 * len(starts), np.int64)
    places[::2], places[1::2] = starts, ends
    steps = np.diff(places, prepend=0)
    firsts = edges[:-1][np.diff(edges) > 0]
    steps[2 * firsts] = starts[firsts]
    bytes_of_all = steps.astype(np.uint8).tobytes()
    large = np.concatenate([[0], np.cumsum((steps < 0) | (steps > 255))])
    spans = []
    for first, last in zip((2 * edges[:-1]).tolist(), (2 * edges[1:]).tolist(), strict=True):
        if large[first] == large[last]:
            spans.append(_SMALL_HEAD + bytes_of_all[first:last])
        else:
            spans.append(_LARGE_HEAD + steps[first:last].astype(np.uint32).tobytes())
    return spans


def unpack(data: bytes) -> SearchedPage:
    """The page of these bytes."""
    facts, spans, _ = _HEAD.unpack_from(data)
    at = _HEAD.size
    text = data[at + facts + spans :].decode("utf-8")
    return SearchedPage(json.loads(data[at : at + facts]), text, data[at + facts : at + facts + spans])
