# mypy: ignore-errors
"""Runs of words that were seen before, compiled: :mod:`paberki.dedup.repeats.word_runs` says what it means and holds the arrays.

Also here, since they go over rows of numbers in the same way: Rabin fingerprints, and following two texts as long as they
agree.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.dedup.signatures.shingle_kernel import _mix, _tokens
from paberki.kernels import kernel, part
from paberki.kernels.kernel_types import reads, types, writes

_BASE: Final = np.uint64(0xD6E8FEB86659FD93)
_ONE: Final = np.uint64(1)
_THIRTY_TWO: Final = np.uint64(32)
_FORTY_EIGHT: Final = np.uint64(48)
_NOBODY: Final = np.uint64(0)
"""Owner of a run of words that was not seen before; block numbers are stored plus one."""
_KNOWN: Final = np.uint32(0xFFFFFFFF)
"""Stands for a place in the table where a run of words is seen already."""
_AHEAD: Final = 512
"""Words whose places in the table are read ahead of the walk: one after the other, each would wait for memory."""


@kernel(
    reads(types.uint8), reads(types.int64), reads(types.uint16), reads(types.uint8), writes(types.uint64),
    writes(types.int64),
    returns=types.int64,
)  # fmt: skip
def token_hashes(data, offsets, lower, classes, tokens, ends):
    """Hashes of the words of many texts, one after the other; where those of each end."""
    at = 0
    for text in range(len(offsets) - 1):
        at = _tokens(data, offsets[text], offsets[text + 1], lower, classes, tokens, at)
        ends[text] = at
    return at


@kernel(reads(types.uint64), reads(types.int64), types.int64, writes(types.uint64), returns=types.void)
def tuple_hashes(tokens, page_ends, width, tuples):
    """For every word the hash of the run of ``width`` words that ends there; 0 where there are not so many on the page."""
    power = _ONE
    for _ in range(width):
        power *= _BASE
    begin = 0
    for page in range(len(page_ends)):
        rolling = np.uint64(0)
        for k in range(begin, page_ends[page]):
            rolling = rolling * _BASE + tokens[np.uint64(k)]
            if k - begin >= width:
                rolling -= power * tokens[np.uint64(k - width)]
            tuples[np.uint64(k)] = (_mix(rolling) | _ONE) if k - begin >= width - 1 else np.uint64(0)
        begin = page_ends[page]


@part
def _slot(value, size):
    """The slot where a value should be: larger ones are further on."""
    return ((value >> _THIRTY_TWO) * np.uint64(size)) >> _THIRTY_TWO


@part
def _find(keys, at, value):
    """Place of a value in a table, or of the free slot where it belongs, from the one on where it should be.

    There are some more slots than those that values ask for; the very last always stays free.
    """
    while keys[at] != value and keys[at] != np.uint64(0):
        at += _ONE
    return at


@part
def _put(keys, owners, at, value, owner):
    """Put a value into a table from a slot on, unless it is there; whether it is new. It may not find room at the end."""
    at = _find(keys, at, value)
    if keys[at] == value or at == np.uint64(len(keys) - 1):
        return 0
    keys[at] = value
    owners[at] = owner
    return 1


@part
def _read_ahead(tuples, token, keys, owners, size):
    """Have the table's places of the next tuples near the processor; a number that stands for what was read."""
    read = np.uint64(0)
    for k in range(token, min(token + _AHEAD, len(tuples))):
        at = _slot(tuples[np.uint64(k)], size)
        read ^= keys[at] ^ np.uint64(owners[at])
    return read


@kernel(
    reads(types.uint64), reads(types.int64), reads(types.int64), reads(types.uint64), types.int64, types.float64,
    types.int64, types.int64, types.int64, writes(types.uint64), writes(types.uint32), types.int64,
    writes(types.uint64), writes(types.uint64), writes(types.uint32), writes(types.uint8), writes(types.int32),
    writes(types.uint64),
    returns=types.int64,
)  # fmt: skip
def mark(
    tuples, block_ends, page_blocks, before, width, threshold, stub, first, base, keys, owners, size, own_keys,
    own_owners, places, bad, covered_words, repeats,
):  # fmt: skip
    """Mark blocks most of whose words lie in tuples that were seen before, page by page; how many tuples are new.

    Tuples of blocks that are not marked are put into the table (``keys``, ``owners``, ``size`` slots); block numbers count from ``first``
    and are stored plus one, in the table without ``base``, so that they take four bytes there. ``before`` has the owner of each tuple that is known from elsewhere, or is empty. What is new
    on the page at hand is in a small table of its own, since it counts as seen within the page; ``places`` keeps where it
    would go in the large one. ``repeats`` gets the block that most hits lead to (by majority vote).
    """
    new = 0
    token = 0
    has_owners = len(before) > 0
    ahead = 0
    read = np.uint64(0)
    for page in range(len(page_blocks) - 1):
        low, high = page_blocks[page], page_blocks[page + 1]
        begin = token
        end = block_ends[high - 1] if high > low else begin
        small = 16
        while small < 2 * (end - begin):
            small *= 2
        for k in range(small):
            own_keys[k] = np.uint64(0)
        for block in range(low, high):
            until = 0
            hits = 0
            votes = 0
            choice = _NOBODY
            block_begin = token
            while token < block_ends[block]:
                if token == ahead:
                    read ^= _read_ahead(tuples, token, keys, owners, size)
                    ahead += _AHEAD
                value = tuples[np.uint64(token)]
                if value != np.uint64(0):
                    owner = _NOBODY
                    at = _find(keys, _slot(value, size), value)
                    if keys[at] == value:
                        owner = np.uint64(owners[at]) + np.uint64(base)
                    elif has_owners:
                        owner = before[np.uint64(token)]
                    places[np.uint64(token - begin)] = _KNOWN if owner != _NOBODY else at
                    if owner == _NOBODY:
                        place = (value >> _THIRTY_TWO) & np.uint64(small - 1)
                        while own_keys[place] != value and own_keys[place] != np.uint64(0):
                            place = (place + _ONE) & np.uint64(small - 1)
                        if own_keys[place] == value:
                            owner = own_owners[place]
                        else:
                            own_keys[place] = value
                            own_owners[place] = np.uint64(first + block + 1)
                    if owner != _NOBODY:
                        from_ = max(token - width + 1, until, block_begin)
                        hits += token + 1 - from_
                        until = token + 1
                        if votes == 0:
                            choice = owner
                        votes += 1 if choice == owner else -1
                token += 1
            length = token - block_begin
            covered_words[block] = hits
            bad[block] = length > 0 and hits > threshold * length
            repeats[block] = choice
        if stub > 0:
            last = low - 1
            for block in range(low, high + 1):
                if block == high or bad[block]:
                    if last >= low or block < high:
                        between = 0
                        for k in range(last + 1, block):
                            between += block_ends[k] - (block_ends[k - 1] if k > 0 else 0)
                        if between <= stub:
                            for k in range(last + 1, block):
                                if block_ends[k] > (block_ends[k - 1] if k > 0 else 0):
                                    bad[k] = 2
                    last = block
        for block in range(low, high):
            if not bad[block]:
                for k in range(block_ends[block - 1] if block > 0 else 0, block_ends[block]):
                    value, at = tuples[np.uint64(k)], places[np.uint64(k - begin)]
                    if value != np.uint64(0) and at != _KNOWN:
                        new += _put(keys, owners, np.uint64(at), value, np.uint32(first + block + 1 - base))
    own_keys[0] = read  # what nobody uses would not be read at all
    return new


@kernel(
    reads(types.uint64), reads(types.uint32), writes(types.uint64), writes(types.uint32), types.int64,
    returns=types.void,
)  # fmt: skip
def put_in(values, their_owners, keys, owners, size):
    """Put values that are not there into a table."""
    for k in range(len(values)):
        value = values[np.uint64(k)]
        _put(keys, owners, _slot(value, size), value, their_owners[np.uint64(k)])


@kernel(
    writes(types.uint64), writes(types.uint32), types.int64, types.int64, writes(types.uint64), writes(types.uint32),
    returns=types.void,
)  # fmt: skip
def grow(keys, owners, size, larger, group, group_owners):
    """Give a table more slots, where it lies.

    A value's new slot is never before its old one. So the groups of neighbouring slots that are taken are taken out and
    put in again from the last to the first: none falls on one that still lies as before. Of a group that is larger than
    ``group`` (which needs hashes that somebody has chosen) the rest is forgotten.
    """
    at = len(keys) - larger + size
    while at > 0:
        at -= 1
        if keys[np.uint64(at)] == np.uint64(0):
            continue
        last = at
        while at > 0 and keys[np.uint64(at - 1)] != np.uint64(0):
            at -= 1
        count = last + 1 - at
        group_size = min(count, len(group))
        for k in range(group_size):
            group[k], group_owners[k] = keys[at + k], owners[at + k]
        keys[at : last + 1] = np.uint64(0)
        for k in range(group_size):
            _put(keys, owners, _slot(group[k], larger), group[k], group_owners[k])


@kernel(
    reads(types.uint64), writes(types.int64), writes(types.uint64), writes(types.uint32), returns=types.void
)  # fmt: skip
def sort_hashes(values, counts, in_order, places):
    """Hashes in order, and where each was; ``counts`` and ``in_order`` are zeros.

    Hashes are spread evenly: their first bits put them into 65,536 small heaps, which are sorted one by one.
    """
    for k in range(len(values)):
        counts[(values[np.uint64(k)] >> _FORTY_EIGHT) + _ONE] += 1
    for heap in range(1, len(counts)):
        counts[heap] += counts[heap - 1]
    for k in range(len(values)):
        value = values[np.uint64(k)]
        heap = value >> _FORTY_EIGHT
        at = np.uint64(counts[heap])
        counts[heap] += 1
        while at > np.uint64(0) and in_order[at - _ONE] > value:  # before a heap is a smaller one, or nothing yet
            in_order[at], places[at] = in_order[at - _ONE], places[at - _ONE]
            at -= _ONE
        in_order[at], places[at] = value, np.uint32(k)


@kernel(reads(types.uint64), reads(types.uint64), writes(types.int64), returns=types.void)
def cut_at(values, index, edges):
    """Where those of the values, which are in order, begin that are not less than each of the index."""
    at = 0
    for k in range(len(index)):
        while at < len(values) and values[np.uint64(at)] < index[np.uint64(k)]:
            at += 1
        edges[np.uint64(k)] = at


@part
def _place(values, low, high, value):
    """The first place, of some where values are in order, whose value is not less than this one."""
    while low < high:
        middle = (low + high) >> 1
        if values[np.uint64(middle)] < value:
            low = middle + 1
        else:
            high = middle
    return low


@kernel(
    reads(types.uint64), reads(types.uint64), types.int64, reads(types.int64), reads(types.int64), reads(types.uint64),
    reads(types.uint32), writes(types.uint64),
    returns=types.void,
)  # fmt: skip
def look_up(keys, owners, size, firsts, lasts, tuples, places, answers):
    """Write the owner of every tuple that is among the keys; ``firsts`` and ``lasts`` say which tuples lie in each block of
    ``size`` keys."""
    for block in range(len(firsts)):
        begin, end = block * size, min((block + 1) * size, len(keys))
        for k in range(firsts[block], lasts[block]):
            value = tuples[np.uint64(k)]
            at = _place(keys, begin, end, value)
            if at < end and keys[np.uint64(at)] == value:
                answers[places[np.uint64(k)]] = owners[np.uint64(at)]


@kernel(
    reads(types.uint64), reads(types.uint64), reads(types.boolean), writes(types.int64), writes(types.int64),
    returns=types.int64,
)  # fmt: skip
def occurrences(values, tuples, sieve, places, which):
    """Places of the values that are among the tuples, and which tuple each is; how many there are.

    ``tuples`` is sorted; ``sieve`` says whether any tuple has these first bits, which most have not.
    """
    shift = np.uint64(64)
    size = len(sieve)
    while size > 1:
        size >>= 1
        shift -= _ONE
    count = 0
    for k in range(len(values)):
        value = values[np.uint64(k)]
        if not sieve[value >> shift]:
            continue
        at = _place(tuples, 0, len(tuples), value)
        if at < len(tuples) and tuples[np.uint64(at)] == value:
            places[count] = k
            which[count] = at
            count += 1
    return count


@kernel(
    reads(types.uint64), reads(types.int64), reads(types.uint64, 3), writes(types.uint64, 2), returns=types.void
)  # fmt: skip
def sign_rabin(shingles, offsets, tables, signatures):
    """The smallest Rabin fingerprint of each polynomial over the shingles of each text; a table for each byte."""
    for text in range(len(offsets) - 1):
        for j in range(tables.shape[0]):
            smallest = np.uint64(0xFFFFFFFFFFFFFFFF)
            for k in range(offsets[text], offsets[text + 1]):
                value = shingles[np.uint64(k)]
                print_ = np.uint64(0)
                for byte in range(8):
                    print_ ^= tables[j, byte, (value >> np.uint64(8 * byte)) & np.uint64(0xFF)]
                smallest = min(smallest, print_)
            signatures[text, j] = smallest


@kernel(
    reads(types.uint64), reads(types.int64), reads(types.int64), reads(types.int64), reads(types.int64),
    reads(types.int64), reads(types.int64), types.int64, writes(types.int64), writes(types.int64),
    returns=types.void,
)  # fmt: skip
def extend(tokens, starts, sizes, left, right, left_at, right_at, least, begins, ends):
    """How far two texts agree around a place that they share: the run of words of the right one.

    Pairs of the same texts follow each other in the order of places. What lies ``least`` words or more inside a run that
    was followed before is not followed again, forward or back, so that the time is linear in the texts however often they
    repeat themselves; such a pair gets an empty run.
    """
    covered_end = np.int64(0)
    for pair in range(len(left)):
        if pair == 0 or left[pair] != left[pair - 1] or right[pair] != right[pair - 1]:
            covered_end = np.int64(0)
        begins[pair] = right_at[pair]
        ends[pair] = right_at[pair]
        if right_at[pair] + least <= covered_end:
            continue
        a, b = starts[left[pair]] + left_at[pair], starts[right[pair]] + right_at[pair]
        a_low, a_high = starts[left[pair]], starts[left[pair]] + sizes[left[pair]]
        b_low, b_high = starts[right[pair]] + max(covered_end - least, 0), starts[right[pair]] + sizes[right[pair]]
        back = 0
        while a - back - 1 >= a_low and b - back - 1 >= b_low and tokens[a - back - 1] == tokens[b - back - 1]:
            back += 1
        on = 0
        while a + on < a_high and b + on < b_high and tokens[a + on] == tokens[b + on]:
            on += 1
        begins[pair] = right_at[pair] - back
        ends[pair] = right_at[pair] + on
        if on + back >= least:
            covered_end = max(covered_end, ends[pair])
