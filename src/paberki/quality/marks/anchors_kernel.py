# mypy: ignore-errors
"""Where some strings occur in bytes, compiled: see :mod:`paberki.quality.marks.anchors`.

Invariants: every literal has at least :data:`WIDTH` bytes; a place is written only where the whole literal lies inside
``data``; ``places`` and ``numbers`` have room for one entry per byte and literal with the same beginning.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from paberki.kernels import inner, kernel, part
from paberki.kernels.kernel_types import reads, types, writes

WIDTH: Final = 3
"""Bytes of a literal by which it is looked up."""
BUCKETS: Final = 4096
AT_PAIR: Final = 1
BEFORE_PAIR: Final = 2
"""Where a literal may begin: at a pair of bytes, or one byte before it."""
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_BYTE: Final = np.uint64(8)
_SHIFT: Final = np.uint64(52)
_OLDER: Final = np.uint64(64 - 8 * WIDTH)
_CAPITAL_A: Final = np.uint8(ord("A"))
_LETTERS: Final = np.uint8(26)
_TO_SMALL: Final = np.uint64(5)
"""ASCII letters differ by this bit."""


class _Table(NamedTuple):
    """The literals, by bucket."""

    firsts: object
    following: object
    windows: object
    letters: object
    edges: object


@inner
def _small(byte):
    """The small letter of an ASCII letter; other bytes as they are."""
    return np.uint64(byte) | (np.uint64(np.uint8(byte - _CAPITAL_A) < _LETTERS) << _TO_SMALL)


@inner
def _bucket(window):
    """Bucket of the last bytes of a window; older ones are shifted out."""
    return ((window << _OLDER) * _MIX) >> _SHIFT


@part
def _stands_at(data, place, letters, low, high):
    """Whether the literal in ``letters[low:high]`` stands at a place."""
    if place + high - low > len(data):
        return False
    for offset in range(WIDTH, high - low):
        if _small(data[place + offset]) != np.uint64(letters[low + offset]):
            return False
    return True


@kernel(reads(types.uint8), returns=types.int64)
def bucket_of(letters):
    """Bucket of a literal."""
    window = np.uint64(0)
    for at in range(WIDTH):
        window = (window << _BYTE) | np.uint64(letters[at])
    return np.int64(_bucket(window))


@part
def _window(data, place):
    """The bytes of a literal by which it is looked up, in small letters, where it would begin."""
    window = np.uint64(0)
    for at in range(place, place + WIDTH):
        window = (window << _BYTE) | _small(data[np.uint64(at)])
    return window


@part
def _add_literals(data, place, table, places, numbers, count):
    """Add the literals that stand at a place; the result is the count of all so far."""
    if place < 0 or place + WIDTH > len(data):
        return count
    window = _window(data, place)
    number = table.firsts[_bucket(window)]
    while number >= 0 and count < len(places):
        if table.windows[number] == window and _stands_at(
            data, place, table.letters, table.edges[number], table.edges[number + 1]
        ):
            places[count] = place
            numbers[count] = number
            count += 1
        number = table.following[number]
    return count


@kernel(
    reads(types.uint8), reads(types.uint8), reads(types.int32), reads(types.int32), reads(types.uint64),
    reads(types.uint8), reads(types.int32), writes(types.int32), writes(types.int32),
    returns=types.int64,
)  # fmt: skip
def find(data, pairs, firsts, following, windows, letters, edges, places, numbers):
    """Write the places and numbers of all literals in the data, in the order of places; the result is their count.

    Every second byte is looked at together with the one after it. ``pairs`` says of them whether a literal has them as
    its first and second (:data:`AT_PAIR`), or second and third (:data:`BEFORE_PAIR`), in any case: a look that costs
    little and spares most bytes the rest. ``firsts`` gives the first literal of each bucket and ``following`` the next
    one of the same bucket, −1 for none.
    """
    table = _Table(firsts, following, windows, letters, edges)
    count = 0
    for at in range(0, len(data) - 1, 2):
        role = pairs[(np.uint64(data[np.uint64(at)]) << _BYTE) | np.uint64(data[np.uint64(at + 1)])]
        if role:
            if role & BEFORE_PAIR:
                count = _add_literals(data, at - 1, table, places, numbers, count)
            if role & AT_PAIR:
                count = _add_literals(data, at, table, places, numbers, count)
    return count
