"""Columns of any width, against numpy."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from paberki.kernels import load

KERNELS = load("paberki.query.index.columns_kernel")


def packed(values: np.ndarray, width: int) -> np.ndarray:
    words = np.zeros(len(values) * width // 64 + 2, np.uint64)
    KERNELS.pack(values[: len(values) // 2], width, 0, words)
    KERNELS.pack(values[len(values) // 2 :], width, len(values) // 2, words)
    return words


@st.composite
def columns(draw: st.DrawFn) -> tuple[np.ndarray, int]:
    width = draw(st.integers(1, 32))
    values = draw(st.lists(st.integers(0, 2**width - 1), min_size=1, max_size=300))
    return np.array(values, np.uint32), width


@given(columns(), st.data())
def test_what_is_packed_comes_out(column: tuple[np.ndarray, int], data: st.DataObject) -> None:
    values, width = column
    words = packed(values, width)
    start = data.draw(st.integers(0, len(values)))
    out = np.zeros(len(values) - start, np.uint32)
    KERNELS.between(words, width, start, out)
    assert (out == values[start:]).all()
    places = np.array(data.draw(st.lists(st.integers(0, len(values) - 1), max_size=20)), np.int64)
    out = np.zeros(len(places), np.uint32)
    assert KERNELS.at_places(words, width, places, len(values), out)
    assert (out == values[places]).all()
    for outside in (-1, len(values)):
        assert not KERNELS.at_places(words, width, np.array([0, outside]), len(values), np.zeros(2, np.uint32))


@given(st.lists(st.integers(0, 99), min_size=1, max_size=300), st.data())
def test_gathering_and_scanning_look_every_token_up(numbers: list[int], data: st.DataObject) -> None:
    values = np.array(numbers, np.uint32)
    words = packed(values, 7)
    start = data.draw(st.integers(0, len(values)))
    stop = data.draw(st.integers(start, len(values)))
    for kind, gather in ((np.uint32, KERNELS.gather), (np.uint64, KERNELS.gather_wide)):
        table = np.arange(128, dtype=kind) ** 2
        out = np.full(stop - start, 1 << 20, kind)
        gather(words, 7, table, start, out)
        assert (out == table[values[start:stop]] | (1 << 20)).all()
    chosen = np.zeros(128, np.uint8)
    chosen[data.draw(st.lists(st.integers(0, 99), max_size=30))] = 1
    room = np.zeros(stop - start + 1, np.int64)
    count = KERNELS.scan(words, 7, chosen, start, stop, room)
    assert (room[:count] == start + np.flatnonzero(chosen[values[start:stop]])).all()


@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), max_size=30), st.lists(st.integers(0, 90), max_size=60)
)
def test_the_innermost_region_is_the_last_that_begins_and_has_not_ended(
    spans: list[tuple[int, int]], places: list[int]
) -> None:
    regions = sorted({(start, start + length) for start, length in spans}, key=lambda one: (one[0], -one[1]))
    starts = np.array([one[0] for one in regions], np.int32)
    ends = np.array([one[1] for one in regions], np.int32)
    outer = np.zeros(len(regions), np.int32)
    nested = KERNELS.enclose(ends, outer)
    assert nested == any(a[1] > b[1] for at, b in enumerate(regions) for a in regions[:at])
    out = np.zeros(len(places), np.int64)
    KERNELS.innermost(starts, ends, outer if nested else outer[:0], np.array(places, np.int64), out)
    holding = [[at for at, (start, end) in enumerate(regions) if start <= place < end] for place in places]
    assert out.tolist() == [max(own, default=-1) for own in holding]


@given(st.lists(st.integers(0, 9), max_size=40), st.lists(st.integers(1, 6), max_size=12))
def test_heads_outside_of_the_sentence_are_none(numbers: list[int], lengths: list[int]) -> None:
    edges = np.concatenate([[1], 1 + np.cumsum(lengths)]).astype(np.int32)
    out = np.zeros(len(numbers), np.int32)
    KERNELS.head_offsets(np.array(numbers, np.int32), edges[:-1].copy(), edges[1:].copy(), 0, out)
    for place, number in enumerate(numbers):
        own = next(((low, high) for low, high in pairwise(edges) if low <= place < high), None)
        inside = own is not None and 0 < number <= own[1] - own[0]
        assert out[place] == (own[0] + number - 1 - place if inside else 0)
