"""Tokens around hits in columns of every width of bits, and by as many threads as there are cores for."""

from __future__ import annotations

import os

import numpy as np
import pytest

from paberki.kernels import load
from paberki.query.counting.windows import usable_cores

TOKENS = 400


@pytest.mark.parametrize("width", [1, 7, 18, 19, 20, 28, 29, 32])
@pytest.mark.parametrize("window", [(-5, 5), (-5, -1), (-2, 7)])
def test_windows_are_counted_in_columns_of_any_width(width: int, window: tuple[int, int]) -> None:
    chance = np.random.default_rng(width)
    size = min(1 << width, 50)
    common = chance.choice(1 << min(width, 22), size, replace=False).astype(np.uint32)
    ids = common[chance.integers(0, size, TOKENS)]
    words = np.zeros(TOKENS * width // 64 + 2, np.uint64)
    load("paberki.query.index.columns_kernel").pack(ids, width, 0, words)
    starts = np.arange(0, TOKENS - 3, 3)
    ends = starts + chance.integers(1, 4, len(starts))
    edges = np.array([0, 4, 90, 91, 250, TOKENS])
    regions = np.searchsorted(edges, starts, "right") - 1
    counts = np.zeros(1 << min(width, 22), np.uint32)
    arguments = (starts, ends, regions.astype(np.uint32), edges, *window)
    load("paberki.query.counting.windows_kernel").count_windows(words, width, *arguments, counts)
    expected = np.zeros_like(counts)
    low, high = window
    for start, end, region in zip(starts, ends, regions, strict=True):
        for offset in range(low, high + 1):
            place = start + offset if offset < 0 else end + offset - 1
            if offset and edges[region] <= place < edges[region + 1]:
                expected[ids[place]] += 1
    assert counts.tolist() == expected.tolist()


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system does not bind processes to cores")
def test_there_are_no_more_threads_than_cores_that_may_be_used() -> None:
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert usable_cores() == 1
    finally:
        os.sched_setaffinity(0, allowed)
