"""Near-duplicate pages as a join stage.

Pages meet where they have a band of their signatures in common (:mod:`paberki.dedup.matching`), or, if they are short,
one of their first shingles. That makes candidates; checking reads the text of these again and keeps the pairs that do
resemble each other; linking follows them to whole clusters.

Pages of other corpora come as signatures only. They have negative numbers, so that they are before all others, and a
pair with one of them is judged by its signatures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.dedup import matching
from paberki.dedup.clusters import best_of_pages, cluster_table, component_heads, keys_of
from paberki.dedup.published import published_at
from paberki.dedup.sets import SetFile
from paberki.dedup.shingles import Hashes, Ints, shingle
from paberki.dedup.signatures import ONCE_VALUES, TEXT, Signed, signed_pages, texts_of_pages
from paberki.dedup.spool import Rows
from paberki.stage import Columns, Elsewhere, Read, join_stage
from paberki.store.batch import Batch
from paberki.store.columns import builtin

NEEDS = (
    "signatures.signature",
    "signatures.shingle_count",
    "signatures.text_digest",
    "signatures.few_shingles",
    "archive.key",
)
SMALL_SET = 64
"""Pages with at most so many shingles are compared by their first shingles: signatures are too coarse for them."""
RUN_LIMIT = 256
"""So many pages with one value in common are all compared; any more only with the first eight of them."""
PAIRS_AT_ONCE = 20_000
_SALT = np.uint64(0xA0761D6478BD642F)
_EMITTED = pa.schema([("group", pa.uint64()), ("page", pa.int64()), ("digest", pa.uint64()), ("copy", pa.bool_())])
_PAIRS = pa.schema([("page", pa.int64()), ("other", pa.int64()), ("copy", pa.bool_())])
_CHECKED = pa.schema([("page", pa.int64()), ("other", pa.int64()), ("alike", pa.float32())])


@dataclass(frozen=True, slots=True, kw_only=True)
class NearConfig:
    """When two pages count as near-duplicates."""

    threshold: float = 0.8
    """Least share of runs of five words that both have, among those that either has; from .5 to 1."""
    fold: bool = False
    """Compare without diacritics and with Cyrillic as Latin; [signatures] has the same setting."""
    against: tuple[str, ...] = ()
    """Other corpora, or files of signatures, whose pages count as seen before."""

    def __post_init__(self) -> None:
        if not 0.5 <= self.threshold <= 1:
            raise ValueError(
                f"near: threshold = {self.threshold} is not between 0.5 and 1; dedup.shared.v1 takes lower ones"
            )


@join_stage("dedup.near.v1", layer="near", needs=NEEDS, later=TEXT, adds=builtin("near"), config=NearConfig)
class Near:
    """Clusters of pages whose kept text is nearly the same (P5 §3.5, at a high resemblance and with an exact check).

    Copies are found by a digest of their words first, so that a million equal pages cost no more than their rows. A
    cluster is named by the key of its page with the smallest id, which does not change when the corpus grows. Which of
    its pages stays is for select to decide (``copies = "dup_cluster"``). Resemblances with pages of other corpora are
    estimated, unless both pages are short.
    """

    @staticmethod
    def elsewhere(config: NearConfig, root: Path) -> Sequence[Elsewhere]:
        """Corpora and files of signatures that ``against`` names."""
        return [published_at(root, name) for name in config.against]

    @staticmethod
    def emit(batch: Batch, config: NearConfig) -> pa.Table:
        """Every page under the digest of its words and under what it may have in common with others."""
        signed = signed_pages(batch)
        bands = matching.bands_for(config.threshold)
        large = signed.sizes > SMALL_SET
        parts = [(signed.digests[:, 0], np.arange(len(signed.rows)))]
        parts += [
            (matching.band_values(signed.values[large], bands, band), np.flatnonzero(large))
            for band in range(bands.count)
        ]
        parts.append(_first_shingles(signed, config.threshold))
        groups, rows = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        copy = np.arange(len(rows)) < len(signed.rows)
        order = np.lexsort((groups, rows))
        groups, rows, copy = groups[order], rows[order], copy[order]
        pages = np.asarray(batch.pages)[signed.rows[rows]]
        return pa.table([groups, pages, signed.digests[:, 1][rows], copy], schema=_EMITTED)

    @staticmethod
    def combine(rows: pa.Table, config: NearConfig) -> pa.Table:
        """Of pages with the same words only the first is compared: a million equal pages must not meet in every band."""
        group, page, digest, copy = (column.to_numpy() for column in rows.columns)
        order = np.lexsort((page, digest, group))
        needed = copy.copy()
        needed[order[_new(group[order], digest[order])]] = True
        return rows.filter(pa.array(needed))

    @staticmethod
    def resolve(rows: pa.Table, config: NearConfig) -> pa.Table:
        """Pairs of pages that have the same words, and pairs that may be alike; of copies only the first is compared."""
        group, page, digest, copy = (column.to_numpy() for column in rows.columns)
        order = np.lexsort((page, digest, group))
        group, page, digest, copy = (column[order] for column in (group, page, digest, copy))
        new = _new(group, digest)
        first = np.maximum.accumulate(np.where(new, np.arange(len(new)), 0)) if len(new) else np.empty(0, np.int64)
        copies, others = copy & ~new, np.flatnonzero(new & ~copy)
        others = others[np.argsort(page[others], kind="stable")]
        pages, owners = np.unique(page[others], return_inverse=True)
        found = matching.same_values(group[others], owners.astype(np.int64), RUN_LIMIT)
        found.sort()
        left, right = matching.split(matching.counted(found)[0])
        both = (
            np.concatenate([page[first][copies], pages[left]]),
            np.concatenate([page[copies], pages[right]]),
            np.arange(int(copies.sum()) + len(left)) < int(copies.sum()),
        )
        mine = both[1] >= 0  # two pages of other corpora are none of our business
        return pa.table([column[mine] for column in both], schema=_PAIRS)

    @staticmethod
    def check(rows: pa.Table, read: Read, config: NearConfig) -> pa.Table:
        """The pairs that reach the threshold."""
        left, right, copy = (column.to_numpy() for column in rows.columns)
        order = np.lexsort((~copy, right, left))
        left, right, copy = left[order], right[order], copy[order]
        new = np.ones(len(left), bool)
        new[1:] = (left[1:] != left[:-1]) | (right[1:] != right[:-1])
        left, right, copy = left[new], right[new], copy[new]
        alike = np.ones(len(left))
        exact, guessed = ~copy & (left >= 0), ~copy & (left < 0)
        alike[exact] = _resemblances(left[exact], right[exact], read, config.fold)
        alike[guessed] = _estimates(left[guessed], right[guessed], read)
        enough = alike >= config.threshold - 1e-12
        return pa.table([left[enough], right[enough], alike[enough].astype(np.float32)], schema=_CHECKED)

    @staticmethod
    def link(rows: pa.Table, read: Read, config: NearConfig) -> pa.Table:
        """The cluster of every page that has one, and the page of another corpus that it resembles most."""
        left, right, alike = (column.to_numpy() for column in rows.columns)
        pages = np.unique(np.concatenate([left[left >= 0], right]))
        inside = left >= 0
        first, second = np.searchsorted(pages, left[inside]), np.searchsorted(pages, right[inside])
        heads = component_heads(len(pages), [(first, second)])
        best = best_of_pages(len(pages), np.searchsorted(pages, right), alike)
        best = np.maximum(best, best_of_pages(len(pages), first, alike[inside]))
        foreign = _most_alike(left[~inside], right[~inside], alike[~inside], read)
        return cluster_table(pages, heads, best, read, foreign=foreign)

    @staticmethod
    def apply(batch: Batch, decisions: pa.Table, config: NearConfig) -> Columns:
        """The decisions are the columns; a page without a cluster is one by itself."""
        columns = {column.name: decisions.column(column.name) for column in builtin("near")}
        return {**columns, "dup_size": columns["dup_size"].fill_null(1)}


def _new(group: Hashes, digest: Hashes) -> npt.NDArray[np.bool_]:
    """Whether a row is the first one of its group with its digest; rows are in order."""
    new = np.ones(len(group), bool)
    new[1:] = (group[1:] != group[:-1]) | (digest[1:] != digest[:-1])
    return new


def _first_shingles(signed: Signed, threshold: float) -> tuple[Hashes, Ints]:
    """Short pages by the first of their shingles, as many as may not all be missing in one that is like them."""
    small = signed.sizes <= SMALL_SET / threshold + 1
    few = signed.few.filter(pa.array(small))
    sizes = signed.sizes[small]
    starts = np.r_[0, np.cumsum(sizes)][:-1].astype(np.int64)
    values = few.flatten().to_numpy(zero_copy_only=False).astype(np.uint64)
    first, owners = matching.prefixes(values, starts, sizes, threshold)
    return first ^ _SALT, np.flatnonzero(small)[owners]


def _resemblances(left: Ints, right: Ints, read: Read, fold: bool) -> Any:
    """Exact resemblance of pairs of pages."""
    pages = np.unique(np.concatenate([left, right]))
    sets = SetFile()
    for batch in read(pages, TEXT) if len(pages) else ():
        sets.append(shingle(texts_of_pages(batch), fold=fold))
    return sets.resemblances(np.searchsorted(pages, left), np.searchsorted(pages, right))


def _estimates(left: Ints, right: Ints, read: Read) -> Any:
    """Resemblance of pairs from their signatures; from their shingles where both pages have few."""
    pages = np.unique(np.concatenate([left, right]))
    signatures, sets = Rows(np.uint32, ONCE_VALUES), SetFile()
    for batch in read(pages, NEEDS) if len(pages) else ():
        signed = signed_pages(batch)
        signatures.append(signed.values)
        few = signed.few.is_valid().to_numpy(zero_copy_only=False)
        values = signed.few.flatten().to_numpy(zero_copy_only=False).astype(np.uint64)
        sets.append_sets(values, np.where(few, signed.sizes, 0))
    one, other = np.searchsorted(pages, left), np.searchsorted(pages, right)
    few = (sets.sizes[one] > 0) & (sets.sizes[other] > 0)
    alike = sets.resemblances(one, other)
    for first in range(0, len(one), PAIRS_AT_ONCE):
        some = slice(first, first + PAIRS_AT_ONCE)
        agree = (signatures.take(one[some]) == signatures.take(other[some])).sum(axis=1)
        alike[some] = np.where(few[some], alike[some], agree / ONCE_VALUES)
    return alike


def _most_alike(left: Ints, right: Ints, alike: Any, read: Read) -> dict[str, Any]:
    """For pages that resemble one of another corpus: which, and where it is. The most alike counts, then the first."""
    order = np.lexsort((left, -alike, right))
    left, right = left[order], right[order]
    first = np.r_[True, right[1:] != right[:-1]] if len(right) else np.empty(0, bool)
    left, right = left[first], right[first]
    pages = np.unique(left)
    place = pa.array(np.searchsorted(pages, left))
    names = [name for batch in (read(pages) if len(pages) else ()) for name in batch["elsewhere.corpus"]]
    return {
        "page": right,
        "key": pa.array(keys_of(pages, read), pa.string()).take(place),
        "corpus": pa.array(names, pa.string()).take(place),
    }
