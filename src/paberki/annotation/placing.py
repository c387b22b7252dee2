"""Annotated pages in their places: sentences in blocks, tokens in texts of blocks and in the bytes of the payload."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.annotation.document import Document
from paberki.annotation.tagging.string_hashes import Longs
from paberki.extraction.compiled.origins import PageSource
from paberki.extraction.repair.breakpoints import in_text
from paberki.store.batch import Batch

BLOCKS: Final = tuple(f"extract.blocks.{field}" for field in ("start", "end", "source", "breakpoints"))
NEEDS: Final = (*BLOCKS, "decode.encoding", "archive.mime", "payload")
PLAIN: Final = "text/plain"
WORDS: Final = ("upos", "xpos", "feats", "lemma", "deprel", "ner", "frame")
"""Layers of words; that of heads is one of numbers."""


@dataclass(slots=True)
class TaggerLayers:
    """What one tagger said."""

    words: dict[str, list[str]]
    """What each token was given, by layer; nothing where the tagger has no such layer."""
    heads: npt.NDArray[np.int32]

    @classmethod
    def of(cls, document: Document) -> TaggerLayers:
        """The layers of a document, which itself, with a string for each token, is not kept."""
        words = {name: getattr(document, name) or [] for name in WORDS}
        return cls(words, np.array(document.head or (), np.int32))


@dataclass(slots=True)
class ImportedLayers:
    """What a file says that no tagger does: lists of tokens and of sentences, empty where it says nothing."""

    deps: list[str]
    misc: list[str]
    comments: list[str]
    nodes: list[str]


@dataclass(slots=True)
class AnnotatedPage:
    """A page with its annotation, waiting for the rest of its batch."""

    lang: str
    first: TaggerLayers
    others: dict[str, TaggerLayers]
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
    imported: ImportedLayers | None = None
    """What only an imported file says."""


def placed_page(batch: Batch, row: int, numbers: Longs, texts: Sequence[str], document: Document) -> AnnotatedPage:
    """An annotated page; ``texts`` are the blocks with these ``numbers``, which the document holds on lines of their own."""
    starts, ends = np.array(document.starts, np.int64), np.array(document.ends, np.int64)
    edges = np.array(document.edges, np.int64)
    # A block may hold lines of its own (verse, code), so its number is found by place.
    begins = np.cumsum([0, *(len(text) + 1 for text in texts)])[:-1]
    of_sentence = np.searchsorted(begins, starts[edges[:-1]], side="right") - 1
    of_token = np.repeat(of_sentence, np.diff(edges))
    offsets = begins[of_token] if len(starts) else 0
    starts, ends = starts - offsets, ends - offsets
    byte_starts, byte_ends = _bytes(batch, row, numbers, texts, of_token, starts, ends)
    return AnnotatedPage(
        document.lang,
        TaggerLayers.of(document),
        {name: TaggerLayers.of(other) for name, other in document.others.items()},
        np.array(document.oov or (), np.bool_),
        numbers[of_sentence],
        np.diff(edges),
        starts,
        ends,
        byte_starts,
        byte_ends,
    )


def _bytes(
    batch: Batch, row: int, numbers: Longs, texts: Sequence[str], of_token: Longs, starts: Longs, ends: Longs
) -> tuple[Longs, Longs]:
    """Byte spans of all tokens: from the text of a block to what the page has there, and from that to the payload."""
    byte_spans = np.empty((2, len(starts)), np.int64)
    source = PageSource(
        batch["payload"][row], batch["decode.encoding"][row], is_plain=batch["archive.mime"][row] == PLAIN
    )
    begins, stops, sources, breakpoints = (batch.arrow(name)[row].values for name in BLOCKS)
    for first, last in _runs(of_token):
        own = int(of_token[first])
        number = int(numbers[own])
        text, firsts, lasts = texts[own], starts[first:last], ends[first:last]
        if sources[number].is_valid:
            text = sources[number].as_py()
            firsts, lasts = in_text(_pairs(breakpoints[number]), firsts, lasts)
        begin, end = begins[number].as_py(), stops[number].as_py()
        byte_spans[0, first:last], byte_spans[1, first:last] = source.byte_spans(begin, end, text, firsts, lasts)
    return byte_spans[0], byte_spans[1]


def _runs(of_token: Longs) -> Iterator[tuple[int, int]]:
    """First token of each block that has any, and the token after its last one."""
    edges = [0, *(np.flatnonzero(np.diff(of_token)) + 1).tolist(), len(of_token)] if len(of_token) else []
    return pairwise(edges)


def _pairs(breakpoints: pa.Scalar) -> list[tuple[int, int]]:
    return [(one["view"], one["text"]) for one in breakpoints.as_py()]
