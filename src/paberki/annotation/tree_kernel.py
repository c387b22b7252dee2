# mypy: ignore-errors
"""Transition-based dependency parsing, compiled: arc-hybrid with a dynamic oracle (Goldberg & Nivre 2013).

The stack holds words whose head is open; the buffer the words to come and, last, the root. SHIFT moves the next word
to the stack, LEFT makes it the head of the top of the stack, RIGHT makes the second of the stack the head of the top.
While learning, the parser often follows its own mistakes and is told what is best from there.
:mod:`paberki.annotation.parser` says what the arrays hold.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types

from paberki.kernels import kernel, part

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX: Final = np.uint64(0xD6E8FEB86659FD93)
_TWENTY_NINE: Final = np.uint64(29)
_THIRTEEN: Final = np.uint64(13)
_SEVEN: Final = np.uint64(7)
_SEVENTEEN: Final = np.uint64(17)
PLACES: Final = 15
COLUMNS: Final = 6
ATOMS: Final = PLACES * (COLUMNS + 1) + 8
_MANY: Final = 1 << 20
STACK, LEFT, RIGHT, LEFT_2, RIGHT_2, LEFT_COUNT, RIGHT_COUNT = range(7)
"""Rows of the working memory: the stack, and of each word its outermost and second children and how many it has."""


def _fixed(kind, dimensions=1):
    return types.Array(kind, dimensions, "C", readonly=True)


def _open(kind, dimensions=1):
    return types.Array(kind, dimensions, "C")


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
def _place(p, at, n, begin, words, rows, work, given, atoms):
    """Columns of the word at a place, and the label it was given."""
    row = 0 if at == n + 1 else 1 if at == n else words[begin + at]
    for c in range(COLUMNS):
        atoms[p * (COLUMNS + 1) + c] = rows[row, c]
    atoms[p * (COLUMNS + 1) + COLUMNS] = given[at]


@part
def _look(n, begin, depth, b, words, rows, work, given, atoms):
    """All that templates may ask for in this state."""
    none = n + 1
    s0 = work[STACK, depth - 1] if depth > 0 else none
    s1 = work[STACK, depth - 2] if depth > 1 else none
    s2 = work[STACK, depth - 3] if depth > 2 else none
    b0 = b if b <= n else none
    b1 = b + 1 if b + 1 <= n else none
    b2 = b + 2 if b + 2 <= n else none
    _place(0, s0, n, begin, words, rows, work, given, atoms)
    _place(1, s1, n, begin, words, rows, work, given, atoms)
    _place(2, s2, n, begin, words, rows, work, given, atoms)
    _place(3, b0, n, begin, words, rows, work, given, atoms)
    _place(4, b1, n, begin, words, rows, work, given, atoms)
    _place(5, b2, n, begin, words, rows, work, given, atoms)
    _place(6, work[LEFT, s0], n, begin, words, rows, work, given, atoms)
    _place(7, work[RIGHT, s0], n, begin, words, rows, work, given, atoms)
    _place(8, work[LEFT, s1], n, begin, words, rows, work, given, atoms)
    _place(9, work[RIGHT, s1], n, begin, words, rows, work, given, atoms)
    _place(10, work[LEFT, b0], n, begin, words, rows, work, given, atoms)
    _place(11, work[LEFT_2, s0], n, begin, words, rows, work, given, atoms)
    _place(12, work[RIGHT_2, s0], n, begin, words, rows, work, given, atoms)
    _place(13, work[LEFT_2, b0], n, begin, words, rows, work, given, atoms)
    _place(14, work[RIGHT_2, s1], n, begin, words, rows, work, given, atoms)
    more = PLACES * (COLUMNS + 1)
    atoms[more] = np.uint64(_distance(b0, s0) if s0 != none else 0)
    atoms[more + 1] = np.uint64(_distance(s0, s1) if s1 != none else 0)
    atoms[more + 2] = np.uint64(work[LEFT_COUNT, s0] * 8 + work[RIGHT_COUNT, s0])
    atoms[more + 3] = np.uint64(work[LEFT_COUNT, b0])
    atoms[more + 4] = np.uint64(work[LEFT_COUNT, s1] * 8 + work[RIGHT_COUNT, s1])
    atoms[more + 5] = np.uint64(min(depth, 4) * 4 + min(n - b, 3))


@part
def _score(atoms, templates, found, weights, shift, scores, actions):
    for a in range(actions):
        scores[a] = 0
    for k in range(templates.shape[0]):
        value = np.uint64(k + 1)
        for p in range(templates.shape[1]):
            code = templates[k, p]
            if code < 0:
                break
            value = _mix(value, atoms[code])
        row = np.int64((value * _GOLDEN) >> shift)
        found[k] = row
        for a in range(actions):
            scores[a] += weights[row, a]


@part
def _costs(n, begin, depth, b, heads, work, can_shift, can_left, can_right, costs):
    """How many arcs of the gold tree each kind of action makes impossible."""
    costs[0] = costs[1] = costs[2] = _MANY
    if can_shift:
        cost = 0
        for q in range(depth):
            other = work[STACK, q]
            if heads[begin + other] == b:
                cost += 1
            if q < depth - 1 and heads[begin + b] == other:
                cost += 1
        costs[0] = cost
    if can_left or can_right:
        s0 = work[STACK, depth - 1]
        s1 = work[STACK, depth - 2] if depth > 1 else -1
        head = heads[begin + s0]
        cost = 0
        for q in range(b, n):
            if heads[begin + q] == s0:
                cost += 1
        if can_left:
            costs[1] = cost + (1 if head != b and (head == s1 or head > b) else 0)
        if can_right:
            costs[2] = cost + (1 if head >= b else 0)


@part
def _allowed(action, labels, can_shift, can_left, can_right):
    if action == 0:
        return can_shift
    return can_left if action <= labels else can_right


@part
def _right(action, labels, s0, s1, b, least, costs, heads, relations, begin):
    """Whether an action is among the best; if it makes a gold arc, it must have the gold relation."""
    if action == 0:
        return costs[0] == least
    if action <= labels:
        return costs[1] == least and (heads[begin + s0] != b or action - 1 == relations[begin + s0])
    return costs[2] == least and (heads[begin + s0] != s1 or action - 1 - labels == relations[begin + s0])


@part
def _random(state):
    x = state[0]
    x ^= x << _THIRTEEN
    x ^= x >> _SEVEN
    x ^= x << _SEVENTEEN
    state[0] = x
    return np.float64(x >> np.uint64(11)) / np.float64(1 << 53)


@part
def _attach(action, labels, depth, b, begin, work, given, label_keys, out_heads, out_relations):
    s0 = work[STACK, depth - 1]
    if action <= labels:
        head = b
        relation = action - 1
        work[LEFT_COUNT, head] = min(work[LEFT_COUNT, head] + 1, 7)
        work[LEFT_2, head] = work[LEFT, head]
        work[LEFT, head] = s0
    else:
        head = work[STACK, depth - 2]
        relation = action - 1 - labels
        work[RIGHT_COUNT, head] = min(work[RIGHT_COUNT, head] + 1, 7)
        work[RIGHT_2, head] = work[RIGHT, head]
        work[RIGHT, head] = s0
    out_heads[begin + s0] = head
    out_relations[begin + s0] = relation
    given[s0] = label_keys[relation]


@kernel(
    _fixed(types.int64),  # starts
    _fixed(types.int64),  # order
    _fixed(types.int32),  # words
    _fixed(types.int32),  # heads
    _fixed(types.int32),  # relations
    _fixed(types.uint64, 2),  # rows
    _fixed(types.int16, 2),  # templates
    _open(types.int16, 2),  # weights
    _open(types.int64, 2),  # sums
    types.uint64,  # shift
    types.int64,  # labels
    _fixed(types.uint64),  # label_keys
    types.int64,  # now
    types.boolean,  # learn
    types.float64,  # explore
    _open(types.uint64),  # state
    _open(types.int32, 2),  # work
    _open(types.uint64),  # given
    _open(types.uint64),  # atoms
    _open(types.int64),  # found
    _open(types.int32),  # scores
    _open(types.int32),  # costs
    _open(types.int32),  # out_heads
    _open(types.int32),  # out_relations
    returns=types.int64,
)
def run(
    starts,
    order,
    words,
    heads,
    relations,
    rows,
    templates,
    weights,
    sums,
    shift,
    labels,
    label_keys,
    now,
    learn,
    explore,
    state,
    work,
    given,
    atoms,
    found,
    scores,
    costs,
    out_heads,
    out_relations,
):
    """Parse sentences, learning from gold trees or not; the number of steps that were learnt from so far."""
    actions = 1 + 2 * labels
    for o in range(order.shape[0]):
        begin = starts[order[o]]
        n = starts[order[o] + 1] - begin
        for i in range(n + 2):
            for r in range(LEFT, RIGHT_2 + 1):
                work[r, i] = n + 1
            work[LEFT_COUNT, i] = 0
            work[RIGHT_COUNT, i] = 0
            given[i] = np.uint64(17)
        depth = 0
        b = 0
        while b < n or depth > 0:
            _look(n, begin, depth, b, words, rows, work, given, atoms)
            _score(atoms, templates, found, weights, shift, scores, actions)
            can_shift = b < n
            can_left = depth > 0 and (b < n or depth == 1)
            can_right = depth > 1
            best = -1
            for a in range(actions):
                if _allowed(a, labels, can_shift, can_left, can_right) and (best < 0 or scores[a] > scores[best]):
                    best = a
            action = best
            if learn:
                now += 1
                s0 = work[STACK, depth - 1] if depth > 0 else -1
                s1 = work[STACK, depth - 2] if depth > 1 else -1
                _costs(n, begin, depth, b, heads, work, can_shift, can_left, can_right, costs)
                least = min(costs[0], costs[1], costs[2])
                if not _right(best, labels, s0, s1, b, least, costs, heads, relations, begin):
                    good = -1
                    for a in range(actions):
                        if (
                            _allowed(a, labels, can_shift, can_left, can_right)
                            and (good < 0 or scores[a] > scores[good])
                            and _right(a, labels, s0, s1, b, least, costs, heads, relations, begin)
                        ):
                            good = a
                    for k in range(templates.shape[0]):
                        row = found[k]
                        weights[row, good] += 1
                        sums[row, good] += now
                        weights[row, best] -= 1
                        sums[row, best] -= now
                    if _random(state) >= explore:
                        action = good
            if action == 0:
                work[STACK, depth] = b
                depth += 1
                b += 1
            else:
                _attach(action, labels, depth, b, begin, work, given, label_keys, out_heads, out_relations)
                depth -= 1
    return now
