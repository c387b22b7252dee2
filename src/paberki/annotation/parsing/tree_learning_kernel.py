# mypy: ignore-errors
"""Learning to parse with a dynamic oracle (Goldberg & Nivre 2013), compiled.

The parser often follows its own mistakes, and learns what is best from there; the transitions and the features are
those of :mod:`paberki.annotation.parsing.tree_kernel`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.annotation.parsing.tree_kernel import STACK, _attach, _begin, _best, _look, _rows, _score
from paberki.kernels import kernel, part
from paberki.kernels.kernel_types import reads, types, writes

_THIRTEEN: Final = np.uint64(13)
_SEVEN: Final = np.uint64(7)
_SEVENTEEN: Final = np.uint64(17)
_MANY: Final = 1 << 20


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
def _is_possible(action, labels, can_shift, can_left, can_right):
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


@kernel(
    reads(types.int64),  # starts
    reads(types.int64),  # order
    reads(types.int32),  # words
    reads(types.int32),  # heads
    reads(types.int32),  # relations
    reads(types.uint64, 2),  # rows
    reads(types.int16, 2),  # templates
    writes(types.int16, 2),  # weights
    writes(types.int64, 2),  # sums
    types.uint64,  # shift
    types.int64,  # labels
    reads(types.uint64),  # label_keys
    types.int64,  # now
    types.float64,  # explore
    writes(types.uint64),  # state
    writes(types.int32, 2),  # work
    writes(types.uint64, 2),  # word_labels
    writes(types.uint64),  # atoms
    writes(types.int64),  # weight_rows
    writes(types.int32),  # scores
    writes(types.int32),  # costs
    writes(types.int32),  # out_heads
    writes(types.int32),  # out_relations
    returns=types.int64,
)
def learn(
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
    explore,
    state,
    work,
    word_labels,
    atoms,
    weight_rows,
    scores,
    costs,
    out_heads,
    out_relations,
):
    """Parse sentences and learn from their gold trees; the number of steps that were learnt from so far."""
    actions = 1 + 2 * labels
    for o in range(order.shape[0]):
        begin = starts[order[o]]
        n = starts[order[o] + 1] - begin
        _begin(n, work, word_labels)
        depth = 0
        b = 0
        while b < n or depth > 0:
            _look(n, begin, depth, b, words, rows, work, word_labels, atoms)
            _rows(atoms, templates, weight_rows, weights, shift)
            _score(weight_rows, weights, scores)
            can_shift = b < n
            can_left = depth > 0 and (b < n or depth == 1)
            can_right = depth > 1
            best = _best(scores, labels, can_shift, can_left, can_right)
            action = best
            now += 1
            s0 = work[STACK, depth - 1] if depth > 0 else -1
            s1 = work[STACK, depth - 2] if depth > 1 else -1
            _costs(n, begin, depth, b, heads, work, can_shift, can_left, can_right, costs)
            least = min(costs[0], costs[1], costs[2])
            if not _right(best, labels, s0, s1, b, least, costs, heads, relations, begin):
                good = -1
                for a in range(actions):
                    if (
                        _is_possible(a, labels, can_shift, can_left, can_right)
                        and (good < 0 or scores[a] > scores[good])
                        and _right(a, labels, s0, s1, b, least, costs, heads, relations, begin)
                    ):
                        good = a
                for k in range(templates.shape[0]):
                    row = weight_rows[k]
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
                _attach(action, labels, depth, b, begin, work, word_labels, label_keys, out_heads, out_relations)
                depth -= 1
    return now
