"""Similar words: lemmas that stand in the same relations with the same words.

The score is that of Sketch Engine's thesaurus (Rychlý & Kilgarriff 2007): over all pairs of relation and word that both
lemmas have, the sum of a + b − (a − b)² ÷ 50, divided by the sum of a and b over all pairs that either has, with a and b
the logDice of the pair. Pairs with a logDice below 0 do not count.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.query.counting.list_table import ListOptions, table_of
from paberki.query.counting.token_scope import TokenScope
from paberki.query.counting.values import AttributeValues, values_of
from paberki.query.statistics.relation_pairs import check_trees
from paberki.query.statistics.sketch import Triples, number_of_lemma, triples_of
from paberki.query.statistics.wordlist import counts_in, spread_in

__all__ = ["similar"]

_PAIRS: Final = 60
"""Best pairs of the lemma whose other partners become candidates."""
_CANDIDATES: Final = 150
"""Candidates that are compared in full."""
_MOST_HITS: Final = 200_000
"""A partner more frequent than this says little about who stands with it."""


def similar(
    scope: TokenScope,
    lemma: str,
    *,
    attribute: str = "lemma",
    limit: int | None = 50,
    options: ListOptions | None = None,
) -> Any:
    """The most similar lemmas, the most similar first."""
    check_trees(scope)
    lemmas = values_of(scope.places.index, attribute)
    number = number_of_lemma(lemmas, lemma)
    mine = _positive(triples_of(scope, lemmas, number))
    candidates = _candidates(scope, lemmas, number, mine)
    scores = np.array([_score(mine, _positive(triples_of(scope, lemmas, one))) for one in candidates.tolist()])
    rows = np.flatnonzero(scores > 0) if len(scores) else np.zeros(0, np.int64)
    places = (options or ListOptions()).rows(
        lemmas.strings.take(candidates[rows]), counts_in(scope, lemmas)[candidates[rows]]
    )
    rows = rows[places]
    rows = rows[np.argsort(-scores[rows], kind="stable")][:limit]
    columns = spread_in(scope, lemmas, candidates[rows]).columns(scope.tokens)
    values = lemmas.strings.take(candidates[rows])
    return table_of(
        {attribute: values}, {**columns, "similarity": scores[rows] if len(rows) else np.zeros(0)}, by=("similarity",)
    )


_Pairs = tuple[NDArray[np.uint64], NDArray[np.float64]]


def _positive(triples: Triples) -> _Pairs:
    """Keys in rising order and scores of pairs that speak for something."""
    rows = np.flatnonzero(triples.scores > 0)
    order = rows[np.argsort(triples.keys[rows])]
    return triples.keys[order], triples.scores[order]


def _candidates(scope: TokenScope, lemmas: AttributeValues, number: int, mine: _Pairs) -> NDArray[np.int64]:
    """Lemmas that share many good pairs with this one."""
    keys, scores = mine
    totals = np.zeros(lemmas.size)
    for at in np.argsort(-scores)[:_PAIRS].tolist():
        relation, partner = int(keys[at]) >> 32, int(keys[at]) & 0xFFFFFFFF
        if lemmas.counts[partner] > _MOST_HITS:
            continue
        theirs = triples_of(scope, lemmas, partner)
        inverse_rows = np.flatnonzero((theirs.relations == relation ^ 1) & (theirs.scores > 0))
        totals[theirs.lemmas[inverse_rows]] += np.minimum(theirs.scores[inverse_rows], scores[at])
    totals[number] = 0
    best = np.argsort(-totals, kind="stable")[:_CANDIDATES]
    return best[totals[best] > 0]


def _score(one: _Pairs, two: _Pairs) -> float:
    """How similar two lemmas are, from 0 to 1."""
    total = float(one[1].sum() + two[1].sum())
    if not len(one[0]) or not len(two[0]):
        return 0.0
    places = np.searchsorted(two[0], one[0])
    shared = np.flatnonzero((places < len(two[0])) & (two[0][np.minimum(places, len(two[0]) - 1)] == one[0]))
    first, second = one[1][shared], two[1][places[shared]]
    return float((first + second - (first - second) ** 2 / 50).sum()) / total if total else 0.0
