"""Annotation that a page was imported with: taken as it is, in place of what taggers would say."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from paberki.annotation.placing import WORDS, AnnotatedPage, ImportedLayers, TaggerLayers
from paberki.archive.annotated_page import MIME, ImportedPage, read_page
from paberki.store.batch import Batch

UNKNOWN = "und"


def imported_pages(batch: Batch) -> Iterator[tuple[int, AnnotatedPage]]:
    """Rows of pages that were imported with tokens, and their annotation."""
    rows = [row for row, mime in enumerate(batch["archive.mime"]) if mime == MIME]
    for row in rows:
        page = read_page(batch["payload"][row])
        if page.is_annotated:
            yield row, _annotated(page)


def _annotated(page: ImportedPage) -> AnnotatedPage:
    blocks = np.array([block for block, _ in page.sentences], np.int64)
    lengths = np.array([length for _, length in page.sentences], np.int64)
    starts, ends = np.array(page.starts, np.int64), np.array(page.ends, np.int64)
    of_token = np.repeat(blocks, lengths)
    byte_starts, byte_ends = np.empty_like(starts), np.empty_like(ends)
    for number in np.unique(of_token).tolist():
        own = of_token == number
        places = _byte_places(page.blocks[number].text) + page.blocks[number].start
        byte_starts[own], byte_ends[own] = places[starts[own]], places[ends[own]]
    words = {name: page.layers.get(name, []) for name in WORDS}
    layers = TaggerLayers(words, np.array(page.heads, np.int32))
    imported = ImportedLayers(page.layers.get("deps", []), page.layers.get("misc", []), page.comments, page.nodes)
    return AnnotatedPage(
        page.lang or UNKNOWN, layers, {}, np.array(page.oov, np.bool_), blocks, lengths, starts, ends, byte_starts,
        byte_ends, imported,
    )  # fmt: skip


def _byte_places(text: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The byte at which each character begins, and the length of the text."""
    data = np.frombuffer(text.encode("utf-8", "replace"), np.uint8)
    return np.append(np.flatnonzero((data & 0xC0) != 0x80), len(data)).astype(np.int64)
