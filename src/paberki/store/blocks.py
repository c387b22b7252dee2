"""Blocks of many pages at once: the kept ones are a tenth of all, so they are picked before Python sees any."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pyarrow as pa


def lengths_of(lists: pa.Array) -> Any:
    """Number of items in each list; 0 for null."""
    return lists.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)


def kept_blocks(texts: pa.Array, kept: pa.Array) -> tuple[list[list[str]], list[list[int]]]:
    """For each page the texts of its kept blocks, and their numbers within the page."""
    mask = kept.flatten()
    chosen = texts.flatten().filter(mask).to_pylist()
    where = np.flatnonzero(mask.to_numpy(zero_copy_only=False))
    starts: Any = np.r_[0, np.cumsum(lengths_of(texts))]
    edges: list[int] = np.searchsorted(where, starts).tolist()
    numbers = (where - np.repeat(starts[:-1], np.diff(edges))).tolist()
    pairs = list(itertools.pairwise(edges))
    return [chosen[low:high] for low, high in pairs], [numbers[low:high] for low, high in pairs]
