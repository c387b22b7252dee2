"""Yes or no by an averaged perceptron over named features: small enough for plain dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np


@dataclass(slots=True)
class Decision:
    """Weights of features; a sum above zero means yes."""

    weights: dict[str, float] = field(default_factory=dict)

    def score(self, features: Sequence[str]) -> float:
        """How much speaks for yes."""
        get = self.weights.get
        return sum([get(one, 0.0) for one in features])


def learn(
    examples: Sequence[tuple[Sequence[str], bool]], rounds: int = 8, seed: int = 1, least: float = 0.05
) -> Decision:
    """Learn from examples; features that were seen once do not count, nor do weights near zero."""
    counts: dict[str, int] = {}
    for features, _ in examples:
        for one in features:
            counts[one] = counts.get(one, 0) + 1
    frequent = [([one for one in features if counts[one] > 1], answer) for features, answer in examples]
    weights: dict[str, float] = {}
    sums: dict[str, float] = {}
    now = 1
    rng = np.random.default_rng(seed)
    for _ in range(rounds):
        for number in rng.permutation(len(frequent)).tolist():
            features, answer = frequent[number]
            now += 1
            total = sum([weights.get(one, 0.0) for one in features])
            # A margin keeps both sides apart, which a plain perceptron does not care for.
            if (total if answer else -total) <= 1.0:
                step = 1.0 if answer else -1.0
                for one in features:
                    weights[one] = weights.get(one, 0.0) + step
                    sums[one] = sums.get(one, 0.0) + step * now
    averaged = {one: round(value - sums[one] / now, 3) for one, value in sorted(weights.items())}
    return Decision({one: value for one, value in averaged.items() if abs(value) >= least})
