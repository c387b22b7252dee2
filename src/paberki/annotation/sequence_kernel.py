# mypy: ignore-errors
"""Greedy labelling of sentences with an averaged perceptron over hashed features, compiled.

It labels tags as well as names; :mod:`paberki.annotation.sequence` says what its arrays hold, learning is in
:mod:`paberki.annotation.sequence_learning_kernel`. A label's score is the sum of its own weights and those of its
attributes (case, number, …), which other labels share.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types

from paberki.kernels import kernel, part

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX: Final = np.uint64(0xD6E8FEB86659FD93)
_TWENTY_NINE: Final = np.uint64(29)
UNKNOWN: Final = -(1 << 30)
"""Static score that has not been computed yet."""
WORD_KINDS: Final = 5
HISTORY: Final = 5
AUX: Final = 6
FIRST: Final = 7
COLUMNS: Final = 32
"""A part of a template is 1 + kind × 32 + column: kinds 0–4 are the words at −2 … 2, then the labels given before, the
labels of an earlier pass (columns 0–4: −2 … 2), and whether the word is the first."""


def _fixed(kind, dimensions=1):
    return types.Array(kind, dimensions, "C", readonly=True)


def _open(kind, dimensions=1):
    return types.Array(kind, dimensions, "C")


@part
def _mix(a, b):
    x = (a ^ b) * _GOLDEN
    return (x ^ (x >> _TWENTY_NINE)) * _MIX


@part
def _part(code, i, begin, end, words, rows, history, aux):
    """The value of one part of a template at a token."""
    kind = (code - 1) // COLUMNS
    column = (code - 1) % COLUMNS
    if kind < WORD_KINDS:
        at = i + kind - 2
        if at < begin:
            return np.uint64(11)
        if at >= end:
            return np.uint64(13)
        return rows[words[at], column]
    if kind == HISTORY:
        at = i - 1 - column
        return history[at] if at >= begin else np.uint64(17)
    if kind == AUX:
        at = i + column - 2
        return aux[at] if begin <= at < end else np.uint64(19)
    return np.uint64(i == begin)


@part
def _features(i, begin, end, words, rows, history, aux, templates, first, found):
    for k in range(first, templates.shape[0]):
        value = np.uint64(k + 1)
        for p in range(templates.shape[1]):
            code = templates[k, p]
            if code == 0:
                break
            value = _mix(value, _part(code, i, begin, end, words, rows, history, aux))
        found[k] = value


@part
def _sum(found, first, last, key, weights, shift):
    total = 0
    for k in range(first, last):
        total += weights[((found[k] ^ key) * _GOLDEN) >> shift]
    return total


@part
def _fill_static(
    w,
    i,
    choice_edges,
    choices,
    static,
    edges,
    attributes,
    attribute_keys,
    label_keys,
    weights,
    shift,
    words,
    rows,
    history,
    aux,
    templates,
    static_count,
    found,
):
    """Scores of a word's labels by what does not depend on its surroundings, once for each word."""
    for k in range(static_count):
        value = np.uint64(k + 1)
        for p in range(templates.shape[1]):
            code = templates[k, p]
            if code == 0:
                break
            value = _mix(value, _part(code, i, i, i + 1, words, rows, history, aux))
        found[k] = value
    for q in range(choice_edges[w], choice_edges[w + 1]):
        label = choices[q]
        total = _sum(found, 0, static_count, label_keys[label], weights, shift)
        for a in range(edges[label], edges[label + 1]):
            total += _sum(found, 0, static_count, attribute_keys[attributes[a]], weights, shift)
        static[q] = total


@part
def _score(
    label, found, first, count, edges, attributes, attribute_keys, label_keys, weights, shift, memo, stamp, tick
):
    """Weights of a label and of its attributes; those of an attribute are added up once for each token."""
    score = _sum(found, first, count, label_keys[label], weights, shift)
    for a in range(edges[label], edges[label + 1]):
        attribute = attributes[a]
        if stamp[attribute + 1] != tick:
            memo[attribute] = _sum(found, first, count, attribute_keys[attribute], weights, shift)
            stamp[attribute + 1] = tick
        score += memo[attribute]
    return score


@kernel(
    _fixed(types.int64),  # starts
    _fixed(types.int64),  # order
    _fixed(types.int32),  # words
    _fixed(types.uint64),  # aux
    _fixed(types.uint64, 2),  # rows
    _fixed(types.int32),  # choice_edges
    _fixed(types.int32),  # choices
    _open(types.int32),  # static
    _fixed(types.int32),  # edges
    _fixed(types.int32),  # attributes
    _fixed(types.uint64),  # attribute_keys
    _fixed(types.uint64),  # label_keys
    _fixed(types.int16, 2),  # templates
    types.int64,  # static_count
    _fixed(types.int8),  # weights
    types.uint64,  # shift
    _fixed(types.boolean),  # skip
    _open(types.int32),  # labels
    _open(types.uint64),  # history
    _open(types.int32),  # margins
    _open(types.uint64),  # found
    _open(types.int64),  # memo
    _open(types.int64),  # stamp
    returns=types.int64,
)
def label(
    starts,
    order,
    words,
    aux,
    rows,
    choice_edges,
    choices,
    static,
    edges,
    attributes,
    attribute_keys,
    label_keys,
    templates,
    static_count,
    weights,
    shift,
    skip,
    labels,
    history,
    margins,
    found,
    memo,
    stamp,
):
    """Label sentences; margins tell how much better a label was than the next."""
    count = templates.shape[0]
    tick = stamp[0]
    for o in range(order.shape[0]):
        begin = starts[order[o]]
        end = starts[order[o] + 1]
        for i in range(begin, end):
            w = words[i]
            low = choice_edges[w]
            high = choice_edges[w + 1]
            if skip[i]:
                history[i] = label_keys[labels[i]]
                continue
            if high - low == 1:
                labels[i] = choices[low]
                margins[i] = 1 << 29
                history[i] = label_keys[labels[i]]
                continue
            if static[low] == UNKNOWN:
                _fill_static(
                    w,
                    i,
                    choice_edges,
                    choices,
                    static,
                    edges,
                    attributes,
                    attribute_keys,
                    label_keys,
                    weights,
                    shift,
                    words,
                    rows,
                    history,
                    aux,
                    templates,
                    static_count,
                    found,
                )
            _features(i, begin, end, words, rows, history, aux, templates, static_count, found)
            tick += 1
            best = -1
            top = -(1 << 40)
            second = -(1 << 40)
            for q in range(low, high):
                score = static[q] + _score(
                    choices[q],
                    found,
                    static_count,
                    count,
                    edges,
                    attributes,
                    attribute_keys,
                    label_keys,
                    weights,
                    shift,
                    memo,
                    stamp,
                    tick,
                )
                if score > top:
                    second = top
                    top = score
                    best = choices[q]
                elif score > second:
                    second = score
            labels[i] = best
            history[i] = label_keys[best]
            margins[i] = min(top - second, 1 << 29)
    stamp[0] = tick
    return tick
