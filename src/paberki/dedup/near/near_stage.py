"""Near-duplicate pages as a join stage.

Two pages are candidates if their signatures share a band (:mod:`paberki.dedup.signatures.matching`) or, if they are short,
if they share one of their first shingles. Check reads the texts of candidates again and keeps the pairs that do resemble
each other; solve joins pairs to clusters.

Pages of other corpora come as signatures only. They have negative numbers, so that they are before all others, and a
pair with one of them is judged by its signatures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.dedup.near.clusters import Clusters
from paberki.dedup.near.spool import SpooledRows, distinct
from paberki.dedup.signatures import matching
from paberki.dedup.signatures.published import published_at
from paberki.dedup.signatures.shingle_sets import SetFile
from paberki.dedup.signatures.shingles import Hashes, Ints, shingle
from paberki.dedup.signatures.signature_stage import ONCE_VALUES, TEXT, PageSignatures, signed_pages, texts_of_pages
from paberki.stage import Columns, Elsewhere, Memory, Read, join_stage
from paberki.store.batch import Batch
from paberki.store.columns import builtin
from paberki.store.portions import Portions

NEEDS = (
    "signatures.signature",
    "signatures.shingle_count",
    "signatures.text_digest",
    "signatures.few_shingles",
    "archive.key",
)
SMALL_SET = 64
"""Pages with at most so many shingles are compared by their first shingles: signatures are too coarse for them."""
RUN_LIMIT = 64
"""So many pages with one value in common are all compared; any more only with the first eight of them. What makes pages
alike makes them share many values, so that they also meet where fewer do; what very many share is a footer. Pages that
are alike become one cluster however few of the pairs are compared, as long as they lead from each to the others."""
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


@join_stage(
    "dedup.near.v1", layer="near", needs=NEEDS, solve_needs=(*NEEDS, *TEXT), adds=builtin("near"), config=NearConfig
)
class NearPages:
    """Clusters of pages whose kept text is nearly the same (P5 §3.4, at a high resemblance and with an exact check).

    Copies are found by a digest of their words first, so that a million equal pages cost no more than their rows. A
    cluster is named by the key of its page with the smallest id, which does not change when the corpus grows. Which of
    its pages stays is for select to decide (``copies = "dup_cluster"``). Resemblances with pages of other corpora are
    estimated, unless both pages are short.
    """

    @staticmethod
    def other_corpora(config: NearConfig, root: Path) -> Sequence[Elsewhere]:
        """Corpora and files of signatures that ``against`` names."""
        return [published_at(root, name) for name in config.against]

    @staticmethod
    def emit(batch: Batch, config: NearConfig) -> pa.Table:
        """Every page under the digest of its words and under what it may have in common with others."""
        page_signatures = signed_pages(batch)
        bands = matching.bands_for(config.threshold)
        large = page_signatures.sizes > SMALL_SET
        parts = [(page_signatures.digests[:, 0], np.arange(len(page_signatures.rows)))]
        parts += [
            (matching.band_values(page_signatures.values[large], bands, band), np.flatnonzero(large))
            for band in range(bands.count)
        ]
        parts.append(_first_shingles(page_signatures, config.threshold))
        groups, rows = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        copy = np.arange(len(rows)) < len(page_signatures.rows)
        order = np.lexsort((groups, rows))
        groups, rows, copy = groups[order], rows[order], copy[order]
        pages = np.asarray(batch.pages)[page_signatures.rows[rows]]
        return pa.table([groups, pages, page_signatures.digests[:, 1][rows], copy], schema=_EMITTED)

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
        pairs = matching.same_values(group[others], owners.astype(np.int64), RUN_LIMIT)
        pairs.sort()
        left, right = matching.split(matching.count_runs(pairs)[0])
        both = (
            np.concatenate([page[first][copies], pages[left]]),
            np.concatenate([page[copies], pages[right]]),
            np.arange(int(copies.sum()) + len(left)) < int(copies.sum()),
        )
        mine = both[1] >= 0  # pairs of two pages of other corpora do not matter
        return pa.table([column[mine] for column in both], schema=_PAIRS)

    @staticmethod
    def check(portions: Portions, read: Read, config: NearConfig) -> Iterator[pa.Table]:
        """The pairs that reach the threshold. Pages that are compared are read once; their shingles wait on disk."""
        texts, page_signatures = _Texts(portions, read, config.fold), _SignatureStore(portions, read)
        for left, right, copy in map(_once, portions):
            alike = np.ones(len(left))
            exact, is_estimate = ~copy & (left >= 0), ~copy & (left < 0)
            alike[exact] = texts.resemblances(left[exact], right[exact])
            alike[is_estimate] = page_signatures.resemblances(left[is_estimate], right[is_estimate])
            enough = alike >= config.threshold - 1e-12
            yield pa.table([left[enough], right[enough], alike[enough].astype(np.float32)], schema=_CHECKED)

    @staticmethod
    def solve(portions: Portions, read: Read, config: NearConfig, memory: Memory) -> Iterator[pa.Table]:
        """The cluster of every page that has one, and the page of another corpus that it resembles most."""
        clusters = Clusters(distinct(_inside(rows) for rows in portions))
        for rows in portions:
            left, right, alike = (column.to_numpy() for column in rows.columns)
            places, inside = clusters.places(right), left >= 0
            clusters.unite(clusters.places(left[inside]), places[inside], alike[inside])
            clusters.meet(left[~inside], places[~inside], alike[~inside])
        return clusters.tables(read)

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


def _first_shingles(page_signatures: PageSignatures, threshold: float) -> tuple[Hashes, Ints]:
    """Short pages by the first of their shingles, as many as may not all be missing in one that is like them."""
    small = page_signatures.sizes <= SMALL_SET / threshold + 1
    few = page_signatures.few.filter(pa.array(small))
    sizes = page_signatures.sizes[small]
    starts = np.r_[0, np.cumsum(sizes)][:-1].astype(np.int64)
    values = few.flatten().to_numpy(zero_copy_only=False).astype(np.uint64)
    first, owners = matching.prefixes(values, starts, sizes, threshold)
    return first ^ _SALT, np.flatnonzero(small)[owners]


def _once(rows: pa.Table) -> tuple[Ints, Ints, npt.NDArray[np.bool_]]:
    """Each pair once, in order, and whether its pages have the same words; a pair may come from several groups."""
    left, right, copy = (column.to_numpy() for column in rows.columns)
    order = np.lexsort((~copy, right, left))
    left, right, copy = left[order], right[order], copy[order]
    new = np.ones(len(left), bool)
    new[1:] = (left[1:] != left[:-1]) | (right[1:] != right[:-1])
    return left[new], right[new], copy[new]


def _inside(rows: pa.Table) -> Ints:
    """The pages of this corpus that are in some pairs."""
    left, right = (rows.column(name).to_numpy() for name in ("page", "other"))
    return np.concatenate([left[left >= 0], right])


class _Texts:
    """Pages of this corpus that are to be compared, as sets of shingles."""

    def __init__(self, portions: Portions, read: Read, fold: bool) -> None:
        self._pages = distinct(self._pages_to_read(rows) for rows in portions)
        self._sets = SetFile()
        for batch in read(self._pages, TEXT) if len(self._pages) else ():
            self._sets.append(shingle(texts_of_pages(batch), fold=fold))

    @staticmethod
    def _pages_to_read(rows: pa.Table) -> Ints:
        left, right, copy = _once(rows)
        exact = ~copy & (left >= 0)
        return np.concatenate([left[exact], right[exact]])

    def resemblances(self, left: Ints, right: Ints) -> npt.NDArray[np.float64]:
        """Exact resemblance of pairs of pages."""
        return self._sets.resemblances(np.searchsorted(self._pages, left), np.searchsorted(self._pages, right))


class _SignatureStore:
    """Pages to compare with pages of other corpora, and these: their signatures, and the shingles of short pages."""

    def __init__(self, portions: Portions, read: Read) -> None:
        self._pages = distinct(self._pages_to_read(rows) for rows in portions)
        self._signatures, self._sets = SpooledRows(np.uint32, ONCE_VALUES), SetFile()
        for batch in read(self._pages, NEEDS) if len(self._pages) else ():
            page_signatures = signed_pages(batch)
            self._signatures.append(page_signatures.values)
            few = page_signatures.few.is_valid().to_numpy(zero_copy_only=False)
            values = page_signatures.few.flatten().to_numpy(zero_copy_only=False).astype(np.uint64)
            self._sets.append_sets(values, np.where(few, page_signatures.sizes, 0))

    @staticmethod
    def _pages_to_read(rows: pa.Table) -> Ints:
        left, right, copy = _once(rows)
        is_estimate = ~copy & (left < 0)
        return np.concatenate([left[is_estimate], right[is_estimate]])

    def resemblances(self, left: Ints, right: Ints) -> npt.NDArray[np.float64]:
        """Resemblance of pairs from their signatures; from their shingles where both pages have few."""
        one, other = np.searchsorted(self._pages, left), np.searchsorted(self._pages, right)
        alike = self._sets.resemblances(one, other)
        few = (self._sets.sizes[one] > 0) & (self._sets.sizes[other] > 0)
        for first in range(0, len(one), PAIRS_AT_ONCE):
            some = slice(first, first + PAIRS_AT_ONCE)
            agree = (self._signatures.take(one[some]) == self._signatures.take(other[some])).sum(axis=1)
            alike[some] = np.where(few[some], alike[some], agree / ONCE_VALUES)
        return alike
