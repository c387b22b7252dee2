"""Pages, hosts, ARF and DP against their definitions, in both ways to count them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from paberki.query.counting.places import PagePlaces
from paberki.query.counting.spread import grouped_spread, number_rows, occurrences_of, renumber, spread_of
from paberki.query.counting.tally import Tally
from paberki.query.counting.token_scope import TokenScope, whole

TOKENS = 60


class FixedPages(PagePlaces):
    """Pages that are given, so that no index is needed."""

    starts = np.array([0, 7, 20, 21, 45])
    hosts = np.array([0, 1, 0, -1, 1], np.int32)
    host_names = ("a", "b")

    def __init__(self) -> None:
        super().__init__(SimpleNamespace(tokens=TOKENS))


def arf(positions: list[int], tokens: int) -> float:
    """Average reduced frequency as Savický and Hlaváčová define it."""
    stretch = tokens / len(positions)
    before = [positions[-1] - tokens, *positions[:-1]]
    return sum(min(one - other, stretch) for one, other in zip(positions, before, strict=True)) / stretch


def dp(pages: list[int], sizes: list[int]) -> float:
    """Deviation of proportions as Gries defines it."""
    tokens = sum(sizes)
    return 0.5 * sum(abs(size / tokens - pages.count(page) / len(pages)) for page, size in enumerate(sizes))


def whole_pages() -> TokenScope:
    return whole(FixedPages())


occurrences = st.lists(st.tuples(st.integers(0, TOKENS - 1), st.integers(0, 4)), min_size=1, max_size=50)


@given(occurrences)
def test_both_ways_equal_the_definitions(pairs: list[tuple[int, int]]) -> None:
    pairs.sort()
    scope = whole_pages()
    positions = np.array([position for position, _ in pairs], np.int64)
    rows = np.array([row for _, row in pairs], np.uint32)
    where = occurrences_of(scope, positions)
    order = np.argsort(rows, kind="stable").astype(np.uint32)
    bounds = np.append(0, np.cumsum(np.bincount(rows, minlength=5)))
    for spread in (spread_of(rows, 5, where, scope), grouped_spread(bounds, order, where, scope)):
        for row in set(rows.tolist()):
            mine = [position for position, one in pairs if one == row]
            pages = [int(page) for page in FixedPages().locate(np.array(mine))]
            assert spread.hits[row] == len(mine)
            assert spread.pages[row] == len(set(pages))
            assert spread.hosts[row] == len({FixedPages.hosts[page] for page in pages} - {-1})
            assert np.isclose(spread.arf[row], arf(mine, TOKENS))
            assert np.isclose(spread.dp[row], dp(pages, [7, 13, 1, 24, 15]))


@given(occurrences, st.integers(0, 4))
def test_tallies_of_two_parts_follow_each_other(pairs: list[tuple[int, int]], page: int) -> None:
    pairs.sort()
    scope = whole_pages()
    cut = FixedPages.starts[page]
    rows = np.array([row for _, row in pairs], np.uint32)
    where = occurrences_of(scope, np.array([position for position, _ in pairs], np.int64))
    hits = np.bincount(rows, minlength=5)
    at = int(np.searchsorted(where.positions, cut))
    whole_tally, first, second = (Tally(hits, scope) for _ in range(3))
    for tally, low, high in ((whole_tally, 0, len(rows)), (first, 0, at), (second, at, len(rows))):
        tally.add(rows[low:high], where.positions[low:high], where.pages[low:high])
    first.follow(second)
    for one, other in zip(whole_tally.result(), first.result(), strict=True):
        assert np.allclose(one, other)


@given(st.lists(st.integers(0, 30), max_size=60))
def test_equal_keys_get_equal_rows_in_the_order_of_first_occurrence(keys: list[int]) -> None:
    expected: dict[int, int] = {}
    rows = [expected.setdefault(key, len(expected)) for key in keys]
    for numbers, firsts in (
        number_rows(np.array(keys, np.uint64)),
        renumber(np.array(keys, np.uint32), 31),
    ):
        assert numbers.tolist() == rows
        assert firsts.tolist() == [keys.index(key) for key in expected]


def test_many_keys_need_larger_tables() -> None:
    keys = np.arange(50_000, dtype=np.uint64) * np.uint64(1 << 33)
    rows, firsts = number_rows(np.concatenate([keys, keys]))
    assert rows.tolist() == [*range(50_000)] * 2
    assert len(firsts) == 50_000
