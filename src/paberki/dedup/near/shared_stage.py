"""Pages that are hardly alike: P5's shingling as a join stage.

A resemblance of .05 is two pages that have a long passage or the same furniture in common; no banding finds it. Emit
and resolve put equal texts together; solve compares the signatures of all different ones (:mod:`paberki.dedup.near.sort_join`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from paberki.dedup.near.clusters import Clusters, star_heads, strings_of
from paberki.dedup.near.near_stage import NEEDS
from paberki.dedup.near.resembling_pairs import SKETCH, Resembling, resembling
from paberki.dedup.near.spool import ColumnFile, SortedRuns, Spool, SpooledRows
from paberki.dedup.signatures import matching
from paberki.dedup.signatures.shingles import Hashes, Ints
from paberki.dedup.signatures.signature_stage import OFTEN_VALUES, signed_pages
from paberki.stage import Columns, Memory, Read, join_stage
from paberki.store.batch import Batch
from paberki.store.columns import builtin
from paberki.store.portions import Portions

LONGER = 64
"""Longer pages that are named for each page, the longest of them."""
COPIES = 8
"""Of equal pages each one names so many before it."""
_EMITTED = pa.schema([("group", pa.uint64()), ("page", pa.int64()), ("digest", pa.uint64()), ("size", pa.int64())])
_RESOLVED = pa.schema([("page", pa.int64()), ("first", pa.int64()), ("size", pa.int64())])


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedConfig:
    """When two pages have too much in common."""

    threshold: float = 0.05
    """Least resemblance, or, with signatures of kind rabin, least share of the values (P5: 5 of 100)."""
    cap: int = 0
    """Leave out hash values that so many pages have (texrex: 200); 0 compares these pages with the longest of them."""

    def __post_init__(self) -> None:
        if not 0 < self.threshold <= 1:
            raise ValueError(f"near: threshold = {self.threshold} is not between 0 and 1")


@join_stage("dedup.shared.v1", layer="near", needs=NEEDS, adds=builtin("near"), config=SharedConfig)
class SharedValues:
    """Pages whose signatures share at least ``threshold`` of their values (P5 §3.4).

    Clusters are stars around the longest page, since whole components would chain through half of the corpus at such
    thresholds. P5's own rule, the shorter of every pair goes, is select's ``copies = "dup_longer"``. Deviation: equal
    values count in the same function only; texts with equal words are compared once; signatures of kind often are given a
    second look, which finds more of the pairs near the threshold and fewer below (:mod:`paberki.dedup.near.resembling_pairs`).
    """

    @staticmethod
    def emit(batch: Batch, config: SharedConfig) -> pa.Table:
        """Pages by the digest of their words."""
        page_signatures = signed_pages(batch, None)
        pages = np.asarray(batch.pages)[page_signatures.rows]
        return pa.table(
            [page_signatures.digests[:, 0], pages, page_signatures.digests[:, 1], page_signatures.sizes],
            schema=_EMITTED,
        )

    @staticmethod
    def resolve(rows: pa.Table, config: SharedConfig) -> pa.Table:
        """Every page with the first one that has the same words."""
        group, page, digest, size = (column.to_numpy() for column in rows.columns)
        order = np.lexsort((page, digest, group))
        group, page, digest, size = (column[order] for column in (group, page, digest, size))
        new = np.ones(len(group), bool)
        new[1:] = (group[1:] != group[:-1]) | (digest[1:] != digest[:-1])
        first = np.maximum.accumulate(np.where(new, np.arange(len(new)), 0)) if len(new) else np.empty(0, np.int64)
        return pa.table([page, page[first], size], schema=_RESOLVED)

    @staticmethod
    def solve(portions: Portions, read: Read, config: SharedConfig, memory: Memory) -> Iterator[pa.Table]:
        """Compare all different pages, and make stars of what is alike."""
        columns = ([column.to_numpy() for column in rows.columns] for rows in portions)
        page, first, size = (np.concatenate(column) for column in zip(*columns, strict=True))
        order = np.lexsort((page, first, -size))  # the longest first; equal texts together
        page, first = page[order], first[order]
        pairs = _compare(page[page == first], read, config)
        note = ""
        if pairs.frequent:
            fate = "were left out" if config.cap else "were compared with the longest pages only"
            note = f"{pairs.frequent:,} hash values that very many pages have {fate}"
        for table in _decisions(page, np.cumsum(page == first) - 1, pairs, read):
            yield table.replace_schema_metadata({"note": note})

    @staticmethod
    def apply(batch: Batch, decisions: pa.Table, config: SharedConfig) -> Columns:
        """The decisions are the columns; a page without a cluster is one by itself."""
        columns = {column.name: decisions.column(column.name) for column in builtin("near")}
        return {**columns, "dup_size": columns["dup_size"].fill_null(1)}


def _compare(pages: Ints, read: Read, config: SharedConfig) -> Resembling:
    """Pairs of pages that are alike enough, by their place among the pages.

    Signatures wait by columns, and the sketches behind them by pages, both in the order of the pages' numbers.
    """
    order = np.argsort(pages)
    place = np.argsort(order)
    columns, functions, sketches = ColumnFile(np.uint32, 1), 1, None
    for batch in read(pages[order]) if len(pages) else ():
        values, sketch = _parts(signed_pages(batch, None).values)
        if not len(columns):
            functions = values.shape[1]
            columns = ColumnFile(values.dtype, functions)
            sketches = None if sketch is None else SpooledRows(np.uint8, SKETCH)
        columns.append(values)
        if sketches is not None:
            sketches.append(sketch)
    look = None if sketches is None else (lambda texts: sketches.take(place[texts]))
    return resembling(
        lambda number: columns.column(number)[place], functions if len(pages) else 0, config.threshold, look,
        cap=config.cap,
    )  # fmt: skip


def _parts(numbers: Any) -> tuple[Any, Any]:
    """The values of signatures, and the sketches behind them; Rabin's have none."""
    numbers = np.ascontiguousarray(numbers)
    if numbers.shape[1] == 2 * OFTEN_VALUES:
        return numbers.view(np.uint64), None
    values = numbers.shape[1] - SKETCH // 4
    return numbers[:, :values], np.ascontiguousarray(numbers[:, values:]).view(np.uint8)


def _decisions(page: Ints, number: Ints, pairs: Resembling, read: Read) -> Iterator[pa.Table]:
    """From pairs of different texts to labels of all pages; ``number`` is the text that each page has."""
    texts = int(number[-1]) + 1 if len(number) else 0
    stars = _Stars(texts)
    heads = star_heads(texts, map(stars.note_pairs, pairs.portions()))
    stars.best[np.bincount(number, minlength=texts) > 1] = 1.0
    labelled_rows = np.flatnonzero(stars.best[number] > 0)
    labelled_rows = labelled_rows[np.argsort(page[labelled_rows])]
    first = np.searchsorted(number, np.arange(texts))  # equal texts lie together, the first page of each in front
    clusters = Clusters(page[labelled_rows])
    clusters.heads = clusters.places(page[first[heads[number[labelled_rows]]]])
    clusters.best = stars.best[number[labelled_rows]]
    if not len(labelled_rows):
        return clusters.tables(read)
    keys = strings_of(clusters.pages, read, "archive.key")

    def longer(some: slice) -> pa.ListArray:
        at = labelled_rows[some]
        text = number[at]
        lefts, counts = stars.longer(text)
        before = np.minimum(COPIES, at - first[text])
        same = np.repeat(at - before - (np.cumsum(before) - before), before) + np.arange(before.sum())
        owner = np.repeat(np.tile(np.arange(len(at)), 2), np.concatenate([counts, before]))
        order = np.argsort(owner, kind="stable")
        places = clusters.places(page[np.concatenate([first[lefts], same])[order]])
        edges = np.r_[0, np.cumsum(counts + before)].astype(np.int32)
        return pa.ListArray.from_arrays(pa.array(edges), keys.take(places), mask=pa.array(counts + before == 0))

    return clusters.tables(read, longer)


class _Stars:
    """What the pairs of texts say about each text: how alike it is to another, and which longer ones it resembles."""

    def __init__(self, texts: int) -> None:
        self.best = np.zeros(texts, np.float32)
        self._pairs = SortedRuns(together=32)
        self._counts = np.zeros(texts, np.int64)
        self._longer: Spool | None = None

    def note_pairs(self, portion: tuple[Hashes, Any]) -> tuple[Ints, Ints]:
        """Note some pairs; the two texts of each."""
        left, right = matching.split(portion[0])
        np.maximum.at(self.best, left, portion[1])
        np.maximum.at(self.best, right, portion[1])
        self._pairs.add((right.astype(np.uint64) << np.uint64(32)) | left.astype(np.uint64))
        return left, right

    def longer(self, texts: Ints) -> tuple[Ints, Ints]:
        """The longer texts that each of some texts resembles, the longest first, and how many there are of each."""
        self._longer = self._longer or self._put_down()
        counts = self._counts[texts]
        starts = (np.cumsum(self._counts) - self._counts)[texts]
        return np.frombuffer(self._longer.gather(4 * starts, 4 * counts), np.uint32).astype(np.int64), counts

    def _put_down(self) -> Spool:
        longer = Spool()
        for pairs in self._pairs.ranges():
            text, left = matching.split(pairs)  # texts are numbered from the longest
            _, begin, place = np.unique(text, return_index=True, return_inverse=True)
            few = np.arange(len(text)) - begin[place] < LONGER
            np.add.at(self._counts, text[few], 1)
            longer.append(left[few].astype(np.uint32))
        return longer
