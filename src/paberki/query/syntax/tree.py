"""The tree of a query: patterns over tokens, and operations on hits; conditions are in :mod:`paberki.query.syntax.terms`.

Every node is frozen and compares by content; ``at``, the place in the query text, takes no part in comparisons.
Sequences, alternatives, conjunctions and disjunctions are flat: their makers below take nested ones apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from paberki.query.syntax.terms import ANYTHING, NOWHERE, Condition, Operand, Place
from paberki.record import Record

# Patterns: what spans of tokens look like.


class TokenPattern(Record):
    condition: Condition


class Sequence(Record):
    parts: tuple[Pattern, ...]


class Choice(Record):
    parts: tuple[Pattern, ...]


class Repeat(Record):
    """A part ``low`` to ``high`` times; ``high`` is None without limit."""

    part: Pattern
    low: int
    high: int | None
    at: Place = NOWHERE


class Labelled(Record):
    """``a:part``. The labels ``target`` and ``keyword`` are written ``@`` and ``@9``."""

    label: str
    part: Pattern
    at: Place = NOWHERE


class OpenTag(Record):
    """``<s>`` or ``<s id="3">``: a region starts here. ``regex``: the name is a pattern of names."""

    name: str
    condition: Condition = ANYTHING
    regex: bool = False
    at: Place = NOWHERE


class CloseTag(Record):
    """``</s>``: a region ends here, the same one that an open tag before it has opened."""

    name: str
    regex: bool = False
    at: Place = NOWHERE


class Region(Record):
    """``<s id="3"/>``: a whole region."""

    name: str
    condition: Condition = ANYTHING
    regex: bool = False
    at: Place = NOWHERE


class Look(Record):
    """``[: :]``, ``(?= )``, ``(?! )``, ``(?<= )``, ``(?<! )``: what stands beside without being part of the hit."""

    part: Pattern
    behind: bool = False
    negated: bool = False


class Both(Record):
    """``A & B`` between patterns: spans that match all parts."""

    parts: tuple[Pattern, ...]


class Complement(Record):
    """``A & !(B C)``: of the spans that match A, those that do not match the part."""

    part: Pattern
    at: Place = NOWHERE


class Meet(Record):
    """``MU(meet A B low high)`` or with a structure instead of the window; the hit is the token of A."""

    left: Pattern
    right: Pattern
    low: int = 1
    high: int = 1
    structure: str | None = None
    negated: bool = False
    at: Place = NOWHERE


class Union(Record):
    """``MU(union A B)``: tokens of A and tokens of B."""

    left: Pattern
    right: Pattern


class Table(Record):
    """``TAB A {1,3} B``: tokens with gaps between them, each the first that fits."""

    parts: tuple[TokenPattern, ...]
    gaps: tuple[tuple[int, int | None], ...]


class AnyNode(Record):
    """``_``: any token of a tree."""


class Child(Record):
    """``-name-> target`` of a relation; ``descendants`` for ``-->>``; the empty name is any relation."""

    name: str
    target: Pattern
    negated: bool = False
    descendants: bool = False
    label: str | None = None
    at: Place = NOWHERE


class Relation(Record):
    """A token and tokens that depend on it."""

    source: Pattern
    children: tuple[Child, ...]


class Root(Record):
    """``^-name-> target``: a token without a head."""

    name: str
    target: Pattern
    at: Place = NOWHERE


class Span(Record):
    """``rspan(query, 'source')``: the same hits with another extent: source, target, full or all."""

    part: Pattern
    extent: str


# Operations on hits; they stand at the end of a query or inside brackets.


class Constrained(Record):
    """``part :: condition``: labels must satisfy it while matching."""

    part: Pattern
    condition: Condition


class Filter(Record):
    """``part within|containing|overlap scope``, each possibly negated."""

    part: Pattern
    relation: str
    scope: Pattern
    negated: bool = False


class Limit(Record):
    """``part within 5`` (last token at most 5 after the first) or ``within 2 s`` (inside two regions in a row)."""

    part: Pattern
    count: int
    structure: str | None = None
    at: Place = NOWHERE


class Cut(Record):
    """``part cut 10`` or ``cut 10 19``: hits by number, both included, from 0."""

    part: Pattern
    first: int
    last: int


class Expand(Record):
    """``part expand [left|right] to [n] s``: the hit grows to whole regions, or by n tokens without a structure."""

    part: Pattern
    direction: str
    count: int
    structure: str | None = None
    at: Place = NOWHERE


class Strategy(Record):
    """``(?longest) part``."""

    name: str
    part: Pattern


Pattern: TypeAlias = (
    TokenPattern
    | Sequence
    | Choice
    | Repeat
    | Labelled
    | OpenTag
    | CloseTag
    | Region
    | Look
    | Both
    | Complement
    | Meet
    | Union
    | Table
    | AnyNode
    | Relation
    | Root
    | Span
    | Constrained
    | Filter
    | Limit
    | Cut
    | Expand
    | Strategy
)
Node: TypeAlias = Operand | Condition | Pattern | Child


def sequence(parts: Iterable[Pattern]) -> Pattern:
    """Parts one after another."""
    flat = tuple(inner for part in parts for inner in (part.parts if isinstance(part, Sequence) else (part,)))
    return flat[0] if len(flat) == 1 else Sequence(flat)


def choice(parts: Iterable[Pattern]) -> Pattern:
    """One of the parts."""
    flat = tuple(inner for part in parts for inner in (part.parts if isinstance(part, Choice) else (part,)))
    return flat[0] if len(flat) == 1 else Choice(flat)


def both(parts: Iterable[Pattern]) -> Pattern:
    """All of the parts at once."""
    flat = tuple(inner for part in parts for inner in (part.parts if isinstance(part, Both) else (part,)))
    return flat[0] if len(flat) == 1 else Both(flat)
