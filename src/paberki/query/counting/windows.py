"""The tokens around hits. A window stops at the edges of the hit's page or of a smaller structure that is named, and where
the part of the corpus that is asked ends."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from paberki.errors import QueryError
from paberki.kernels import load
from paberki.query.counting.places import PagePlaces, locate, partition
from paberki.query.counting.tally_records import TokenWindows
from paberki.query.counting.token_scope import TokenScope
from paberki.query.counting.values import AttributeValues, Packed
from paberki.record import Record

if TYPE_CHECKING:
    from paberki.query.index.segment import Segment
    from paberki.query.matching import HitTable

__all__ = ["Windows", "each_part", "windows_of"]

_AT_ONCE: Final = 1 << 22
"""Hits that are counted at a time."""
_DENSE: Final = 8
"""Hits are dense where their windows have more than one token in so many of the corpus."""
_WIDEST: Final = 1000
_MOST_THREADS: Final = 4
_Result = TypeVar("_Result")


class Chunk(NamedTuple):
    """Some hits, the column of their segment, and the parameters of their windows for kernels."""

    hits: slice
    column: Packed
    windows: TokenWindows


class Windows(Record):
    """Two ranges of tokens for every hit: before it and behind it."""

    places: PagePlaces
    hits: HitTable
    regions: NDArray[np.uint32]
    edges: NDArray[np.int64]
    window: tuple[int, int]

    def is_dense(self, corpus_tokens: int) -> bool:
        """Whether it is better to unpack the whole corpus than single tokens."""
        return len(self.hits.starts) * self.width * _DENSE > corpus_tokens

    @property
    def width(self) -> int:
        """Tokens of the largest window."""
        return max(0, -self.window[0]) + max(0, self.window[1])

    def flat(self) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
        """All positions in all windows, and the hits they belong to."""
        begins, stops = np.empty(2 * len(self.hits.starts), np.int64), np.empty(2 * len(self.hits.starts), np.int64)
        hits = self.hits
        tokens = _kernel().window_ranges(hits.starts, hits.ends, self.regions, self.edges, *self.window, begins, stops)
        positions, owners = np.empty(tokens, np.int64), np.empty(tokens, np.uint32)
        _kernel().expand_ranges(begins, stops, positions, owners)
        return positions, owners

    def chunks(self, values: AttributeValues, low: int, high: int, size: int = _AT_ONCE) -> Iterator[Chunk]:
        """Hits some at a time, none in two segments and no page in two chunks."""
        starts = self.hits.starts
        for segment, column in zip(values.index.segments, values.columns, strict=True):
            first, last = np.searchsorted(starts, (segment.base, segment.base + segment.tokens)).tolist()
            begin, end = max(first, low), min(last, high)
            while begin < end:
                cut = self._page_begin(begin + size) if begin + size < end else end
                cut = cut if cut > begin else min(self._page_end(begin), end)
                hits = slice(begin, cut)
                begin = cut
                yield Chunk(hits, column, self._local(hits, segment))

    def _local(self, hits: slice, segment: Segment) -> TokenWindows:
        """Some hits of a segment in its positions; arrays are not copied where the segment is the whole corpus."""
        starts, ends, edges = self.hits.starts[hits], self.hits.ends[hits], self.edges
        if segment.tokens < self.places.index.tokens:
            ends = np.minimum(ends - segment.base, segment.tokens)
            starts, edges = starts - segment.base, edges - segment.base
        return TokenWindows(starts, ends, self.regions[hits], edges, *self.window)

    def parts(self) -> list[tuple[int, int]]:
        """Ranges of hits for so many threads as there are cores; no page is in two of them."""
        size, cores = len(self.hits.starts), min(_MOST_THREADS, usable_cores())
        cuts = [0, *(self._page_begin(size * core // cores) for core in range(1, cores if size else 1)), size]
        return [(low, high) for low, high in pairwise(cuts) if low < high] or [(0, 0)]

    def _page_begin(self, hit: int) -> int:
        """The first hit of the page of a hit."""
        return int(np.searchsorted(self.hits.starts, self.places.edges[self._page(hit)]))

    def _page_end(self, hit: int) -> int:
        """The first hit behind the page of a hit."""
        return int(np.searchsorted(self.hits.starts, self.places.edges[self._page(hit) + 1]))

    def _page(self, hit: int) -> int:
        return int(np.searchsorted(self.places.starts, self.hits.starts[hit], "right")) - 1

    def count(self, values: AttributeValues) -> NDArray[np.int64]:
        """How often each value stands in a window."""

        def count_part(part: tuple[int, int]) -> NDArray[np.int64]:
            counts = np.zeros(values.size, np.int64)
            for chunk in self.chunks(values, *part):
                local = np.zeros(chunk.column.size, np.uint32)
                _kernel().count_windows(chunk.column.words, chunk.column.width, *chunk.windows, local)
                counts += chunk.column.sum_by_number(local.astype(np.int64), values.size)
            return counts

        return np.asarray(sum(each_part(count_part, self.parts())), np.int64)


def usable_cores() -> int:
    """Cores that this process may use: threads that share one take each other's cache."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def each_part(work: Callable[[tuple[int, int]], _Result], parts: list[tuple[int, int]]) -> list[_Result]:
    """Results of all parts, worked on side by side: kernels do not hold the interpreter."""
    if len(parts) == 1:
        return [work(parts[0])]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(parts)) as pool:
        return list(pool.map(work, parts))


def windows_of(scope: TokenScope, hits: HitTable, window: tuple[int, int], within: str | None = None) -> Windows:
    """The windows of hits in corpus order; they stop at pages or at the structure named, and where the scope ends."""
    low, high = window
    if low > high or (low, high) == (0, 0) or max(abs(low), abs(high)) > _WIDEST:
        raise QueryError(f"window {low}..{high}: give two numbers of tokens up to {_WIDEST}, the smaller first: -5..5")
    places = scope.places
    edges = scope.page_edges if within is None else scope.cut_at(partition(places.index, within))
    regions = locate(hits.starts, edges[:-1])
    return Windows(places, hits, regions, edges, (low, high))


def _kernel() -> Any:
    return load("paberki.query.counting.windows_kernel")
