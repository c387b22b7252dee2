"""Sentences without any order, one per line: for corpora that may not be passed on as running text.

Every sentence gets a hash of its page and place, which the seed changes; the file is sorted by it. So the order is that of the
whole corpus, whoever made the pieces, and a line says nothing about the page that it is from. With several files, pages are
spread over them at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.export.export_format import ExportHead, ExportPiece, Form
from paberki.export.pages.shuffled_pages import order_of
from paberki.export.words.column_text import CONTROL, changed_where, join_columns
from paberki.export.words.markup_text import one_line
from paberki.export.words.string_columns import arrow_bytes
from paberki.export.words.token_table import TokenTable

_ORDER, _SENTENCE = "order", "sentence"
_SCHEMA: Final = pa.schema({_ORDER: pa.uint64(), _SENTENCE: pa.string()})
_SORTED_BYTES: Final = 4 << 20
"""How much is sorted at a time."""
_BUCKET_BITS: Final = 8
"""A piece is stored in batches by the first bits of the hashes, so that a range of hashes is read without the rest."""


def render(pages: pa.Table, about: ExportHead) -> ExportPiece:
    """The sentences of some pages in their order, as a table with their hashes."""
    table = TokenTable(pages)
    texts = changed_where(table.sentence_texts(), CONTROL, one_line)
    order = order_of(_numbers(pages, table), about.seed)
    places = np.argsort(order, kind="stable")
    out = pa.BufferOutputStream()
    content = pa.record_batch({_ORDER: pa.array(order[places]), _SENTENCE: texts.take(pa.array(places))})
    with pa.ipc.new_file(out, content.schema) as file:
        for first, end in pairwise(_bucket_edges(order[places])):
            file.write_batch(content.slice(first, end - first))
    return ExportPiece(memoryview(out.getvalue()), Counter(pages=pages.num_rows, sentences=len(texts)))


def _bucket_edges(order: npt.NDArray[np.uint64]) -> list[int]:
    """Where each bucket of sorted hashes begins, and where the last one ends."""
    starts = np.arange(1 << _BUCKET_BITS, dtype=np.uint64) << np.uint64(64 - _BUCKET_BITS)
    return [*np.searchsorted(order, starts).tolist(), len(order)]


def _numbers(pages: pa.Table, table: TokenTable) -> npt.NDArray[np.uint64]:
    """A number for each sentence: the key of its page and its place there."""
    keys = np.array([int((key or "0")[:16], 16) for key in pages.column("key").to_pylist()], np.uint64)
    first = np.searchsorted(table.sentence_page, table.sentence_page)
    return keys[table.sentence_page] + (np.arange(table.sentences) - first).astype(np.uint64)


def join(pieces: Sequence[Path], out: Path, about: ExportHead) -> None:
    """Sentences of all pieces in one order: ranges of hashes one after the other, each small enough to be sorted in memory."""
    del about
    ranges = max(1, sum(path.stat().st_size for path in pieces) // _SORTED_BYTES)
    edges = [number * (1 << 64) // ranges for number in range(ranges)]
    with open(out, "wb") as file:
        for low, high in zip(edges, [*edges[1:], 1 << 64], strict=True):
            batches = [batch for path in pieces for batch in _between(path, low, high - 1)]
            content = pa.Table.from_batches(batches, _SCHEMA)
            order = content.column(_ORDER).to_numpy()
            texts = content.column(_SENTENCE).take(pa.array(np.argsort(order, kind="stable"))).combine_chunks()
            file.write(arrow_bytes(join_columns(texts, "\n")) if len(texts) else b"")


def _between(path: Path, low: int, last: int) -> Iterator[pa.RecordBatch]:
    """Sentences of a piece whose hashes are in a range; what is read of others does not stay in memory."""
    shift = 64 - _BUCKET_BITS
    with pa.OSFile(str(path)) as source, pa.ipc.open_file(source) as reader:
        for bucket in range(low >> shift, (last >> shift) + 1):
            batch = reader.get_batch(bucket)
            order = batch.column(_ORDER).to_numpy()
            first = int(np.searchsorted(order, np.uint64(low)))
            end = int(np.searchsorted(order, np.uint64(last), side="right"))
            yield batch if end - first == len(order) else batch.take(pa.array(np.arange(first, end)))


FORM = Form(
    render, ("key", "blocks", "block_keep", "sent_block", "sent_length", "tok_start", "tok_end", "annotated"), ".txt",
    join=join, requires="annotated", whole=True, shuffled=True, attributes=False,
)  # fmt: skip
