# mypy: ignore-errors
"""Which values stand side by side, compiled: see :mod:`paberki.query.matching.conditions.neighbours`.

Invariants: ``words`` is a packed column (:mod:`paberki.query.index.columns_kernel`); tokens up to ``stop`` and places exist;
``marks`` has a row and a column for each class of values, the last for all ids from there on, or a row for each stretch.
"""

from __future__ import annotations

import numpy as np

from paberki.kernels import inner, kernel
from paberki.kernels.kernel_types import INT, reads, types, writes
from paberki.query.index.columns_kernel import bits_at, mask_of


@inner
def _class_at(words, wide, mask, place, last):
    return min(bits_at(words, np.uint64(place) * wide) & mask, last)


@kernel(reads(types.uint64), INT, INT, INT, writes(types.uint8, 2), returns=INT)
def mark_pairs(words, width, start, stop, marks):
    """Mark the class of each token from ``start`` to before ``stop`` and that of the token behind it."""
    wide, mask, last = np.uint64(width), mask_of(width), np.uint64(marks.shape[1] - 1)
    before = _class_at(words, wide, mask, start, last)
    for place in range(start + 1, stop + 1):
        behind = _class_at(words, wide, mask, place, last)
        marks[before, behind] = 1
        before = behind
    return stop - start


@kernel(reads(types.uint64), INT, reads(types.int64), INT, writes(types.uint8, 2), returns=INT)
def mark_places(words, width, places, shift, marks):
    """Mark the stretch of each place, which has two to the power of ``shift`` tokens, and the class of its token."""
    wide, mask, last = np.uint64(width), mask_of(width), np.uint64(marks.shape[1] - 1)
    for k in range(len(places)):
        place = places[np.uint64(k)]
        marks[np.uint64(place >> shift), _class_at(words, wide, mask, place, last)] = 1
    return len(places)
