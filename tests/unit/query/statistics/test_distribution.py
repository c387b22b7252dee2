"""Where hits are, and trends."""

from __future__ import annotations

import numpy as np
import pytest

from paberki.errors import QueryError
from paberki.query.counting.list_table import ListOptions
from paberki.query.counting.token_scope import TokenScope
from paberki.query.statistics.distribution import PARTS, dispersion, distribution
from paberki.query.statistics.trend import mann_kendall, theil_sen, trend
from smallcorpus import hits_of


def test_by_host_and_by_year(scope: TokenScope) -> None:
    hosts = distribution(scope, hits_of("grad"), "host").to_pylist()
    assert [(row["host"], row["hits"], row["tokens"]) for row in hosts] == [("a.example", 3, 19), ("b.example", 1, 8)]
    years = distribution(scope, hits_of("grad"), "year").to_pylist()
    assert [(row["year"], row["hits"]) for row in years] == [("2019", 2), ("2020", 1), ("2021", 1)]
    assert years[0]["per_million"] == pytest.approx(2e6 / 10)


def test_an_unknown_column_names_the_nearest(scope: TokenScope) -> None:
    with pytest.raises(QueryError, match="did you mean 'host'"):
        distribution(scope, hits_of("grad"), "hots")
    with pytest.raises(QueryError, match="no date"):
        distribution(scope, hits_of("grad"), "month")


def test_dispersion(scope: TokenScope) -> None:
    numbers = dispersion(scope, hits_of("grad"))
    assert (numbers["hits"], numbers["pages"], numbers["hosts"], numbers["all_pages"], numbers["all_hosts"]) == (
        4,
        3,
        2,
        4,
        3,
    )
    assert len(numbers["parts"]) == PARTS
    assert sum(numbers["parts"]) == 4
    assert dispersion(scope, hits_of("nothing"))["arf"] == 0


def test_slopes_and_their_chance() -> None:
    rising, flat = np.arange(8.0), np.ones(8)
    assert theil_sen(np.stack([rising, flat])).tolist() == [1.0, 0.0]
    chances = mann_kendall(np.stack([rising, flat]))
    # S = 28, variance = 8·7·21 ÷ 18 = 65.33: z = 27 ÷ 8.083, two-sided 0.00084
    assert chances[0] == pytest.approx(0.00084, abs=1e-5)
    assert chances[1] == 1


def test_trend_of_lemmas(scope: TokenScope) -> None:
    rows = {row["lemma"]: row for row in trend(scope, "lemma", options=ListOptions(min=2)).to_pylist()}
    assert rows["spavati"]["slope"] > 0 > rows["stari"]["slope"]
    assert rows["spavati"]["hits"] == 4
