# mypy: ignore-errors
"""The compiled part of learning to identify: one round of stochastic gradient descent."""

from __future__ import annotations

from math import exp, log, sqrt

import numpy as np

from paberki.identification.language_kernel import HOMES, NUMBERS, READER, ROW_BITS, TEXTS, WORKSPACE, gather
from paberki.identification.language_records import TrainingAnswers, TrainingState
from paberki.kernels import kernel, part
from paberki.kernels.kernel_types import reads, record, types, writes

_TABLE = writes(types.float32, 2)
_ANSWERS = record(TrainingAnswers, columns=NUMBERS, homes=HOMES)
_STATE = record(TrainingState, weights=_TABLE, squares=_TABLE, scores=writes(types.float32), widths=NUMBERS)


@part
def _in_home(rows, count, home):
    """Keep the rows of features in one home; their number."""
    kept_count = 0
    for index in range(count):
        if np.int64(rows[index]) >> ROW_BITS == home:
            rows[kept_count] = rows[index] & ((1 << ROW_BITS) - 1)
            kept_count += 1
    return kept_count


@part
def _learn(rows, count, answer, state, width, rate):
    """Take one step towards the answer; the loss before it."""
    scores, weights, squares = state.scores, state.weights, state.squares
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
    loss = -log(max(scores[answer] / total, 1e-12))
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
    return loss


@kernel(TEXTS, READER, _ANSWERS, reads(types.int64), _STATE, WORKSPACE, types.float64, returns=types.float64)
def one_round(texts, reader, answers, order, state, room, rate):
    """Multinomial logistic regression with AdaGrad, a text at a time; mean loss of the round.

    Texts longer than the room for features are cut. Only features in the home of the answer are learnt from.
    """
    loss = 0.0
    for number in range(len(order)):
        text = order[number]
        home = np.int64(answers.homes[text])
        begin, end = np.int64(texts.offsets[text]), np.int64(texts.offsets[text + 1])
        count, _ = gather(texts.data, begin, end, reader, room.last, room.rows)
        count = _in_home(room.rows, count, home)
        if count > 0:
            loss += _learn(room.rows, count, answers.columns[text], state, state.widths[home], rate)
    return loss / max(len(order), 1)
