"""The part of a corpus that is asked: runs of tokens, in ascending order and without overlap.

The whole corpus, a selection of blocks (kept, dropped), the pages for which a condition holds, or what all of these have
in common. The number of its tokens is the base of all relative frequencies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paberki.query.counting.places import locate

if TYPE_CHECKING:
    from paberki.query.counting.places import PagePlaces
    from paberki.query.counting.values import AttributeValues

__all__ = ["ScopedTokens", "TokenScope", "join_runs", "whole"]


@dataclass(frozen=True)
class TokenScope:
    """Runs of tokens from ``starts`` to before ``ends``."""

    places: PagePlaces
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    name: str = "all"

    @cached_property
    def tokens(self) -> int:
        """How many tokens it has."""
        return int((self.ends - self.starts).sum())

    @cached_property
    def identity(self) -> object:
        """Stands for this part of this index in keys of what is remembered."""
        return object()

    @cached_property
    def is_whole(self) -> bool:
        """Whether it is the whole index."""
        return self.tokens == self.places.index.tokens

    @cached_property
    def _before(self) -> NDArray[np.int64]:
        """Tokens of the scope before each run."""
        lengths = self.ends - self.starts
        return np.asarray(np.cumsum(lengths) - lengths, np.int64)

    def runs_of(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """The run of each position, −1 for a position outside."""
        if not len(self.starts) or not len(positions):
            return np.full(len(positions), -1, np.int64)
        runs = np.searchsorted(self.starts, positions, "right") - 1
        inside = (runs >= 0) & (positions < self.ends[np.maximum(runs, 0)])
        return np.where(inside, runs, -1)

    def holds(self, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether first and last token of each hit are inside."""
        if self.is_whole:
            return np.ones(len(starts), np.bool_)
        return (self.runs_of(starts) >= 0) & (self.runs_of(ends - 1) >= 0)

    def offsets(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Positions counted within the scope alone; those outside count as the end of the run before."""
        positions = np.ascontiguousarray(positions, np.int64)
        if self.is_whole or not len(self.starts) or not len(positions):
            return positions
        runs = locate(positions, self.starts)
        within = np.minimum(positions - self.starts[runs], self.ends[runs] - self.starts[runs])
        return np.ascontiguousarray(self._before[runs] + np.maximum(within, 0))

    def cut_at(self, edges: NDArray[np.int64]) -> NDArray[np.int64]:
        """Edges, and where runs of the scope begin and end."""
        return edges if self.is_whole else np.unique(np.concatenate([edges, self.starts, self.ends]))

    @cached_property
    def page_edges(self) -> NDArray[np.int64]:
        """Where pages and runs of the scope begin and end."""
        return self.cut_at(self.places.edges)

    @cached_property
    def page_tokens(self) -> NDArray[np.int64]:
        """Tokens of the scope on every page."""
        edges = self.places.edges
        if self.is_whole:
            return np.diff(edges)
        tokens_before = np.concatenate([[0], np.cumsum(self.ends - self.starts)])
        runs = np.searchsorted(self.starts, edges, "right")
        last = np.maximum(runs - 1, 0)
        over = np.maximum(self.ends[last] - edges, 0) if len(self.ends) else np.zeros(len(edges), np.int64)
        return np.diff(tokens_before[runs] - np.where(runs > 0, over, 0))

    @cached_property
    def sizes(self) -> dict[str, int]:
        """How many tokens, pages and hosts it has."""
        pages, hosts = self.page_tokens > 0, self.places.hosts[self.page_tokens > 0]
        inside = int((pages & (self.places.regions >= 0)).sum()) or int(pages.sum())
        return {"tokens": self.tokens, "pages": inside, "hosts": int((np.bincount(hosts[hosts >= 0]) > 0).sum())}

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The share of every page in the tokens of the scope."""
        return np.ascontiguousarray(self.page_tokens / max(self.tokens, 1))

    def of_pages(self, mask: NDArray[np.bool_], name: str) -> TokenScope:
        """What the scope has in common with some pages."""
        edges = self.places.edges
        return self.meet(edges[:-1][mask], edges[1:][mask], name)

    def meet(self, starts: NDArray[np.int64], ends: NDArray[np.int64], name: str) -> TokenScope:
        """What the scope has in common with some runs."""
        label = name if self.name == "all" else f"{self.name} and {name}"
        cuts = np.unique(np.concatenate([self.starts, self.ends, starts, ends]))
        lows, highs = cuts[:-1], cuts[1:]
        both = TokenScope(self.places, starts, ends)
        inside = (self.runs_of(lows) >= 0) & (both.runs_of(lows) >= 0)
        return TokenScope(self.places, *join_runs(lows[inside], highs[inside]), label)

    def pieces(self, values: AttributeValues, size: int = 1 << 19) -> Iterator[ScopedTokens]:
        """Values of all tokens of the scope, some at a time, with the runs that they lie in."""
        end = int(self.ends[-1]) if len(self.ends) else 0
        for low in range(0, end, size):
            first, last = np.searchsorted(self.ends, low, "right"), np.searchsorted(self.starts, low + size)
            if first < last:
                begins = np.maximum(self.starts[first:last], low)
                stops = np.minimum(self.ends[first:last], low + size)
                start = int(begins[0])
                yield ScopedTokens(start, values.between(start, int(stops[-1])), begins, stops)


class ScopedTokens(NamedTuple):
    """Values of tokens from a first position on, and the runs among them that count."""

    first: int
    ids: NDArray[np.uint32]
    begins: NDArray[np.int64]
    stops: NDArray[np.int64]


def join_runs(starts: NDArray[np.int64], ends: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Runs that follow each other without a gap as one."""
    if not len(starts):
        return starts.astype(np.int64), ends.astype(np.int64)
    breaks = starts[1:] != ends[:-1]
    return starts[np.append(True, breaks)].astype(np.int64), ends[np.append(breaks, True)].astype(np.int64)


def whole(places: PagePlaces) -> TokenScope:
    """The whole index."""
    end = places.index.tokens
    runs = 1 if end else 0
    return TokenScope(places, np.zeros(runs, np.int64), np.full(runs, end, np.int64))
