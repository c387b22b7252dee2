# mypy: ignore-errors
"""Automata over tokens, compiled: see :mod:`paberki.query.matching.automata.automaton`.

``fails`` has for every position a bit for every state: 1 where the token (or, for final states, the position itself)
does not satisfy it. A run that begins at position b may read ``length`` tokens, so that ``fails[b + length]`` exists.

Invariants: bits above the number of states are 0 in all sets; beginning and length together are below ``len(fails)``.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import inner, kernel
from paberki.kernels.kernel_types import reads, types, writes

FIRST: Final = 0
FINAL: Final = 1
TABLE: Final = 2
"""Words of a narrow automaton: the states a run begins in, the final states, then for each byte of a set of states 256
words, the states that follow."""
BYTE_VALUES: Final = 256
EARLIEST: Final = 0
LATEST: Final = 1
EVERY: Final = 2
BEGIN, START, LENGTH = 0, 1, 2
"""Columns of ``runs``."""
NONE: Final = -1
OPEN: Final = -2
"""Ends of runs that match nothing, and of those that had to stop before it was clear."""
_BYTE: Final = np.uint64(8)
_LOW_BYTE: Final = np.uint64(0xFF)
_ONE: Final = np.uint64(1)
_ZERO: Final = np.uint64(0)
_WORD_BITS: Final = 64


@inner
def _following(automaton, states):
    """The states that follow a set of states."""
    union = _ZERO
    row = np.uint64(TABLE)
    while states:
        union |= automaton[row + (states & _LOW_BYTE)]
        row += np.uint64(BYTE_VALUES)
        states >>= _BYTE
    return union


@kernel(reads(types.uint64), types.uint64, types.int64, writes(types.int64), returns=types.int64)
def begins_of(fails, first, count, out):
    """Write the positions below ``count`` where a run can take its first step; the result is their number.

    ``out`` has room for one more than ``count``.
    """
    total = np.uint64(0)
    for place in range(count):
        out[total] = place
        total += np.uint64((~fails[np.uint64(place)] & first) != _ZERO)
    return np.int64(total)


@kernel(reads(types.uint64), types.int64, types.int64, writes(types.int64), returns=types.int64)
def fixed_sequences(fails, count, length, out):
    """Write the positions below ``count`` where state 0, 1, … ``length`` - 1 hold one after another; their number.

    Without room in ``out`` they are only counted.
    """
    total = np.uint64(0)
    keep = len(out) > 0
    for place in range(count):
        fail_bits = fails[np.uint64(place)]
        for offset in range(1, length):
            fail_bits |= fails[np.uint64(place + offset)] >> np.uint64(offset)
        if keep:
            out[total] = place
        total += ~fail_bits & _ONE
    return np.int64(total)


@kernel(reads(types.uint8), types.int64, types.int64, writes(types.uint8), returns=types.int64)
def fixed_rows(fails, count, length, out):
    """The same for up to eight states, whose bits are bytes: write 1 for each of these positions, 0 for others; how many are 1.

    Each loop does one thing to neighbouring bytes, so that the processor does it to many of them at once.
    """
    for place in range(count):
        out[np.uint64(place)] = fails[np.uint64(place)]
    for offset in range(1, length):
        shift = np.uint8(offset)
        for place in range(count):
            out[np.uint64(place)] |= fails[np.uint64(place + offset)] >> shift
    total = 0
    for place in range(count):
        is_match = ~out[np.uint64(place)] & np.uint8(1)
        out[np.uint64(place)] = is_match
        total += is_match
    return total


@kernel(
    reads(types.uint64), reads(types.int64, 2), reads(types.uint64), reads(types.uint64), types.int64,
    writes(types.int64), writes(types.uint64), returns=types.void,
)  # fmt: skip
def run(fails, runs, firsts, automaton, mode, ends, alive):
    """The end of the earliest or latest match of each run, relative to its beginning, and the states it was cut off in.

    ``runs`` has the place in the masks, the position in the text (in rising order), and the number of tokens, below 0 where
    the run is cut off after so many; ``firsts`` has the states that each begins in. In the latest mode, a run that cannot
    go beyond the furthest end before it is left out.
    """
    final = automaton[FINAL]
    furthest = np.int64(0)
    for number in range(len(firsts)):
        begin, start = runs[number, BEGIN], runs[number, START]
        length = abs(runs[number, LENGTH])
        ends[number], alive[number] = NONE, _ZERO
        if mode == LATEST and runs[number, LENGTH] >= 0 and start + length <= furthest:
            continue
        states, best, at = firsts[number], np.int64(NONE), np.int64(0)
        while states:
            matching_states = states & ~fails[np.uint64(begin + at)]
            if matching_states & final and at > 0:
                best = at
                if mode == EARLIEST:
                    break
            matching_states &= ~final
            if at == length:
                if matching_states and runs[number, LENGTH] < 0:
                    alive[number] = states
                break
            states = _following(automaton, matching_states) if matching_states else _ZERO
            at += 1
        ends[number] = best
        furthest = max(furthest, start + best)


@kernel(
    reads(types.uint64), reads(types.int64), reads(types.int64), reads(types.uint64), writes(types.int64),
    writes(types.int64), returns=types.int64,
)  # fmt: skip
def run_every(fails, begins, lengths, automaton, numbers, ends):
    """All ends of matches from each beginning: number of the beginning and end relative to it.

    The result is their count; nothing is written where there is no more room. A run that was cut off while states were
    alive has the end :data:`OPEN` as well.
    """
    first, final = automaton[FIRST], automaton[FINAL]
    count = np.int64(0)
    for number in range(len(begins)):
        begin = begins[number]
        length = abs(lengths[number])
        states, at = first, np.int64(0)
        while states:
            matching_states = states & ~fails[np.uint64(begin + at)]
            end = np.int64(NONE)
            if matching_states & final and at > 0:
                end = at
            matching_states &= ~final
            if end != NONE:
                if count < len(ends):
                    numbers[count], ends[count] = number, end
                count += 1
            if at == length:
                if matching_states and lengths[number] < 0:
                    if count < len(ends):
                        numbers[count], ends[count] = number, OPEN
                    count += 1
                break
            states = _following(automaton, matching_states) if matching_states else _ZERO
            at += 1
    return count


@inner
def _follow_wide(matching_states, follow, states):
    """Write into ``states`` what follows the set ``matching_states``; whether that is anything."""
    words = len(states)
    for word in range(words):
        states[word] = _ZERO
    alive = _ZERO
    for word in range(words):
        bits = matching_states[word]
        state = word * _WORD_BITS
        while bits:
            if bits & _LOW_BYTE == _ZERO:
                bits >>= _BYTE
                state += 8
                continue
            if bits & _ONE:
                for to in range(words):
                    states[to] |= follow[state, to]
                    alive |= follow[state, to]
            bits >>= _ONE
            state += 1
    return alive != _ZERO


@kernel(
    reads(types.uint64, 2), reads(types.int64), reads(types.int64), reads(types.uint64, 2), types.int64,
    writes(types.uint64, 2), writes(types.int64), writes(types.int64), returns=types.int64,
)  # fmt: skip
def run_wide(fails, begins, lengths, automaton, mode, sets, numbers, ends):
    """The same for automata of more than 64 states, whose sets take several words; answers as :func:`run_every` gives.

    ``automaton`` has the first states, the final states, then what follows each state. ``sets`` has two rows of room.
    """
    words = fails.shape[1]
    count = np.int64(0)
    for number in range(len(begins)):
        begin = begins[number]
        length = abs(lengths[number])
        for word in range(words):
            sets[0, word] = automaton[FIRST, word]
        at, best, alive = np.int64(0), np.int64(NONE), True
        while alive:
            final_states, rest = _ZERO, _ZERO
            for word in range(words):
                matching_states = sets[0, word] & ~fails[begin + at, word]
                final_states |= matching_states & automaton[FINAL, word]
                sets[1, word] = matching_states & ~automaton[FINAL, word]
                rest |= sets[1, word]
            if final_states and at > 0:
                best = at
                if mode == EVERY and count < len(ends):
                    numbers[count], ends[count] = number, at
                count += mode == EVERY
                if mode == EARLIEST:
                    break
            if at == length:
                if rest and lengths[number] < 0:
                    best = OPEN
                break
            alive = rest != _ZERO and _follow_wide(sets[1], automaton[TABLE:], sets[0])
            at += 1
        if mode != EVERY or best == OPEN:
            if count < len(ends):
                numbers[count], ends[count] = number, best
            count += 1
    return count
