"""Numbers in order, equal ones as they were."""

from __future__ import annotations

from itertools import groupby

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from paberki.query.counting.radix import group_pairs, sort_numbers


@given(st.lists(st.one_of(st.integers(0, 3), st.integers(0, 2**64 - 1)), max_size=300))
def test_numbers_are_sorted_and_equal_ones_stay(numbers: list[int]) -> None:
    keys = np.array(numbers, np.uint64)
    assert sort_numbers(keys).tolist() == np.argsort(keys, kind="stable").tolist()
    assert keys.tolist() == numbers


@given(st.lists(st.integers(0, 40), max_size=400))
def test_equal_keys_lie_side_by_side_in_their_order(numbers: list[int]) -> None:
    keys = np.array(numbers, np.uint64) * np.uint64(0x123456789AB)
    grouped, places = group_pairs(keys.copy(), np.arange(len(keys), dtype=np.uint32))
    assert (keys[places] == grouped).all()
    runs = [
        list(run) for _, run in groupby(zip(grouped.tolist(), places.tolist(), strict=True), key=lambda pair: pair[0])
    ]
    assert len(runs) == len(set(numbers))
    assert all(run == sorted(run) for run in runs)
