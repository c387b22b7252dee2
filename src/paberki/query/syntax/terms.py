"""Operands and conditions of a query's tree: what is compared, and what is true or false of a token.

Every node is frozen and compares by content; ``at``, the place in the query text, takes no part in comparisons.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from paberki.record import Record

Place: TypeAlias = tuple[int, int]
"""Offset and length in the query text; (-1, 0) where a node was made without text."""

NOWHERE: Place = (-1, 0)


# Operands: what comparisons compare.


class Text(Record):
    """A quoted string: a regular expression, or a literal after ``==``. Flags: c ignores case, d diacritics."""

    value: str
    flags: str = ""
    at: Place = NOWHERE


class Number(Record):
    value: int | float
    at: Place = NOWHERE


class Interval(Record):
    """``in[low,high]``, both ends included; a bound may be missing."""

    low: int | float | None
    high: int | float | None
    at: Place = NOWHERE


class Attribute(Record):
    """A name, perhaps of a label's token (``a.lemma``). The empty name is the default attribute.

    Only the index knows whether a bare name is an attribute, a structure or a label.
    """

    name: str
    label: str | None = None
    at: Place = NOWHERE


class Call(Record):
    """A function of operands: ``f(a.lemma)``, ``distance(a, b)``, ``lbound(s)``."""

    name: str
    arguments: tuple[Operand, ...]
    at: Place = NOWHERE


Operand: TypeAlias = Text | Number | Interval | Attribute | Call

# Conditions: true or false of one token, of one region, or of the labels of a match.


class Anything(Record):
    """``[]``: every token."""


ANYTHING = Anything()


class Comparison(Record):
    """``left operator right``; operators are = == < <= > >= contains matches in."""

    left: Operand
    operator: str
    right: Operand
    negated: bool = False
    at: Place = NOWHERE


class Test(Record):
    """An operand by itself: inside a structure, a label that is set, a function that is true."""

    operand: Operand


class TokenNumber(Record):
    """``[#3-5]``: corpus positions, both ends included."""

    first: int
    last: int


class And(Record):
    parts: tuple[Condition, ...]


class Or(Record):
    parts: tuple[Condition, ...]


class Not(Record):
    part: Condition


Condition: TypeAlias = Anything | Comparison | Test | TokenNumber | And | Or | Not


def conjunction(parts: Iterable[Condition]) -> Condition:
    """All conditions."""
    flat = tuple(inner for part in parts for inner in (part.parts if isinstance(part, And) else (part,)))
    return flat[0] if len(flat) == 1 else And(flat)


def disjunction(parts: Iterable[Condition]) -> Condition:
    """At least one of the conditions."""
    flat = tuple(inner for part in parts for inner in (part.parts if isinstance(part, Or) else (part,)))
    return flat[0] if len(flat) == 1 else Or(flat)


def negation(part: Condition) -> Condition:
    """The opposite of a condition."""
    return part.part if isinstance(part, Not) else Not(part)
