"""Numbers in order, equal ones as they were."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from paberki.query.counting.radix import sort_numbers


@given(st.lists(st.one_of(st.integers(0, 3), st.integers(0, 2**64 - 1)), max_size=300))
def test_numbers_are_sorted_and_equal_ones_stay(numbers: list[int]) -> None:
    keys = np.array(numbers, np.uint64)
    assert sort_numbers(keys).tolist() == np.argsort(keys, kind="stable").tolist()
    assert keys.tolist() == numbers
