"""What is counted when an index is made, so that the first list of its kind need not wait for it."""

from __future__ import annotations

from pathlib import Path

from paberki.query.concordancer import OpenIndex
from paberki.query.counting.values import values_of
from paberki.query.statistics.relation_pairs import has_trees, margins

__all__ = ["prepare_lists"]


def prepare_lists(path: Path) -> None:
    """Count the relations of all lemmas in the part of an index that is asked by default."""
    scope = OpenIndex(path)._scope()
    index = scope.places.index
    if has_trees(index) and "lemma" in index.attributes:
        margins(scope, values_of(index, "lemma"))
