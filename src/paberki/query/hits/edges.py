"""Relations that a query matched: for every hit its edges in the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paberki.query.index.reader import Index
    from paberki.query.matching import HitTable

__all__ = ["edge_lists"]


def edge_lists(index: Index, hits: HitTable) -> list[list[tuple[Any, ...]]]:
    """Source, target (global positions) and name of every edge of every hit."""
    lists: list[list[tuple[Any, ...]]] = [[] for _ in range(len(hits.starts))]
    for edge in getattr(hits, "edges", None) or ():
        for edges, *parts in zip(lists, *(part.tolist() for part in edge), strict=True):
            edges.append(tuple(parts))
    return lists
