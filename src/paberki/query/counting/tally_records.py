"""What the kernels of tallies work on, by name: see :mod:`paberki.query.counting.tally`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["HitPlaces", "PageShares", "PageSums", "RowTallies", "TokenWindows"]


class PageShares(NamedTuple):
    """Host, share in all tokens, and tokens of every page."""

    hosts: NDArray[np.int32]
    shares: NDArray[np.float64]
    tokens: NDArray[np.int64]


class HitPlaces(NamedTuple):
    """Where hits are: positions within the scope and pages, both rising."""

    positions: NDArray[np.int64]
    pages: NDArray[np.uint32]


class RowTallies(NamedTuple):
    """What is counted for each row, and for some more that take all that is not asked for."""

    weights: NDArray[np.float64]
    """1 ÷ hits of the row in the end."""
    limits: NDArray[np.uint64]
    """The whole part of tokens ÷ hits, the stretch, shifted, plus one."""
    firsts: NDArray[np.int64]
    """First position."""
    lasts: NDArray[np.uint64]
    """Last position so far, shifted; all bits are one for none."""
    distances: NDArray[np.uint64]
    """Sum of the distances between neighbours, shifted, none longer than the limit, plus the number of those that were."""
    in_page: NDArray[np.int64]
    """Hits on the page at hand."""
    page_rows: NDArray[np.uint16]
    """Rows of the page at hand, with room for one more than there are."""
    pages: NDArray[np.int64]
    together: NDArray[np.float64]
    """Sum of the smaller of two shares, see ``dp``."""
    host_rows: NDArray[np.uint64]
    """For each host a bit for every row that it has; the last host stands for pages without one."""


class PageSums(NamedTuple):
    """What is counted where whole pages are closed for all rows at once."""

    frequencies: NDArray[np.float32]
    """Hits of each row in the end."""
    in_page: NDArray[np.uint16]
    """Hits on the page at hand."""
    pages: NDArray[np.uint32]
    """Pages that have the row."""
    light_tokens: NDArray[np.uint32]
    """Tokens of those pages whose share in all tokens is the smaller one."""
    beyond: NDArray[np.uint32]
    """Hits on the other pages."""


class TokenWindows(NamedTuple):
    """Hits in the positions of their segment, the regions where their windows stop, and the first and last token."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    regions: NDArray[np.uint32]
    edges: NDArray[np.int64]
    low: int
    high: int
