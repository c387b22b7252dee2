"""The tokens around hits. A window stops at the edges of the hit's page, or of a smaller structure that is named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paberki.errors import QueryError
from paberki.kernels import load
from paberki.query.counting.places import Places, located, partition
from paberki.query.counting.values import Values

if TYPE_CHECKING:
    from paberki.query.matching import HitTable

__all__ = ["Piece", "Windows", "windows_of"]

_PIECE: Final = 1 << 18
"""Tokens that are unpacked at a time where hits are dense."""
_DENSE: Final = 8
"""Hits are dense where their windows have more than one token in so many of the corpus."""
_WIDEST: Final = 1000


class Piece(NamedTuple):
    """Some hits, their ranges, and the values of all tokens from a first position on."""

    hits: slice
    begins: NDArray[np.int64]
    stops: NDArray[np.int64]
    tokens: int
    first: int
    ids: NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Windows:
    """Two ranges of tokens for every hit: before it and behind it."""

    hits: HitTable
    regions: NDArray[np.uint32]
    edges: NDArray[np.int64]
    window: tuple[int, int]

    def is_dense(self, corpus_tokens: int) -> bool:
        """Whether it is better to unpack the whole corpus than single tokens."""
        width = max(0, -self.window[0]) + max(0, self.window[1])
        return len(self.hits.starts) * width * _DENSE > corpus_tokens

    def ranges(self, low: int, high: int) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """Begin and end of all ranges of some hits, and how many tokens they have."""
        begins, stops = np.empty(2 * (high - low), np.int64), np.empty(2 * (high - low), np.int64)
        starts, ends = self.hits.starts[low:high], self.hits.ends[low:high]
        tokens = _kernel().window_ranges(starts, ends, self.regions[low:high], self.edges, *self.window, begins, stops)
        return begins, stops, tokens

    def flat(self) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
        """All positions in all windows, and the hits they belong to."""
        begins, stops, tokens = self.ranges(0, len(self.hits.starts))
        positions, owners = np.empty(tokens, np.int64), np.empty(tokens, np.uint32)
        _kernel().expand_ranges(begins, stops, positions, owners)
        return positions, owners

    def pieces(self, values: Values) -> Iterator[Piece]:
        """Hits some at a time, with the values of all tokens in their windows."""
        starts = self.hits.starts
        end = int(starts[-1]) + 1 if len(starts) else 0
        edges = np.searchsorted(starts, np.arange(0, end + _PIECE, _PIECE))
        for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            if low < high:
                begins, stops, tokens = self.ranges(low, high)
                first, last = int(begins.min()), int(max(stops.max(), begins.max()))
                yield Piece(slice(low, high), begins, stops, tokens, first, values.between(first, last))

    def count(self, values: Values) -> NDArray[np.int64]:
        """How often each value stands in a window."""
        counts = np.zeros(values.size, np.int64)
        for piece in self.pieces(values):
            _kernel().count_ranges(piece.ids, piece.first, piece.begins, piece.stops, counts)
        return counts


def windows_of(places: Places, hits: HitTable, window: tuple[int, int], within: str | None = None) -> Windows:
    """The windows of hits in corpus order."""
    low, high = window
    if low > high or (low, high) == (0, 0) or max(abs(low), abs(high)) > _WIDEST:
        raise QueryError(f"window {low}..{high}: give two numbers of tokens up to {_WIDEST}, the smaller first: -5..5")
    edges = places.edges if within is None else partition(places.index, within)
    regions = places.locate(hits.starts) if within is None else located(hits.starts, edges[:-1])
    return Windows(hits, regions, edges, (low, high))


def _kernel() -> Any:
    return load("paberki.query.counting.windows_kernel")
