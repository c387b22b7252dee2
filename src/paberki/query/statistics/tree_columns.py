"""What the kernel that counts relations works on: see :mod:`paberki.query.statistics.relation_pairs`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["TreeColumns"]


class TreeColumns(NamedTuple):
    """Packed ids of lemmas and of relations of one segment, and how many lemmas there are."""

    lemmas: NDArray[np.uint64]
    lemma_width: int
    names: NDArray[np.uint64]
    name_width: int
    size: int
