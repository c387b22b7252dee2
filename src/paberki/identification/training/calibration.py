"""Calibration: the factors for scores, by the length of the text, and the calibration error that remains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

KNOTS: Final = np.log(np.array([10.0, 30.0, 90.0, 270.0, 810.0, 2430.0, 7290.0]))
"""Logarithm of the number of features of a text; the factor is linear between them."""
_STEPS: Final = (2.0, 1.5, 1.2, 1.1, 1.05, 1.02)
_STIFFNESS: Final = 2.0

Floats = npt.NDArray[np.float64]


def calibrated(scores: Floats, counts: npt.NDArray[Any], answers: npt.NDArray[Any]) -> list[float]:
    """Factors at the knots under which the right answers are likeliest, found by trying steps that grow smaller.

    Neighbouring factors are held together a little, so that a knot near which there are few texts follows the others.
    """
    values = np.ones(len(KNOTS))
    if not len(scores):
        return list(map(float, values))
    place = np.log(np.maximum(counts, 1))
    loss = _loss(scores, place, answers, values)
    for step in _STEPS:
        better = True
        while better:
            better = False
            for knots in (slice(None), *(slice(at, at + 1) for at in range(len(KNOTS)))):
                for factor in (step, 1.0 / step):
                    candidate = values.copy()
                    candidate[knots] = np.clip(candidate[knots] * factor, 0.001, 50.0)
                    tried_loss = _loss(scores, place, answers, candidate)
                    if tried_loss < loss - 1e-9 * abs(loss):
                        values, loss, better = candidate, tried_loss, True
    return [float(value) for value in np.round(values, 5)]


def _loss(scores: Floats, place: Floats, answers: npt.NDArray[Any], values: Floats) -> float:
    hot = scores * np.interp(place, KNOTS, values)[:, None]
    hot -= hot.max(axis=1, keepdims=True)
    right = np.log(np.exp(hot).sum(axis=1)) - hot[np.arange(len(hot)), answers]
    return float(right.sum() + _STIFFNESS * np.square(np.diff(np.log(values))).sum())


def calibration_error(probabilities: Sequence[float], right: Sequence[bool], bins: int = 15) -> float:
    """Expected calibration error: mean distance between probability and accuracy over bins of equal width."""
    chances, was = np.asarray(probabilities, np.float64), np.asarray(right, np.float64)
    if not len(chances):
        return 0.0
    number = np.minimum((chances * bins).astype(np.int64), bins - 1)
    error = 0.0
    for one in np.unique(number):
        mine = number == one
        error += float(mine.mean()) * abs(float(chances[mine].mean()) - float(was[mine].mean()))
    return error
