"""Steps from hits to fewer hits, or to hits in another order. Each takes a table of hits and gives one.

A step ``keeps_order`` when the first hits of its result depend on the first hits alone: then a first page can be shown
before all hits are found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.errors import QueryError
from paberki.kernels import load
from paberki.query.counting.places import partition
from paberki.query.counting.spread import number_rows
from paberki.query.counting.token_scope import TokenScope
from paberki.query.counting.values import values_of
from paberki.record import Record

if TYPE_CHECKING:
    from paberki.query.matching import HitTable

__all__ = ["HitStep", "fold", "keep_scope", "no_overlap", "per_page", "sample"]

_FOLDED_TOKENS: Final = 8
"""Lines are equal when the hit and so many tokens on both sides are."""
_PRIME: Final = np.uint64(0x100000001B3)


class HitStep(Record):
    """One step, and its name for people; a step without a name is described elsewhere."""

    name: str
    apply: Callable[[HitTable], HitTable]
    keeps_order: bool = True


def keep_scope(scope: TokenScope) -> HitStep:
    """Hits whose first and last token are in a part of the corpus."""

    def apply(hits: HitTable) -> HitTable:
        return hits if scope.is_whole else hits.take(np.flatnonzero(scope.holds(hits.starts, hits.ends)))

    return HitStep("", apply)


def per_page(scope: TokenScope, most: int) -> HitStep:
    """At most so many hits of each page."""
    if most < 1:
        raise QueryError(f"--per-page {most}: give a number from 1 on")

    def apply(hits: HitTable) -> HitTable:
        pages = scope.places.locate(hits.starts).astype(np.int64)
        return hits.take(np.flatnonzero(_rank_within(pages) < most))

    return HitStep(f"at most {most} per page", apply)


def _rank_within(groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many members of the same group come before each one."""
    order = np.argsort(groups, kind="stable")
    begins = np.flatnonzero(np.append(True, groups[order][1:] != groups[order][:-1]))[: len(groups)]
    lengths = np.diff(np.append(begins, len(groups)))
    ranks = np.empty(len(groups), np.int64)
    ranks[order] = np.arange(len(groups)) - np.repeat(begins, lengths)
    return ranks


def no_overlap() -> HitStep:
    """From left to right, no hit that overlaps the one before it."""

    def apply(hits: HitTable) -> HitTable:
        order = np.lexsort((hits.ends, hits.starts))
        numbers = np.empty(len(order), np.uint32)
        starts, ends = hits.starts[order], hits.ends[order]
        count = load("paberki.query.hits.overlap_kernel").without_overlap(starts, ends, numbers)
        return hits.take(np.sort(order[numbers[:count]]))

    return HitStep("without overlap", apply)


def sample(size: int, seed: int) -> HitStep:
    """A random sample, in the order that the hits have; the same seed gives the same hits."""
    if size < 0:
        raise QueryError(f"--sample {size}: give a number of hits")

    def apply(hits: HitTable) -> HitTable:
        total = len(hits.starts)
        if total <= size:
            return hits
        return hits.take(np.sort(np.random.default_rng(seed).choice(total, size, replace=False)))

    return HitStep(f"sample of {size} with seed {seed}", apply, keeps_order=False)


def fold(scope: TokenScope) -> HitStep:
    """Near-copies once: of pages that are copies of each other the first one with a hit, of equal lines the first one."""

    def apply(hits: HitTable) -> HitTable:
        hits = hits.take(_first_copies(scope, hits))
        _, firsts = number_rows(_line_keys(scope, hits))
        return hits.take(np.sort(firsts))

    return HitStep("near-copies once", apply)


def _first_copies(scope: TokenScope, hits: HitTable) -> NDArray[np.int64]:
    """Hits on the first page of each cluster of copies."""
    places = scope.places
    if places.structure is None or "dup_cluster" not in places.index.structures[places.structure]:
        return np.arange(len(hits.starts))
    clusters, names = places.attribute("dup_cluster")
    empty = [number for number, name in enumerate(names) if not name]
    clusters = np.where(np.isin(clusters, empty), -1, clusters)
    pages = places.locate(hits.starts).astype(np.int64)
    mine = clusters[pages]
    first = np.full(len(names) + 1, -1, np.int64)
    first[mine[::-1]] = pages[::-1]
    return np.flatnonzero((mine < 0) | (first[mine] == pages))


def _line_keys(scope: TokenScope, hits: HitTable) -> NDArray[np.uint64]:
    """A number for the words of each line; capitals do not count where the index has ``lc``."""
    index = scope.places.index
    values = values_of(index, "lc" if "lc" in index.attributes else index.default)
    pages, edges = scope.places.locate(hits.starts), scope.places.edges
    keys: NDArray[np.uint64] = (hits.ends - hits.starts).astype(np.uint64)
    longest = int((hits.ends - hits.starts).max(initial=0))
    for offset in range(-_FOLDED_TOKENS, min(longest, 4 * _FOLDED_TOKENS) + _FOLDED_TOKENS):
        positions = hits.starts + offset
        inside = (positions >= edges[pages]) & (positions < edges[1:][pages])
        inside &= positions < hits.ends + _FOLDED_TOKENS
        numbers = values.at(np.where(inside, positions, 0)).astype(np.uint64) + np.uint64(1)
        keys = np.multiply(keys ^ np.where(inside, numbers, np.uint64(0)), _PRIME)
    return keys


def filter_by(
    scope: TokenScope, matches: HitTable, keep: bool, window: tuple[int, int] | str | None, name: str
) -> HitStep:
    """Hits with (or without) a match of another query in their sentence, in a structure, or in a window of tokens."""
    order = np.argsort(matches.starts, kind="stable")
    starts, ends = matches.starts[order], matches.ends[order]
    nearest_end = np.minimum.accumulate(ends[::-1])[::-1] if len(ends) else ends

    def apply(hits: HitTable) -> HitTable:
        lows, highs = _limits(scope, hits, window)
        first = np.searchsorted(starts, lows)
        inside = np.zeros(len(lows), np.bool_)
        some = np.flatnonzero(first < len(starts))
        inside[some] = nearest_end[first[some]] <= highs[some]
        return hits.take(np.flatnonzero(inside == keep))

    return HitStep(name, apply)


def _limits(scope: TokenScope, hits: HitTable, window: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the match must lie for each hit."""
    index = scope.places.index
    if window is None and "s" not in index.structures:
        window = (-15, 15)
    if isinstance(window, tuple):
        return hits.starts + min(window[0], 0), hits.ends + max(window[1], 0)
    edges = partition(index, window or "s")
    lows = edges[np.searchsorted(edges, hits.starts, "right") - 1]
    highs = edges[np.searchsorted(edges, hits.ends - 1, "right")]
    return lows, highs
