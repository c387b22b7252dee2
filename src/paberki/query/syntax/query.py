"""A query: its tree, its dialect, its canonical text and its JSON form."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from paberki.errors import QueryError
from paberki.query.syntax import json_form
from paberki.query.syntax.dialects import dialect_of
from paberki.query.syntax.macros import expand
from paberki.query.syntax.operations import chain
from paberki.query.syntax.patterns import STRATEGIES, with_modifier
from paberki.query.syntax.printer import print_pattern
from paberki.query.syntax.query_reader import Reader
from paberki.query.syntax.tree import Pattern, Strategy
from paberki.record import Record

__all__ = ["STRATEGIES", "Query", "from_json", "parse"]


class Query(Record):
    """A parsed query. ``text`` is what was typed; it takes no part in comparisons, nor does the dialect's name."""

    pattern: Pattern
    dialect: str
    text: str

    @property
    def tree(self) -> dict[str, Any]:
        """The query as JSON: ``{"kind": "sequence", "parts": […]}``."""
        return json_form.to_json(self.pattern)

    @property
    def strategy(self) -> str:
        """The matching strategy: of the query itself, else of its dialect."""
        return self.pattern.name if isinstance(self.pattern, Strategy) else dialect_of(self.dialect).strategy

    def __str__(self) -> str:
        return print_pattern(self.pattern)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Query) and self.pattern == other.pattern

    def __hash__(self) -> int:
        return hash(self.pattern)


@lru_cache(maxsize=512)
def parse(cql: str, dialect: str = "cqp") -> Query:
    """Read a query of the given dialect: cqp, manatee or blacklab."""
    rules = dialect_of(dialect)
    expansion = expand(cql)
    try:
        reader = Reader(expansion.text, rules, expansion.variables)
        pattern = with_modifier(reader, chain)
        while reader.accept(";"):
            pass
        if reader.peek().kind != "end":
            reader.fail("the end of the query", "a token", "an operator")
    except QueryError as error:
        raise expansion.relocate(error) from None
    return Query(pattern, dialect, cql)


def from_json(tree: dict[str, Any], dialect: str = "cqp") -> Query:
    """The query of a tree that :attr:`Query.tree` has written."""
    pattern = json_form.from_json(tree)
    return Query(pattern, dialect, print_pattern(pattern))
