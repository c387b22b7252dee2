"""3graph and 12graph: the formula, independence of length, models of bounded size, ranks."""

from __future__ import annotations

import math
import random
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from paberki.model import Model
from paberki.quality.ngrams import ngram_models
from paberki.quality.ngrams.percentiles import DISTRIBUTION, distributions

WORDS = [
    "danas",
    "je",
    "u",
    "gradu",
    "bilo",
    "lijepo",
    "vrijeme",
    "a",
    "gosti",
    "su",
    "došli",
    "iz",
    "svih",
    "krajeva",
    "zemlje",
    "i",
    "rekli",
    "da",
    "se",
    "vrate",
]


def prose(seed: int, words: int) -> str:
    pick = random.Random(seed)
    return " ".join(pick.choices(WORDS, k=words))


def test_the_score_is_that_of_the_formula() -> None:
    text = prose(1, 100)[:400]
    model = ngram_models.learn([text])
    counts = Counter(text[at : at + 3] for at in range(len(text) - 2))
    bottom = math.log(sum(counts.values()) + len(counts))
    sums = [
        sum(math.log(counts[text[at : at + 3]] + 1) - bottom for at in range(first, first + 98))
        for first in (0, 100, 200, 300)
    ]
    found = model.score(pa.array([text])).ngram3[0]
    assert found == pytest.approx(np.mean(sums), abs=1.0)


def test_length_does_not_matter() -> None:
    model = ngram_models.learn([prose(seed, 400) for seed in range(20)])
    short = model.score(pa.array([prose(seed, 40) for seed in range(100, 160)]))
    long = model.score(pa.array([prose(seed, 2000) for seed in range(200, 210)]))
    spread = short.ngram3.std() / math.sqrt(len(short.ngram3))
    assert abs(short.ngram3.mean() - long.ngram3.mean()) < 4 * spread + 1.0


def test_odd_text_is_low_and_repeats_are_high() -> None:
    model = ngram_models.learn([prose(seed, 400) for seed in range(20)] + ["Sva prava pridržana. " * 200])
    found = model.score(pa.array([prose(99, 100), "XQ#7 ZZ%T !!Q " * 30, "Sva prava pridržana. " * 20]))
    assert found.ngram3[1] < found.ngram3[0] - 100
    assert found.ngram12[2] > found.ngram12[0]
    assert found.perplexity[1] > found.perplexity[0]
    assert found.diacr_perc[2] == pytest.approx(100 / 18)


def test_counts_add_up_whatever_the_grouping_and_models_stay_small() -> None:
    texts = pa.array([prose(seed, 300) for seed in range(6)])
    whole = ngram_models.count(texts)
    parts = [ngram_models.count(texts[at : at + 2]) for at in (0, 2, 4)]
    assert ngram_models.merge(parts).equals(whole)
    assert ngram_models.merge([ngram_models.merge(parts[:2]), parts[2]]).equals(whole)
    assert ngram_models.finish(whole).nbytes < 1 << 20
    assert sum(2 << bits for bits in ngram_models.BITS) < 16 << 20


def test_short_texts_have_no_score() -> None:
    found = ngram_models.learn([prose(1, 50)]).score(pa.array(["", "kratko", None], pa.string()))
    assert np.isnan(found.ngram3).all()


def test_ranks_are_the_share_of_equal_or_lower_scores() -> None:
    values = [-900.0, -850.5, -800.25]
    table = pa.table(
        [["ngram3"] * 3, ["hr"] * 3, pa.array(values, pa.float32()), pa.array([1, 2, 1], pa.uint64())],
        schema=DISTRIBUTION,
    )
    found = distributions(Model("x", table))["ngram3", "hr"]
    assert found.ranks(np.array([-1000.0, -900.0, -850.5, -840.0, -800.25, 0.0])).tolist() == [0, 25, 75, 75, 100, 100]
    assert found.percentile(50) == -850.5
