# mypy: ignore-errors
"""Where some strings occur in bytes, compiled: see :mod:`paberki.quality.marks.anchors`.

Invariants: every literal has at least :data:`WIDTH` bytes; a place is written only where the whole literal lies inside
``data``; ``places`` and ``numbers`` have room for one entry per byte and literal with the same beginning.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import inner, kernel, part
from paberki.kernels.kernel_types import filled, given, types

WIDTH: Final = 3
"""Bytes of a literal by which it is looked up."""
BUCKETS: Final = 4096
_WINDOW: Final = np.uint64((1 << (8 * WIDTH)) - 1)
_PAIR: Final = np.uint64(0xFFFF)
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_BYTE: Final = np.uint64(8)
_SHIFT: Final = np.uint64(52)
_OLDER: Final = np.uint64(64 - 8 * WIDTH)
_CAPITAL_A: Final = np.uint8(ord("A"))
_LETTERS: Final = np.uint8(26)
_TO_SMALL: Final = np.uint64(5)
"""ASCII letters differ by this bit."""


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


@kernel(given(types.uint8), returns=types.int64)
def bucket_of(letters):
    """Bucket of a literal."""
    window = np.uint64(0)
    for at in range(WIDTH):
        window = (window << _BYTE) | np.uint64(letters[at])
    return np.int64(_bucket(window))


@kernel(
    given(types.uint8), given(types.uint8), given(types.int32), given(types.int32), given(types.uint64),
    given(types.uint8), given(types.int32), filled(types.int32), filled(types.int32),
    returns=types.int64,
)  # fmt: skip
def find(data, pairs, firsts, following, windows, letters, edges, places, numbers):
    """Write the places and numbers of all literals in the data, in the order of places; the result is their count.

    ``pairs`` says of every two bytes whether a literal has them as its second and third: a look that costs little and
    spares most bytes the rest. ``firsts`` gives the first literal of each bucket and ``following`` the next one of the same bucket, −1 for none.
    """
    count = 0
    window = np.uint64(0)
    for at in range(len(data)):
        window = (window << _BYTE) | _small(data[np.uint64(at)])
        if pairs[window & _PAIR] and firsts[_bucket(window)] >= 0:
            number = firsts[_bucket(window)]
            place = at - WIDTH + 1
            while number >= 0 and count < len(places):
                if windows[number] == window & _WINDOW and _stands_at(
                    data, place, letters, edges[number], edges[number + 1]
                ):
                    places[count] = place
                    numbers[count] = number
                    count += 1
                number = following[number]
    return count
