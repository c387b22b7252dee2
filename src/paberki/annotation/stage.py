"""The stage: sentences, tokens, tags, lemmas, trees and names of the kept blocks of a page.

It has its own coarse condition and does not look at the selection, so that a changed rule costs no parsing. Each block
is annotated by itself: no sentence goes over its border. Words are stored as dictionaries and numbers, never as a
string per token; the form of a token is the text of its block between its offsets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.annotation.document import Document
from paberki.annotation.hashing import Longs
from paberki.annotation.models import annotator, languages
from paberki.annotation.pipeline import ALL_LAYERS
from paberki.extraction.spans import byte_offsets
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import KeptTexts, kept_texts
from paberki.store.columns import builtin

NEEDS: Final = (
    "extract.blocks.text", "extract.blocks.kept", "extract.blocks.start", "extract.blocks.end", "identify.lang",
    "extract.kept_char_count", "decode.encoding", "archive.key", "payload",
)  # fmt: skip
_COPY: Final = "dedup.dup_exact"
WORDS: Final = ("upos", "xpos", "feats", "lemma", "deprel", "ner")
_MARKUP: Final = re.compile(r"<!--.*?-->|<[^<>]*>", re.DOTALL)
_WINDOW: Final = 4000
"""How far from one token to the next in the source, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotateConfig:
    """What is annotated, and how far."""

    lang: tuple[str, ...] = ()
    """Languages to annotate, those of the recipe unless others are given; empty: all that there are models for."""
    min_chars: int = 200
    """Pages with less kept text are not annotated."""
    max_chars: int = 200_000
    """Characters of a page that are annotated; blocks beyond are not."""
    layers: tuple[str, ...] = ALL_LAYERS
    """Of tag, lemma, parse and ner."""


def needs(config: AnnotateConfig, columns: Mapping[str, str]) -> tuple[str, ...]:
    """Copies are told where a stage has looked for them."""
    return (*NEEDS, *([_COPY] if "dup_exact" in columns else []))


@map_stage("annotate.v1", layer="annotate", needs=needs, adds=builtin("annotate"), config=AnnotateConfig)
def annotate(batch: Batch, config: AnnotateConfig) -> Columns:
    """Annotate pages in a known language that are long enough and not a copy of another (P1 §3, P3 §4, P4 §2.2)."""
    kept = kept_texts(batch.arrow(NEEDS[0]), batch.arrow(NEEDS[1]))
    wanted = _wanted(batch, config)
    pages: list[_Page | None] = [None] * len(wanted)
    for lang in dict.fromkeys(one for one in wanted if one):
        rows = [row for row, own in enumerate(wanted) if own == lang]
        texts = [_texts(kept, row, config.max_chars) for row in rows]
        documents = annotator(lang).annotate_all(["\n".join(one) for one in texts], config.layers)
        for row, own, document in zip(rows, texts, documents, strict=True):
            pages[row] = _placed(batch, kept, row, lang, own, document)
    return _columns(pages)


def _wanted(batch: Batch, config: AnnotateConfig) -> list[str | None]:
    """The language of each page that is annotated."""
    known = set(languages())
    known &= set(config.lang or known)
    keys = batch["archive.key"]
    copies = batch[_COPY] if _COPY in batch.names() else keys
    rows = zip(batch["identify.lang"], batch["extract.kept_char_count"], copies, keys, strict=True)
    return [
        lang if lang in known and (chars or 0) >= config.min_chars and (copy is None or copy == key) else None
        for lang, chars, copy, key in rows
    ]


@dataclass(slots=True)
class _Page:
    lang: str
    layers: dict[str, list[str]]
    """What each token was given, by layer."""
    heads: npt.NDArray[np.int32]
    unknown: npt.NDArray[np.bool_]
    """Whether each token is in no lexicon."""
    blocks: Longs
    """Number of the block of each sentence."""
    lengths: Longs
    """Number of tokens of each sentence."""
    starts: Longs
    """Where each token begins in its block, in characters."""
    ends: Longs
    byte_starts: Longs
    byte_ends: Longs


def _texts(kept: KeptTexts, row: int, room: int) -> list[str]:
    """Texts of the kept blocks of a page, as far as there is room."""
    texts: list[str] = []
    for text in kept.of_page(row):
        room -= len(text)
        if room < 0:
            break
        texts.append(text)
    return texts


def _placed(batch: Batch, kept: KeptTexts, row: int, lang: str, texts: Sequence[str], document: Document) -> _Page:
    """An annotated page with the places of its sentences and tokens."""
    numbers = kept.numbers[kept.edges[row] : kept.edges[row + 1]]
    starts, ends = np.array(document.starts, np.int64), np.array(document.ends, np.int64)
    edges = np.array(document.edges, np.int64)
    # A block may hold lines of its own (verse, code), so its number is found by place.
    begins = np.cumsum([0, *(len(text) + 1 for text in texts)])[:-1]
    of_sentence = np.searchsorted(begins, starts[edges[:-1]], side="right") - 1
    lengths = np.diff(edges)
    of_token = np.repeat(of_sentence, lengths)
    byte_starts, byte_ends = _bytes(batch, row, document, numbers[of_token], ends - starts)
    offsets = begins[of_token] if len(starts) else 0
    heads = np.array(document.head or (), np.int32)
    unknown = np.array(document.oov or (), np.bool_)
    layers = {name: getattr(document, name) or [] for name in WORDS}
    # The document itself, with a string for each token, is not kept: pages wait for the rest of their batch.
    return _Page(
        lang,
        layers,
        heads,
        unknown,
        numbers[of_sentence],
        lengths,
        starts - offsets,
        ends - offsets,
        byte_starts,
        byte_ends,
    )


def _bytes(batch: Batch, row: int, document: Document, blocks: Longs, lengths: Longs) -> tuple[Longs, Longs]:
    """Byte spans of the tokens in the payload; -1 where the page does not have the token as it stands in the view."""
    starts, ends = np.full((2, len(blocks)), -1, np.int64)
    content: bytes = batch["payload"][row] or b""
    encoding = batch["decode.encoding"][row]
    if not encoding:
        return starts, ends
    begins, stops = batch[NEEDS[2]][row], batch[NEEDS[3]][row]
    edges = [0, *(np.flatnonzero(np.diff(blocks)) + 1).tolist(), len(blocks)] if len(blocks) else []
    for first, last in pairwise(edges):
        begin = begins[blocks[first]]
        source = content[begin : stops[blocks[first]]]
        found = np.array(places(source.decode(encoding, "replace"), document.forms[first:last]), np.int64)
        there = np.flatnonzero(found >= 0)
        both = np.concatenate([found[there], found[there] + lengths[first:last][there]])
        flat = begin + np.array(byte_offsets(both.tolist(), source, encoding), np.int64)
        starts[first + there], ends[first + there] = flat[: len(there)], flat[len(there) :]
    return starts, ends


def places(source: str, forms: Sequence[str]) -> list[int]:
    """Where forms stand in a piece of a page, one after the other, markup skipped; -1 where one does not."""
    find = _MARKUP.sub(lambda markup: "\0" * len(markup.group()), source).find
    found = []
    at = 0
    for form in forms:
        start = find(form, at, at + len(form) + _WINDOW)
        found.append(start)
        if start >= 0:
            at = start + len(form)
    return found


def _columns(pages: Sequence[_Page | None]) -> dict[str, Any]:
    columns: dict[str, Any] = {
        "annotated": [page.lang if page else None for page in pages],
        "token_count": [len(page.starts) if page else None for page in pages],
        "sentence_count": [len(page.blocks) if page else None for page in pages],
        "oov_count": [int(page.unknown.sum()) if page else None for page in pages],
        "sent_block": _numbers(pages, lambda page: page.blocks, pa.int32()),
        "sent_length": _numbers(pages, lambda page: page.lengths, pa.int32()),
        "tok_start": _numbers(pages, lambda page: page.starts, pa.int32()),
        "tok_end": _numbers(pages, lambda page: page.ends, pa.int32()),
        "tok_byte_start": _numbers(pages, lambda page: page.byte_starts, pa.int64()),
        "tok_byte_end": _numbers(pages, lambda page: page.byte_ends, pa.int64()),
        "tok_head": _numbers(pages, lambda page: page.heads, pa.int32()),
        "tok_oov": _numbers(pages, lambda page: page.unknown, pa.bool_()),
    }
    for name in WORDS:
        columns[f"tok_{name}"] = _words(pages, name)
    return columns


def _numbers(pages: Sequence[_Page | None], values_of: Any, kind: pa.DataType) -> pa.Array:
    """A list of numbers for each page."""
    lists = [np.asarray(values_of(page), kind.to_pandas_dtype()) if page else None for page in pages]
    flat = np.concatenate([one for one in lists if one is not None] or [np.zeros(0, kind.to_pandas_dtype())])
    return _lists([None if one is None else len(one) for one in lists], pa.array(flat, kind))


def _words(pages: Sequence[_Page | None], name: str) -> pa.Array:
    """A layer of all pages, each word once in the dictionary."""
    lists: list[list[str] | None] = [page.layers[name] if page else None for page in pages]
    flat = list(chain.from_iterable(one for one in lists if one))
    try:
        words = pa.array(flat, pa.string())
    except UnicodeEncodeError:  # half a character, as a broken page may have it
        words = pa.array([word.encode("utf-8", "replace").decode() for word in flat], pa.string())
    return _lists([None if one is None else len(one) for one in lists], words.dictionary_encode())


def _lists(lengths: Sequence[int | None], values: pa.Array) -> pa.Array:
    """Values as lists of these lengths, some of which are missing."""
    edges = np.cumsum([0, *(length or 0 for length in lengths)]).astype(np.int32)
    missing = pa.array([length is None for length in lengths], pa.bool_())
    return pa.ListArray.from_arrays(pa.array(edges, pa.int32()), values, mask=missing)
