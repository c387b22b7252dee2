"""HTML -> blocks of text that know where in the payload they come from, and which of them are the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from paberki.decoding import Decoded, decode, decode_as
from paberki.errors import ConfigError
from paberki.extraction.blocks import Block, Link, Segmented, Span
from paberki.extraction.bte import bte
from paberki.extraction.justext import justext
from paberki.extraction.perceptron import perceptron
from paberki.extraction.plain import segment_text
from paberki.extraction.segment import segment
from paberki.extraction.spans import byte_offsets, mark_length
from paberki.extraction.tagpath import TagPathConfig, tagpath
from paberki.extraction.victor import victor

__all__ = [
    "METHODS", "Block", "Extraction", "Link", "Segmented", "Span", "TagPathConfig", "extract",
    "extract_decoded", "extract_plain", "segment", "segment_text", "tagpath", "to_bytes",
]  # fmt: skip

METHODS: Final[dict[str, Callable[[Sequence[Block]], None]]] = {
    "tagpath": tagpath,
    "bte": bte,
    "justext": justext,
    "perceptron": perceptron,
    "victor": victor,
}
"""Extraction methods by name: each labels the blocks of one page in place."""

DEFAULT_METHOD: Final = "tagpath"


@dataclass(slots=True)
class Extraction:
    """A page in blocks, with byte offsets into its payload; ``text`` is what the method kept."""

    blocks: list[Block]
    links: list[Link]
    title: Span | None
    keywords: Span | None
    description: Span | None
    declared_language: str | None
    canonical: str | None
    base: str | None
    doctype: str | None
    encoding: str
    url: str | None = None

    @property
    def text(self) -> str:
        """The kept blocks, one per line."""
        return "\n".join(block.text for block in self.blocks if block.kept)


def extract(
    html_or_bytes: str | bytes,
    *,
    url: str | None = None,
    method: str | None = None,
    encoding: str | None = None,
) -> Extraction:
    """Blocks of an HTML page, labelled by a method of :data:`METHODS`.

    Bytes are decoded as ``encoding`` says, or as :func:`paberki.decoding.decode` finds. For a string, offsets are
    those of the string encoded (UTF-8 unless ``encoding`` says otherwise).
    """
    payload, text, codec = _payload(html_or_bytes, encoding)
    return _labelled(segment(text), payload, codec, url, method)


def extract_decoded(
    payload: bytes, decoded: Decoded, *, url: str | None = None, method: str | None = None
) -> Extraction:
    """The same for a payload that has been decoded already."""
    return _labelled(segment(decoded.text), payload, decoded.encoding, url, method)


def extract_plain(text_or_bytes: str | bytes, *, url: str | None = None, encoding: str | None = None) -> Extraction:
    """Paragraphs of a plain text page, all of them kept."""
    payload, text, codec = _payload(text_or_bytes, encoding)
    return _extraction(to_bytes(segment_text(text), payload, codec), codec, url)


def to_bytes(found: Segmented, payload: bytes, encoding: str) -> Segmented:
    """Turn all offsets of a segmented page, in place, into byte offsets of its payload."""
    spans: list[Block | Link | Span] = [*found.blocks, *found.links]
    spans += [span for span in (found.title, found.keywords, found.description) if span is not None]
    starts = [span.start for span in spans]
    places = byte_offsets(starts + [span.end for span in spans], payload, encoding)
    if places != starts:
        for span, start, end in zip(spans, places, places[len(spans) :], strict=False):
            span.start, span.end = start, end
    return found


def _payload(given: str | bytes, encoding: str | None) -> tuple[bytes, str, str]:
    if isinstance(given, str):
        codec = encoding or "utf-8"
        errors = "surrogatepass" if codec.startswith("utf") else "replace"
        return given.encode(codec, errors), given, codec
    if encoding is None:
        decoded = decode(given)
        return given, decoded.text, decoded.encoding
    return given, decode_as(given[mark_length(given, encoding) :], encoding), encoding


def _labelled(found: Segmented, payload: bytes, codec: str, url: str | None, method: str | None) -> Extraction:
    label = METHODS.get(method or DEFAULT_METHOD)
    if label is None:
        raise ConfigError(f"unknown extraction method {method!r}; known methods: {', '.join(METHODS)}")
    to_bytes(found, payload, codec)
    label(found.blocks)
    return _extraction(found, codec, url)


def _extraction(found: Segmented, codec: str, url: str | None) -> Extraction:
    return Extraction(
        found.blocks, found.links, found.title, found.keywords, found.description, found.declared_language,
        found.canonical, found.base, found.doctype, codec, url,
    )  # fmt: skip
