"""Decode as a stage: the encoding of every page, with its evidence, and the text for the stages after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paberki.decoding import decode, decode_as
from paberki.decoding.declared import byte_order_mark
from paberki.stage import Columns, ephemeral, map_stage
from paberki.store.batch import Batch
from paberki.store.columns import builtin

TEXTUAL = ("application/xhtml+xml", "application/xml")


def is_text(mime: str | None, payload: bytes) -> bool:
    """Whether a page can hold text at all: by its media type, or by its first bytes when it has none."""
    if mime is None:
        return b"\0" not in payload[:1000]
    return mime.startswith("text/") or mime in TEXTUAL


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodeConfig:
    """How encodings are found."""

    lang: tuple[str, ...] = ()
    """Languages of the corpus: a hint where the bytes alone cannot decide."""


@ephemeral("text", needs=("payload", "decode.encoding"))
def read_texts(batch: Batch) -> Sequence[str | None]:
    """The decoded page, None where it is not text."""
    rows = zip(batch["payload"], batch["decode.encoding"], strict=True)
    return [_text(payload, encoding) if encoding else None for payload, encoding in rows]


def _text(payload: bytes, encoding: str) -> str:
    mark = byte_order_mark(payload)
    return decode_as(payload[mark[1] :] if mark else payload, encoding)


@map_stage(
    "decode.declared.v1",
    layer="decode",
    needs=("payload", "archive.mime", "archive.http_charset"),
    adds=builtin("decode"),
    config=DecodeConfig,
    gives=("text",),
)
def decode_pages(batch: Batch, config: DecodeConfig) -> Columns:
    """Encoding by BOM, valid UTF-8, declaration (HTTP, then meta) as far as the bytes allow it, then a detector.

    References: P3 §3 (language-aware detection), P1 §2, P5 §3.2 (badly encoded pages are labelled, not repaired).
    """
    hint = config.lang[0] if len(config.lang) == 1 else None
    rows = zip(batch["payload"], batch["archive.mime"], batch["archive.http_charset"], strict=True)
    found = [
        decode(payload, http_charset=charset, lang=hint) if is_text(mime, payload) else None
        for payload, mime, charset in rows
    ]
    return {
        "encoding": [one.encoding if one else None for one in found],
        "replaced_count": [one.replaced_count if one else None for one in found],
        "decode_evidence": [
            [{"source": item.source, "encoding": item.encoding, "detail": item.detail} for item in one.evidence]
            if one
            else None
            for one in found
        ],
        "text": [one.text if one else None for one in found],
    }
