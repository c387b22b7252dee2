"""Relations between tokens of a sentence: what depends on some tokens, and what they depend on.

A relation is named from the side of the word that is asked about: ``obj`` is what stands to it as its object, ``obj of`` is
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
from paberki.query.counting.token_scope import TokenScope
from paberki.query.counting.values import AttributeValues, Packed, values_of
from paberki.query.statistics.tree_columns import TreeColumns

if TYPE_CHECKING:
    from paberki.query.index.reader import Index
    from paberki.query.index.segment import Segment

__all__ = ["Edges", "check_trees", "edges_of", "has_trees", "margins", "relation_names"]

_AT_ONCE: Final = 1 << 16
_MOST_CELLS: Final = 1 << 26
"""Pairs of a relation and a lemma that are counted in one go."""
_LONGEST: Final = 400
"""Tokens of a sentence that are looked at; longer ones are lists or tables."""


@dataclass(frozen=True, slots=True)
class Edges:
    """Edges of some tokens: the token, the other end, the relation, and whether the other end is the head."""

    tokens: NDArray[np.int64]
    others: NDArray[np.int64]
    relations: NDArray[np.uint32]

    def keys(self, lemmas: AttributeValues) -> NDArray[np.uint64]:
        """Relation and lemma of the other end in one number."""
        return (self.relations.astype(np.uint64) << np.uint64(32)) | lemmas.at(self.others).astype(np.uint64)


def relation_names(names: AttributeValues, relations: NDArray[np.int64]) -> list[str]:
    """How people call relations; odd numbers are those seen from the dependent."""
    distinct, places = np.unique(relations, return_inverse=True)
    texts = names.texts(distinct >> 1)
    labels = [text + (" of" if relation & 1 else "") for text, relation in zip(texts, distinct.tolist(), strict=True)]
    return [labels[place] for place in places.tolist()]


def heads_at(scope: TokenScope, positions: NDArray[np.int64]) -> NDArray[np.int64]:
    """The distance to the head of each token, 0 for none."""
    heads = np.zeros(len(positions), np.int64)
    for segment in scope.places.index.segments:
        mine = np.flatnonzero((positions >= segment.base) & (positions < segment.base + segment.tokens))
        if len(mine) and segment.head is not None:
            heads[mine] = segment.head[positions[mine] - segment.base]
    return heads


def has_trees(index: Index) -> bool:
    """Whether some tokens depend on others."""
    return "deprel" in index.attributes and any(segment.head is not None for segment in index.segments)


def check_trees(scope: TokenScope) -> None:
    """Sketches need trees."""
    index = scope.places.index
    if not has_trees(index):
        raise QueryError(
            f"{index.path}: the corpus has no dependency trees; give a sketch grammar: --grammar FILE, "
            "or annotate and index it again with trees"
        )


def edges_of(scope: TokenScope, positions: NDArray[np.int64]) -> Edges:
    """All edges of some tokens, which are in ascending order."""
    parts = [
        Edges(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.uint32)),
        *_edge_parts(scope, positions),
    ]
    edges = Edges(*(np.concatenate([getattr(part, name) for part in parts]) for name in Edges.__slots__))
    order = np.argsort(edges.tokens, kind="stable")
    return Edges(edges.tokens[order], edges.others[order], edges.relations[order])


def _edge_parts(scope: TokenScope, positions: NDArray[np.int64]) -> Iterator[Edges]:
    index = scope.places.index
    names = values_of(index, "deprel")
    for segment in index.segments:
        low, high = np.searchsorted(positions, (segment.base, segment.base + segment.tokens)).tolist()
        for begin in range(low, high, _AT_ONCE):
            if segment.head is not None:
                yield _dependents(segment, names, positions[begin : min(begin + _AT_ONCE, high)] - segment.base)
    yield _governors(scope, names, positions)


def _sentences(segment: Segment, tokens: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """From where to where the sentences of some tokens of a segment go, as far as they are looked at."""
    lows, highs = np.maximum(tokens - _LONGEST, 0), np.minimum(tokens + _LONGEST, segment.tokens)
    if "s" not in segment.structures:
        return lows, highs
    sentences = segment.structure("s")
    regions = sentences.region_of(tokens)
    inside = np.flatnonzero(regions >= 0)
    lows[inside] = np.maximum(lows[inside], sentences.starts[regions[inside]])
    highs[inside] = np.minimum(highs[inside], sentences.ends[regions[inside]])
    return lows, highs


def _dependents(segment: Segment, names: AttributeValues, tokens: NDArray[np.int64]) -> Edges:
    """Edges to what depends on some tokens of a segment."""
    heads: Any = segment.head
    kernel = load("paberki.query.statistics.relation_pairs_kernel")
    run = {1: kernel.dependents_8, 2: kernel.dependents_16, 4: kernel.dependents_32}[heads.dtype.itemsize]
    lows, highs = _sentences(segment, tokens)
    room = int((highs - lows).sum())
    owners, others = np.empty(room, np.int64), np.empty(room, np.int64)
    count = run(heads, tokens, lows, highs, owners, others)
    owners, others = owners[:count] + segment.base, others[:count] + segment.base
    return Edges(owners, others, names.at(others) * np.uint32(2))


def _governors(scope: TokenScope, names: AttributeValues, tokens: NDArray[np.int64]) -> Edges:
    heads = heads_at(scope, tokens)
    places = np.flatnonzero(heads != 0)
    return Edges(tokens[places], tokens[places] + heads[places], names.at(tokens[places]) * np.uint32(2) + np.uint32(1))


def margins(scope: TokenScope, lemmas: AttributeValues) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """How often each lemma is at the other end of each relation in the whole scope: keys in rising order, counts."""

    def make() -> dict[str, NDArray[Any]]:
        keys, counts = _count_margins(scope, lemmas)
        return {"keys": keys, "counts": counts}

    memory = scope.__dict__.setdefault("_margins", {})
    if lemmas.name not in memory:
        memory[lemmas.name] = cached_arrays(scope, f"relations-{lemmas.name}", ("keys", "counts"), make)
    return memory[lemmas.name]["keys"], memory[lemmas.name]["counts"]


def _count_margins(scope: TokenScope, lemmas: AttributeValues) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Counted segment by segment, in tables of all pairs of a relation and a lemma."""
    names = values_of(scope.places.index, "deprel")
    keys, counts = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
    for segment, lemma, name in zip(scope.places.index.segments, lemmas.columns, names.columns, strict=True):
        if segment.head is None:
            continue
        step = max(1, _MOST_CELLS // max(2 * lemma.size, 1))
        for first in range(0, name.size, step):
            rows = 2 * (min(first + step, name.size) - first)
            relations, lemma_ids, hits = _count_segment(scope, segment, lemma, name, 2 * first, rows)
            relations = _common(name, relations >> 1) * 2 + (relations & 1)
            numbers = _common(lemma, lemma_ids)
            keys.append((relations.astype(np.uint64) << np.uint64(32)) | numbers.astype(np.uint64))
            counts.append(hits)
    return _sum_by_key(np.concatenate(keys), np.concatenate(counts))


def _count_segment(
    scope: TokenScope, segment: Segment, lemma: Packed, name: Packed, first: int, rows: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Relations from ``first`` on, lemmas and how often: ids of the segment."""
    heads: Any = segment.head
    kernel = load("paberki.query.statistics.relation_pairs_kernel")
    run = {1: kernel.count_relations_8, 2: kernel.count_relations_16, 4: kernel.count_relations_32}
    columns = TreeColumns(lemma.words, lemma.width, name.words, name.width, lemma.size)
    table = np.zeros(rows * lemma.size, np.uint32)
    lows = np.maximum(scope.starts - segment.base, 0)
    highs = np.minimum(scope.ends - segment.base, segment.tokens)
    for low, high in zip(lows.tolist(), highs.tolist(), strict=True):
        if low < high:
            run[heads.dtype.itemsize](columns, heads, low, high, first, table)
    present = np.flatnonzero(table)
    return present // lemma.size + first, present % lemma.size, table[present].astype(np.int64)


def _common(column: Packed, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    return ids if column.numbers is None else column.numbers[ids].astype(np.int64)


def _sum_by_key(keys: NDArray[np.uint64], counts: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Keys in rising order, each once, with the sum of its counts."""
    if not len(keys) or bool((keys[1:] > keys[:-1]).all()):
        return keys, counts
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    begins = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    return keys[begins], np.add.reduceat(counts, begins)
