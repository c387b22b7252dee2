"""A search: lazily the first hits, all hits, their number; with a budget, a way to stop, and a memory."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock

import numpy as np

from paberki.query.index.reader import Index
from paberki.query.index.seam import Seam
from paberki.query.index.segment import Segment
from paberki.query.index.selection import Selection
from paberki.query.matching.budget import Budget, BudgetWatch, Count, Exhausted
from paberki.query.matching.conditions.id_set import Bools
from paberki.query.matching.conditions.remembered import Remembered
from paberki.query.matching.crossing import Crossing, Zone
from paberki.query.matching.hit_table import HitTable
from paberki.query.matching.match_steps import CutStep, Steps
from paberki.query.matching.program import Program
from paberki.query.matching.segment_search import SegmentSearch
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
        self._clock = BudgetWatch(budget)
        self._cuts = [number for number, step in enumerate(program.outline.steps) if isinstance(step, Cut)]
        self._cuts_at_end = bool(self._cuts) and self._cuts[0] + len(self._cuts) == len(program.outline.steps)
        """Whether nothing is done with hits after they are cut, so that they may come from several segments."""
        self._crossing = Crossing(program, index)
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
            hits = self._hits()
            is_mixed = self._crossing.zones and (self._cuts_at_end or not self._cuts)
            stream = self._in_order(hits) if is_mixed else ((table, share) for table, share, _ in hits)
            self._stream = self._cut(stream) if self._cuts_at_end else stream
        limit = self._budget.hits if enough is None else enough
        try:
            while len(self._store) < limit and self._progress.state != "stopped":
                table, searched_share = next(self._stream)
                self._store.add(table)
                self._progress = Count(len(self._store), "running", searched_share)
            if len(self._store) >= self._budget.hits and self._progress.searched < 1.0:
                self._progress = Count(len(self._store), "stopped", self._progress.searched)
        except StopIteration:
            self._progress = Count(len(self._store), "done", 1.0)
        except (Exhausted, MemoryError):
            self._progress = Count(len(self._store), "stopped", self._progress.searched)

    def _count(self) -> None:
        """Count without keeping hits, unless some are kept already or steps need them."""
        if self._stream is not None or self._cuts or not self._crossing.is_exact:
            self._collect(None)
            return
        total, searched_tokens = 0, 0
        try:
            for segment in self._index.segments:
                for number, place in self._segment_counts(segment):
                    total += number
                    share = (searched_tokens + place) / max(self._index.tokens, 1)
                    self._progress = Count(total, "running", min(share, 1.0))
                searched_tokens += segment.tokens
            total += sum(self._additional(zone) for zone in self._crossing.zones)
            self._progress = Count(total, "done", 1.0)
        except (Exhausted, MemoryError):
            self._progress = Count(total, "stopped", self._progress.searched)

    def _additional(self, zone: Zone) -> int:
        """How many more hits there are because matches may cross a border."""
        seam = zone.seam(self._index)
        alone = [
            Seam([part.segment], part.segment.base + part.start, part.segment.base + part.stop) for part in seam.parts
        ]
        return self._zone_count(zone, seam) - sum(self._zone_count(zone, one) for one in alone)

    def _zone_count(self, zone: Zone, seam: Seam) -> int:
        parts = self._chunks(seam, SegmentSearch(self._program, seam, self._clock), keep=False)
        tables = (self._in_selection(seam, table).moved(seam.base) for table, _ in parts)
        return sum(int(zone.chooses(table).sum()) for table in tables)

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
            yield len(self._in_selection(segment, table)), place

    def _hits(self) -> Iterator[tuple[HitTable, float, int]]:
        """Hits with global positions, the share of the corpus that is searched, and the position before which no hit can
        still come."""
        cuts = [] if self._cuts_at_end else self._cut_steps()
        for segment, zone in self._pieces():
            later = [
                Steps(self._program, segment, self._clock, first + 1, last)
                for first, last in zip(self._cuts[: len(cuts)], [*self._cuts[1:], None], strict=False)
            ]
            searching = SegmentSearch(self._program, segment, self._clock)
            for table, place in self._chunks(segment, searching, keep=True):
                table = self._own_hits(segment, zone, self._in_selection(segment, table))
                for cut, steps in zip(cuts, later, strict=True):
                    table = steps.apply(cut.apply(table))
                searched_end = segment.base + place
                settled_end = self._crossing.settled_end(searched_end) if zone is None else zone.low
                yield table.moved(segment.base), min(1.0, searched_end / max(self._index.tokens, 1)), settled_end
                if any(cut.over for cut in cuts):
                    return

    def _cut_steps(self) -> list[CutStep]:
        return [CutStep(step) for step in self._program.outline.steps if isinstance(step, Cut)]

    def _cut(self, hits: Iterator[tuple[HitTable, float]]) -> Iterator[tuple[HitTable, float]]:
        """What cuts at the end let through."""
        cuts = self._cut_steps()
        for table, share in hits:
            for cut in cuts:
                table = cut.apply(table)
            yield table, share
            if any(cut.over for cut in cuts):
                return

    @staticmethod
    def _in_order(hits: Iterator[tuple[HitTable, float, int]]) -> Iterator[tuple[HitTable, float]]:
        """Hits in the order of the corpus: near a border, long ones of a segment and short ones of the seam alternate."""
        held_hits = HitTable.empty()
        for table, share, settled_end in hits:
            if len(held_hits) or (len(table) and int(table.starts[-1]) >= settled_end):
                held_hits = held_hits.followed_by(table) if len(held_hits) else table
                held_hits = held_hits.take(np.lexsort((held_hits.ends, held_hits.starts)))
                ready = int(np.searchsorted(held_hits.starts, settled_end))
                table, held_hits = held_hits.take(np.arange(ready)), held_hits.take(np.arange(ready, len(held_hits)))
            yield table, share
        if len(held_hits):
            yield held_hits, 1.0

    def _pieces(self) -> Iterator[tuple[Segment, Zone | None]]:
        """Segments, and behind each the seam with the next one where matches may cross it."""
        for segment in self._index.segments:
            yield segment, None
            for zone in self._crossing.behind(segment.base + segment.tokens):
                yield zone.seam(self._index), zone

    def _own_hits(self, segment: Segment, zone: Zone | None, table: HitTable) -> HitTable:
        """The hits that are taken from this segment or seam."""
        if not self._crossing.zones:
            return table
        global_hits = table.moved(segment.base)
        global_hits = (
            self._crossing.own(global_hits)
            if zone is None
            else global_hits.take(np.flatnonzero(zone.chooses(global_hits)))
        )
        return global_hits.moved(-segment.base)

    def _in_selection(self, segment: Segment, table: HitTable) -> HitTable:
        if self._selection is None or not len(table):
            return table
        if isinstance(segment, Seam):
            return table.take(np.flatnonzero(_contains(self._selection, segment, table)))
        return table.take(np.flatnonzero(self._selection.contains(segment, table.starts, table.ends)))

    def _chunks(self, segment: Segment, searching: SegmentSearch, *, keep: bool) -> Iterator[tuple[HitTable, int]]:
        """Hits of a segment before the first cut, from memory if they are there."""
        key = self._key(segment)
        table = _tables.get(key)
        if table is not None:
            yield table, segment.tokens
            return
        steps = Steps(self._program, segment, self._clock, 0, self._cuts[0] if self._cuts else None)
        if steps.is_impossible:
            return
        store = HitStore(self._budget.memory_bytes)
        for table, place in searching.chunks():
            table = steps.apply(table)
            if keep:
                store.add(table)
            yield table, place
        if keep and not store.is_on_disk:
            _tables.put(key, store.table(), store.size_bytes + 200)

    @property
    def index(self) -> Index:
        """What is searched."""
        return self._index

    def _key(self, segment: Segment) -> tuple[str, ...]:
        entries = self._index.manifest.segments
        columns = " ".join(one.columns or "" for one in (entries if segment.number < 0 else [entries[segment.number]]))
        overlay = segment.overlay.stamp if segment.overlay is not None else ""
        place = (segment.digest, columns, overlay, str(segment.number))
        return (str(self.query), self.query.dialect, self.strategy, *place)


def _contains(selection: Selection, seam: Seam, table: HitTable) -> Bools:
    """Which hits have their first and their last token in selected blocks, each in its own segment."""
    inside = np.ones(len(table), np.bool_)
    for places in (table.starts, table.ends - 1):
        for part in seam.parts:
            mine = np.flatnonzero((places >= part.offset) & (places < part.offset + part.stop - part.start))
            local = places[mine] - part.offset + part.start
            inside[mine] &= selection.contains(part.segment, local, local + 1)
    return inside
