# mypy: ignore-errors
"""Tokens, shingles, signatures and their comparison, compiled: :mod:`paberki.dedup.signatures.shingles` and
:mod:`paberki.dedup.signatures.matching` say what they mean and hold the arrays.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import kernel, part
from paberki.kernels.hash_constants import GOLDEN
from paberki.kernels.kernel_types import reads, types, writes
from paberki.kernels.utf8_kernel import character

WORD: Final = 1
ALONE: Final = 2
"""Classes of characters: in a word, or a word by itself (East Asian); 0 between words."""
_FEW: Final = 24
"""So few numbers are sorted by insertion."""
NOTHING: Final = 0xFFFFFFFF
"""Value of a signature without a shingle."""

_GOLDEN: Final = np.uint64(GOLDEN)
_BASE: Final = np.uint64(0xD6E8FEB86659FD93)
_BASE_2: Final = np.uint64(0xC2B2AE3D27D4EB4F)
_MIX_1: Final = np.uint64(0xFF51AFD7ED558CCD)
_MIX_2: Final = np.uint64(0xC4CEB9FE1A85EC53)
_ONE: Final = np.uint64(1)
_THIRTY_TWO: Final = np.uint64(32)
_THIRTY_THREE: Final = np.uint64(33)


@part
def _mix(x):
    """Finaliser of MurmurHash3: every bit of the input changes half of the output."""
    x ^= x >> _THIRTY_THREE
    x *= _MIX_1
    x ^= x >> _THIRTY_THREE
    x *= _MIX_2
    return x ^ (x >> _THIRTY_THREE)


@part
def _tokens(data, at, end, lower, classes, tokens, count):
    """Hashes of the words of a text, put down from place ``count`` on; where they end."""
    word = np.uint64(0)
    inside = False
    while at < end:
        char, at = character(data, at, end)
        what = classes[np.uint64(char)]
        if what == WORD:
            small = np.uint64(lower[np.uint64(char)]) if char < 0x10000 else np.uint64(char)
            word = (word ^ small) * _GOLDEN
            word ^= word >> np.uint64(29)
            inside = True
        else:
            if inside:
                tokens[np.uint64(count)] = _mix(word)
                count += 1
                word = np.uint64(0)
                inside = False
            if what == ALONE:
                tokens[np.uint64(count)] = _mix((np.uint64(char) + _ONE) * _GOLDEN)
                count += 1
    if inside:
        tokens[np.uint64(count)] = _mix(word)
        count += 1
    return count


@kernel(
    reads(types.uint8), reads(types.int64), reads(types.uint16), reads(types.uint8), types.int64,
    writes(types.uint64), writes(types.uint64), writes(types.int64), writes(types.uint64, 2),
    returns=types.void,
)  # fmt: skip
def shingle(data, offsets, lower, classes, width, tokens, shingles, ends, digests):
    """Hashes of every run of ``width`` words of every text, one text after the other, in order; where those of each text
    end; and 128 bits that are the same for texts with the same words. A shorter text is one shingle.
    """
    power = _ONE
    for _ in range(width):
        power *= _BASE
    at = 0
    for text in range(len(offsets) - 1):
        count = _tokens(data, offsets[text], offsets[text + 1], lower, classes, tokens, 0)
        first = np.uint64(0)
        second = np.uint64(count)
        rolling = np.uint64(0)
        for k in range(count):
            token = tokens[np.uint64(k)]
            first = _mix(first * _BASE + token)
            second = (second ^ token) * _BASE_2 + (second >> _THIRTY_TWO)
            rolling = rolling * _BASE + token
            if k >= width:
                rolling -= power * tokens[np.uint64(k - width)]
            if k >= width - 1 or k == count - 1:
                shingles[np.uint64(at)] = _mix(rolling)
                at += 1
        ends[text] = at
        digests[text, 0] = first
        digests[text, 1] = second


@kernel(
    reads(types.uint64), reads(types.int64), types.uint64, writes(types.uint32, 2), writes(types.uint32),
    returns=types.void,
)  # fmt: skip
def sign_once(shingles, offsets, turn, signatures, bins):
    """One permutation hashing: each shingle goes to one of m bins, each bin keeps its smallest value; an empty bin takes
    that of another, found by hashing its number (optimal densification). ``turn``, an odd number, makes another draw.
    """
    m = signatures.shape[1]
    wide = np.uint64(m)
    for text in range(len(offsets) - 1):
        filled_bins = 0
        only = np.uint32(NOTHING)
        for k in range(m):
            bins[k] = NOTHING
        for k in range(offsets[text], offsets[text + 1]):
            value = shingles[np.uint64(k)] * turn
            place = ((value >> _THIRTY_TWO) * wide) >> _THIRTY_TWO
            low = np.uint32(value & np.uint64(0xFFFFFFFE))  # never NOTHING
            if low < bins[place]:
                filled_bins += bins[place] == NOTHING
                bins[place] = low
                only = low
        for k in range(m):
            place = np.uint64(k)
            if filled_bins == 1:  # of a text of a few words: to look for its only bin would take long
                bins[place] = only
            elif filled_bins > 1:
                again = _ONE
                while bins[place] == NOTHING:
                    place = ((_mix(np.uint64(k) * _GOLDEN + again) >> _THIRTY_TWO) * wide) >> _THIRTY_TWO
                    again += _ONE
            signatures[text, k] = bins[place]


@part
def _sort(values, low, high, stack):
    """Quicksort in place, without making anything; the larger half waits, so that 128 numbers are stack enough."""
    stack[0], stack[1] = low, high
    top = 2
    while top > 0:
        top -= 2
        low, high = stack[top], stack[top + 1]
        while high - low > _FEW:
            first, middle, last = values[low], values[(low + high) // 2], values[high - 1]
            pivot = max(min(first, middle), min(max(first, middle), last))
            i, j = low, high - 1
            while i <= j:
                while values[i] < pivot:
                    i += 1
                while values[j] > pivot:
                    j -= 1
                if i <= j:
                    values[i], values[j] = values[j], values[i]
                    i += 1
                    j -= 1
            if j + 1 - low > high - i:
                stack[top], stack[top + 1] = low, j + 1
                low = i
            else:
                stack[top], stack[top + 1] = i, high
                high = j + 1
            top += 2
        for i in range(low + 1, high):
            value = values[i]
            j = i - 1
            while j >= low and values[j] > value:
                values[j + 1] = values[j]
                j -= 1
            values[j + 1] = value


@kernel(
    writes(types.uint64), reads(types.int64), writes(types.int64), writes(types.int64),
    returns=types.void,
)  # fmt: skip
def make_sets(shingles, offsets, stack, sizes):
    """Sort the shingles of each text in place and drop repeated ones; ``sizes`` says how many stay."""
    for text in range(len(offsets) - 1):
        low, high = offsets[text], offsets[text + 1]
        _sort(shingles, low, high, stack)
        at = low
        last = np.uint64(0)
        for k in range(low, high):
            value = shingles[k]
            if k == low or value != last:
                shingles[at] = value
                at += 1
            last = value
        sizes[text] = at - low


@kernel(
    reads(types.uint64), reads(types.int64), reads(types.int64), reads(types.int64), reads(types.int64),
    writes(types.float64),
    returns=types.void,
)  # fmt: skip
def resemblance(sets, starts, sizes, left, right, out):
    """Size of the intersection by that of the union, for pairs of sorted sets."""
    for pair in range(len(left)):
        i, j = starts[left[pair]], starts[right[pair]]
        i_end, j_end = i + sizes[left[pair]], j + sizes[right[pair]]
        total = i_end - i + j_end - j
        shared_count = 0
        while i < i_end and j < j_end:
            a, b = sets[np.uint64(i)], sets[np.uint64(j)]
            shared_count += a == b
            i += a <= b
            j += b <= a
        out[pair] = shared_count / (total - shared_count) if total > shared_count else 0.0


@kernel(
    reads(types.uint64), reads(types.int64), types.int64, types.int64, writes(types.uint64), types.boolean,
    returns=types.int64,
)  # fmt: skip
def pairs_of_runs(values, owners, limit, heads, out, write):
    """Pairs of owners of equal values, as two numbers in one; sorted by value, then owner. Returns how many there are.

    In a run the first ``limit`` owners are all paired with each other, each later one with the first ``heads`` only. So
    pairs never go away when owners with larger numbers come.
    """
    n = len(values)
    count = 0
    begin = 0
    for j in range(1, n):
        if values[j] != values[begin]:
            begin = j
            continue
        last = j if j - begin < limit else begin + heads
        if write:
            for i in range(begin, last):
                low, high = min(owners[i], owners[j]), max(owners[i], owners[j])
                out[count] = (np.uint64(low) << _THIRTY_TWO) | np.uint64(high)
                count += 1
        else:
            count += last - begin
    return count


@kernel(writes(types.uint64), writes(types.int32), returns=types.int64)
def count_runs(values, counts):
    """Put equal neighbours together in place and count them; how many different values there are."""
    at = -1
    for k in range(len(values)):
        if at >= 0 and values[k] == values[at]:
            counts[at] += 1
        else:
            at += 1
            values[at] = values[k]
            counts[at] = 1
    return at + 1


@kernel(reads(types.uint32, 2), reads(types.int64), reads(types.int64), writes(types.int32), returns=types.void)
def shared_values(signatures, left, right, out):
    """In how many places two signatures agree, for pairs of texts."""
    m = signatures.shape[1]
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        count = 0
        for j in range(m):
            count += signatures[a, j] == signatures[b, j]
        out[pair] = count


@part
def _root(parents, one):
    while parents[one] != one:
        parents[one] = parents[parents[one]]
        one = parents[one]
    return one


@kernel(writes(types.int64), reads(types.int64), reads(types.int64), returns=types.void)
def unite(parents, left, right):
    """Join the groups of every pair; afterwards ``parents`` names the smallest member of each one's group."""
    for pair in range(len(left)):
        a, b = _root(parents, left[pair]), _root(parents, right[pair])
        if a != b:
            parents[max(a, b)] = min(a, b)
    for one in range(len(parents)):
        parents[one] = _root(parents, one)


@kernel(writes(types.int64), reads(types.int64), reads(types.int64), returns=types.void)
def stars(heads, left, right):
    """Who is left when its turn comes becomes a head and takes all neighbours that are left; ``heads`` begin as -1.

    Pairs come in order, the smaller number left: when the turn of one comes, all that may have taken it have been.
    """
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        if heads[a] < 0:
            heads[a] = a
        if heads[a] == a and heads[b] < 0:
            heads[b] = a
