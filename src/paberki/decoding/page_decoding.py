"""From the bytes of one page to its text: the order in which evidence is considered."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from pathlib import Path
from typing import Final

from paberki.decoding.byte_tables import load_tables
from paberki.decoding.charset_model import EncodingGuess, guess
from paberki.decoding.charsets import MODELLED, MULTI_BYTE
from paberki.decoding.damaged_utf8 import Utf8Reading, read_damaged, resembles_utf8
from paberki.decoding.declared import byte_order_mark, declarations
from paberki.decoding.decoded import Decoded, Evidence, read_as
from paberki.decoding.encoding_labels import decode_as
from paberki.decoding.letter_counts import SHIPPED
from paberki.decoding.wide_encodings import CONTROLS, escape_encoding, wide_encoding

_WHOLE_PER_BROKEN: Final = 2
# Mean costs of bytes, in nats. Text costs 2 to 4 under its own model, seldom 5, noise 6 to 7 (benchmarks/decode.py --costs).
_DAMAGED_NATS: Final = 4.6
_ONLY_DAMAGED_NATS: Final = 6.0
"""Threshold without evidence for UTF-8: a single odd letter is more likely a name in another encoding."""
_DECLARED_NATS: Final = 0.8
_IDEOGRAPH_NATS: Final = 1.0
"""What half an ideograph costs more than a letter."""
_NOISE_NATS: Final = 5.7
_BINARY_NATS: Final = 5.2
"""The same for bytes among which there are controls."""
_FOREIGN_NATS: Final = 4.2
_FEW: Final = 4
"""So many bytes above 0x7F in a page may all be damage."""
_HEAD_BYTES: Final = 4096
_READ_BYTES: Final = 4_000_000
_ENOUGH_TO_JUDGE: Final = 20


def decode(
    data: bytes, *, http_charset: str | None = None, lang: str | None = None, model: Path | None = None
) -> Decoded:
    """Decode a page; never fails.

    ``http_charset`` is a label or a Content-Type value, ``lang`` a hint such as ``hr``, ``model`` a file made by
    ``paberki train charset`` instead of the one in the package.
    """
    mark = byte_order_mark(data)
    if mark:
        codec, length = mark
        return read_as(data[length:], codec, [Evidence("bom", codec, f"byte order mark of {length} bytes")])
    evidence = declarations(data, http_charset)
    given_away = escape_encoding(data)
    if given_away:
        return read_as(data, given_away, [*evidence, Evidence("valid", given_away, "escape sequences")])
    wide = wide_encoding(data)
    if wide:
        return read_as(data, wide, [*evidence, Evidence("valid", wide, "two or four bytes per character")])
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        error_at = error.start
    else:
        detail = "ASCII only" if len(text) == len(data) else "valid multi-byte sequences"
        return Decoded(text, "utf-8", (*evidence, Evidence("valid", "utf-8", detail)), 0)
    return _not_clean_utf8(data, error_at, evidence, lang, model)


def _not_clean_utf8(
    data: bytes, error_at: int, evidence: list[Evidence], lang: str | None, model: Path | None
) -> Decoded:
    declared_encodings = {item.encoding for item in evidence if item.encoding}
    reading = read_damaged(data) if resembles_utf8(data, error_at) else None
    if reading and reading.whole >= _WHOLE_PER_BROKEN * reading.broken_count:
        return _damaged_utf8(reading, evidence)
    best = guess(_piece(data, error_at), load_tables(model or SHIPPED), declared=declared_encodings, language=lang)
    if reading is None and best.high_count <= _FEW:
        reading = read_damaged(data)
    if reading and _rather_damaged(reading, best, declared_encodings):
        return _damaged_utf8(reading, evidence)
    unknown = _unknown_to_model(data, best, declared_encodings)
    if unknown:
        return _as_declared(data, unknown, best, evidence)
    if best.encoding not in declared_encodings and _is_noise(data[:_HEAD_BYTES], best):
        return _unrecoverable(data, best, evidence)
    return _by_model(data, best, evidence)


def _piece(data: bytes, error_at: int) -> bytes:
    """The part of a page that the model reads: the first four megabytes."""
    return data if len(data) <= _READ_BYTES else data[max(error_at - _HEAD_BYTES, 0) :][:_READ_BYTES]


def _unknown_to_model(data: bytes, best: EncodingGuess, declared_encodings: Collection[str]) -> str | None:
    """A declared encoding that the model does not know, where it knows nothing better."""
    if best.strangeness < _FOREIGN_NATS:
        return None
    others = sorted(encoding for encoding in declared_encodings if encoding not in MODELLED and encoding != "utf-8")
    return next((encoding for encoding in others if _mostly_letters(data[:_HEAD_BYTES], encoding)), None)


def _mostly_letters(head: bytes, encoding: str) -> bool:
    text = [char for char in decode_as(head, encoding) if char > "\x7f"]
    letters = sum(unicodedata.category(char)[0] in "LM" for char in text)
    return letters * 10 >= len(text) * 7


def _as_declared(data: bytes, encoding: str, best: EncodingGuess, evidence: list[Evidence]) -> Decoded:
    agreeing = [item for item in evidence if item.encoding == encoding]
    others = [item for item in evidence if item.encoding != encoding]
    doubt = Evidence("model", best.encoding, f"unlikely, at {best.strangeness:.1f} nats per byte")
    return read_as(data, encoding, [*others, doubt, *agreeing])


def _rather_damaged(reading: Utf8Reading, best: EncodingGuess, declared_encodings: Collection[str]) -> bool:
    """Whether damage to UTF-8 is likelier than text in the best other encoding."""
    mostly_whole = reading.whole + 2 * reading.cut > reading.broken_count
    if best.encoding in MULTI_BYTE:  # half of whose bytes look like UTF-8 now and then, so only the cost counts
        return best.strangeness > _DAMAGED_NATS + _IDEOGRAPH_NATS * (not mostly_whole)
    limit = _DAMAGED_NATS if reading.whole else _ONLY_DAMAGED_NATS
    limit += _DECLARED_NATS * ((best.encoding in declared_encodings) - ("utf-8" in declared_encodings))
    return mostly_whole or best.strangeness > limit


def _is_noise(head: bytes, best: EncodingGuess) -> bool:
    """Whether the bytes are text in no encoding the model knows."""
    if best.high_count < _ENOUGH_TO_JUDGE:
        return False
    controls = len(head) - len(head.translate(None, CONTROLS))
    return best.strangeness > (_NOISE_NATS if controls * 200 < len(head) else _BINARY_NATS)


def _unrecoverable(data: bytes, best: EncodingGuess, evidence: list[Evidence]) -> Decoded:
    """Read as UTF-8 where no encoding fits: invalid bytes are counted as lost."""
    detail = f"fits no encoding; nearest {best.encoding}, at {best.strangeness:.1f} nats per byte"
    return read_as(data, "utf-8", [*evidence, Evidence("model", None, detail)])


def _damaged_utf8(reading: Utf8Reading, evidence: list[Evidence]) -> Decoded:
    detail = f"{reading.whole} valid multi-byte sequences, {reading.broken_count} damaged"
    return Decoded(reading.text, "utf-8", (*evidence, Evidence("valid", "utf-8", detail)), reading.broken_count)


def _by_model(data: bytes, best: EncodingGuess, evidence: list[Evidence]) -> Decoded:
    agreeing = [item for item in evidence if item.encoding == best.encoding]
    others = [item for item in evidence if item.encoding != best.encoding]
    reason = Evidence("model", best.encoding, f"letters of {best.language}, {best.margin:.1f} nats ahead")
    return read_as(data, best.encoding, [*others, *agreeing, reason])
