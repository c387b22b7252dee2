# mypy: ignore-errors
"""Learning to label sentences (Collins 2002), compiled; the features are those of :mod:`paberki.annotation.sequence_kernel`."""

from __future__ import annotations

from numba import types

from paberki.annotation.sequence_kernel import _GOLDEN, _features, _fixed, _open, _score
from paberki.kernels import kernel, part


@part
def _add(found, count, key, weights, sums, shift, value, now):
    for k in range(count):
        at = ((found[k] ^ key) * _GOLDEN) >> shift
        weights[at] += value
        sums[at] += value * now


@part
def _update(found, count, label, edges, attributes, attribute_keys, label_keys, weights, sums, shift, value, now):
    _add(found, count, label_keys[label], weights, sums, shift, value, now)
    for a in range(edges[label], edges[label + 1]):
        _add(found, count, attribute_keys[attributes[a]], weights, sums, shift, value, now)


@kernel(
    _fixed(types.int64),  # starts
    _fixed(types.int64),  # order
    _fixed(types.int32),  # words
    _fixed(types.int32),  # gold
    _fixed(types.uint64),  # aux
    _fixed(types.uint64, 2),  # rows
    _fixed(types.int32),  # choice_edges
    _fixed(types.int32),  # choices
    _fixed(types.int32),  # edges
    _fixed(types.int32),  # attributes
    _fixed(types.uint64),  # attribute_keys
    _fixed(types.uint64),  # label_keys
    _fixed(types.int16, 2),  # templates
    _open(types.int16),  # weights
    _open(types.int64),  # sums
    types.uint64,  # shift
    types.int64,  # now
    _open(types.uint64),  # history
    _open(types.uint64),  # found
    _open(types.int64),  # memo
    _open(types.int64),  # stamp
    returns=types.int64,
)
def learn(
    starts,
    order,
    words,
    gold,
    aux,
    rows,
    choice_edges,
    choices,
    edges,
    attributes,
    attribute_keys,
    label_keys,
    templates,
    weights,
    sums,
    shift,
    now,
    history,
    found,
    memo,
    stamp,
):
    """One pass over sentences; the number of tokens that were learnt from so far."""
    count = templates.shape[0]
    tick = stamp[0]
    for o in range(order.shape[0]):
        begin = starts[order[o]]
        end = starts[order[o] + 1]
        for i in range(begin, end):
            low = choice_edges[words[i]]
            high = choice_edges[words[i] + 1]
            now += 1
            best = choices[low]
            if high - low > 1 or best != gold[i]:
                _features(i, begin, end, words, rows, history, aux, templates, 0, found)
                tick += 1
                top = -(1 << 40)
                for q in range(low, high):
                    score = _score(
                        choices[q],
                        found,
                        0,
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
                        top = score
                        best = choices[q]
                if best != gold[i]:
                    for one, value in ((gold[i], 1), (best, -1)):
                        _update(
                            found,
                            count,
                            one,
                            edges,
                            attributes,
                            attribute_keys,
                            label_keys,
                            weights,
                            sums,
                            shift,
                            value,
                            now,
                        )
            history[i] = label_keys[best]
    stamp[0] = tick
    return now
