"""Logistic regression on features that a text has or has not, scaled by how much each speaks for a class.

The scale of a feature is the logarithm of how much more frequent it is in texts of the class than in all others (Wang &
Manning 2012, NB-SVM). A penalty on scaled weights leaves those of telling features alone, so that some thousand texts suffice
for some hundred thousand features.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["FeatureSets", "class_weights"]

SMOOTHING: Final = 0.5
PENALTY: Final = 1e-2
STEPS: Final = 30
_HISTORY: Final = 6
_HALVINGS: Final = 20
_SUFFICIENT: Final = 1e-4
_FLAT: Final = 1e-5

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class FeatureSets:
    """The features of some texts: one row for each feature of a text."""

    texts: Longs
    """Number of the text."""
    features: Longs
    """Number of the feature."""
    text_count: int
    feature_count: int


def class_weights(sets: FeatureSets, answers: Longs, classes: int) -> Floats:
    """A weight for each feature and class; scores of a text are sums of the weights of its features.

    Each class is learnt against all others, and all count alike, however many texts they have. Of two classes, the weights of
    the second are those of the first with the other sign.
    """
    numbers, places = np.unique(sets.features, return_inverse=True)
    columns = np.arange(1 if classes == 2 else classes)
    signs = np.where(answers[:, None] == columns, 1.0, -1.0)
    ratios = _ratios(sets.texts, places, signs, len(numbers))
    texts, count = sets.texts, sets.text_count
    shares = (1 / (classes * np.bincount(answers, minlength=classes)))[answers][:, None]

    def loss_and_slope(flat: Floats) -> tuple[float, Floats]:
        parameters = flat.reshape(ratios.shape)
        weights = parameters * ratios
        margins = signs * np.stack([np.bincount(texts, one[places], count) for one in weights.T], axis=1)
        loss = (shares * np.logaddexp(0.0, -margins)).sum() + PENALTY / 2 * float(flat @ flat)
        pulls = -signs * shares / (1.0 + np.exp(np.minimum(margins, 50.0)))
        slopes = np.stack([np.bincount(places, one[texts], len(numbers)) for one in pulls.T], axis=1)
        return float(loss), (slopes * ratios + PENALTY * parameters).ravel()

    parameters = _minimum(loss_and_slope, np.zeros(ratios.size))
    weights = np.zeros((sets.feature_count, classes))
    weights[numbers, : ratios.shape[1]] = parameters.reshape(ratios.shape) * ratios
    if classes == 2:
        weights[:, 1] = -weights[:, 0]
    return weights


def _ratios(texts: Longs, places: Longs, signs: Floats, size: int) -> Floats:
    """How much more often texts of a class have a feature than others have it, as a logarithm."""
    ratios = np.zeros((size, signs.shape[1]))
    for column, sign in enumerate(signs.T):
        inside = np.bincount(places, sign[texts] > 0, size)
        outside = np.bincount(places, sign[texts] < 0, size)
        of_class = float((sign > 0).sum())
        ratios[:, column] = np.log((inside + SMOOTHING) / (of_class + 2 * SMOOTHING))
        ratios[:, column] -= np.log((outside + SMOOTHING) / (len(sign) - of_class + 2 * SMOOTHING))
    return ratios


def _minimum(function: Callable[[Floats], tuple[float, Floats]], start: Floats) -> Floats:
    """Where a smooth convex function is least, by L-BFGS with steps that are halved until they go down."""
    place = start
    value, slope = function(place)
    moves: list[tuple[Floats, Floats, float]] = []
    for _ in range(STEPS):
        direction = -_inverse(slope, moves)
        fall = float(slope @ direction)
        if fall > -_FLAT * max(value, 1.0) * _FLAT:
            break
        step = 1.0 if moves else 1.0 / max(1.0, float(np.abs(slope).sum()))
        for _ in range(_HALVINGS):
            next_value, next_slope = function(place + step * direction)
            if next_value <= value + _SUFFICIENT * step * fall:
                break
            step /= 2
        else:
            break
        move, change = step * direction, next_slope - slope
        curvature = float(move @ change)
        if curvature > 0:
            moves = [*moves[1 - _HISTORY :], (move, change, curvature)]
        place, value, slope = place + move, next_value, next_slope
    return place


def _inverse(slope: Floats, moves: list[tuple[Floats, Floats, float]]) -> Floats:
    """The slope times an estimate of the inverse of the second derivatives."""
    slope = slope.copy()
    shares = []
    for move, change, curvature in reversed(moves):
        share = float(move @ slope) / curvature
        slope -= share * change
        shares.append(share)
    if moves:
        _, change, curvature = moves[-1]
        slope *= curvature / float(change @ change)
    for (move, change, curvature), share in zip(moves, reversed(shares), strict=True):
        slope += (share - float(change @ slope) / curvature) * move
    return slope
