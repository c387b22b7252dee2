"""Near-duplicates among texts without a corpus: :func:`near_duplicates`."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from paberki.dedup.near.clusters import component_heads, star_heads
from paberki.dedup.near.spool import SpooledRows
from paberki.dedup.near.text_search import Alike, TextSearch
from paberki.dedup.signatures import matching
from paberki.dedup.signatures.shingles import Ints
from paberki.errors import ConfigError

__all__ = ["PAIRS_LIMIT", "Duplicates", "near_duplicates"]

Method = Literal["auto", "bands", "shared"]
LOW: Final = 0.5
"""Below this threshold ``auto`` counts shared values, from it on it uses bands and an exact check."""
PAIRS_LIMIT: Final = 1_000_000
"""Most pairs that are reported of one cluster; of a larger one, those with the text that stays."""


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Which texts are copies of which."""

    cluster: Ints
    """One number for each text; copies have the same."""
    keep: npt.NDArray[np.bool_]
    """Whether a text stays: of each cluster one does, the longest."""
    dup_of: list[int | None]
    """The text that stays in its place; None for texts that stay."""
    exact: bool
    """Whether resemblances are exact or estimated from signatures."""
    _members: Ints = field(repr=False)
    _edges: Ints = field(repr=False)
    _pair_rows: SpooledRows = field(repr=False)

    def pairs(self) -> Iterator[tuple[int, int, float]]:
        """All pairs at or above the threshold, with their resemblance.

        Of a cluster with more than :data:`PAIRS_LIMIT` pairs, the rest are reported with the text that stays only. Where values
        are counted (thresholds below .5) that holds from some five hundred texts on that are much alike.
        """
        pair_counts = np.zeros(len(self.cluster), np.int64)
        sizes, firsts = np.diff(self._edges), self._members[self._edges[:-1]]
        for left, right, alike in self._groups():
            clusters, counts = self.cluster[firsts[left]], sizes[left] * sizes[right]
            after = pair_counts.copy()
            np.add.at(after, clusters, counts)
            if after[clusters].max(initial=0) > PAIRS_LIMIT:
                yield from self._limit_pairs(left, right, alike, pair_counts)
                continue
            pair_counts = after
            one, other = firsts[left], firsts[right]
            for low, high, how, number, i, j in zip(
                np.minimum(one, other).tolist(), np.maximum(one, other).tolist(), alike.tolist(), counts.tolist(),
                left.tolist(), right.tolist(), strict=True,
            ):  # fmt: skip
                if number == 1:  # as with most of them: different texts without copies
                    yield low, high, how
                else:
                    yield from ((min(pair), max(pair), how) for pair in self._every(i, j))

    def _limit_pairs(self, left: Ints, right: Ints, alike: Alike, counts: Ints) -> Iterator[tuple[int, int, float]]:
        for i, j, how in zip(left.tolist(), right.tolist(), alike.tolist(), strict=True):
            mine, other = self._copies(i), self._copies(j)
            cluster = self.cluster[mine[0]]
            count = int(counts[cluster]) + len(mine) * len(other)
            if count <= PAIRS_LIMIT:
                counts[cluster] = count
            pairs = self._every(i, j) if count <= PAIRS_LIMIT else self._with_kept(mine, other)
            yield from ((min(pair), max(pair), how) for pair in pairs)

    def _every(self, left: int, right: int) -> Iterator[tuple[int, int]]:
        mine = self._copies(left)
        if left == right:
            return itertools.combinations(mine, 2)
        return itertools.product(mine, self._copies(right))

    def _copies(self, number: int) -> list[int]:
        """A group of equal texts, the one that stays before the others first."""
        copies: list[int] = self._members[self._edges[number] : self._edges[number + 1]].tolist()
        return copies

    def _groups(self) -> Iterator[tuple[Ints, Ints, Alike]]:
        """Portions of pairs of groups of equal texts; a group is a pair with itself."""
        several = np.flatnonzero(np.diff(self._edges) > 1)
        yield several, several, np.ones(len(several))
        for some in self._pair_rows.portions():
            yield *matching.split(some["pair"]), some["alike"]

    def _with_kept(self, mine: list[int], other: list[int]) -> Iterator[tuple[int, int]]:
        """Pairs with the text that stays, which is the first of its group."""
        stays = next((texts[0] for texts in (mine, other) if self.keep[texts[0]]), None)
        if stays is None:  # a group of equal texts that another one stays for: still each has a twin
            return iter([(mine[0], text) for text in mine[1:]] if mine == other else [])
        return ((stays, text) for text in (other if stays == mine[0] else mine) if text != stays)


def near_duplicates(
    texts: Iterable[str], *, threshold: float = 0.8, method: Method = "auto", fold: bool = False, jobs: int = 1
) -> Duplicates:
    """Find texts that resemble each other: the share of their runs of five words that both have (P5 §3.4).

    ``bands`` finds candidates by equal parts of signatures and checks each against the shingles themselves; ``shared``
    counts equal values of signatures of 256, which works for any threshold and estimates the resemblance (P5 has 100; with
    more, fewer pairs near the threshold are left to chance); ``auto`` takes bands from .5 on. ``fold`` compares without
    diacritics and with Cyrillic as Latin. Of a cluster the longest text stays; the result does not depend on the order of
    the texts.

    ``texts`` may be anything that yields strings; other things than sequences are not kept in memory. Whatever is needed to
    compare many texts waits in temporary files (``$TMPDIR``). ``jobs`` says how many threads share the work, 0 as many as
    there are cores; the result is the same.

    >>> found = near_duplicates(["a b c d e f g h", "A b c d e f g, h!", "x y z"])
    >>> found.keep.tolist(), found.dup_of
    ([False, True, True], [1, None, None])
    """
    if not 0 < threshold <= 1:
        raise ConfigError(f"threshold = {threshold}: a resemblance lies between 0 and 1")
    if method not in ("auto", "bands", "shared"):
        raise ConfigError(f"unknown method {method!r}; known methods: auto, bands, shared")
    if jobs < 0:
        raise ConfigError(f"jobs = {jobs}: a number of threads, or 0 for one on each core")
    low = method == "shared" or (method == "auto" and threshold < LOW)
    search = TextSearch(texts, threshold, low, fold, jobs or os.cpu_count() or 1)
    return _cluster_texts(search, search.pairs(), stars=threshold < LOW)


def _cluster_texts(search: TextSearch, pair_rows: SpooledRows, stars: bool) -> Duplicates:
    different = len(search.edges) - 1
    pairs = (matching.split(some["pair"]) for some in pair_rows.portions())
    heads = (star_heads if stars else component_heads)(different, pairs)
    stays = search.members[search.edges[:-1]][heads]
    cluster, keep = np.empty(len(search.members), np.int64), np.zeros(len(search.members), bool)
    cluster[search.members] = np.repeat(stays, np.diff(search.edges))
    keep[stays] = True
    dup_of = [None if text == head else head for text, head in enumerate(cluster.tolist())]
    return Duplicates(cluster, keep, dup_of, not search.low, search.members, search.edges, pair_rows)
