"""Nodes of relation queries: single tokens, labelled or with relations of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from paberki.errors import QueryError
from paberki.query.matching.conditions.names import Names
from paberki.query.matching.conditions.predicates import terms
from paberki.query.matching.conditions.regexes import check
from paberki.query.syntax.terms import ANYTHING, Anything, Attribute, Comparison, Condition, Text
from paberki.query.syntax.tree import (
    AnyNode,
    Choice,
    Constrained,
    Labelled,
    Pattern,
    Relation,
    Repeat,
    Root,
    Span,
    TokenPattern,
)

_RELATION: Final = "deprel"


def check_nodes(pattern: Pattern, names: Names) -> None:
    """Raise an error where a node is no token, a name is unknown or a pattern of relations is wrong."""
    if _RELATION not in names.index.attributes or any(segment.head is None for segment in names.index.segments):
        raise QueryError(
            "this corpus has no dependency relations; index it with the columns head and deprel", position=0, length=1
        )
    match pattern:
        case Relation(source, children):
            check_nodes(source, names)
            for child in children:
                _check_name(child.name, child.at)
                check_nodes(child.target, names)
        case Root(name, target, at):
            _check_name(name, at)
            check_nodes(target, names)
        case Labelled(_, part) | Constrained(part) | Span(part):
            check_nodes(part, names)
        case Choice(parts):
            for part in parts:
                check_nodes(part, names)
        case _:
            terms(node_condition(pattern), names)


def _check_name(name: str, at: tuple[int, int]) -> None:
    try:
        check(name)
    except QueryError as error:
        raise QueryError(str(error), position=max(at[0], 0), length=at[1]) from None


def node_condition(pattern: Pattern) -> Condition:
    """The condition of a node that is one token."""
    match pattern:
        case AnyNode():
            return ANYTHING
        case TokenPattern(condition):
            return condition
        case Repeat(TokenPattern(Anything())) | Repeat(AnyNode()):
            return ANYTHING
        case _:
            raise QueryError("relations join single tokens; write other patterns beside them", position=0, length=1)


def obligatory(pattern: Pattern) -> Iterator[Condition]:
    """Conditions of tokens that every match has."""
    match pattern:
        case TokenPattern(condition):
            yield condition
        case Labelled(_, part) | Root(_, part):
            yield from obligatory(part)
        case Constrained(part) | Span(part):
            yield from obligatory(part)
        case Relation(source, children):
            yield from obligatory(source)
            for child in children:
                if not child.negated:
                    yield from obligatory(child.target)
                    if child.name:
                        yield Comparison(Attribute(_RELATION), "=", Text(child.name))
        case _:
            return
