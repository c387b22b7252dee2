"""Clusters of pages as decisions of a join stage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from paberki.dedup.shingles import Ints, kernel
from paberki.stage import Read

Pairs = Iterable[tuple[Ints, Ints]]
"""Portions of pairs, by two numbers each, the smaller one first."""


def component_heads(texts: int, pairs: Pairs) -> Ints:
    """Head of the component of each text: its member with the smallest number."""
    heads = np.arange(texts)
    for left, right in pairs:
        kernel().unite(heads, left, right)
    return heads


def star_heads(texts: int, pairs: Pairs) -> Ints:
    """Head of each text, from pairs in order: at low thresholds components would chain through half of the corpus.

    Who is left when its turn comes becomes a head and takes all neighbours that are left.
    """
    heads = np.full(texts, -1, np.int64)
    for left, right in pairs:
        kernel().stars(heads, left, right)
    return np.where(heads < 0, np.arange(texts), heads)


def best_of_pages(pages: int, which: Ints, alike: Any) -> Any:
    """The largest resemblance that each page has with another."""
    best = np.zeros(pages)
    np.maximum.at(best, which, alike)
    return best


def keys_of(pages: Ints, read: Read) -> list[str]:
    """Stable keys of pages, given in order."""
    return [key for batch in read(pages, ("archive.key",)) for key in batch["archive.key"]] if len(pages) else []


def cluster_table(
    pages: Ints,
    heads: Ints,
    best: Any,
    read: Read,
    *,
    longer: Mapping[int, list[str]] | None = None,
    foreign: Mapping[str, Any] | None = None,
) -> pa.Table:
    """Decisions: the cluster of each page is named by the key of its head; a page alone has none.

    ``longer``: keys of longer pages by place; ``foreign``: pages that have a copy elsewhere, and which.
    """
    named, place, counts = np.unique(heads, return_inverse=True, return_counts=True)
    size = counts[place]
    table: dict[str, pa.Array] = {
        "page": pa.array(pages, pa.int64()),
        "dup_cluster": pa.array(keys_of(pages[named], read), pa.string()).take(pa.array(place, mask=size < 2)),
        "dup_size": pa.array(size, pa.int32()),
        "dup_similarity": pa.array(best, pa.float32()),
        "dup_longer": pa.array([(longer or {}).get(one) for one in range(len(pages))], pa.list_(pa.string())),
    }
    where = np.full(len(pages), -1, np.int64)
    if foreign:
        where[np.searchsorted(pages, foreign["page"])] = np.arange(len(foreign["page"]))
    take = pa.array(where, mask=where < 0)
    for column, field in (("dup_elsewhere", "key"), ("dup_corpus", "corpus")):
        table[column] = (foreign[field] if foreign else pa.array([], pa.string())).take(take)
    return pa.table(table)
