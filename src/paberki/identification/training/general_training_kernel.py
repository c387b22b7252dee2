# mypy: ignore-errors
"""The compiled part of learning to identify: one round of stochastic gradient descent."""

from __future__ import annotations

from math import exp, log, sqrt

import numpy as np
from numba import types

from paberki.identification.language_kernel import BYTES, FEATURES, HOMES, OFFSETS, ROW_BITS, TABLE, gather
from paberki.kernels import kernel

_ARRAY = types.Array(types.float32, 2, "C")


@kernel(
    BYTES, OFFSETS, types.Array(types.int32, 1, "C", readonly=True), HOMES, types.Array(types.int64, 1, "C", readonly=True),
    TABLE, TABLE, HOMES, types.int64, types.int64, types.int64,
    types.Array(types.int64, 1, "C"), FEATURES, types.Array(types.int32, 1, "C", readonly=True),
    _ARRAY, _ARRAY, types.Array(types.float32, 1, "C"), types.float64,
    returns=types.float64,
)  # fmt: skip
def one_round(
    data, offsets, answers, answer_homes, order, letters, seconds, homes, fewest, most, bits, last, rows, widths,
    weights, squares, scores, rate,
):  # fmt: skip
    """Multinomial logistic regression with AdaGrad, a text at a time; mean loss of the round.

    Texts longer than the room in ``rows`` are cut. Only features in the home of the answer are learnt from.
    """
    loss = 0.0
    mask = (1 << ROW_BITS) - 1
    for number in range(len(order)):
        text = order[number]
        home = np.int64(answer_homes[text])
        width = widths[home]
        found, _ = gather(
            data, np.int64(offsets[text]), np.int64(offsets[text + 1]), letters, seconds, homes, fewest, most,
            True, bits, last, rows,
        )  # fmt: skip
        count = 0
        for index in range(found):
            if np.int64(rows[index]) >> ROW_BITS == home:
                rows[count] = rows[index] & mask
                count += 1
        if count == 0:
            continue
        for column in range(width):
            scores[column] = np.float32(0)
        for index in range(count):
            row = rows[index]
            for column in range(width):
                scores[column] += weights[row, column]
        norm = np.float32(1.0 / sqrt(count + 1.0))
        best = np.float32(-1e30)
        for column in range(width):
            scores[column] *= norm
            best = max(best, scores[column])
        total = 0.0
        for column in range(width):
            scores[column] = np.float32(exp(scores[column] - best))
            total += scores[column]
        answer = answers[text]
        loss -= log(max(scores[answer] / total, 1e-12))
        for column in range(width):
            scores[column] = np.float32(scores[column] / total)
        scores[answer] -= np.float32(1.0)
        for column in range(width):
            scores[column] *= norm
        for index in range(count):
            row = rows[index]
            for column in range(width):
                step = scores[column]
                if step > 1e-5 or step < -1e-5:
                    squares[row, column] += step * step
                    weights[row, column] -= np.float32(rate) * step / np.float32(sqrt(squares[row, column] + 1e-3))
    return loss / max(len(order), 1)
