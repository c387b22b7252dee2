# mypy: ignore-errors
"""The compiled half of :mod:`paberki.decoding.charset_model`: what the bytes of a page cost under all candidates.

:func:`weigh` gives what :func:`paberki.decoding.charset_model.weigh` gives (read that first), in a sixth of the time: in numpy
every step over some hundred numbers costs more than the work in it.
"""

from __future__ import annotations

import numpy as np
from numba import types

from paberki.decoding.byte_tables import CLASSES, STEPS
from paberki.decoding.charset_model import (
    _ASCII_PLACES,
    _CLEAR_NATS,
    _HIGH_PLACES,
    _IMPOSSIBLE,
    _MANY,
    _REPEATS,
    _RUN_PLACES,
    _RUN_SHARE,
    BLOCKS_AT,
    COUNTED,
    ENCODINGS_AT,
    FIRST,
    HIGH_COUNT,
    PLACES_AT,
    ROWS_AT,
    SECOND,
)
from paberki.kernels import kernel, part
from paberki.kernels.byte_names import FIRST_NOT_ASCII, LAST_ASCII

_LEAST: np.float32 = np.float32(-3e38)
_CLEAR: float = _CLEAR_NATS * STEPS

_SOURCE = types.Array(types.uint8, 1, "C", readonly=True)
_COSTS = types.Array(types.uint8, 1, "C", readonly=True)
_FLOATS = types.Array(types.float32, 1, "C")
_INTS = types.Array(types.int32, 1, "C", readonly=True)
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
    count = place_count = 0
    for i in range(len(source)):
        if source[i] > LAST_ASCII:
            if count % step == 0:
                rows[PLACES_AT + place_count] = i
                place_count += 1
            count += 1
    return place_count


@part
def _class_at(source, at, lookup):
    return lookup[source[at % len(source)]]


@part
def _triple_row(first, second, third, lookup, row_of):
    return np.int64(row_of[lookup[BLOCKS_AT + first * CLASSES + second] + third])


@part
def _put_rows(source, lookup, row_of, rows, place_count):
    """Rows for the places at the end of ``rows`` and for ASCII bytes up to two after them; how many."""
    n = len(source)
    count = 0
    for k in range(place_count):
        place = rows[PLACES_AT + k]
        first, second = _class_at(source, place - 2, lookup), _class_at(source, place - 1, lookup)
        for step in range(3):
            byte = source[(place + step) % n]
            if step and byte >= FIRST_NOT_ASCII:
                break
            third = lookup[byte]
            row = _triple_row(first, second, third, lookup, row_of)
            if row == 0:
                row = second * CLASSES + third
            rows[ROWS_AT + count] = row
            count += 1
            first, second = second, third
    return count


@part
def _sort(rows, count):
    gap = 57
    while gap > 0:
        for i in range(ROWS_AT + gap, ROWS_AT + count):
            value = rows[i]
            k = i
            while k >= ROWS_AT + gap and rows[k - gap] > value:
                rows[k] = rows[k - gap]
                k -= gap
            rows[k] = value
        gap = (gap * 2) // 5 if gap != 2 else 1


@part
def _leaders(scores, count, lookup, answer):
    """The best candidate and the best one in another encoding; the distance."""
    first = second = 0
    best = next_best = _LEAST
    for column in range(count):
        if scores[column] > best:
            best = scores[column]
            first = column
    encoding = lookup[ENCODINGS_AT + first]
    for column in range(count):
        if scores[column] > next_best and lookup[ENCODINGS_AT + column] != encoding:
            next_best = scores[column]
            second = column
    answer[FIRST], answer[SECOND] = first, second
    return best - next_best


@part
def _add_letters(source, lookup, row_of, first_ascii, costs, count, rows, place_count, scores):
    """Costs of ASCII letters around the places, which tell the language."""
    turns = max(2, min(_ASCII_PLACES, len(source) // 2) // place_count)
    for turn in range(turns):
        offset = 3 + 3 * (turn // 2) if turn % 2 else -5 - 3 * (turn // 2)
        for k in range(place_count):
            at = rows[PLACES_AT + k] + offset
            first, second = _class_at(source, at, lookup), _class_at(source, at + 1, lookup)
            row = _triple_row(first, second, _class_at(source, at + 2, lookup), lookup, row_of)
            if row >= first_ascii:
                for column in range(count):
                    scores[column] -= costs[row * count + column]


@part
def _in_runs(source):
    """Whether bytes above 0x7F often stand beside each other."""
    count = beside = 0
    before = np.int64(-2)
    for i in range(len(source)):
        if source[i] > LAST_ASCII:
            beside += before == i - 1 and source[i] != source[before]
            before = i
            count += 1
            if count == _RUN_PLACES:
                break
    return beside * _RUN_SHARE >= count


@kernel(
    _SOURCE, _LONGS, _INTS, _COSTS, types.int64, types.int64, _FLOATS, _LONGS, returns=types.float64
)  # fmt: skip
def weigh(source, lookup, row_of, costs, first_ascii, columns, scores, scratch):
    """Take the costs off the scores; the lead of the first over the second.

    Arrays are few because each costs time at every call. ``lookup`` holds classes of bytes, blocks of pairs, encodings
    and whether candidates are written in runs; ``scores`` those of the candidates, then room for what high bytes cost;
    ``scratch`` the answer, then room for rows and places.
    """
    high = _high_count(source)
    place_count = _mark_places(source, high // _HIGH_PLACES + 1 if high > _HIGH_PLACES else 1, scratch)
    count = _put_rows(source, lookup, row_of, scratch, place_count)
    many = 3 * place_count > _MANY
    if many:
        _sort(scratch, count)
    for column in range(columns):
        scores[columns + column] = 0
    letter_count = 0
    for i in range(ROWS_AT, ROWS_AT + count):
        row = scratch[i]
        if row == 0 or (many and i >= ROWS_AT + _REPEATS and row == scratch[i - _REPEATS]):
            continue
        letter_count += 1
        for column in range(columns):
            scores[columns + column] += costs[row * columns + column]
    for column in range(columns):
        scores[column] -= scores[columns + column]
    lead = _leaders(scores, columns, lookup, scratch)
    if lead < _CLEAR:
        _add_letters(source, lookup, row_of, first_ascii, costs, columns, scratch, place_count, scores)
        lead = _leaders(scores, columns, lookup, scratch)
    scratch[HIGH_COUNT], scratch[COUNTED] = high, max(letter_count, 1)
    runs_at = ENCODINGS_AT + columns
    if (lookup[runs_at + scratch[FIRST]] or lookup[runs_at + scratch[SECOND]]) and not _in_runs(source):
        for column in range(columns):
            if lookup[runs_at + column]:
                scores[column] -= _IMPOSSIBLE
        lead = _leaders(scores, columns, lookup, scratch)
    return lead
