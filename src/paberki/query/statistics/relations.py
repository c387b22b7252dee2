"""Relations between tokens of a sentence: what depends on some tokens, and what they depend on.

A relation is told from the side of the word that is asked about: ``obj`` is what stands to it as its object, ``obj of`` is
what it is the object of.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.errors import QueryError
from paberki.kernels import load
from paberki.query.counting.cache import cached_arrays
from paberki.query.counting.places import located, partition
from paberki.query.counting.scope import Scope
from paberki.query.counting.values import Values, values_of

if TYPE_CHECKING:
    from paberki.query.index.segment import Segment

__all__ = ["Edges", "edges_of", "margins", "relation_names"]

_AT_ONCE: Final = 1 << 16
_PIECE: Final = 1 << 20
_LONGEST: Final = 400
"""Tokens of a sentence that are looked at; longer ones are lists or tables."""


@dataclass(frozen=True, slots=True)
class Edges:
    """Edges of some tokens: the token, the other end, the relation, and whether the other end is the head."""

    tokens: NDArray[np.int64]
    others: NDArray[np.int64]
    relations: NDArray[np.uint32]

    def keys(self, lemmas: Values) -> NDArray[np.uint64]:
        """Relation and lemma of the other end in one number."""
        return (self.relations.astype(np.uint64) << np.uint64(32)) | lemmas.at(self.others).astype(np.uint64)


def relation_names(names: Values, relations: NDArray[np.int64]) -> list[str]:
    """How people call relations; odd numbers are those seen from the dependent."""
    distinct, places = np.unique(relations, return_inverse=True)
    texts = names.texts(distinct >> 1)
    shown = [text + (" of" if relation & 1 else "") for text, relation in zip(texts, distinct.tolist(), strict=True)]
    return [shown[place] for place in places.tolist()]


def heads_at(scope: Scope, positions: NDArray[np.int64]) -> NDArray[np.int64]:
    """The distance to the head of each token, 0 for none."""
    heads = np.zeros(len(positions), np.int64)
    for segment in scope.places.index.segments:
        mine = np.flatnonzero((positions >= segment.base) & (positions < segment.base + segment.tokens))
        if len(mine) and segment.head is not None:
            heads[mine] = segment.head[positions[mine] - segment.base]
    return heads


def check_trees(scope: Scope) -> None:
    """Sketches need trees."""
    index = scope.places.index
    if "deprel" not in index.attributes or all(segment.head is None for segment in index.segments):
        raise QueryError(
            f"{index.path}: the corpus has no dependency trees; give a sketch grammar: --grammar FILE, "
            "or annotate and index it again with trees"
        )


def edges_of(scope: Scope, positions: NDArray[np.int64]) -> Edges:
    """All edges of some tokens, which are in ascending order."""
    parts = [
        Edges(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.uint32)),
        *_edge_parts(scope, positions),
    ]
    edges = Edges(*(np.concatenate([getattr(part, name) for part in parts]) for name in Edges.__slots__))
    order = np.argsort(edges.tokens, kind="stable")
    return Edges(edges.tokens[order], edges.others[order], edges.relations[order])


def _edge_parts(scope: Scope, positions: NDArray[np.int64]) -> Iterator[Edges]:
    index = scope.places.index
    names = values_of(index, "deprel")
    edges = partition(index, "s") if "s" in index.structures else scope.places.edges
    at = located(positions, edges[:-1]).astype(np.int64)
    lows = np.maximum(edges[at], positions - _LONGEST)
    highs = np.minimum(edges[at + 1], positions + _LONGEST)
    for segment in index.segments:
        low, high = np.searchsorted(positions, (segment.base, segment.base + segment.tokens)).tolist()
        for begin in range(low, high, _AT_ONCE):
            part = slice(begin, min(begin + _AT_ONCE, high))
            if segment.head is not None:
                yield _dependents(segment, names, positions[part], lows[part], highs[part])
    yield _governors(scope, names, positions)


def _dependents(
    segment: Segment, names: Values, tokens: NDArray[np.int64], lows: NDArray[np.int64], highs: NDArray[np.int64]
) -> Edges:
    """Edges to what depends on some tokens of a segment."""
    heads: Any = segment.head
    kernel = load("paberki.query.statistics.relations_kernel")
    run = {1: kernel.dependents_8, 2: kernel.dependents_16, 4: kernel.dependents_32}[heads.dtype.itemsize]
    room, base = int((highs - lows).sum()), segment.base
    owners, others = np.empty(room, np.int64), np.empty(room, np.int64)
    count = run(heads, tokens - base, lows - base, highs - base, owners, others)
    owners, others = owners[:count] + base, others[:count] + base
    return Edges(owners, others, names.at(others) * np.uint32(2))


def _governors(scope: Scope, names: Values, tokens: NDArray[np.int64]) -> Edges:
    heads = heads_at(scope, tokens)
    chosen = np.flatnonzero(heads != 0)
    return Edges(tokens[chosen], tokens[chosen] + heads[chosen], names.at(tokens[chosen]) * np.uint32(2) + np.uint32(1))


def margins(scope: Scope, lemmas: Values) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """How often each lemma is at the other end of each relation in the whole scope: keys in rising order, counts."""

    def make() -> dict[str, NDArray[Any]]:
        keys, counts = _count_margins(scope, lemmas)
        return {"keys": keys, "counts": counts}

    memory = scope.__dict__.setdefault("_margins", {})
    if lemmas.name not in memory:
        memory[lemmas.name] = cached_arrays(scope, f"relations-{lemmas.name}", make)
    return memory[lemmas.name]["keys"], memory[lemmas.name]["counts"]


def _count_margins(scope: Scope, lemmas: Values) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Counted relation by relation in one table of all pairs."""
    names = values_of(scope.places.index, "deprel")
    kernel = load("paberki.query.counting.counting_kernel")
    counts = np.zeros(2 * names.size * lemmas.size, np.int64)
    width = np.int64(lemmas.size)
    for start, end in zip(scope.starts.tolist(), scope.ends.tolist(), strict=True):
        for low in range(start, end, _PIECE):
            positions = np.arange(low, min(low + _PIECE, end))
            heads = heads_at(scope, positions)
            chosen = np.flatnonzero(heads != 0)
            relations = names.at(positions[chosen]).astype(np.int64) * 2
            for relation, others in (
                (relations, positions[chosen]),
                (relations + 1, positions[chosen] + heads[chosen]),
            ):
                rows = relation * width + lemmas.at(others)
                kernel.count_wide_rows(rows, counts)
    present = np.flatnonzero(counts)
    keys = ((present // width).astype(np.uint64) << np.uint64(32)) | (present % width).astype(np.uint64)
    return keys, counts[present]
