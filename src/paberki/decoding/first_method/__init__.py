"""The first method, kept for corpora that were built with it: declarations first, a detector with letter lists last.

Order of evidence: byte order mark; bytes that are valid UTF-8 whatever the page says; what HTTP header and
page declare, unless the bytes speak against it; a detector (:mod:`paberki.decoding.first_method.detect`).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.decoding.declared import byte_order_mark, declarations
from paberki.decoding.decoded import Decoded, Evidence, read_as
from paberki.decoding.first_method.detect import detect

_JAPANESE_ESCAPES: Final = (b"\x1b$B", b"\x1b$@", b"\x1b(J")
_VALID_PER_INVALID: Final = 2
_VALID_PER_INVALID_DECLARED: Final = 1
_FEWEST_ZEROS: Final = 8


def decode(data: bytes, *, http_charset: str | None = None, lang: str | None = None) -> Decoded:
    """Decode a page; never fails.

    ``http_charset`` is a label or a Content-Type value, ``lang`` a hint such as ``hr``.
    """
    mark = byte_order_mark(data)
    if mark:
        return _by_mark(data, *mark)
    evidence = declarations(data, http_charset)
    if data.isascii():
        return _ascii(data, evidence)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _not_clean_utf8(data, evidence, lang)
    return Decoded(text, "utf-8", (*evidence, Evidence("valid", "utf-8", "valid multi-byte sequences")), 0)


def _by_mark(data: bytes, codec: str, length: int) -> Decoded:
    return read_as(data[length:], codec, [Evidence("bom", codec, f"byte order mark of {length} bytes")])


def _ascii(data: bytes, evidence: list[Evidence]) -> Decoded:
    if b"\x1b" in data and any(escape in data for escape in _JAPANESE_ESCAPES):
        return read_as(data, "iso2022_jp", [*evidence, Evidence("valid", "iso2022_jp", "escape sequences")])
    zeros = _utf16_by_zeros(data)
    if zeros:
        return read_as(data, zeros, [*evidence, Evidence("valid", zeros, "zero bytes at every second place")])
    return Decoded(data.decode("ascii"), "utf-8", (*evidence, Evidence("valid", "utf-8", "ASCII only")), 0)


def _utf16_by_zeros(data: bytes) -> str | None:
    """UTF-16 without a mark: most bytes at even places are zero (or at odd places), few at the others."""
    head = data[:2000]
    if head.count(0) < max(_FEWEST_ZEROS, len(head) // 4):
        return None
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) * 4 < len(head) or min(even, odd) * 10 > max(even, odd):
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def _not_clean_utf8(data: bytes, evidence: list[Evidence], lang: str | None) -> Decoded:
    zeros = _utf16_by_zeros(data)
    if zeros:
        return read_as(data, zeros, [*evidence, Evidence("valid", zeros, "zero bytes at every second place")])
    declared_encodings = [item.encoding for item in evidence if item.encoding]
    text = data.decode("utf-8", "replace")
    invalid = text.count("\ufffd") - data.count(b"\xef\xbf\xbd")
    valid = len(text) - invalid - int(np.count_nonzero(np.frombuffer(data, np.uint8) < 0x80))
    least_ratio = _VALID_PER_INVALID_DECLARED if "utf-8" in declared_encodings else _VALID_PER_INVALID
    if valid >= least_ratio * invalid:
        detail = f"{valid} valid multi-byte sequences, {invalid} damaged"
        return Decoded(text, "utf-8", (*evidence, Evidence("valid", "utf-8", detail)), invalid)
    return _by_detector(data, evidence, lang)


def _by_detector(data: bytes, evidence: list[Evidence], lang: str | None) -> Decoded:
    declared_encodings = [item.encoding for item in evidence if item.encoding and item.encoding != "utf-8"]
    guess = detect(data, declared=declared_encodings, language=lang)
    agreeing = [item for item in evidence if item.encoding == guess.encoding]
    others = [item for item in evidence if item.encoding != guess.encoding]
    detail = f"letters of {guess.language or 'no known language'}, {guess.margin:.1f} nats ahead"
    reason = Evidence("detector", guess.encoding, detail)
    evidence_in_order = [*others, reason, *agreeing] if agreeing else [*others, reason]
    return read_as(data, guess.encoding, evidence_in_order)
