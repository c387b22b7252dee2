"""Packed postings, against the lists they were made of."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.kernels import load

KERNELS = load("paberki.query.index.postings_kernel")


def packed(lists: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    places = np.array([place for one in lists for place in one], np.uint32)
    edges = np.concatenate([[0], np.cumsum([len(one) for one in lists])]).astype(np.int64)
    words = np.zeros(len(places) * 6 // 8 + len(lists) * 2 + 64, np.uint64)
    begins = np.zeros(len(lists) + 1, np.int64)
    size = KERNELS.pack_lists(places, edges, words, begins, np.zeros(64, np.int64))
    assert size == begins[-1] <= len(words) * 8 - 16
    return words, begins


def unpacked(words: np.ndarray, begins: np.ndarray, lists: list[list[int]], start: int, stop: int) -> list[int]:
    counts = np.array([len(one) for one in lists], np.int64)
    out = np.zeros(int(counts.sum()) + KERNELS.BLOCK, np.int64)
    count = KERNELS.unpack_lists(words, begins[: len(lists)].copy(), counts, start, stop, out)
    return out[:count].tolist()


steps = st.one_of(st.integers(1, 3), st.integers(1, 400), st.integers(1, 1 << 22))


@given(st.lists(st.lists(steps, max_size=300), max_size=5), st.data())
def test_what_is_packed_comes_out(gaps: list[list[int]], data: st.DataObject) -> None:
    lists = [[place - 1 for place in np.cumsum(own).tolist()] for own in gaps]
    words, begins = packed(lists)
    last = max((own[-1] for own in lists if own), default=0)
    start = data.draw(st.integers(0, last + 1))
    stop = data.draw(st.integers(start, last + 2))
    assert unpacked(words, begins, lists, 0, 1 << 40) == [place for own in lists for place in own]
    assert unpacked(words, begins, lists, start, stop) == [p for own in lists for p in own if start <= p < stop]


@pytest.mark.parametrize("count", [1, 3, 4, 127, 128, 129, 256, 257, 1000])
def test_a_far_place_among_near_ones_takes_little_room(count: int) -> None:
    near = list(range(count))
    far = [*near, (1 << 31) + 5]
    words, begins = packed([near, far])
    assert unpacked(words, begins, [near, far], 0, 1 << 40) == near + far
    assert begins[2] - begins[1] <= begins[1] - begins[0] + 24


def test_random_lists_take_little_more_than_their_entropy() -> None:
    rng = np.random.default_rng(5)
    places = np.flatnonzero(rng.random(2_000_000) < 0.01).tolist()
    words, begins = packed([places])
    bits = begins[1] * 8 / len(places)
    assert bits < 1.2 * (np.log2(100) + 1.44)


def test_inverting_sorts_tokens_by_id() -> None:
    ids = np.random.default_rng(1).integers(0, 50, 5000).astype(np.uint32)
    counts = np.bincount(ids, minlength=50)
    edges = np.concatenate([[0], np.cumsum(counts[10:40])]).astype(np.int64)
    places, following = np.zeros(edges[-1], np.uint32), edges[:-1].copy()
    KERNELS.invert(ids[:2000].copy(), 0, 10, 40, following, places)
    KERNELS.invert(ids[2000:].copy(), 2000, 10, 40, following, places)
    order = np.argsort(ids, kind="stable")
    chosen = order[(ids[order] >= 10) & (ids[order] < 40)]
    assert (places == chosen).all()


@given(st.sets(st.integers(100, 1000), max_size=200), st.randoms())
def test_places_are_sorted_by_bits(places: set[int], some: random.Random) -> None:
    mixed = list(places)
    some.shuffle(mixed)
    array = np.array(mixed, np.int64)
    count = KERNELS.sort_places(array, 100, np.zeros(15, np.uint64))
    assert array[:count].tolist() == sorted(places)
