# mypy: ignore-errors
"""Greedy labelling of sentences with an averaged perceptron over hashed features, compiled.

It labels tags as well as names; :mod:`paberki.annotation.tagging.sequence` says what its arrays hold, learning is in
:mod:`paberki.annotation.tagging.sequence_learning_kernel`. A label's score is the sum of its own weights and those of its
attributes (case, number, …), which other labels share. What templates are made of is looked up once for each token.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Final

import numpy as np

from paberki.kernels import inner, kernel
from paberki.kernels.hash_constants import GOLDEN
from paberki.kernels.kernel_types import reads, types, writes

_GOLDEN: Final = np.uint64(GOLDEN)
_MIX: Final = np.uint64(0xD6E8FEB86659FD93)
_TWENTY_NINE: Final = np.uint64(29)
UNKNOWN: Final = -(1 << 30)
"""Static score that has not been computed yet."""
WORD_KINDS: Final = 5
HISTORY: Final = 5
AUX: Final = 6
FIRST: Final = 7
COLUMNS: Final = 32
"""A part of a template is kind × 32 + column: kinds 0–4 are the words at −2 … 2, then the labels given before, the
labels of earlier passes (columns 0–4: those of the first at −2 … 2, then those of the next), and whether the word is the
first."""
PLACES: Final = 5

Text = namedtuple("Text", "words rows history aux")
"""Word types, what they look like, the labels given so far and those of earlier passes, one after the other."""
Looks = namedtuple("Looks", "parts templates atoms hashes")
"""Parts, templates made of them, and for the token at hand the values of both."""
Space = namedtuple("Space", "edges attributes attribute_keys label_keys weights shift memo stamp")
"""Labels with their attributes, weights, and the sums of attributes for the token at hand."""


@inner
def _mix(a, b):
    x = (a ^ b) * _GOLDEN
    return (x ^ (x >> _TWENTY_NINE)) * _MIX


@inner
def _value(code, i, begin, end, text):
    """The value of one part at a token."""
    kind = code // COLUMNS
    column = code % COLUMNS
    if kind < WORD_KINDS:
        at = i + kind - 2
        if at < begin:
            return np.uint64(11)
        if at >= end:
            return np.uint64(13)
        return text.rows[text.words[at], column]
    if kind == HISTORY:
        at = i - 1 - column
        return text.history[at] if at >= begin else np.uint64(17)
    if kind == AUX:
        at = i + column % PLACES - 2
        return text.aux[column // PLACES * text.words.shape[0] + at] if begin <= at < end else np.uint64(19)
    return np.uint64(i == begin)


@inner
def features(i, begin, end, text, looks, first, last):
    """The values of templates at a token."""
    parts, templates, atoms = looks.parts, looks.templates, looks.atoms
    for p in range(parts.shape[0]):
        atoms[p] = _value(parts[p], i, begin, end, text)
    for k in range(first, last):
        value = np.uint64(k + 1)
        for p in range(templates.shape[1]):
            place = templates[k, p]
            if place < 0:
                break
            value = _mix(value, atoms[place])
        looks.hashes[k] = value


@inner
def _sum(hashes, first, last, key, space):
    total = 0
    for k in range(first, last):
        total += space.weights[((hashes[k] ^ key) * _GOLDEN) >> space.shift]
    return total


@inner
def count_attributes(choices, low, high, space, tick):
    """In how many of some labels each attribute is."""
    for q in range(low, high):
        for a in range(space.edges[choices[q]], space.edges[choices[q] + 1]):
            attribute = space.attributes[a]
            if space.stamp[attribute + 1] != tick:
                space.stamp[attribute + 1] = tick
                space.memo[attribute] = 0
            space.memo[attribute] += 1


@inner
def score(label, labels, hashes, first, last, space, tick):
    """Weights of a label and of its attributes, after these were counted.

    Those of an attribute are added up once for each token, and not at all if all labels have it: what is added to all
    does not tell them apart.
    """
    total = _sum(hashes, first, last, space.label_keys[label], space)
    for a in range(space.edges[label], space.edges[label + 1]):
        attribute = space.attributes[a]
        if space.stamp[attribute + 1] == tick:
            space.stamp[attribute + 1] = tick + 1
            if space.memo[attribute] == labels:
                space.memo[attribute] = 0
            else:
                space.memo[attribute] = _sum(hashes, first, last, space.attribute_keys[attribute], space)
        total += space.memo[attribute]
    return total


@kernel(
    reads(types.int64),  # starts
    reads(types.int64),  # order
    reads(types.int32),  # words
    reads(types.uint64),  # aux
    reads(types.uint64, 2),  # rows
    reads(types.int32),  # choice_edges
    reads(types.int32),  # choices
    writes(types.int32),  # static
    reads(types.int32),  # edges
    reads(types.int32),  # attributes
    reads(types.uint64),  # attribute_keys
    reads(types.uint64),  # label_keys
    reads(types.boolean, 2),  # follow
    reads(types.int16),  # parts
    reads(types.int16, 2),  # templates
    types.int64,  # static_count
    reads(types.int8),  # weights
    types.uint64,  # shift
    reads(types.boolean),  # skip
    writes(types.int32),  # labels
    writes(types.uint64),  # history
    writes(types.int32),  # margins
    writes(types.uint64),  # atoms
    writes(types.uint64),  # hashes
    writes(types.int64),  # memo
    writes(types.int64),  # stamp
    returns=types.int64,
)
def label(
    starts, order, words, aux, rows, choice_edges, choices, static, edges, attributes, attribute_keys, label_keys, follow,
    parts, templates, static_count, weights, shift, skip, labels, history, margins, atoms, hashes, memo, stamp,
):  # fmt: skip
    """Label sentences; margins tell how much better a label was than the next, of those that may follow the one before."""
    text = Text(words, rows, history, aux)
    looks = Looks(parts, templates, atoms, hashes)
    space = Space(edges, attributes, attribute_keys, label_keys, weights, shift, memo, stamp)
    count = templates.shape[0]
    tick = stamp[0]
    for o in range(order.shape[0]):
        begin = starts[order[o]]
        end = starts[order[o] + 1]
        for i in range(begin, end):
            may = follow[labels[i - 1] if i > begin else follow.shape[1]]
            low = choice_edges[words[i]]
            high = choice_edges[words[i] + 1]
            if skip[i]:
                history[i] = label_keys[labels[i]]
                continue
            if high - low == 1:
                labels[i] = choices[low]
                margins[i] = 1 << 29
                history[i] = label_keys[labels[i]]
                continue
            if static[low] == UNKNOWN:  # what does not depend on a word's surroundings is added up once
                features(i, i, i + 1, text, looks, 0, static_count)
                tick += 2
                count_attributes(choices, low, high, space, tick)
                for q in range(low, high):
                    static[q] = score(choices[q], high - low, hashes, 0, static_count, space, tick)
            features(i, begin, end, text, looks, static_count, count)
            tick += 2
            count_attributes(choices, low, high, space, tick)
            best = -1
            top = -(1 << 40)
            second = -(1 << 40)
            for q in range(low, high):
                if not may[choices[q]]:
                    continue
                total = static[q] + score(choices[q], high - low, hashes, static_count, count, space, tick)
                if total > top:
                    second = top
                    top = total
                    best = choices[q]
                elif total > second:
                    second = total
            labels[i] = best
            history[i] = label_keys[best]
            margins[i] = min(top - second, 1 << 29)
    stamp[0] = tick
    return tick
