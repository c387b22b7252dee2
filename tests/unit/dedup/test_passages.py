"""Passages that two pages share: where they are, and that words that repeat cost no more than others."""

from __future__ import annotations

import random
import time

import numpy as np

from paberki.dedup.repeats.word_runs import kernel
from paberki.dedup.signatures.shingles import Ints

LEAST = 50


def followed(left: list[int], right: list[int], seeds: list[tuple[int, int]]) -> tuple[Ints, Ints]:
    tokens = np.array([*left, *right], np.uint64)
    starts, sizes = np.array([0, len(left)]), np.array([len(left), len(right)])
    at, other_at = np.array(seeds, np.int64).reshape(-1, 2).T.copy()
    count = len(seeds)
    zeros, ones = np.zeros(count, np.int64), np.ones(count, np.int64)
    begins, ends = np.zeros(count, np.int64), np.zeros(count, np.int64)
    kernel().extend(tokens, starts, sizes, zeros, ones, at, other_at, LEAST, begins, ends)
    return begins, ends


def test_repeated_words_are_followed_once() -> None:
    kernel()
    words = [7] * 400_000
    seeds = [(25, at) for at in range(25, len(words), 26)]
    began = time.process_time()
    begins, ends = followed(words, words, seeds)
    assert time.process_time() - began < 1
    assert (begins[0], ends[0]) == (0, len(words))
    assert (ends[1:] - begins[1:] < LEAST).all() or ends.max() == len(words)


def test_all_that_is_shared_is_covered() -> None:
    pick = random.Random(3)
    for _ in range(200):
        parts = [[pick.randrange(3, 6) for _ in range(pick.randrange(30, 140))] for _ in range(4)]
        left = [word for part in pick.sample(parts, 4) for word in part]
        right = [word for part in pick.choices(parts, k=5) for word in part]
        seeds = sorted(
            ((a, b) for b in range(0, len(right), 9) for a in range(0, len(left), 11) if left[a] == right[b]),
            key=lambda seed: seed[1],
        )
        begins, ends = followed(left, right, seeds)
        for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
            assert end == begin or any(
                left[a : a + end - begin] == right[begin:end] for a in range(len(left) - (end - begin) + 1)
            )
        plain = _plain_coverage(left, right, seeds)
        long = [(b, e) for b, e in zip(begins.tolist(), ends.tolist(), strict=True) if e - b >= LEAST]
        assert plain == {place for b, e in long for place in range(b, e)}


def _plain_coverage(left: list[int], right: list[int], seeds: list[tuple[int, int]]) -> set[int]:
    """Places of the right text in runs around the seeds that are long enough, each followed on its own."""
    places: set[int] = set()
    for a, b in seeds:
        back = 0
        while a - back > 0 and b - back > 0 and left[a - back - 1] == right[b - back - 1]:
            back += 1
        on = 0
        while a + on < len(left) and b + on < len(right) and left[a + on] == right[b + on]:
            on += 1
        if back + on >= LEAST:
            places |= set(range(b - back, b + on))
    return places
