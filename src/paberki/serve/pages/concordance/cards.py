"""A query as the builder draws it: a card for each token, arrows for relations, a grey card for what cannot be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paberki.query.syntax.printer import print_pattern
from paberki.query.syntax.terms import And, Anything, Attribute, Comparison, Condition, Or, Text
from paberki.query.syntax.tree import Child, Filter, Labelled, Pattern, Region, Relation, Repeat, Sequence, TokenPattern

if TYPE_CHECKING:
    from paberki.query import Query
    from paberki.serve.pages.visit import Visit

__all__ = ["builder_cards", "cards_of"]

Card = dict[str, Any]


def builder_cards(visit: Visit) -> dict[str, Any]:
    """``/builder?q=``: the cards of a query, and what conditions can be about."""
    from paberki.query import parse
    from paberki.query.syntax.plain_words import cql_of

    index = visit.edition.index
    cql = cql_of(visit.value("q"), index)
    cards = cards_of(parse(cql)) if cql.strip() else {"cards": [], "within": ""}
    structures = [name for name in ("s", "p", "doc") if name in index.structures]
    return {
        **cards,
        "attributes": [*index.attributes, *index.aliases],
        "structures": structures,
        "relations": "deprel" in index.attributes,
    }


def cards_of(query: Query) -> dict[str, Any]:
    """Cards from left to right, and the structure that all of it lies in."""
    pattern, within = query.pattern, ""
    if isinstance(pattern, Filter) and pattern.relation == "within" and not pattern.negated:
        scope = pattern.scope
        if isinstance(scope, Region) and isinstance(scope.condition, Anything) and not scope.regex:
            pattern, within = pattern.part, scope.name
    parts = pattern.parts if isinstance(pattern, Sequence) else (pattern,)
    return {"cards": [card for part in parts for card in _cards(part)], "within": within}


def _cards(part: Pattern) -> list[Card]:
    if isinstance(part, Relation):
        return _relation(part) or [_raw(part)]
    return [_card(part)]


def _raw(part: Pattern) -> Card:
    text = print_pattern(part)
    alone = isinstance(part, TokenPattern | Repeat | Labelled)
    return {"kind": "raw", "cql": text if alone else f"({text})", "alone": text}


def _card(part: Pattern) -> Card:
    """A token with label and repetition; what is more is raw."""
    low, high, inner = 1, 1, part
    if isinstance(inner, Repeat):
        low, high, inner = inner.low, inner.high, inner.part  # type: ignore[assignment]
    label = ""
    if isinstance(inner, Labelled):
        label, inner = inner.label, inner.part
    conditions = _conditions(inner.condition) if isinstance(inner, TokenPattern) else None
    if conditions is None or (label and not label.isalnum()) or label.startswith("target"):
        return _raw(part)
    join, rows = conditions
    return {"kind": "token", "join": join, "conditions": rows, "low": low, "high": high, "label": label}


def _conditions(condition: Condition) -> tuple[str, list[Card]] | None:
    """Rows of one card, all of them joined alike; None for what rows cannot say."""
    if isinstance(condition, Anything):
        return "&", []
    join = "|" if isinstance(condition, Or) else "&"
    parts = condition.parts if isinstance(condition, And | Or) else (condition,)
    rows = [_row(one) for one in parts]
    return None if any(row is None for row in rows) else (join, [row for row in rows if row is not None])


def _row(condition: Condition) -> Card | None:
    if not isinstance(condition, Comparison) or condition.operator not in ("=", "==", "contains"):
        return None
    left, right = condition.left, condition.right
    if not isinstance(left, Attribute) or left.label is not None or not isinstance(right, Text):
        return None
    return {
        "attribute": left.name,
        "operator": condition.operator,
        "negated": condition.negated,
        "value": right.value,
        "flags": right.flags,
    }


def _relation(part: Relation) -> list[Card] | None:
    """A chain of arrows, each token with one dependent; None for trees that branch."""
    cards: list[Card] = []
    node: Pattern = part
    while isinstance(node, Relation):
        if len(node.children) != 1:
            return None
        child: Child = node.children[0]
        source = _card(node.source)
        if (
            source["kind"] != "token"
            or child.label is not None
            or not all(c.isalnum() or c in ":_" for c in child.name)
        ):
            return None
        cards += [
            source,
            {"kind": "relation", "name": child.name, "negated": child.negated, "descendants": child.descendants},
        ]
        node = child.target
    last = _card(node)
    return [*cards, last] if last["kind"] == "token" else None
