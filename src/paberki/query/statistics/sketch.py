"""Word sketches: with which words, in which relations, a lemma stands.

Score of a collocate w₂ of w₁ in relation R: logDice = 14 + log2(2·f(w₁,R,w₂) ÷ (f(w₁,R,·) + f(·,R,w₂))) (Rychlý 2008),
counted over trees. With a sketch grammar, f(·,R,w₂) is how often w₂ occurs in the corpus.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.errors import QueryError
from paberki.query.counting.list_table import ListOptions, arrow_numbers, arrow_texts
from paberki.query.counting.spread import Spread, number_rows, occurrences_of, spread_of
from paberki.query.counting.token_scope import TokenScope
from paberki.query.counting.values import AttributeValues, values_of
from paberki.query.statistics.association_measures import measure
from paberki.query.statistics.relation_pairs import check_trees, edges_of, margins, relation_names

__all__ = ["Triples", "number_of_lemma", "sketch", "sketch_difference", "triples_of"]

PER_RELATION: Final = 25
"""Collocates of each relation that are listed."""


@dataclass(frozen=True, slots=True)
class Triples:
    """What stands to some tokens in which relation: one row for each pair of relation and lemma."""

    keys: NDArray[np.uint64]
    spread: Spread
    scores: NDArray[np.float64]

    @property
    def relations(self) -> NDArray[np.int64]:
        """Number of the relation of each row."""
        return (self.keys >> np.uint64(32)).astype(np.int64)

    @property
    def lemmas(self) -> NDArray[np.int64]:
        """Number of the lemma of each row."""
        return (self.keys & np.uint64(0xFFFFFFFF)).astype(np.int64)


def number_of_lemma(lemmas: AttributeValues, lemma: str) -> int:
    """The number of a lemma; one that does not occur is an error."""
    if (number := lemmas.number_of(lemma)) < 0:
        raise QueryError(f"the lemma {lemma!r} does not occur in the corpus")
    return number


def triples_of(scope: TokenScope, lemmas: AttributeValues, number: int) -> Triples:
    """All triples of a lemma, from trees."""
    positions = lemmas.positions(np.array([number], np.uint32))
    if not scope.is_whole:
        positions = positions[scope.runs_of(positions) >= 0]
    return triples_at(scope, lemmas, positions)


def triples_at(scope: TokenScope, lemmas: AttributeValues, positions: NDArray[np.int64]) -> Triples:
    """All triples of some tokens."""
    edges = edges_of(scope, positions)
    keys = edges.keys(lemmas)
    rows, firsts = number_rows(keys)
    spread = spread_of(rows, len(firsts), occurrences_of(scope, edges.tokens), scope)
    distinct = keys[firsts]
    all_keys, all_counts = margins(scope, lemmas)
    others = (
        all_counts[np.minimum(np.searchsorted(all_keys, distinct), max(len(all_keys) - 1, 0))]
        if len(rows)
        else spread.hits
    )
    relations = (distinct >> np.uint64(32)).astype(np.int64)
    totals = np.bincount(relations, weights=spread.hits, minlength=1)
    return Triples(distinct, spread, measure("logdice", spread.hits, totals[relations], others, scope.tokens))


def sketch(
    scope: TokenScope,
    lemma: str,
    *,
    attribute: str = "lemma",
    limit: int | None = PER_RELATION,
    options: ListOptions | None = None,
) -> Any:
    """The best collocates in each relation; relations with many hits first."""
    check_trees(scope)
    lemmas = values_of(scope.places.index, attribute)
    triples = triples_of(scope, lemmas, number_of_lemma(lemmas, lemma))
    return sketch_table(scope, lemmas, triples, limit, options or ListOptions())


def sketch_table(
    scope: TokenScope, lemmas: AttributeValues, triples: Triples, limit: int | None, options: ListOptions
) -> Any:
    """Triples as a table."""
    import pyarrow as pa

    names = values_of(scope.places.index, "deprel")
    strings = lemmas.strings.take(arrow_numbers(triples.lemmas)).cast(pa.string())
    rows = options.rows(strings, triples.spread.hits)
    rows = rows[_best_of_each(triples.relations[rows], triples.scores[rows], triples.spread.hits[rows], limit)]
    relations = relation_names(names, triples.relations[rows])
    columns = {**triples.spread.take(rows).columns(scope.tokens), "logdice": triples.scores[rows]}
    number_columns = {name: arrow_numbers(column) for name, column in columns.items()}
    return pa.table(
        {"relation": arrow_texts(relations), "collocate": strings.take(arrow_numbers(rows)), **number_columns}
    )


def _best_of_each(
    relations: NDArray[np.int64], scores: NDArray[np.float64], hits: NDArray[np.int64], limit: int | None
) -> NDArray[np.int64]:
    """Rows relation by relation, those with many hits first, and in each the best ones."""
    totals = np.bincount(relations, weights=hits, minlength=1)
    order = np.lexsort((-hits, -scores, relations, -totals[relations]))
    if limit is None or not len(order):
        return order
    sorted_relations = relations[order]
    begins = np.flatnonzero(np.append(True, sorted_relations[1:] != sorted_relations[:-1]))
    ranks = np.arange(len(order)) - np.repeat(begins, np.diff(np.append(begins, len(order))))
    return order[ranks < limit]


def sketch_difference(
    scope: TokenScope,
    first: str,
    second: str,
    *,
    attribute: str = "lemma",
    limit: int | None = PER_RELATION,
    options: ListOptions | None = None,
) -> Any:
    """What two lemmas share and what is typical of one: scores beside each other, the largest differences first."""
    import pyarrow as pa

    check_trees(scope)
    lemmas, options = values_of(scope.places.index, attribute), options or ListOptions()
    numbers = [number_of_lemma(lemmas, lemma) for lemma in (first, second)]
    one, two = (triples_of(scope, lemmas, number) for number in numbers)
    both = triples_at(scope, lemmas, np.sort(lemmas.positions(np.unique(np.array(numbers, np.uint32)))))
    hits = [_align(both.keys, side.keys, side.spread.hits) for side in (one, two)]
    scores = [_align(both.keys, side.keys, side.scores) for side in (one, two)]
    strings = lemmas.strings.take(arrow_numbers(both.lemmas)).cast(pa.string())
    rows = options.rows(strings, both.spread.hits)
    distance = np.abs(scores[0] - scores[1])
    rows = rows[_best_of_each(both.relations[rows], distance[rows], both.spread.hits[rows], limit)]
    names = values_of(scope.places.index, "deprel")
    return pa.table(
        {
            "relation": relation_names(names, both.relations[rows]),
            "collocate": strings.take(rows),
            **both.spread.take(rows).columns(scope.tokens),
            f"hits {first}": hits[0][rows].astype(np.int64),
            f"hits {second}": hits[1][rows].astype(np.int64),
            f"logdice {first}": scores[0][rows],
            f"logdice {second}": scores[1][rows],
            "difference": scores[0][rows] - scores[1][rows],
        }
    )


def _align(keys: NDArray[np.uint64], own: NDArray[np.uint64], values: NDArray[Any]) -> NDArray[np.float64]:
    """Values of one side in the order of common keys, 0 where it has none."""
    order = np.argsort(own)
    places = np.minimum(np.searchsorted(own, keys, sorter=order), max(len(own) - 1, 0))
    if not len(own):
        return np.zeros(len(keys))
    at = order[places]
    return np.where(own[at] == keys, values[at], 0).astype(np.float64)
