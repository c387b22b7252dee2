# mypy: ignore-errors
"""Transition-based dependency parsing, compiled: arc-hybrid (Kuhlmann, Gómez-Rodríguez & Satta 2011).

The stack holds words whose head is open; the buffer the words to come and, last, the root. SHIFT moves the next word
to the stack, LEFT makes it the head of the top of the stack, RIGHT makes the second of the stack the head of the top.
Learning is in :mod:`paberki.annotation.parsing.tree_learning_kernel`; :mod:`paberki.annotation.parsing.parser` says what the arrays
hold. Most of the time goes into fetching weights, so they are bytes, and scores are small numbers that add up quickly.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import kernel, part
from paberki.kernels.hash_constants import GOLDEN
from paberki.kernels.kernel_types import prefetch, reads, types, writes

_GOLDEN: Final = np.uint64(GOLDEN)
_MIX: Final = np.uint64(0xD6E8FEB86659FD93)
_TWENTY_NINE: Final = np.uint64(29)
PLACES: Final = 15
COLUMNS: Final = 6
LINE: Final = 64
"""Bytes that come together from memory."""
ATOMS: Final = PLACES * (COLUMNS + 1) + 12
STACK, LEFT, RIGHT, LEFT_2, RIGHT_2, LEFT_COUNT, RIGHT_COUNT = range(7)
"""Rows of the working memory: the stack, and of each word its outermost and second children and how many it has."""
LABEL, LEFT_SET, RIGHT_SET = range(3)
"""Rows of what words were given: their relation, and which relations their children on each side have."""
AGREEING: Final = COLUMNS - 1
"""The column that holds case, gender, number and person, a byte each."""
_BYTE: Final = np.uint64(255)
_EIGHT: Final = np.uint64(8)
_ONE: Final = np.uint64(1)


@part
def _mix(a, b):
    x = (a ^ b) * _GOLDEN
    return (x ^ (x >> _TWENTY_NINE)) * _MIX


@part
def _distance(a, b):
    d = a - b
    if d > 4:
        return 5 if d < 8 else 6
    return d


@part
def _place(p, at, n, begin, words, rows, work, word_labels, atoms):
    """Columns of the word at a place, and the label it was given."""
    row = 0 if at == n + 1 else 1 if at == n else words[begin + at]
    for c in range(COLUMNS):
        atoms[p * (COLUMNS + 1) + c] = rows[row, c]
    atoms[p * (COLUMNS + 1) + COLUMNS] = word_labels[LABEL, at]


@part
def _match(a, b):
    """For each of case, gender, number and person whether two words have it, and the same."""
    code = 0
    for _ in range(4):
        x = a & _BYTE
        y = b & _BYTE
        code = code * 3 + (0 if x == 0 or y == 0 else 1 if x == y else 2)
        a >>= _EIGHT
        b >>= _EIGHT
    return np.uint64(code)


@part
def _look(n, begin, depth, b, words, rows, work, word_labels, atoms):
    """All that templates may ask for in this state."""
    none = n + 1
    s0 = work[STACK, depth - 1] if depth > 0 else none
    s1 = work[STACK, depth - 2] if depth > 1 else none
    s2 = work[STACK, depth - 3] if depth > 2 else none
    b0 = b if b <= n else none
    b1 = b + 1 if b + 1 <= n else none
    b2 = b + 2 if b + 2 <= n else none
    _place(0, s0, n, begin, words, rows, work, word_labels, atoms)
    _place(1, s1, n, begin, words, rows, work, word_labels, atoms)
    _place(2, s2, n, begin, words, rows, work, word_labels, atoms)
    _place(3, b0, n, begin, words, rows, work, word_labels, atoms)
    _place(4, b1, n, begin, words, rows, work, word_labels, atoms)
    _place(5, b2, n, begin, words, rows, work, word_labels, atoms)
    _place(6, work[LEFT, s0], n, begin, words, rows, work, word_labels, atoms)
    _place(7, work[RIGHT, s0], n, begin, words, rows, work, word_labels, atoms)
    _place(8, work[LEFT, s1], n, begin, words, rows, work, word_labels, atoms)
    _place(9, work[RIGHT, s1], n, begin, words, rows, work, word_labels, atoms)
    _place(10, work[LEFT, b0], n, begin, words, rows, work, word_labels, atoms)
    _place(11, work[LEFT_2, s0], n, begin, words, rows, work, word_labels, atoms)
    _place(12, work[RIGHT_2, s0], n, begin, words, rows, work, word_labels, atoms)
    _place(13, work[LEFT_2, b0], n, begin, words, rows, work, word_labels, atoms)
    _place(14, work[RIGHT_2, s1], n, begin, words, rows, work, word_labels, atoms)
    more = PLACES * (COLUMNS + 1)
    atoms[more] = np.uint64(_distance(b0, s0) if s0 != none else 0)
    atoms[more + 1] = np.uint64(_distance(s0, s1) if s1 != none else 0)
    atoms[more + 2] = np.uint64(work[LEFT_COUNT, s0] * 8 + work[RIGHT_COUNT, s0])
    atoms[more + 3] = np.uint64(work[LEFT_COUNT, b0])
    atoms[more + 4] = np.uint64(work[LEFT_COUNT, s1] * 8 + work[RIGHT_COUNT, s1])
    atoms[more + 5] = np.uint64(min(depth, 4) * 4 + min(n - b, 3))
    agreeing = atoms[AGREEING]
    atoms[more + 6] = _match(agreeing, atoms[3 * (COLUMNS + 1) + AGREEING])
    atoms[more + 7] = _match(agreeing, atoms[COLUMNS + 1 + AGREEING])
    atoms[more + 8] = word_labels[LEFT_SET, s0]
    atoms[more + 9] = word_labels[RIGHT_SET, s0]
    atoms[more + 10] = word_labels[LEFT_SET, b0]
    atoms[more + 11] = word_labels[RIGHT_SET, s1]


@part
def _rows(atoms, templates, weight_rows, weights, shift):
    """Rows of the weights that the templates ask for; they come while others are hashed."""
    for k in range(templates.shape[0]):
        value = np.uint64(k + 1)
        for p in range(templates.shape[1]):
            code = templates[k, p]
            if code < 0:
                break
            value = _mix(value, atoms[code])
        row = np.int64((value * _GOLDEN) >> shift)
        weight_rows[k] = row
        for line in range(0, weights.shape[1], LINE):
            prefetch(weights, row, line)


@part
def _score(weight_rows, weights, scores):
    for a in range(scores.shape[0]):
        scores[a] = 0
    for k in range(weight_rows.shape[0]):
        row = weight_rows[k]
        for a in range(scores.shape[0]):
            scores[a] += weights[row, a]


@part
def _best(scores, labels, can_shift, can_left, can_right):
    """The best action that is possible."""
    best = -1
    if can_shift:
        best = 0
    if can_left:
        for a in range(1, labels + 1):
            if best < 0 or scores[a] > scores[best]:
                best = a
    if can_right:
        for a in range(labels + 1, 2 * labels + 1):
            if best < 0 or scores[a] > scores[best]:
                best = a
    return best


@part
def _begin(n, work, word_labels):
    for i in range(n + 2):
        for r in range(LEFT, RIGHT_2 + 1):
            work[r, i] = n + 1
        work[LEFT_COUNT, i] = 0
        work[RIGHT_COUNT, i] = 0
        word_labels[LABEL, i] = np.uint64(17)
        word_labels[LEFT_SET, i] = 0
        word_labels[RIGHT_SET, i] = 0


@part
def _attach(action, labels, depth, b, begin, work, word_labels, label_keys, out_heads, out_relations):
    s0 = work[STACK, depth - 1]
    if action <= labels:
        head = b
        relation = action - 1
        work[LEFT_COUNT, head] = min(work[LEFT_COUNT, head] + 1, 7)
        work[LEFT_2, head] = work[LEFT, head]
        work[LEFT, head] = s0
        word_labels[LEFT_SET, head] |= _ONE << np.uint64(relation & 63)
    else:
        head = work[STACK, depth - 2]
        relation = action - 1 - labels
        work[RIGHT_COUNT, head] = min(work[RIGHT_COUNT, head] + 1, 7)
        work[RIGHT_2, head] = work[RIGHT, head]
        work[RIGHT, head] = s0
        word_labels[RIGHT_SET, head] |= _ONE << np.uint64(relation & 63)
    out_heads[begin + s0] = head
    out_relations[begin + s0] = relation
    word_labels[LABEL, s0] = label_keys[relation]


@kernel(
    reads(types.int64),  # starts
    reads(types.int32),  # words
    reads(types.uint64, 2),  # rows
    reads(types.int16, 2),  # templates
    reads(types.int8, 2),  # weights
    types.uint64,  # shift
    types.int64,  # labels
    reads(types.uint64),  # label_keys
    writes(types.int32, 2),  # work
    writes(types.uint64, 2),  # word_labels
    writes(types.uint64),  # atoms
    writes(types.int64),  # weight_rows
    writes(types.int16),  # scores
    writes(types.int32),  # out_heads
    writes(types.int32),  # out_relations
    returns=types.int64,
)
def parse(
    starts,
    words,
    rows,
    templates,
    weights,
    shift,
    labels,
    label_keys,
    work,
    word_labels,
    atoms,
    weight_rows,
    scores,
    out_heads,
    out_relations,
):
    """Parse sentences."""
    for s in range(starts.shape[0] - 1):
        begin = starts[s]
        n = starts[s + 1] - begin
        _begin(n, work, word_labels)
        depth = 0
        b = 0
        while b < n or depth > 0:
            can_shift = b < n
            can_left = depth > 0 and (b < n or depth == 1)
            can_right = depth > 1
            if not can_left and not can_right:
                action = 0
            else:
                _look(n, begin, depth, b, words, rows, work, word_labels, atoms)
                _rows(atoms, templates, weight_rows, weights, shift)
                _score(weight_rows, weights, scores)
                action = _best(scores, labels, can_shift, can_left, can_right)
            if action == 0:
                work[STACK, depth] = b
                depth += 1
                b += 1
            else:
                _attach(action, labels, depth, b, begin, work, word_labels, label_keys, out_heads, out_relations)
                depth -= 1
    return 0
