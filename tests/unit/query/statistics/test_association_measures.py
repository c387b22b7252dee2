"""Measures of association against the package association-measures."""

from __future__ import annotations

import numpy as np
import pytest
from association_measures import measures as peer
from hypothesis import given
from hypothesis import strategies as st
from pandas import DataFrame

from paberki.errors import QueryError
from paberki.query.statistics.association_measures import measure

tables = st.tuples(st.integers(1, 500), st.integers(0, 5000), st.integers(0, 5000), st.integers(1, 100_000))


def peer_scores(rows: list[tuple[int, int, int, int]], names: list[str]) -> DataFrame:
    """What the package says; a row has both, only the first, only the second, neither."""
    frame = DataFrame(rows, columns=["O11", "O12", "O21", "O22"])
    return peer.score(frame, names, digits=None)


@given(st.lists(tables, min_size=1, max_size=20))
def test_measures_agree_with_the_package(rows: list[tuple[int, int, int, int]]) -> None:
    both, only_first, only_second, neither = (np.array(column) for column in zip(*rows, strict=True))
    for at in range(len(rows)):
        first, second = both[at : at + 1] + only_first[at], both[at : at + 1] + only_second[at]
        tokens = int(first[0] + only_second[at] + neither[at])
        theirs = peer_scores(
            rows[at : at + 1], ["t_score", "log_likelihood", "min_sensitivity", "mutual_information", "dice"]
        ).iloc[0]
        mine = {
            name: measure(name, both[at : at + 1], first, second, tokens)[0]
            for name in ("t", "ll", "minsens", "mi", "mi3", "logdice")
        }
        assert np.isclose(mine["t"], theirs["t_score"])
        assert np.isclose(mine["ll"], theirs["log_likelihood"], atol=1e-6)
        assert np.isclose(mine["minsens"], theirs["min_sensitivity"])
        assert np.isclose(mine["mi"], theirs["mutual_information"] / np.log10(2))
        assert np.isclose(mine["mi3"], theirs["mutual_information"] / np.log10(2) + 2 * np.log2(both[at]))
        assert np.isclose(mine["logdice"], 14 + np.log2(theirs["dice"]))


def test_windows_that_overlap_give_a_number() -> None:
    assert np.isfinite(measure("ll", np.array([9]), 4, np.array([6]), 100)).all()


def test_an_unknown_measure_names_the_nearest() -> None:
    with pytest.raises(QueryError, match="did you mean 'logdice'"):
        measure("logdise", np.array([1]), 1, np.array([1]), 10)
