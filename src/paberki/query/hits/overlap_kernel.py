# mypy: ignore-errors
"""Hits that do not overlap, compiled."""

from __future__ import annotations

import numpy as np

from paberki.kernels import kernel
from paberki.kernels.kernel_types import INT, reads, types, writes


@kernel(reads(types.int64), reads(types.int64), writes(types.uint32), returns=INT)
def without_overlap(starts, ends, numbers):
    """Write the numbers of hits that begin where the last one written has ended; hits are in the order of starts."""
    count = 0
    end = np.int64(-1)
    for k in range(len(starts)):
        if starts[k] >= end:
            numbers[count] = k
            count += 1
            end = ends[k]
    return count
