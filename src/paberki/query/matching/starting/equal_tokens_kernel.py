# mypy: ignore-errors
"""Tokens with the same id some places apart, compiled: see :mod:`paberki.query.matching.starting.equal_tokens`.

Several ids are compared at once: as many as 57 bits hold. Invariants: ``words`` is a packed column
(:mod:`paberki.query.index.columns_kernel`), all tokens up to ``high + distance`` exist, ``out`` has room for ``high - low``.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import kernel
from paberki.kernels.kernel_types import INT, reads, trailing_zeros, types, writes
from paberki.query.index.columns_kernel import bits_at, mask_of

_BITS: Final = 57
"""So many bits can be read from any place on."""
_ONE: Final = np.uint64(1)
_ZERO: Final = np.uint64(0)


@kernel(reads(types.uint64), INT, INT, INT, INT, writes(types.int64), returns=INT)
def equal_places(words, width, distance, low, high, out):
    """Write the places from ``low`` to before ``high`` whose id is that of the token ``distance`` behind; their number.

    The highest bit of each id is 1 in the sum below unless the two are equal, whatever stands beside it.
    """
    wide, mask = np.uint64(width), mask_of(width)
    lanes = _BITS // width
    tops, rests = _ZERO, _ZERO
    for lane in range(lanes):
        tops |= _ONE << np.uint64((lane + 1) * width - 1)
        rests |= (mask >> _ONE) << np.uint64(lane * width)
    apart = np.uint64(distance) * wide
    step = np.uint64(lanes) * wide
    bit = np.uint64(low) * wide
    count = 0
    place = low
    while place + lanes <= high:
        different = bits_at(words, bit) ^ bits_at(words, bit + apart)
        equal = ~(((different & rests) + rests) | different) & tops
        while equal:
            out[np.uint64(count)] = place + np.int64(trailing_zeros(equal)) // width
            count += 1
            equal &= equal - _ONE
        place += lanes
        bit += step
    while place < high:
        if ((bits_at(words, bit) ^ bits_at(words, bit + apart)) & mask) == _ZERO:
            out[np.uint64(count)] = place
            count += 1
        place += 1
        bit += wide
    return count
