"""Near-duplicates among texts in memory: :func:`near_duplicates`."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from paberki.dedup import matching
from paberki.dedup.resembling import LEAN
from paberki.dedup.shingles import TURN, Hashes, Ints, batches, kernel, make_sets, shingle, sign_once, some_of
from paberki.dedup.sortjoin import shared_values
from paberki.errors import ConfigError

__all__ = ["PAIRS_LIMIT", "Duplicates", "near_duplicates"]

Method = Literal["auto", "bands", "shared"]
LOW: Final = 0.5
"""Below this threshold ``auto`` counts shared values, from it on it uses bands and an exact check."""
PAIRS_LIMIT: Final = 1_000_000
"""Pairs that are told of one cluster; of a larger one, those with the text that stays."""
_VALUES: Final = 256
_SMALL_SET: Final = 64
_DOUBT: Final = 0.15
_SHINGLES_AT_ONCE: Final = 32_000_000


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
    _copies: list[Ints] = field(repr=False)
    _left: Ints = field(repr=False)
    _right: Ints = field(repr=False)
    _alike: npt.NDArray[np.float64] = field(repr=False)

    def pairs(self) -> Iterator[tuple[int, int, float]]:
        """All pairs at or above the threshold, with their resemblance.

        Of a cluster with more than :data:`PAIRS_LIMIT` pairs, the rest are told with the text that stays only.
        """
        told: dict[int, int] = {}
        for left, right, alike in self._groups():
            mine, other = self._copies[left].tolist(), self._copies[right].tolist()
            cluster = int(self.cluster[mine[0]])
            count = told.get(cluster, 0) + len(mine) * len(other)
            found: Iterable[tuple[int, int]]
            if count <= PAIRS_LIMIT:
                told[cluster] = count
                found = itertools.combinations(mine, 2) if left == right else itertools.product(mine, other)
            else:
                found = self._with_kept(mine, other)
            yield from ((min(pair), max(pair), alike) for pair in found)

    def _groups(self) -> Iterator[tuple[int, int, float]]:
        """Pairs of groups of equal texts; a group is a pair with itself."""
        yield from ((number, number, 1.0) for number, copies in enumerate(self._copies) if len(copies) > 1)
        yield from zip(self._left.tolist(), self._right.tolist(), self._alike.tolist(), strict=True)

    def _with_kept(self, mine: list[int], other: list[int]) -> Iterator[tuple[int, int]]:
        """Pairs with the text that stays, which is the first of its group."""
        stays = next((texts[0] for texts in (mine, other) if self.keep[texts[0]]), None)
        if stays is None:  # a group of equal texts that another one stays for: still each has a twin
            return iter([(mine[0], text) for text in mine[1:]] if mine == other else [])
        return ((stays, text) for text in (other if stays == mine[0] else mine) if text != stays)


def near_duplicates(
    texts: Sequence[str], *, threshold: float = 0.8, method: Method = "auto", fold: bool = False
) -> Duplicates:
    """Find texts that resemble each other: the share of their runs of five words that both have (P5 §3.5).

    ``bands`` finds candidates by equal parts of signatures and checks each against the shingles themselves; ``shared``
    counts equal values of signatures of 256, which works for any threshold and estimates the resemblance (P5 has 100; with
    more, fewer pairs near the threshold are left to chance); ``auto`` takes bands from .5 on. ``fold`` compares without
    diacritics and with Cyrillic as Latin. Of a cluster the longest text stays; the result does not depend on the order of
    the texts.

    >>> found = near_duplicates(["a b c d e f g h", "A b c d e f g, h!", "x y z"])
    >>> found.keep.tolist(), found.dup_of
    ([True, False, True], [None, 0, None])
    """
    if not 0 < threshold <= 1:
        raise ConfigError(f"threshold = {threshold}: a resemblance lies between 0 and 1")
    if method not in ("auto", "bands", "shared"):
        raise ConfigError(f"unknown method {method!r}; known methods: auto, bands, shared")
    low = method == "shared" or (method == "auto" and threshold < LOW)
    search = _Search(texts, threshold, low, fold)
    if low:
        pairs, alike = search.shared()
    else:
        pairs, alike = search.checked(search.candidates())
    return _clustered(search, pairs, alike, stars=threshold < LOW)


class _Search:
    """The different ones among the texts, with signatures; texts without words are nobody's copy."""

    def __init__(self, texts: Sequence[str], threshold: float, low: bool, fold: bool) -> None:
        self.texts, self.threshold, self.low, self.fold = texts, threshold, low, fold
        self.bands = matching.bands_for(threshold)
        digests, counts, own, signatures = self._read()
        copies = [self._longest_first(copies) for copies in _copies(digests, counts)]
        first = np.array([one[0] for one in copies], np.int64)
        # Longest first; equally long ones by their words, so that the order of the texts is no matter.
        order = np.lexsort((digests[first, 1], digests[first, 0], -counts[first]))
        self.copies = [copies[place] for place in order.tolist()]
        self.first, self.counts = first[order], counts[first[order]]
        self.signatures = signatures[own[self.first]]

    def _longest_first(self, copies: Ints) -> Ints:
        """Copies may differ in signs and capitals; which one stays must not depend on the order of the texts."""
        if len(copies) == 1:
            return copies
        return np.array(sorted(copies.tolist(), key=lambda text: (-len(self.texts[text]), self.texts[text], text)))

    def _read(self) -> tuple[Hashes, Ints, Ints, npt.NDArray[np.uint32]]:
        """Digest and number of shingles of every text, and which of the signatures is its own; copies share one."""
        kind = (_VALUES, TURN) if self.low else (self.bands.values, 1)
        digests, counts, own, signatures, begun = [], [], [], [], 0
        for some in batches(self.texts):
            found = shingle(self.texts[some.start : some.stop], fold=self.fold)
            digests.append(found.digests)
            counts.append(np.diff(found.offsets))
            _, first, place = np.unique(found.digests, axis=0, return_index=True, return_inverse=True)
            own.append(place.reshape(-1) + begun)
            begun += len(first)
            found = some_of(found, first)
            signatures.append(sign_once(found, *kind))
        if not digests:
            nothing = np.empty(0, np.int64)
            return np.empty((0, 2), np.uint64), nothing, nothing, np.empty((0, kind[0]), np.uint32)
        return tuple(np.concatenate(one) for one in (digests, counts, own, signatures))  # type: ignore[return-value]

    def shared(self) -> tuple[Hashes, npt.NDArray[np.float64]]:
        """Pairs that share enough values, with the estimated resemblance; of short texts with the exact one."""
        least = max(1, round(self.threshold * LEAN * _VALUES))
        found = shared_values(
            lambda number: np.ascontiguousarray(self.signatures[:, number]), _VALUES, least, limit=matching.RUN_LIMIT
        )
        left, right = matching.split(found.pairs)
        small = np.minimum(self.counts[left], self.counts[right]) <= _SMALL_SET
        alike = found.counts / _VALUES
        alike[small] = self._resemblances(left[small], right[small])
        enough = ~small | (alike >= self.threshold - 1e-12)
        return found.pairs[enough], alike[enough]

    def candidates(self) -> Hashes:
        """Pairs that may reach the threshold, most others sorted out by their signatures."""
        pairs = matching.by_bands(self.signatures, self.bands)
        left, right = matching.split(pairs)
        agree = np.empty(len(pairs), np.int32)
        kernel().shared_values(self.signatures, left, right, agree)
        small = np.minimum(self.counts[left], self.counts[right]) <= _SMALL_SET
        likely = agree >= (self.threshold - _DOUBT) * self.bands.values
        return np.union1d(pairs[likely & ~small], self._small_pairs())

    def _small_pairs(self) -> Hashes:
        """Pairs of texts of a few dozen shingles, found without signatures."""
        few = np.flatnonzero((self.counts <= _SMALL_SET / self.threshold + 1) & (self.counts > 0))
        found = [np.empty(0, np.uint64)]
        if len(few):
            sets, starts, sizes = self._sets(few)
            found.append(matching.by_prefixes(sets, starts, sizes, few, self.threshold))
        return np.concatenate(found)

    def checked(self, pairs: Hashes) -> tuple[Hashes, npt.NDArray[np.float64]]:
        """The pairs that reach the threshold, with their exact resemblance."""
        alike = self._resemblances(*matching.split(pairs))
        enough = alike >= self.threshold - 1e-12
        return pairs[enough], alike[enough]

    def _resemblances(self, left: Ints, right: Ints) -> npt.NDArray[np.float64]:
        """Exact resemblance of pairs, as many at a time as have a bounded number of shingles."""
        alike = np.empty(len(left), np.float64)
        portion = np.cumsum(self.counts[left] + self.counts[right]) // _SHINGLES_AT_ONCE
        edges = [0, *(np.flatnonzero(np.diff(portion)) + 1).tolist(), len(left)]
        for low, high in itertools.pairwise(edges):
            if low < high:
                some = slice(low, high)
                involved = np.unique(np.concatenate([left[some], right[some]]))
                sets, starts, sizes = self._sets(involved)
                places = np.searchsorted(involved, left[some]), np.searchsorted(involved, right[some])
                kernel().resemblance(sets, starts, sizes, *places, alike[some])
        return alike

    def _sets(self, which: Ints) -> tuple[Hashes, Ints, Ints]:
        """Sorted sets of shingles of some of the texts: their values, where each begins and how large it is."""
        texts = [self.texts[text] for text in self.first[which].tolist()]
        values, starts, sizes, shift = [], [], [], 0
        for some in batches(texts):
            found = shingle(texts[some.start : some.stop], fold=self.fold)
            sizes.append(make_sets(found))
            values.append(found.values)
            starts.append(found.offsets[:-1] + shift)
            shift += len(found.values)
        return np.concatenate(values), np.concatenate(starts), np.concatenate(sizes)


def _copies(digests: Hashes, counts: Ints) -> list[Ints]:
    """Texts with the same words; those without words stand alone."""
    order = np.lexsort((np.arange(len(digests)), digests[:, 1], digests[:, 0]))
    digests, counts = digests[order], counts[order]
    new = np.ones(len(order), bool)
    new[1:] = (digests[1:] != digests[:-1]).any(axis=1) | (counts[1:] == 0)
    groups = np.split(order, np.flatnonzero(new)[1:]) if len(order) else []
    return sorted(groups, key=lambda group: int(group[0]))


def _clustered(search: _Search, pairs: Hashes, alike: npt.NDArray[np.float64], stars: bool) -> Duplicates:
    left, right = matching.split(pairs)
    different = len(search.copies)
    heads = star_heads(different, left, right) if stars else component_heads(different, left, right)
    texts = sum(map(len, search.copies))
    cluster, keep = np.empty(texts, np.int64), np.zeros(texts, bool)
    dup_of: list[int | None] = [None] * texts
    for mine, head in zip(search.copies, heads.tolist(), strict=True):
        stays = int(search.copies[head][0])
        cluster[mine] = stays
        for text in mine.tolist():
            dup_of[text] = None if text == stays else stays
    keep[np.unique(cluster)] = True
    return Duplicates(cluster, keep, dup_of, not search.low, search.copies, left, right, alike)


def component_heads(texts: int, left: Ints, right: Ints) -> Ints:
    """Head of the component of each text: its member with the smallest number."""
    heads = np.arange(texts)
    kernel().unite(heads, left, right)
    return heads


def star_heads(texts: int, left: Ints, right: Ints) -> Ints:
    """Head of each text: at low thresholds components would chain through half of the corpus.

    Who is left when its turn comes becomes a head and takes all neighbours that are left.
    """
    both = np.concatenate([left, right]), np.concatenate([right, left])
    order = np.argsort(both[0], kind="stable")
    starts = np.searchsorted(both[0][order], np.arange(texts + 1))
    heads = np.full(texts, -1, np.int64)
    kernel().stars(starts, both[1][order], heads)
    return heads
