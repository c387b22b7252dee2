# mypy: ignore-errors
"""Numbers of 64 bits in order, compiled: digit by digit, from the last to the first.

numpy's own way is as fast only where it has instructions for it, and on half of the machines several times slower.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import kernel
from paberki.kernels.kernel_types import filled, types

DIGITS: Final = 6
_BITS: Final = np.uint64(11)
BUCKETS: Final = 1 << 11
_LAST: Final = np.uint64(BUCKETS - 1)


@kernel(filled(types.uint64), filled(types.uint64), filled(types.int64, 2), returns=types.boolean)
def sort_numbers(values, other, counts):
    """Sort numbers with the help of as much room; whether the result lies in that room. ``counts`` are zeros.

    A digit that all numbers have is passed over.
    """
    n = len(values)
    for k in range(n):
        value = values[np.uint64(k)]
        for digit in range(DIGITS):
            counts[digit, value & _LAST] += 1
            value >>= _BITS
    swapped = False
    shift = np.uint64(0)
    for digit in range(DIGITS):
        begin, most = 0, 0
        for bucket in range(BUCKETS):
            count = counts[digit, bucket]
            counts[digit, bucket] = begin
            begin += count
            most = max(most, count)
        if most < n:
            for k in range(n):
                value = values[np.uint64(k)]
                bucket = (value >> shift) & _LAST
                other[np.uint64(counts[digit, bucket])] = value
                counts[digit, bucket] += 1
            values, other = other, values
            swapped = not swapped
        shift += _BITS
    return swapped
