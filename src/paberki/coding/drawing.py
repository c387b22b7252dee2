"""Drawing pages to code: a seeded random sample of the kept pages.

A page is drawn by a hash of the seed and its key, so that the same seed gives the same pages in the same order on any
machine, and a corpus that has grown keeps most of its sample.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from paberki.coding.coding_file import Coding, Place
from paberki.store.reading import LayerTable, read_chunks


def rank(seed: int, key: str) -> bytes:
    """Where a page comes in the random order of a seed."""
    return blake2b(f"{seed} {key}".encode("utf-8", "surrogatepass"), digest_size=16).digest()


def draw(table: LayerTable, count: int, seed: int, *, where: str | None = None, kept: bool = True) -> list[Coding]:
    """A sample of kept (or of all) pages in random order, without labels; fewer where the corpus has fewer."""
    ranked_rows = ((rank(seed, row["key"]), row["id"], row) for row in _rows(table, where, kept))
    sample = heapq.nsmallest(count, ranked_rows, key=lambda one: one[:2])
    return [Coding(Place(row["key"]), row["id"], row["url"] or "") for _, _, row in sample]


def _rows(table: LayerTable, where: str | None, kept: bool) -> Iterator[dict[str, Any]]:
    for chunk in read_chunks(table, ["id", "key", "url"], where=where, kept=kept):
        yield from chunk.to_pylist()


def draw_blocks(
    table: LayerTable, count: int, seed: int, *, where: str | None = None, kept: bool = True
) -> list[Coding]:
    """The blocks of a sample of pages, page by page: coders label every block of a page or none (P5 §3.2)."""
    order = {coding.place.key: at for at, coding in enumerate(draw(table, count, seed, where=where, kept=kept))}
    codings: dict[str, list[Coding]] = {}
    for chunk in read_chunks(table, ["id", "key", "url", "blocks"], where=where, kept=kept):
        for row in chunk.to_pylist():
            if row["key"] in order:
                codings[row["key"]] = [
                    Coding(Place(row["key"], one["start"], one["end"]), row["id"], row["url"] or "", {}, one["text"])
                    for one in row["blocks"] or ()
                ]
    return [coding for key in order for coding in codings.get(key, ())]
