"""Decodes a fetched page in microseconds, nearly always correctly.

The build decodes more carefully (:mod:`paberki.decoding`). Here UTF-8 and the declared encoding are enough; the build's
detector is used, on a sample, only when neither fits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from paberki.decoding import decode
from paberki.decoding.declared import byte_order_mark, http_label, meta_label
from paberki.decoding.encoding_labels import SINGLE_BYTE, resolve

_SAMPLE_BYTES = 1000
_SAMPLES = 12
_BEYOND_ASCII = re.compile(rb"[\x80-\xff][^<>]{0,200}")
_CONTROLS = re.compile(rb"[\x80-\x9f]")
_WINDOWS_OF = {"iso8859-2": "cp1250", "iso8859-7": "cp1253", "iso8859-13": "cp1257", "iso8859-15": "cp1252"}
_WIDE_TAG = re.compile(rb"(?:[\t\n\r ]\0)*+(<\0[!?a-zA-Z]\0)|(?:\0[\t\n\r ])*+\0<\0[!?a-zA-Z]")
_JAPANESE_ESCAPES = re.compile(rb"\x1b(?:\$[B@]|\(J)")
_DAMAGED = 0.05
"""Largest share of broken sequences among non-ASCII ones for bytes to count as UTF-8 or as the declared encoding."""


def characters(body: bytes, content_type: str = "", languages: Sequence[str] = ()) -> tuple[str, str]:
    """Text of a page and the codec used; ``languages`` are the likely ones."""
    mark = byte_order_mark(body)
    if mark is not None:
        return body[mark[1] :].decode(mark[0], "replace"), mark[0]
    if b"\0" in body[:200] and (codec := _utf16(body)):
        return body.decode(codec, "replace"), codec
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return _legacy(body, content_type, languages)
    if body.isascii() and b"\x1b" in body and _JAPANESE_ESCAPES.search(body):
        return body.decode("iso2022_jp", "replace"), "iso2022_jp"
    return text, "utf-8"


def _utf16(body: bytes) -> str | None:
    if (tag := _WIDE_TAG.match(body)) is not None:
        return "utf-16-le" if tag[1] else "utf-16-be"
    head = body[:400]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) * 4 < len(head) or min(even, odd) * 10 > max(even, odd):
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def _legacy(body: bytes, content_type: str, languages: Sequence[str]) -> tuple[str, str]:
    text = body.decode("utf-8", "replace")
    if text.count("\ufffd") < _DAMAGED * (len(body) - len(text)):
        return text, "utf-8"
    for label in (http_label(content_type), meta_label(body)):
        codec = _plausible(body, resolve(label))
        if codec is not None:
            text = body.decode(codec, "replace")
            if codec in SINGLE_BYTE or text.count("\ufffd") < _DAMAGED * (len(body) - len(text)):
                return text, codec
    sample = b" ".join(match[0] for match in islice(_BEYOND_ASCII.finditer(body), _SAMPLES))[:_SAMPLE_BYTES]
    codec = decode(sample, lang=languages[0] if languages else None).encoding
    return body.decode(codec, "replace"), codec


def _plausible(body: bytes, codec: str | None) -> str | None:
    """The declared codec, or the Windows codec if bytes are invalid in the ISO one; None if it is ruled out."""
    if codec is None or codec.startswith("utf"):
        return None
    if codec.startswith("iso8859") and _CONTROLS.search(body):
        return _WINDOWS_OF.get(codec)
    return codec
