"""Trends: values that become more or less frequent over time.

For every value the occurrences per million in each period, as a share of their mean; ``slope`` is the median of the slopes
between all pairs of periods (Theil 1950, Sen 1968), ``p`` the chance of such an order without a trend (Mann 1945).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.errors import QueryError
from paberki.kernels import load
from paberki.query.counting.list_table import ListOptions, table_of
from paberki.query.counting.token_scope import TokenScope
from paberki.query.counting.values import AttributeValues, values_of
from paberki.query.statistics.distribution import page_groups
from paberki.query.statistics.wordlist import counts_in, spread_in

__all__ = ["mann_kendall", "theil_sen", "trend"]

LIMIT: Final = 1000
_LEAST_HITS: Final = 5
_MOST_PERIODS: Final = 400


def trend(
    scope: TokenScope,
    attribute: str = "lemma",
    *,
    by: str = "year",
    limit: int | None = LIMIT,
    options: ListOptions | None = None,
) -> Any:
    """Values with the steepest trends, up or down; those with few hits only where they are asked for."""
    values, options = values_of(scope.places.index, attribute), options or ListOptions(min=_LEAST_HITS)
    groups, names = page_groups(scope.places, by)
    periods = _periods_with_text(scope, groups, names)
    if len(periods) < 2:
        raise QueryError(f"a trend needs pages of at least two different values of {by!r}; here are {len(periods)}")
    rows = options.rows(lambda: values.strings, counts_in(scope, values))
    counts, tokens = _counts(scope, values, rows, groups, periods)
    rates = counts / np.maximum(tokens, 1) * 1e6
    shares = rates / np.maximum(rates.mean(axis=1, keepdims=True), 1e-12)
    slopes, chances = theil_sen(shares), mann_kendall(shares)
    best = np.lexsort((chances, -np.abs(slopes)))[: limit if limit is not None else len(rows)]
    columns = spread_in(scope, values, rows[best]).columns(scope.tokens)
    columns |= {"slope": slopes[best], "p": chances[best], "steepness": np.abs(slopes[best])}
    table = table_of({attribute: values.strings.take(rows[best])}, columns, by=("steepness", "hits"))
    return table.drop_columns(["steepness"])


def _periods_with_text(scope: TokenScope, groups: NDArray[np.int64], names: list[str]) -> NDArray[np.int64]:
    """Numbers of periods in their order, the empty ones left out."""
    tokens = np.bincount(groups[groups >= 0], weights=scope.page_tokens[groups >= 0], minlength=len(names))
    periods = sorted((number for number in range(len(names)) if tokens[number] > 0), key=lambda number: names[number])
    if len(periods) > _MOST_PERIODS:
        raise QueryError(f"{len(periods)} periods are too many for a trend; choose a coarser one, for example: year")
    return np.array(periods, np.int64)


def _counts(
    scope: TokenScope,
    values: AttributeValues,
    rows: NDArray[np.int64],
    groups: NDArray[np.int64],
    periods: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Occurrences of every row in every period, and tokens of every period."""
    counts, tokens = np.zeros((len(rows), len(periods))), np.zeros(len(periods))
    for column, period in enumerate(periods.tolist()):
        part = scope.of_pages(groups == period, str(period))
        numbers = np.zeros(values.size, np.int64)
        for piece in part.pieces(values):
            load("paberki.query.counting.windows_kernel").count_ranges(
                piece.ids, piece.first, piece.begins, piece.stops, numbers
            )
        counts[:, column], tokens[column] = numbers[rows], part.tokens
    return counts, tokens


def theil_sen(series: NDArray[np.float64]) -> NDArray[np.float64]:
    """The median slope of each row of a matrix, per step."""
    first, second = np.triu_indices(series.shape[1], 1)
    slopes = [np.median((row[second] - row[first]) / (second - first)) for row in series]
    return np.array(slopes, np.float64)


def mann_kendall(series: NDArray[np.float64]) -> NDArray[np.float64]:
    """The two-sided chance of each row's order if there is no trend, by the normal approximation with ties."""
    from math import erfc, sqrt

    first, second = np.triu_indices(series.shape[1], 1)
    n, chances = series.shape[1], []
    for row in series:
        total = float(np.sign(row[second] - row[first]).sum())
        ties = np.unique(row, return_counts=True)[1]
        variance = (n * (n - 1) * (2 * n + 5) - float((ties * (ties - 1) * (2 * ties + 5)).sum())) / 18
        deviate = (abs(total) - 1) / sqrt(variance) if variance > 0 and total else 0.0
        chances.append(erfc(max(deviate, 0.0) / sqrt(2)))
    return np.array(chances, np.float64)
