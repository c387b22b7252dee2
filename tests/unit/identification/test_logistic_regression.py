"""Weights of features: those of a minimum, the same each time, and alike for classes of any size."""

from __future__ import annotations

import numpy as np
import pytest

from paberki.identification.training import logistic_regression
from paberki.identification.training.logistic_regression import FeatureSets, class_weights


def _sets(rows: list[list[int]], size: int) -> FeatureSets:
    texts = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    return FeatureSets(texts, np.array([one for row in rows for one in row], np.int64), len(rows), size)


def _drawn(seed: int, sizes: tuple[int, ...]) -> tuple[FeatureSets, np.ndarray]:
    """Texts with ten of a hundred features, those of their class more often."""
    rng = np.random.default_rng(seed)
    answers = np.repeat(np.arange(len(sizes)), sizes)
    rows = []
    for answer in answers:
        chances = np.ones(100)
        chances[10 * answer : 10 * answer + 10] = 4
        rows.append(rng.choice(100, 10, replace=False, p=chances / chances.sum()).tolist())
    return _sets(rows, 128), answers


def _scores(sets: FeatureSets, weights: np.ndarray) -> np.ndarray:
    scores = np.zeros((sets.text_count, weights.shape[1]))
    np.add.at(scores, sets.texts, weights[sets.features])
    return scores


@pytest.mark.parametrize("classes", [2, 3])
def test_new_texts_are_told_apart(classes: int) -> None:
    weights = class_weights(*_drawn(1, (300,) * classes), classes)
    sets, answers = _drawn(2, (300,) * classes)
    assert (_scores(sets, weights).argmax(axis=1) == answers).mean() > 0.8


def test_the_second_of_two_classes_is_the_opposite_of_the_first() -> None:
    weights = class_weights(*_drawn(1, (50, 50)), 2)
    assert (weights[:, 1] == -weights[:, 0]).all()


def test_a_class_with_few_texts_counts_as_much() -> None:
    weights = class_weights(*_drawn(1, (600, 100)), 2)
    sets, answers = _drawn(2, (300, 300))
    right = _scores(sets, weights).argmax(axis=1) == answers
    assert right[answers == 1].mean() > 0.7


def test_features_that_no_text_has_weigh_nothing_and_texts_may_have_none() -> None:
    weights = class_weights(_sets([[0], [1], [], [0, 2], [1, 2]], 5), np.array([0, 1, 0, 0, 1]), 2)
    assert weights[0, 0] > 0 > weights[1, 0]
    assert not weights[3:].any()


def test_the_same_texts_give_the_same_weights() -> None:
    assert (class_weights(*_drawn(3, (40, 40, 40)), 3) == class_weights(*_drawn(3, (40, 40, 40)), 3)).all()


def test_a_minimum_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """More steps change next to nothing."""
    sets, answers = _drawn(4, (200, 200, 200))
    weights = class_weights(sets, answers, 3)
    monkeypatch.setattr(logistic_regression, "STEPS", 500)
    furthest = class_weights(sets, answers, 3)
    assert np.abs(weights - furthest).max() < 0.02 * np.abs(furthest).max()
