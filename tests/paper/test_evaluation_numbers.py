"""Figures of the evaluation sections of the papers, recomputed with our own functions."""

from __future__ import annotations

import pytest

from paberki.coding import half_width, kappa
from paberki.report.page_counts import share
from paberki.report.papers.cow_genres import AGREEMENT, GENRES
from paberki.report.papers.p1 import _PUBLISHED
from paberki.report.papers.p5 import _DISCARDED, _SHINGLED, _TOTAL
from paberki.report.words.known_similarity import STEPS, gold
from paberki.report.words.rank_measures import chi2, spearman

MISPRINTED = {
    "spoken": 1.2,
    "unknown": 5.1,
    "written": 5.3,
    "corporate": 4.7,
    "professional": 3.1,
    "information": 5.6,
}
"""P5 Table 6 does not follow its own formula for these; what the formula gives."""


@pytest.mark.parametrize(
    ("variable", "value"), [(variable, value) for variable, values in GENRES.items() for value in values]
)
def test_intervals_of_p5_table_6(variable: str, value: str) -> None:
    """1.645 · √(p(1−p)/n) with n = 200: ± 5.6 at 36 %."""
    percent, printed = GENRES[variable][value]
    computed = 100 * half_width(percent / 100, 200)
    assert round(computed, 1) == pytest.approx(MISPRINTED.get(value, printed), abs=0.101)


def test_interval_of_the_text() -> None:
    assert round(100 * half_width(0.36, 200), 1) == 5.6
    assert half_width(0, 200) == half_width(1, 200) == 0


def test_kappa_of_a_worked_table() -> None:
    """The table of Cohen's κ in textbooks: 20 and 15 of 50 on the diagonal, 5 and 10 beside it; κ = .4."""
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert kappa(first, second) == pytest.approx(0.4)


@pytest.mark.parametrize("variable", AGREEMENT)
def test_agreement_and_kappa_of_p5_table_5_fit_each_other(variable: str) -> None:
    """κ = (pₒ − pₑ)/(1 − pₑ): the agreement by chance that both imply lies between 0 and the agreement itself."""
    raw, printed = AGREEMENT[variable]
    by_chance = (raw - printed) / (1 - printed)
    assert 0 < by_chance < raw
    marginals = [percent / 100 for percent, _ in GENRES[variable].values()]
    assert by_chance == pytest.approx(sum(one**2 for one in marginals), abs=0.13)


def test_steps_of_p1_table_1() -> None:
    """P1 §2: text from 26.5 % of the Croatian and 17.8 % of the Slovene documents; filters take 5.4 and 3.7 %."""
    unique, extracted = _PUBLISHED["# of documents after deduplication"], _PUBLISHED["# of extracted documents"]
    identified, kept = _PUBLISHED["# of language identified documents"], _PUBLISHED["# of non-filtered documents"]
    tokens = _PUBLISHED["# of tokens"]
    for at, (text, lost_language, lost, per_page) in enumerate([(26.8, 8, 5.48, 348), (17.7, 16, 3.69, 295)]):
        assert 100 * share(extracted[at], unique[at]) == pytest.approx(text, abs=0.1)
        assert 100 * (1 - share(identified[at], extracted[at])) == pytest.approx(lost_language, abs=0.4)
        assert 100 * (1 - share(kept[at], identified[at])) == pytest.approx(lost, abs=0.01)
        assert round(tokens[at] / kept[at]) == per_page


def test_attrition_of_p5_table_2() -> None:
    crawled = round(_TOTAL[0] / _TOTAL[1])
    for pages, printed, _ in _DISCARDED.values():
        assert share(pages, crawled) == pytest.approx(printed, abs=0.0001)
    assert sum(pages for pages, _, _ in _DISCARDED.values()) == _TOTAL[0]


def test_reduction_of_p5_table_4() -> None:
    for before, after, printed in _SHINGLED.values():
        assert 1 - after / before == pytest.approx(printed, abs=0.003)


def test_spearman_of_a_worked_example() -> None:
    """Hours of television and IQ of ten people, the usual example: ρ = −.1758."""
    intelligence = [86, 97, 99, 100, 101, 103, 106, 110, 112, 113]
    hours = [2, 20, 28, 27, 50, 29, 7, 17, 6, 12]
    import numpy as np

    assert spearman(np.array(intelligence), np.array(hours)) == pytest.approx(-29 / 165)


def test_chi2_of_a_worked_example() -> None:
    """Table (10, 20), (30, 40): expected 12, 18, 28, 42; χ² = .7937 with one degree of freedom."""
    import numpy as np

    square, freedom = chi2(np.array([10, 30]), np.array([20, 40]))
    assert (square, freedom) == (pytest.approx(0.79365, abs=1e-5), 1)


def test_langdistr_of_p3_sums_to_minus_one() -> None:
    """P3 §5: bs:-0.324|hr:-0.329|sr:-0.347."""
    assert sum(float(one.partition(":")[2]) for one in ["bs:-0.324", "hr:-0.329", "sr:-0.347"]) == pytest.approx(-1)


def test_judgements_of_known_similarity_corpora() -> None:
    """Eleven mixtures give 55 pairs; 660 times one pair lies within another."""
    pairs = [(a, b) for a in range(STEPS + 1) for b in range(a + 1, STEPS + 1)]
    assert len(pairs) == 55
    assert len(gold(pairs)) == 660
    assert ((1, 2), (0, 2)) in gold(pairs)
    assert ((0, 1), (2, 3)) not in gold(pairs)
