"""Near-duplicate pages as a join stage.

Pages meet where they have a band of their signatures in common (:mod:`paberki.dedup.matching`), or, if they are short,
one of their first shingles. That makes candidates; linking reads the text of these again, keeps the pairs that do
resemble each other, and follows them to whole clusters.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.dedup import matching
from paberki.dedup.shingles import Hashes, Ints, Shingled, kernel, make_sets, shingle, sign_once
from paberki.stage import Columns, join_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import builtin

NEEDS = ("extract.blocks.text", "extract.blocks.kept", "archive.key")
SMALL_SET = 64
"""Pages with at most so many shingles are compared by their first shingles: signatures are too coarse for them."""
PAIRS_AT_ONCE = 1_000_000
_SALT = np.uint64(0xA0761D6478BD642F)
_EMITTED = pa.schema(
    [("group", pa.uint64()), ("page", pa.int64()), ("digest", pa.uint64()), ("words", pa.int32()), ("copy", pa.bool_())]
)
_PAIRS = pa.schema([("page", pa.int64()), ("other", pa.int64()), ("copy", pa.bool_())])


@dataclass(frozen=True, slots=True, kw_only=True)
class NearConfig:
    """When two pages count as near-duplicates."""

    threshold: float = 0.8
    """Least share of runs of five words that both have, among those that either has; from .5 to 1."""

    def __post_init__(self) -> None:
        if not 0.5 <= self.threshold <= 1:
            raise ValueError(f"dedup: threshold = {self.threshold} is not between 0.5 and 1")


@join_stage("dedup.near.v1", layer="near", needs=NEEDS, adds=builtin("near"), config=NearConfig)
class Near:
    """Clusters of pages whose kept text is nearly the same (P5 §3.5, at a high resemblance and with an exact check).

    Copies are found by a digest of their words first, so that a million equal pages cost no more than their rows. A
    cluster is named by the key of its page with the smallest id, which does not change when the corpus grows. Which of
    its pages stays is for select to decide (``copies = "dup_cluster"``).
    """

    @staticmethod
    def emit(batch: Batch, config: NearConfig) -> pa.Table:
        """Every page under the digest of its words and under what it may have in common with others."""
        found = shingle(_texts(batch))
        bands = matching.bands_for(config.threshold)
        signatures = sign_once(found, bands.values)
        sizes = make_sets(found)
        large, small = sizes > SMALL_SET, (sizes > 0) & (sizes <= SMALL_SET / config.threshold + 1)
        parts = [(found.digests[:, 0][sizes > 0], np.flatnonzero(sizes))]
        parts += [
            (matching.band_values(signatures[large], bands, band), np.flatnonzero(large)) for band in range(bands.count)
        ]
        first, owners = matching.prefixes(found.values, found.offsets[:-1][small], sizes[small], config.threshold)
        parts.append((first ^ _SALT, np.flatnonzero(small)[owners]))
        groups, rows = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        copy = np.arange(len(rows)) < len(parts[0][1])
        order = np.lexsort((groups, rows))
        groups, rows, copy = groups[order], rows[order], copy[order]
        words = np.diff(found.offsets)[rows].astype(np.int32)
        return pa.table([groups, batch.pages[rows], found.digests[:, 1][rows], words, copy], schema=_EMITTED)

    @staticmethod
    def resolve(rows: pa.Table, config: NearConfig) -> pa.Table:
        """Pairs of pages that have the same words, and pairs that may be alike; of copies only the first is compared."""
        group, page, digest, words, copy = (column.to_numpy() for column in rows.columns)
        order = np.lexsort((page, digest, group))
        group, page, digest, words, copy = (column[order] for column in (group, page, digest, words, copy))
        new = np.ones(len(group), bool)
        new[1:] = (group[1:] != group[:-1]) | (digest[1:] != digest[:-1])
        first = np.maximum.accumulate(np.where(new, np.arange(len(new)), 0)) if len(new) else np.empty(0, np.int64)
        copies = copy & ~new
        others = new & ~copy
        pages, owners = np.unique(page[others], return_inverse=True)
        length = np.zeros(len(pages), np.int64)
        length[owners] = words[others]
        ranks = np.empty(len(pages), np.int64)
        ranks[np.lexsort((pages, -length))] = np.arange(len(pages))
        found = matching.Pairs()
        found.add(matching.same_values(group[others], owners.astype(np.int64), ranks))
        left, right = matching.split(found.distinct())
        return pa.table(
            [
                np.concatenate([page[first][copies], pages[left]]),
                np.concatenate([page[copies], pages[right]]),
                np.arange(int(copies.sum()) + len(left)) < int(copies.sum()),
            ],
            schema=_PAIRS,
        )

    @staticmethod
    def link(rows: pa.Table, read: Callable[[Ints], Iterable[Batch]], config: NearConfig) -> pa.Table:
        """The cluster of every page that has one."""
        left, right, copy = (column.to_numpy() for column in rows.columns)
        pairs, at = np.unique(np.stack([left, right]), axis=1, return_index=True)
        alike = np.ones(len(at))
        doubtful = ~copy[at]
        alike[doubtful] = _resemblances(pairs[0][doubtful], pairs[1][doubtful], read)
        enough = alike >= config.threshold - 1e-12
        return _clusters(pairs[0][enough], pairs[1][enough], alike[enough], read)

    @staticmethod
    def apply(batch: Batch, decisions: pa.Table, config: NearConfig) -> Columns:
        """The decisions are the columns; a page without a cluster is one by itself."""
        return {
            "dup_cluster": decisions.column("dup_cluster"),
            "dup_size": decisions.column("dup_size").fill_null(1),
            "dup_similarity": decisions.column("dup_similarity"),
        }


def _texts(batch: Batch) -> pa.StringArray:
    """The kept text of every page, one block per line."""
    kept = kept_texts(batch.arrow(NEEDS[0]), batch.arrow(NEEDS[1]))
    blocks = pa.ListArray.from_arrays(pa.array(kept.edges, pa.int32()), kept.texts)
    return pc.binary_join(blocks, "\n")


def _resemblances(left: Ints, right: Ints, read: Callable[[Ints], Iterable[Batch]]) -> Any:
    """Exact resemblance of pairs of pages. Their shingles wait in a file, since there may be many."""
    pages = np.unique(np.concatenate([left, right]))
    alike = np.empty(len(left))
    with tempfile.TemporaryFile() as file:
        starts, sizes = _write_sets(file, pages, read)
        if not len(starts):
            return alike
        sets: Hashes = np.memmap(file, np.uint64, "r") if sizes.sum() else np.empty(1, np.uint64)
        for first in range(0, len(left), PAIRS_AT_ONCE):
            some = slice(first, first + PAIRS_AT_ONCE)
            places = np.searchsorted(pages, left[some]), np.searchsorted(pages, right[some])
            kernel().resemblance(np.asarray(sets), starts, sizes, *places, alike[some])
    return alike


def _write_sets(file: BinaryIO, pages: Ints, read: Callable[[Ints], Iterable[Batch]]) -> tuple[Ints, Ints]:
    """Write the sorted set of the shingles of every page; where each begins and how large it is."""
    sizes = []
    for batch in read(pages):
        found = shingle(_texts(batch))
        mine = make_sets(found)
        _only_sets(found, mine).tofile(file)
        sizes.append(mine)
    file.flush()
    size = np.concatenate(sizes) if sizes else np.empty(0, np.int64)
    return np.r_[0, np.cumsum(size)][:-1].astype(np.int64), size


def _only_sets(found: Shingled, sizes: Ints) -> Hashes:
    """The sets without the gaps between them."""
    places = np.repeat(found.offsets[:-1] - np.r_[0, np.cumsum(sizes)[:-1]], sizes) + np.arange(sizes.sum())
    sets: Hashes = found.values[places]
    return sets


def _clusters(left: Ints, right: Ints, alike: Any, read: Callable[[Ints], Iterable[Batch]]) -> pa.Table:
    pages, ends = np.unique(np.concatenate([left, right]), return_inverse=True)
    first, second = ends[: len(left)].astype(np.int64), ends[len(left) :].astype(np.int64)
    heads = np.arange(len(pages))
    kernel().unite(heads, first, second)
    best = np.zeros(len(pages))
    np.maximum.at(best, first, alike)
    np.maximum.at(best, second, alike)
    named, counts = np.unique(heads, return_counts=True)
    keys: list[str] = [key for batch in read(pages[named]) for key in batch["archive.key"]]
    place = np.searchsorted(named, heads)
    return pa.table(
        {
            "page": pages,
            "dup_cluster": pa.array(keys, pa.string()).take(pa.array(place)),
            "dup_size": pa.array(counts[place], pa.int32()),
            "dup_similarity": pa.array(best, pa.float32()),
        }
    )
