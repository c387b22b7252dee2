"""Train the perceptron: full-batch RPROP, as texrex does with FANN (P5 §3.2). Deterministic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from paberki.extraction.evaluation.coded_pages import CodedPage
from paberki.extraction.methods.perceptron import Floats, Network, Variant, features

HIDDEN: Final[dict[str, int]] = {"2012": 9, "2015": 18}
_GROW, _SHRINK, _LARGEST, _SMALLEST = 1.2, 0.5, 1.0, 1e-6


def train(pages: Sequence[CodedPage], variant: Variant, *, epochs: int = 400, seed: int = 1) -> Network:
    """A network that gives text 1 and boilerplate 0 (2012), or the other way round (2015).

    Every page counts the same, and its blocks by the root of their length: a page of a hundred menu items must not
    outvote an article.
    """
    rows = [features(page.blocks, variant) for page in pages if page.blocks]
    if not rows:
        raise ValueError("no blocks to learn from")
    inputs = np.concatenate(rows)
    answers = np.concatenate([[float(block.kept) for block in page.blocks] for page in pages if page.blocks])
    if variant == "2015":
        answers = 1.0 - answers
    weights = np.concatenate([_weights(page) for page in pages if page.blocks])
    mean, deviation = inputs.mean(axis=0), np.maximum(inputs.std(axis=0), 1e-6)
    scaled_inputs = (inputs - mean) / deviation
    chance = np.random.default_rng(seed)
    units, width = HIDDEN[variant], inputs.shape[1]
    start = np.concatenate([chance.normal(0, 0.3, units * (width + 1)), chance.normal(0, 0.3, units + 1)])
    best = _rprop(start, scaled_inputs, answers, weights / weights.sum(), units, epochs)
    hidden_layer = best[: units * (width + 1)].reshape(units, width + 1)
    sources = tuple(sorted({page.set for page in pages if page.set}))
    return Network(mean, deviation, hidden_layer, best[units * (width + 1) :], sources)


def _weights(page: CodedPage) -> Floats:
    lengths = np.sqrt(np.array([len(block.text) for block in page.blocks], np.float64) + 1.0)
    return np.asarray(lengths / lengths.sum(), np.float64)


def _rprop(state: Floats, inputs: Floats, answers: Floats, weights: Floats, units: int, epochs: int) -> Floats:
    """Resilient propagation without weight backtracking: each weight has a step of its own, only signs matter."""
    step = np.full(len(state), 0.05)
    before = np.zeros(len(state))
    best, least = state.copy(), np.inf
    for _ in range(epochs):
        error, slope = _slope(state, inputs, answers, weights, units)
        if error < least:
            best, least = state.copy(), error
        agree = slope * before
        step = np.clip(
            np.where(agree > 0, step * _GROW, np.where(agree < 0, step * _SHRINK, step)), _SMALLEST, _LARGEST
        )
        slope = np.where(agree < 0, 0.0, slope)
        state = state - np.sign(slope) * step
        before = slope
    return best


def _slope(state: Floats, inputs: Floats, answers: Floats, weights: Floats, units: int) -> tuple[float, Floats]:
    """Weighted mean squared error and its gradient."""
    width = inputs.shape[1] + 1
    hidden_layer, output = state[: units * width].reshape(units, width), state[units * width :]
    active = np.tanh(inputs @ hidden_layer[:, :-1].T + hidden_layer[:, -1])
    z = active @ output[:-1] + output[-1]
    activation = np.exp(-z * z)
    errors = activation - answers
    back = weights * 2.0 * errors * activation * (-2.0 * z)
    inner = (back[:, None] * output[:-1]) * (1.0 - active * active)
    slopes = np.concatenate(
        [np.column_stack([inner.T @ inputs, inner.sum(axis=0)]).ravel(), active.T @ back, [back.sum()]]
    )
    return float((weights * errors * errors).sum()), slopes
