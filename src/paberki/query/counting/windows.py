"""The tokens around hits. A window stops at the edges of the hit's page, or of a smaller structure that is named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.errors import QueryError
from paberki.kernels import load
from paberki.query.counting.places import Places, partition
from paberki.query.counting.values import Values

if TYPE_CHECKING:
    from paberki.query.matching import HitTable

__all__ = ["Windows", "windows_of"]

_PIECE: Final = 1 << 19
"""Tokens that are unpacked at a time where hits are dense."""
_DENSE: Final = 8
"""Hits are dense where their windows have more than one token in so many of the corpus."""


@dataclass(frozen=True, slots=True)
class Windows:
    """Two ranges of tokens for every hit: before it and behind it."""

    starts: NDArray[np.int64]
    begins: NDArray[np.int64]
    stops: NDArray[np.int64]
    tokens: int
    reach: int
    """No range goes further from the start of its hit than this."""

    def is_dense(self, corpus_tokens: int) -> bool:
        """Whether it is better to unpack the whole corpus than single tokens."""
        return self.tokens * _DENSE > corpus_tokens

    def flat(self) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
        """All positions in all windows, and the hits they belong to."""
        positions, owners = np.empty(self.tokens, np.int64), np.empty(self.tokens, np.uint32)
        _kernel().expand_ranges(self.begins, self.stops, positions, owners)
        return positions, owners

    def pieces(self, values: Values) -> Iterator[tuple[slice, int, NDArray[np.uint32]]]:
        """Hits some at a time, with the values of all tokens in their windows from a first position on."""
        end = int(self.starts[-1]) + 1 if len(self.starts) else 0
        edges = np.searchsorted(self.starts, np.arange(0, end + _PIECE, _PIECE))
        for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            if low < high:
                first = int(max(self.starts[low] - self.reach, 0))
                stop = int(min(self.starts[high - 1] + self.reach, values.index.tokens))
                yield slice(low, high), first, values.between(first, stop)

    def count(self, values: Values) -> NDArray[np.int64]:
        """How often each value stands in a window."""
        counts = np.zeros(values.size, np.int64)
        for hits, first, ids in self.pieces(values):
            ranges = slice(2 * hits.start, 2 * hits.stop)
            _kernel().count_ranges(ids, first, self.begins[ranges], self.stops[ranges], counts)
        return counts


def windows_of(places: Places, hits: HitTable, window: tuple[int, int], within: str | None = None) -> Windows:
    """The windows of hits in corpus order."""
    low, high = window
    if low > high or (low, high) == (0, 0) or max(abs(low), abs(high)) > _WIDEST:
        raise QueryError(f"window {low}..{high}: give two numbers of tokens up to {_WIDEST}, the smaller first: -5..5")
    edges = places.edges if within is None else partition(places.index, within)
    regions = places.locate(hits.starts) if within is None else _located(hits.starts, edges)
    begins, stops = np.empty(2 * len(hits.starts), np.int64), np.empty(2 * len(hits.starts), np.int64)
    tokens = _kernel().window_ranges(hits.starts, hits.ends, regions, edges, low, high, begins, stops)
    longest = int((hits.ends - hits.starts).max(initial=1))
    return Windows(hits.starts, begins, stops, tokens, longest + max(abs(low), abs(high)))


_WIDEST: Final = 1000


def _located(positions: NDArray[np.int64], edges: NDArray[np.int64]) -> NDArray[np.uint32]:
    numbers = np.empty(len(positions), np.uint32)
    load("paberki.query.counting.counting_kernel").locate(positions, np.ascontiguousarray(edges[:-1]), numbers)
    return numbers


def _kernel() -> Any:
    return load("paberki.query.counting.windows_kernel")
