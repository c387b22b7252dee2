# mypy: ignore-errors
"""Learning to label sentences (Collins 2002), compiled; the features are those of :mod:`paberki.annotation.tagging.sequence_kernel`."""

from __future__ import annotations

from paberki.annotation.tagging.sequence_kernel import _GOLDEN, Looks, Space, Text, count_attributes, features, score
from paberki.kernels import kernel, part
from paberki.kernels.kernel_types import reads, types, writes


@part
def _add(hashes, key, space, sums, value, now):
    for k in range(hashes.shape[0]):
        at = ((hashes[k] ^ key) * _GOLDEN) >> space.shift
        space.weights[at] += value
        sums[at] += value * now


@part
def _update(hashes, label, space, sums, value, now):
    _add(hashes, space.label_keys[label], space, sums, value, now)
    for a in range(space.edges[label], space.edges[label + 1]):
        _add(hashes, space.attribute_keys[space.attributes[a]], space, sums, value, now)


@kernel(
    reads(types.int64),  # starts
    reads(types.int64),  # order
    reads(types.int32),  # words
    reads(types.int32),  # gold
    reads(types.uint64),  # aux
    reads(types.uint64, 2),  # rows
    reads(types.int32),  # choice_edges
    reads(types.int32),  # choices
    reads(types.int32),  # edges
    reads(types.int32),  # attributes
    reads(types.uint64),  # attribute_keys
    reads(types.uint64),  # label_keys
    reads(types.boolean, 2),  # follow
    reads(types.int16),  # parts
    reads(types.int16, 2),  # templates
    writes(types.int16),  # weights
    writes(types.int64),  # sums
    types.uint64,  # shift
    types.int64,  # now
    types.int64,  # margin
    writes(types.uint64),  # history
    writes(types.uint64),  # atoms
    writes(types.uint64),  # hashes
    writes(types.int64),  # memo
    writes(types.int64),  # stamp
    returns=types.int64,
)
def learn(
    starts, order, words, gold, aux, rows, choice_edges, choices, edges, attributes, attribute_keys, label_keys, follow,
    parts, templates, weights, sums, shift, now, margin, history, atoms, hashes, memo, stamp,
):  # fmt: skip
    """One pass over sentences; the number of tokens that were learnt from so far."""
    text = Text(words, rows, history, aux)
    looks = Looks(parts, templates, atoms, hashes)
    space = Space(edges, attributes, attribute_keys, label_keys, weights, shift, memo, stamp)
    count = templates.shape[0]
    tick = stamp[0]
    for o in range(order.shape[0]):
        begin = starts[order[o]]
        end = starts[order[o] + 1]
        best = follow.shape[1]
        for i in range(begin, end):
            may = follow[best]
            low = choice_edges[words[i]]
            high = choice_edges[words[i] + 1]
            now += 1
            best = choices[low]
            if high - low > 1 or best != gold[i]:
                features(i, begin, end, text, looks, 0, count)
                tick += 2
                count_attributes(choices, low, high, space, tick)
                top = rival_top = -(1 << 40)
                rival = best
                for q in range(low, high):
                    if not may[choices[q]]:
                        continue
                    total = score(choices[q], high - low, hashes, 0, count, space, tick)
                    if total > top:
                        top = total
                        best = choices[q]
                    total += margin * (choices[q] != gold[i])
                    if total > rival_top:
                        rival_top = total
                        rival = choices[q]
                if rival != gold[i] and may[gold[i]]:
                    for one, value in ((gold[i], 1), (rival, -1)):
                        _update(hashes, one, space, sums, value, now)
            history[i] = label_keys[best]
    stamp[0] = tick
    return now
