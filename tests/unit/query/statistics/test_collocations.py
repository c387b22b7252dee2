"""Collocations against plain counting in windows, both where hits are dense and where they are not."""

from __future__ import annotations

from collections import Counter
from math import isfinite, log2

import numpy as np
import pytest

from paberki.errors import QueryError
from paberki.query.counting import tally as tally_module
from paberki.query.counting import windows as windows_module
from paberki.query.counting.tally_records import TokenWindows
from paberki.query.counting.token_scope import TokenScope
from paberki.query.statistics.collocations import collocations
from smallcorpus import hits_of, pages, table, tokens


def around(spans: list[tuple[int, int]], low: int, high: int) -> Counter[str]:
    """Lemmas in windows that stop at the edges of pages."""
    lemmas, page_of = tokens(1), pages()
    counts: Counter[str] = Counter()
    for start, end in spans:
        for offset in range(low, high + 1):
            at = start + offset if offset < 0 else end - 1 + offset
            if offset and 0 <= at < len(lemmas) and page_of[at] == page_of[start]:
                counts[lemmas[at]] += 1
    return counts


@pytest.fixture(params=["dense", "dense, row by row", "sparse"])
def _density(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows_module, "_DENSE", 1000 if request.param != "sparse" else 0)
    monkeypatch.setattr(tally_module, "_ROWS_PER_TOKEN", 1000 if request.param == "dense" else 0)


@pytest.mark.usefixtures("_density")
@pytest.mark.parametrize("window", [(-5, 5), (-1, -1), (1, 2), (2, 3), (-3, -2), (-40, 40), (0, 2)])
def test_counts_and_logdice(scope: TokenScope, window: tuple[int, int]) -> None:
    hits = hits_of("grad")
    spans = list(zip(hits.starts.tolist(), hits.ends.tolist(), strict=True))
    counts, totals = around(spans, *window), Counter(tokens(1))
    rows = collocations(scope, hits, "lemma", window).to_pylist()
    assert {row["collocate"]: row["hits"] for row in rows} == counts
    for row in rows:
        score = 14 + log2(2 * row["hits"] / (len(spans) + totals[row["collocate"]]))
        assert row["logdice"] == pytest.approx(score)
    assert [row["logdice"] for row in rows] == sorted((row["logdice"] for row in rows), reverse=True)


@pytest.mark.usefixtures("_density")
def test_long_hits_and_places_of_collocates(scope: TokenScope) -> None:
    spans = [(1, 7), (2, 4), (11, 14), (25, 26)]
    rows = {row["collocate"]: row for row in collocations(scope, table(spans), "lemma", (-2, 2)).to_pylist()}
    assert {name: row["hits"] for name, row in rows.items()} == around(spans, -2, 2)
    beside = {pages()[span[0]] for span in spans if around([span], -2, 2)["."]}
    assert rows["."]["pages"] == len(beside)


@pytest.mark.usefixtures("_density")
def test_derived_attributes_and_structures(scope: TokenScope) -> None:
    rows = collocations(scope, hits_of("grad"), "lc", (-2, 2), within="s").to_pylist()
    assert {row["collocate"] for row in rows} >= {"stari", "spava", "raste"}
    assert next(row["hits"] for row in rows if row["collocate"] == "stari") == 2


@pytest.mark.usefixtures("_density")
def test_what_is_not_asked_has_no_collocates(scope: TokenScope) -> None:
    part = scope.meet(np.array([2, 9]), np.array([6, 30]), "some tokens")
    hits = table([(3, 4), (10, 11), (26, 27)])
    inside = {*range(2, 6), *range(9, 30)}
    counts: Counter[str] = Counter()
    for start in (3, 10, 26):
        for step in (-1, 1):
            at = start + step
            while abs(at - start) <= 5 and at in inside and pages()[at] == pages()[start]:
                counts[tokens(1)[at]] += 1
                at += step
    rows = collocations(part, hits, "lemma", by="mi").to_pylist()
    assert {row["collocate"]: row["hits"] for row in rows} == counts
    assert all(isfinite(row["mi"]) for row in rows)


def test_the_best_ones_only(scope: TokenScope) -> None:
    everything = collocations(scope, hits_of("grad"), "lemma", limit=None).to_pylist()
    best = collocations(scope, hits_of("grad"), "lemma", limit=3).to_pylist()
    assert best == everything[:3]


@pytest.mark.parametrize("window", [(5, -5), (0, 0), (-2000, 2)])
def test_windows_that_make_no_sense(scope: TokenScope, window: tuple[int, int]) -> None:
    with pytest.raises(QueryError, match="-5..5"):
        collocations(scope, hits_of("grad"), "lemma", window)


@pytest.mark.parametrize("limit", [None, 7])
@pytest.mark.parametrize("seed", range(6))
def test_spread_is_the_same_whether_pages_are_closed_at_once_or_row_by_row(
    scope: TokenScope, monkeypatch: pytest.MonkeyPatch, seed: int, limit: int | None
) -> None:
    chance = np.random.default_rng(seed)
    starts = np.sort(chance.choice(len(tokens()), 30 + 10 * seed))
    spans = [(int(start), int(min(start + chance.integers(1, 4), len(tokens())))) for start in starts]
    window = [(-5, 5), (-3, 9), (1, 1), (-12, -2)][seed % 4]
    monkeypatch.setattr(windows_module, "_DENSE", 1000)
    tables = []
    for rows_per_token in (1000, 0):
        monkeypatch.setattr(tally_module, "_ROWS_PER_TOKEN", rows_per_token)
        tables.append(collocations(scope, table(spans), "word", window, limit=limit).to_pydict())
    assert tables[0].keys() == tables[1].keys()
    for name, column in tables[0].items():
        assert column == (pytest.approx(tables[1][name]) if name == "dp" else tables[1][name])


def test_pages_with_too_many_tokens_for_sixteen_bits_are_closed_row_by_row(scope: TokenScope) -> None:
    tally = tally_module.Tally(np.full(3, 5), scope)
    nothing = np.zeros(0, np.int64)
    around = TokenWindows(nothing, nothing, np.zeros(0, np.uint32), nothing, -5, 5)
    assert tally._is_dense(around, np.repeat(np.arange(20, dtype=np.uint32), 3000))
    assert not tally._is_dense(around, np.repeat(np.arange(20, dtype=np.uint32), 6554))
