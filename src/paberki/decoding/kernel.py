# mypy: ignore-errors
"""The compiled half of :mod:`model`: what the bytes of a page cost under all candidates.

:func:`weigh` gives what :func:`paberki.decoding.model.weigh` gives (read that first), in a sixth of the time: in numpy
every step over some hundred numbers costs more than the work in it.
"""

from __future__ import annotations

import numpy as np
from numba import types

from paberki.decoding.model import (
    _ASCII_PLACES,
    _CLEAR_NATS,
    _HIGH_PLACES,
    _MANY,
    _REPEATS,
    _RUN_PLACES,
    _RUN_SHARE,
    COUNTED,
    FIRST,
    HIGH_COUNT,
    IN_RUNS,
    SECOND,
)
from paberki.decoding.tables import CLASSES, STEPS
from paberki.kernels import kernel, part

_LEAST: np.float32 = np.float32(-3e38)
_CLEAR: float = _CLEAR_NATS * STEPS

_SOURCE = types.Array(types.uint8, 1, "C", readonly=True)
_COSTS = types.Array(types.uint8, 2, "C")
_FLAGS = types.Array(types.boolean, 1, "C")
_FLOATS = types.Array(types.float32, 1, "C")
_INTS = types.Array(types.int32, 1, "C")
_LONGS = types.Array(types.int64, 1, "C")


@part
def _high_count(source):
    count = 0
    for byte in source:
        count += byte >> 7
    return count


@part
def _mark_places(source, step, rows):
    """Every so many bytes above 0x7F, from the first on, go to the end of ``rows``; how many they are."""
    count = found = 0
    at = len(rows) - _HIGH_PLACES
    for i in range(len(source)):
        if source[i] > 0x7F:
            if count % step == 0:
                rows[at + found] = i
                found += 1
            count += 1
    return found


@part
def _class_at(source, at, class_of):
    return class_of[source[at % len(source)]]


@part
def _triple_row(first, second, third, block_of, row_of):
    return np.int64(row_of[block_of[first * CLASSES + second] + third])


@part
def _put_rows(source, class_of, block_of, row_of, rows, found):
    """Rows for the places at the end of ``rows`` and for ASCII bytes up to two after them; how many."""
    n = len(source)
    count = 0
    for k in range(found):
        place = rows[len(rows) - _HIGH_PLACES + k]
        first, second = _class_at(source, place - 2, class_of), _class_at(source, place - 1, class_of)
        for step in range(3):
            byte = source[(place + step) % n]
            if step and byte >= 0x80:
                break
            third = class_of[byte]
            row = _triple_row(first, second, third, block_of, row_of)
            if row == 0:
                row = second * CLASSES + third
            rows[count] = row
            count += 1
            first, second = second, third
    return count


@part
def _sort(rows, count):
    gap = 57
    while gap > 0:
        for i in range(gap, count):
            value = rows[i]
            k = i
            while k >= gap and rows[k - gap] > value:
                rows[k] = rows[k - gap]
                k -= gap
            rows[k] = value
        gap = (gap * 2) // 5 if gap != 2 else 1


@part
def _leaders(scores, encoding_of, answer):
    """The best candidate and the best one in another encoding; the distance."""
    first = second = 0
    best = next_best = _LEAST
    for column in range(len(scores)):
        if scores[column] > best:
            best = scores[column]
            first = column
    for column in range(len(scores)):
        if scores[column] > next_best and encoding_of[column] != encoding_of[first]:
            next_best = scores[column]
            second = column
    answer[FIRST], answer[SECOND] = first, second
    return best - next_best


@part
def _add_letters(source, class_of, block_of, row_of, first_ascii, costs, rows, found, scores):
    """Costs of ASCII letters around the places at the end of ``rows``, which tell the language."""
    turns = max(2, min(_ASCII_PLACES, len(source) // 2) // found)
    for turn in range(turns):
        offset = 3 + 3 * (turn // 2) if turn % 2 else -5 - 3 * (turn // 2)
        for k in range(found):
            at = rows[len(rows) - _HIGH_PLACES + k] + offset
            first, second = _class_at(source, at, class_of), _class_at(source, at + 1, class_of)
            row = _triple_row(first, second, _class_at(source, at + 2, class_of), block_of, row_of)
            if row >= first_ascii:
                for column in range(len(scores)):
                    scores[column] -= costs[row, column]


@part
def _in_runs(source):
    """Whether bytes above 0x7F often stand beside each other."""
    count = beside = 0
    before = np.int64(-2)
    for i in range(len(source)):
        if source[i] > 0x7F:
            beside += before == i - 1 and source[i] != source[before]
            before = i
            count += 1
            if count == _RUN_PLACES:
                break
    return beside * _RUN_SHARE >= count


@kernel(
    _SOURCE, _LONGS, _LONGS, _INTS, types.int64, _COSTS, _LONGS, _FLAGS, _FLOATS, _FLOATS, _LONGS, _LONGS,
    returns=types.float32,
)  # fmt: skip
def weigh(
    source, class_of, block_of, row_of, first_ascii, costs, encoding_of, runs, scores, high_costs, rows, answer
):  # fmt: skip
    """Take the costs off the scores. Fills ``high_costs`` and ``answer``; the lead of the first over the second."""
    high = _high_count(source)
    found = _mark_places(source, high // _HIGH_PLACES + 1 if high > _HIGH_PLACES else 1, rows)
    count = _put_rows(source, class_of, block_of, row_of, rows, found)
    many = 3 * found > _MANY
    if many:
        _sort(rows, count)
    high_costs[:] = 0
    counted = 0
    for i in range(count):
        row = rows[i]
        if row == 0 or (many and i >= _REPEATS and row == rows[i - _REPEATS]):
            continue
        counted += 1
        for column in range(len(scores)):
            high_costs[column] += costs[row, column]
    for column in range(len(scores)):
        scores[column] -= high_costs[column]
    lead = _leaders(scores, encoding_of, answer)
    if lead < _CLEAR:
        _add_letters(source, class_of, block_of, row_of, first_ascii, costs, rows, found, scores)
        lead = _leaders(scores, encoding_of, answer)
    answer[HIGH_COUNT], answer[COUNTED] = high, max(counted, 1)
    answer[IN_RUNS] = 1
    if runs[answer[FIRST]] or runs[answer[SECOND]]:
        answer[IN_RUNS] = _in_runs(source)
    return lead
