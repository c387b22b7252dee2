"""Decode as a stage: the encoding of every page, with its evidence, and the text for the stages after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from paberki.corpus_file import NO_FILE, CorpusFile, path_of
from paberki.decoding import Decoded, decode, decode_as, first_method
from paberki.decoding.declared import byte_order_mark
from paberki.decoding.letter_counts import MODEL
from paberki.languages import Language
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

    lang: tuple[Language, ...] = ()
    """Languages of the corpus: a hint where the bytes alone cannot decide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """How encodings are found."""

    lang: tuple[Language, ...] = ()
    """Languages of the corpus: a hint where the bytes alone cannot decide."""
    model: CorpusFile = NO_FILE
    """File made by ``paberki train charset``, to be used instead of the model in the package."""


def _revision(_: object) -> str:
    """Part of the cache key: invalid characters are counted since this revision."""
    return "invalid characters"


@ephemeral("decoded", needs=("payload", "decode.encoding"))
def read_texts(batch: Batch) -> Sequence[str | None]:
    """The decoded page, None where it is not text."""
    rows = zip(batch["payload"], batch["decode.encoding"], strict=True)
    return [_text(payload, encoding) if encoding else None for payload, encoding in rows]


def _text(payload: bytes, encoding: str) -> str:
    mark = byte_order_mark(payload)
    return decode_as(payload[mark[1] :] if mark else payload, encoding)


@map_stage(
    "decode.model.v1",
    layer="decode",
    reads=lambda config: () if config.model else (MODEL,),
    needs=("payload", "archive.mime", "archive.http_charset"),
    adds=builtin("decode"),
    config=ModelConfig,
    gives=("decoded",),
    revision=_revision,
)
def decode_by_model(batch: Batch, config: ModelConfig) -> Columns:
    """Encoding by BOM, valid or slightly damaged UTF-8, then byte n-grams per language with declarations as a prior.

    References: P3 §3 (chared: models per language, Serbian in two scripts), P1 §2.3, P2 §3, P5 §3.1: pages whose encoding
    cannot be recovered are not guessed but read as UTF-8, so that ``replaced_count`` tells.
    """
    model = path_of(config.model) if config.model else None
    return _decode_batch(batch, partial(decode, lang=_hint(config.lang), model=model))


@map_stage(
    "decode.declared.v1",
    layer="decode",
    needs=("payload", "archive.mime", "archive.http_charset"),
    adds=builtin("decode"),
    config=DecodeConfig,
    gives=("decoded",),
    revision=_revision,
)
def decode_pages(batch: Batch, config: DecodeConfig) -> Columns:
    """Encoding by BOM, valid UTF-8, declaration (HTTP, then meta) as far as the bytes allow it, then a detector.

    References: P1 §2.3, P4 §3.2 (declared charset, else a guess), P5 §3.1 (badly encoded pages are labelled, not repaired).
    """
    return _decode_batch(batch, partial(first_method.decode, lang=_hint(config.lang)))


def _hint(languages: tuple[str, ...]) -> str | None:
    return languages[0] if len(languages) == 1 else None


def _decode_batch(batch: Batch, method: Callable[..., Decoded]) -> Columns:
    rows = zip(batch["payload"], batch["archive.mime"], batch["archive.http_charset"], strict=True)
    pages = [
        method(payload, http_charset=charset) if is_text(mime, payload) else None for payload, mime, charset in rows
    ]
    return {
        "encoding": [one.encoding if one else None for one in pages],
        "replaced_count": [one.replaced_count if one else None for one in pages],
        "invalid_count": [one.invalid_count if one else None for one in pages],
        "decode_evidence": [[item._asdict() for item in one.evidence] if one else None for one in pages],
        "decoded": [one.text if one else None for one in pages],
    }
