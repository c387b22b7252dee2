"""Operands and conditions of a query's tree: what is compared, and what is true or false of a token.

Every node is frozen and compares by content; ``at``, the place in the query text, takes no part in comparisons.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

Place: TypeAlias = tuple[int, int]
"""Offset and length in the query text; (-1, 0) where a node was made without text."""

NOWHERE: Place = (-1, 0)


# Operands: what comparisons compare.


@dataclass(frozen=True, slots=True)
class Text:
    """A quoted string: a regular expression, or a literal after ``==``. Flags: c ignores case, d diacritics."""

    value: str
    flags: str = ""
    at: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Number:
    value: int | float
    at: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Interval:
    """``in[low,high]``, both ends included; a bound may be missing."""

    low: int | float | None
    high: int | float | None
    at: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A name, perhaps of a label's token (``a.lemma``). The empty name is the default attribute.

    Only the index knows whether a bare name is an attribute, a structure or a label.
    """

    name: str
    label: str | None = None
    at: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A function of operands: ``f(a.lemma)``, ``distance(a, b)``, ``lbound(s)``."""

    name: str
    arguments: tuple[Operand, ...]
    at: Place = field(default=NOWHERE, compare=False, repr=False)


Operand: TypeAlias = Text | Number | Interval | Attribute | Call

# Conditions: true or false of one token, of one region, or of the labels of a match.


@dataclass(frozen=True, slots=True)
class Anything:
    """``[]``: every token."""


ANYTHING = Anything()


@dataclass(frozen=True, slots=True)
class Comparison:
    """``left operator right``; operators are = == < <= > >= contains matches in."""

    left: Operand
    operator: str
    right: Operand
    negated: bool = False
    at: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Test:
    """An operand by itself: inside a structure, a label that is set, a function that is true."""

    operand: Operand


@dataclass(frozen=True, slots=True)
class TokenNumber:
    """``[#3-5]``: corpus positions, both ends included."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
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
