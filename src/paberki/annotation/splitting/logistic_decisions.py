"""Yes or no by logistic regression over named features: small enough for plain dictionaries."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np


@dataclass(slots=True)
class Decision:
    """Weights of features; a sum above zero means yes."""

    weights: dict[str, float] = field(default_factory=dict)

    def score(self, features: Sequence[str]) -> float:
        """How much speaks for yes."""
        get = self.weights.get
        return sum([get(one, 0.0) for one in features])


_SURE: Final = 30.0
"""Beyond this a sum is as good as certain, and its exponential would only grow."""
_NEGLIGIBLE: Final = 1e-3
_RATE: Final = 0.1


def learn(
    examples: Sequence[tuple[Sequence[str], bool]],
    rounds: int = 6,
    seed: int = 1,
    least: float = 0.02,
    *,
    rare: int = 1,
    decay: float = 0.0,
) -> Decision:
    """Learn from examples; features that were seen at most ``rare`` times do not count, nor do weights near zero.

    Each feature has a step of its own that becomes smaller the more it has been corrected (AdaGrad, Duchi et al. 2011), so
    that rare words learn as quickly as frequent shapes. Weights are chances, so that a constant added to them moves the
    border between yes and no by as much everywhere. ``decay`` draws weights towards zero, so that many features that say
    the same share what they say.
    """
    counts = Counter(one for features, _ in examples for one in features)
    frequent = [([one for one in features if counts[one] > rare], answer) for features, answer in examples]
    weights = dict.fromkeys((one for one, count in sorted(counts.items()) if count > rare), 0.0)
    squares = dict.fromkeys(weights, 1e-8)
    sums = dict.fromkeys(weights, 0.0)
    rng = np.random.default_rng(seed)
    for _ in range(rounds):
        for number in rng.permutation(len(frequent)).tolist():
            features, answer = frequent[number]
            total = sum([weights[one] for one in features])
            wrong = 1 / (1 + math.exp(-max(-_SURE, min(_SURE, total)))) - answer
            if abs(wrong) < _NEGLIGIBLE and not decay:
                continue
            for one in features:
                step = wrong + decay * weights[one]
                squares[one] += step * step
                weights[one] -= _RATE * step / math.sqrt(squares[one])
        for one, value in weights.items():
            sums[one] += value
    rounded = {one: round(value / rounds, 3) for one, value in sums.items()}
    return Decision({one: value for one, value in rounded.items() if abs(value) >= least})
