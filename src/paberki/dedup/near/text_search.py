"""Texts that resemble each other, among texts that are given: what :func:`paberki.dedup.near.between_texts.near_duplicates` does.

Signatures, pairs and sets of shingles wait in spools. In memory are some hundred bytes for each text, and portions.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cmp_to_key, partial
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from paberki.dedup.near.input_texts import GivenTexts
from paberki.dedup.near.resembling_pairs import LEAN
from paberki.dedup.near.sort_join import runs, shared_values
from paberki.dedup.near.spool import ColumnFile, SortedRuns, SpooledRows
from paberki.dedup.signatures import matching
from paberki.dedup.signatures.shingle_sets import SetFile
from paberki.dedup.signatures.shingles import (
    TURN,
    Hashes,
    Ints,
    Signatures,
    TextShingles,
    kernel,
    make_sets,
    shingle,
    sign_once,
    some_of,
)

FOUND: Final = np.dtype([("pair", np.uint64), ("alike", np.float64)])
"""Two texts in one number, and how alike they are."""
VALUES: Final = 256
SMALL_SET: Final = 64
_DOUBT: Final = 0.15
_PAIRS_AT_ONCE: Final = 50_000
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
_UPPER: Final = np.uint64(0xFFFFFFFF00000000)
_LOWER: Final = np.uint64(0xFFFFFFFF)
Alike = npt.NDArray[np.float64]
In = TypeVar("In")
Out = TypeVar("Out")


class TextSearch:
    """The different ones among the texts, numbered from the longest; texts without words do not count as copies."""

    def __init__(self, texts: Iterable[str], threshold: float, low: bool, fold: bool, jobs: int = 1) -> None:
        self.threshold, self.low, self.fold, self._jobs = threshold, low, fold, jobs
        self._texts = GivenTexts(texts)
        self._bands = matching.bands_for(threshold)
        self._signatures = SpooledRows(np.uint32, self._bands.values)
        self._columns = ColumnFile(np.uint32, VALUES) if low else ColumnFile(np.uint64, self._bands.count)
        self._first_shingles = SortedRuns(together=32)
        digests, counts, own = self._read()
        self.members, self.edges = self._copies(digests, counts)
        first = self.members[self.edges[:-1]]
        self._counts, self._own = counts[first], own[first]

    def _read(self) -> tuple[Hashes, Ints, Ints]:
        """Digest and number of shingles of every text, and which of the signatures is its own; copies share one."""
        digests, counts, own = [np.empty((0, 2), np.uint64)], [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for shingles, first, place, signatures in _in_order(self._sign, self._texts.batches(), self._jobs):
            digests.append(shingles.digests)
            counts.append(np.diff(shingles.offsets))
            own.append(place + len(self._columns))
            self._put(some_of(shingles, first), signatures)
        return np.concatenate(digests), np.concatenate(counts), np.concatenate(own)

    def _sign(self, texts: list[str]) -> tuple[TextShingles, Ints, Ints, Signatures]:
        """Shingles of some texts, which of these are the first of their copies and whose copy each is, signatures."""
        shingles = shingle(texts, fold=self.fold)
        _, first, place = np.unique(shingles.digests, axis=0, return_index=True, return_inverse=True)
        own = some_of(shingles, first)
        signatures = sign_once(own, VALUES, TURN) if self.low else sign_once(own, self._bands.values)
        return shingles, first, place.reshape(-1), signatures

    def _put(self, shingles: TextShingles, signatures: Signatures) -> None:
        if self.low:
            self._columns.append(signatures)
            return
        first_text = len(self._columns)
        self._signatures.append(signatures)
        bands = range(self._bands.count)
        self._columns.append(np.stack([matching.band_values(signatures, self._bands, band) for band in bands], axis=1))
        self._put_first_shingles(shingles, first_text)

    def _put_first_shingles(self, shingles: TextShingles, first_text: int) -> None:
        """Texts of a few dozen shingles by the first of them, since signatures are too coarse for these."""
        counts = np.diff(shingles.offsets)
        few = np.flatnonzero((counts <= SMALL_SET / self.threshold + 1) & (counts > 0))
        shingles = some_of(shingles, few)
        sizes = make_sets(shingles)
        values, owners = matching.prefixes(shingles.values, shingles.offsets[:-1], sizes, self.threshold)
        self._first_shingles.add(((values * _SPREAD) & _UPPER) | (few[owners] + first_text).astype(np.uint64))

    def _copies(self, digests: Hashes, counts: Ints) -> tuple[Ints, Ints]:
        """Texts with the same words together, the one that stays first; where each group begins. Those without words
        stand alone.

        Longest first; equally long ones by their words, so that the order of the texts is no matter.
        """
        order = np.lexsort((digests[:, 1], digests[:, 0], -counts))
        sorted_digests = digests[order]
        new = np.ones(len(order), bool)
        new[1:] = (sorted_digests[1:] != sorted_digests[:-1]).any(axis=1) | (counts[order[1:]] == 0)
        edges = np.r_[np.flatnonzero(new), len(order)]
        for group in np.flatnonzero(np.diff(edges) > 1).tolist():
            mine = slice(edges[group], edges[group + 1])
            order[mine] = self._longest_first(order[mine])
        return order, edges

    def _longest_first(self, copies: Ints) -> Ints:
        """Copies may differ in signs and capitals; which one stays must not depend on the order of the texts."""
        equal: dict[bytes, list[int]] = {}
        length: dict[bytes, int] = {}
        last, key = None, b""
        for number in copies.tolist():
            text = self._texts[number]
            if text != last:
                last, key = text, hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
                length[key] = len(text)
            equal.setdefault(key, []).append(number)

        def compare(one: bytes, other: bytes) -> int:
            if length[one] != length[other]:
                return length[other] - length[one]
            return -1 if self._texts[equal[one][0]] < self._texts[equal[other][0]] else 1

        return np.array([number for key in sorted(equal, key=cmp_to_key(compare)) for number in equal[key]], np.int64)

    def pairs(self) -> SpooledRows:
        """The pairs that reach the threshold, in order."""
        pair_rows = SpooledRows(FOUND)
        needs_check = np.zeros(len(self._own), bool)
        for pairs, alike in self._estimate_pairs() if self.low else self._candidates():
            left, right = matching.split(pairs)
            unknown = np.isnan(alike)
            needs_check[left[unknown]] = needs_check[right[unknown]] = True
            pair_rows.append(_as_rows(pairs, alike))
        return self._check_pairs(pair_rows, needs_check)

    def _estimate_pairs(self) -> Iterator[tuple[Hashes, Alike]]:
        """Pairs that share enough values, with the estimated resemblance; that of short texts is to be found out."""
        least = max(1, round(self.threshold * LEAN * VALUES))
        shared_pairs = shared_values(
            lambda number: self._columns.column(number)[self._own], VALUES, least, limit=matching.RUN_LIMIT
        )
        for pairs, counts in shared_pairs.portions():
            yield pairs, np.where(self._small(*matching.split(pairs)), np.nan, counts / VALUES)

    def _candidates(self) -> Iterator[tuple[Hashes, Alike]]:
        """Pairs that may reach the threshold, most others sorted out by their signatures."""
        meeting, likely_pairs = SortedRuns(), SortedRuns()
        for band in range(self._bands.count):
            values, owners = runs(self._columns.column(band)[self._own])
            meeting.add(matching.pairs_of_runs(values, owners, matching.RUN_LIMIT))
        for pairs in meeting.ranges():
            likely_pairs.add(self._likely(matching.count_runs(pairs)[0]))
        for pairs in self._small_pairs():
            likely_pairs.add(pairs)
        for pairs in likely_pairs.ranges():
            pairs = matching.count_runs(pairs)[0]
            yield pairs, np.full(len(pairs), np.nan)

    def _likely(self, pairs: Hashes) -> Hashes:
        """Pairs of long texts whose signatures agree well enough."""
        likely = np.zeros(len(pairs), bool)
        for first in range(0, len(pairs), _PAIRS_AT_ONCE):
            some = slice(first, first + _PAIRS_AT_ONCE)
            left, right = matching.split(pairs[some])
            texts, places = np.unique(np.concatenate([left, right]), return_inverse=True)
            agree = np.empty(len(left), np.int32)
            signatures = self._signatures.take(self._own[texts])
            kernel().shared_values(signatures, places[: len(left)], places[len(left) :], agree)
            likely[some] = (agree >= (self.threshold - _DOUBT) * self._bands.values) & ~self._small(left, right)
        return pairs[likely]

    def _small(self, left: Ints, right: Ints) -> npt.NDArray[np.bool_]:
        small: npt.NDArray[np.bool_] = np.minimum(self._counts[left], self._counts[right]) <= SMALL_SET
        return small

    def _small_pairs(self) -> Iterator[Hashes]:
        """Pairs of texts of a few dozen shingles, found without signatures."""
        number = np.full(len(self._columns), -1, np.int64)
        number[self._own] = np.arange(len(self._own))
        for keys in self._first_shingles.ranges():
            owners = number[(keys & _LOWER).astype(np.int64)]
            values, owners = keys[owners >= 0] >> np.uint64(32), owners[owners >= 0]
            order = np.lexsort((owners, values))
            yield matching.pairs_of_runs(values[order], owners[order], matching.RUN_LIMIT)

    def _check_pairs(self, pair_rows: SpooledRows, needs_check: npt.NDArray[np.bool_]) -> SpooledRows:
        """The pairs that reach the threshold, with their exact resemblance where it is not known yet."""
        sets = SetFile()
        again = self._texts.some(self.members[self.edges[:-1]][needs_check])
        for shingles in _in_order(partial(shingle, fold=self.fold), again, self._jobs):
            sets.append(shingles)
        place = np.cumsum(needs_check) - 1
        enough = SpooledRows(FOUND)
        for some in pair_rows.portions():
            pairs, alike = some["pair"], some["alike"].copy()
            unknown = np.isnan(alike)
            left, right = matching.split(pairs[unknown])
            alike[unknown] = sets.resemblances(place[left], place[right])
            reach = ~unknown | (alike >= self.threshold - 1e-12)
            enough.append(_as_rows(pairs[reach], alike[reach]))
        return enough


def _in_order(function: Callable[[In], Out], batches: Iterable[In], jobs: int) -> Iterator[Out]:
    """The answers in the order of the batches. Kernels leave the interpreter to others, so that threads are enough."""
    if jobs == 1:
        yield from map(function, batches)
        return
    with ThreadPoolExecutor(jobs) as pool:
        waiting: deque[Future[Out]] = deque()
        for batch in batches:
            waiting.append(pool.submit(function, batch))
            if len(waiting) > jobs:  # no more is held than is worked on
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _as_rows(pairs: Hashes, alike: Alike) -> npt.NDArray[np.void]:
    rows = np.empty(len(pairs), FOUND)
    rows["pair"], rows["alike"] = pairs, alike
    return rows
