"""A search: lazily the first hits, all hits, their number; with a budget, a way to stop, and a memory."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock

import numpy as np

from paberki.query.index.reader import Index
from paberki.query.index.segment import Segment
from paberki.query.index.selection import Selection
from paberki.query.matching.budget import Budget, Clock, Count, Exhausted
from paberki.query.matching.conditions.remembered import Remembered
from paberki.query.matching.hits import HitTable
from paberki.query.matching.program import Program
from paberki.query.matching.segment_search import SegmentSearch
from paberki.query.matching.steps import CutStep, Steps
from paberki.query.matching.store import HitStore
from paberki.query.syntax import Query
from paberki.query.syntax.tree import Cut

_tables: Remembered[HitTable] = Remembered(256 << 20)
"""Hits of whole segments by query, strategy and segment. Segments never change, so entries stay true."""
_counts: Remembered[int] = Remembered(1 << 20)


class Search:
    """The hits of a query in an index. Methods may be called from several threads; ``cancel`` ends the others' work."""

    def __init__(
        self, index: Index, query: Query, program: Program, budget: Budget, selection: Selection | None
    ) -> None:
        self.query, self.strategy = query, program.strategy
        self._index, self._program, self._budget, self._selection = index, program, budget, selection
        self._clock = Clock(budget)
        self._cuts = [number for number, step in enumerate(program.outline.steps) if isinstance(step, Cut)]
        self._lock = Lock()
        self._store = HitStore(budget.memory_bytes)
        self._stream: Iterator[tuple[HitTable, float]] | None = None
        self._progress = Count(0, "running", 0.0)

    def first(self, n: int) -> HitTable:
        """At least ``n`` hits if there are that many, in the order of the corpus."""
        with self._lock:
            self._collect(n)
            return self._store.table()

    def all(self) -> HitTable:
        """All hits, or as many as the budget allows."""
        with self._lock:
            self._collect(None)
            return self._store.table()

    def count(self) -> Count:
        """The number of hits; stops where the budget does."""
        with self._lock:
            if self._progress.state == "running":
                self._count()
            return self._progress

    def progress(self) -> Count:
        """What is known so far; does not wait."""
        return self._progress

    def cancel(self) -> None:
        """Stop whatever runs, within 100 ms."""
        self._clock.cancel()

    def _collect(self, enough: int | None) -> None:
        if self._stream is None:
            self._stream = self._hits()
        limit = self._budget.hits if enough is None else enough
        try:
            while len(self._store) < limit and self._progress.state != "stopped":
                table, searched = next(self._stream)
                self._store.add(table)
                self._progress = Count(len(self._store), "running", searched)
            if len(self._store) >= self._budget.hits and self._progress.searched < 1.0:
                self._progress = Count(len(self._store), "stopped", self._progress.searched)
        except StopIteration:
            self._progress = Count(len(self._store), "done", 1.0)
        except (Exhausted, MemoryError):
            self._progress = Count(len(self._store), "stopped", self._progress.searched)

    def _count(self) -> None:
        """Count without keeping hits, unless some are kept already or steps need them."""
        if self._stream is not None or self._cuts:
            self._collect(None)
            return
        total, searched = 0, 0
        try:
            for segment in self._index.segments:
                for number, place in self._segment_counts(segment):
                    total += number
                    share = (searched + place) / max(self._index.tokens, 1)
                    self._progress = Count(total, "running", min(share, 1.0))
                searched += segment.tokens
            self._progress = Count(total, "done", 1.0)
        except (Exhausted, MemoryError):
            self._progress = Count(total, "stopped", self._progress.searched)

    def _segment_counts(self, segment: Segment) -> Iterator[tuple[int, int]]:
        key = self._key(segment)
        if self._selection is None:
            number = _counts.get(key)
            if number is not None:
                yield number, segment.tokens
                return
        total = 0
        for part, place in self._fresh_counts(segment):
            total += part
            yield part, place
        if self._selection is None:
            _counts.put(key, total, 200)

    def _fresh_counts(self, segment: Segment) -> Iterator[tuple[int, int]]:
        searching = SegmentSearch(self._program, segment, self._clock)
        if self._selection is None and not self._program.outline.steps:
            counts = searching.counts()
            if counts is not None:
                yield from counts
                return
        for table, place in self._chunks(segment, searching, keep=False):
            yield len(self._selected(segment, table)), place

    def _hits(self) -> Iterator[tuple[HitTable, float]]:
        """Hits with global positions, and the share of the corpus that is searched."""
        cuts = [CutStep(step) for step in self._program.outline.steps if isinstance(step, Cut)]
        searched = 0
        for segment in self._index.segments:
            later = [
                Steps(self._program, segment, self._clock, first + 1, last)
                for first, last in zip(self._cuts, [*self._cuts[1:], None], strict=False)
            ]
            for table, place in self._chunks(segment, SegmentSearch(self._program, segment, self._clock), keep=True):
                table = self._selected(segment, table)
                for cut, steps in zip(cuts, later, strict=True):
                    table = steps.apply(cut.apply(table))
                yield table.moved(segment.base), min(1.0, (searched + place) / max(self._index.tokens, 1))
                if any(cut.over for cut in cuts):
                    return
            searched += segment.tokens

    def _selected(self, segment: Segment, table: HitTable) -> HitTable:
        if self._selection is None or not len(table):
            return table
        return table.take(np.flatnonzero(self._selection.contains(segment, table.starts, table.ends)))

    def _chunks(self, segment: Segment, searching: SegmentSearch, *, keep: bool) -> Iterator[tuple[HitTable, int]]:
        """Hits of a segment before the first cut, from memory if they are there."""
        key = self._key(segment)
        table = _tables.get(key)
        if table is not None:
            yield table, segment.tokens
            return
        steps = Steps(self._program, segment, self._clock, 0, self._cuts[0] if self._cuts else None)
        store = HitStore(self._budget.memory_bytes)
        for table, place in searching.chunks():
            table = steps.apply(table)
            if keep:
                store.add(table)
            yield table, place
        if keep and not store.spilled:
            _tables.put(key, store.table(), store.size_bytes + 200)

    def _key(self, segment: Segment) -> tuple[str, ...]:
        columns = self._index.manifest.segments[segment.number].columns or ""
        return (str(self.query), self.query.dialect, self.strategy, segment.digest, columns, str(segment.number))
