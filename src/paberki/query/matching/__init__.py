"""Matching: where in the index does a query occur?

:func:`run` compiles a query for an index and gives a :class:`Search`, which finds hits when somebody asks for them.
"""

from __future__ import annotations

from paberki.errors import QueryError
from paberki.nearest import nearest
from paberki.query.index.reader import Index
from paberki.query.index.selection import Selection
from paberki.query.matching.budget import Budget, Count
from paberki.query.matching.hit_search import Search
from paberki.query.matching.hit_table import HitEdges, HitTable
from paberki.query.matching.program import prepare
from paberki.query.syntax import DIALECTS, STRATEGIES, Query, parse

__all__ = ["Budget", "Count", "HitEdges", "HitTable", "Search", "run"]

_NO_LIMIT = Budget()


def run(
    index: Index,
    query: str | Query,
    *,
    strategy: str | None = None,
    dialect: str = "cqp",
    budget: Budget = _NO_LIMIT,
    selection: Selection | str | None = None,
) -> Search:
    """A search for a query. Errors of the query are raised here, before anything is searched."""
    if isinstance(query, str):
        query = parse(query, dialect)
    strategy_name = strategy or query.strategy
    if strategy_name not in STRATEGIES:
        hint = nearest(strategy_name, STRATEGIES)
        raise QueryError(f"there is no matching strategy {strategy_name!r}{hint}; choose from {', '.join(STRATEGIES)}")
    program = prepare(query.pattern, index, DIALECTS[query.dialect], strategy_name)
    if not isinstance(selection, Selection):
        selection = index.selection(selection)
    return Search(index, query, program, budget, selection)
