"""Relations that a query matched: for every hit its edges in the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from paberki.query.counting.values import values_of

if TYPE_CHECKING:
    from paberki.query.index.reader import Index
    from paberki.query.matching import HitEdges, HitTable

__all__ = ["Edge", "edge_lists"]

Edge = tuple[int, int, str]
"""Position of the head (−1 for the root of a tree), position of the dependent, name of the relation."""


def edge_lists(index: Index, hits: HitTable) -> list[list[Edge]]:
    """The edges of every hit, in the order in which the query names them."""
    lists: list[list[Edge]] = [[] for _ in range(len(hits.starts))]
    for edges in hits.edges:
        names = _names(index, edges)
        for mine, source, target, name in zip(lists, edges.source.tolist(), edges.target.tolist(), names, strict=True):
            mine.append((source, target, name))
    return lists


def _names(index: Index, edges: HitEdges) -> list[str]:
    """The relation of the dependent of each edge."""
    targets: NDArray[np.int64] = np.ascontiguousarray(edges.target)
    names = values_of(index, "deprel")
    return names.texts(names.at(np.maximum(targets, 0)))
