"""A query taken apart: what is matched, what restricts matching, and what is done with the hits afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field

from paberki.query.matching.spelling import spelt_out
from paberki.query.syntax.terms import ANYTHING, Anything, Condition, Place, conjunction, disjunction
from paberki.query.syntax.tree import (
    AnyNode,
    Both,
    Choice,
    CloseTag,
    Constrained,
    Cut,
    Expand,
    Filter,
    Labelled,
    Limit,
    Look,
    OpenTag,
    Pattern,
    Region,
    Repeat,
    Sequence,
    Strategy,
    TokenPattern,
    both,
    choice,
    sequence,
)


@dataclass(slots=True)
class Outline:
    """The parts of a query."""

    core: Pattern
    """What is matched."""
    scopes: list[Region | Limit] = field(default_factory=list)
    """Regions and distances that a match may not leave."""
    constraints: list[Condition] = field(default_factory=list)
    """Conditions on labels."""
    steps: list[Filter | Cut | Expand] = field(default_factory=list)
    """What is done with chosen hits, in order."""


def outline(pattern: Pattern) -> Outline:
    """Take a query apart from the outside in."""
    parts = Outline(pattern)
    steps: list[Filter | Cut | Expand] = []
    while True:
        match parts.core:
            case Strategy(_, part):
                parts.core = part
            case Cut(part) | Expand(part):
                steps.append(parts.core)
                parts.core = part
            case Limit(part):
                parts.scopes.append(parts.core)
                parts.core = part
            case Constrained(part, condition):
                parts.constraints.append(condition)
                parts.core = part
            case Filter(part, "within", Region() as region, False) if not isinstance(part, Region):
                parts.scopes.append(region)
                parts.core = part
            case Filter(part):
                steps.append(parts.core)
                parts.core = part
            case _:
                parts.steps = steps[::-1]
                parts.core = simplify(parts.core)
                return parts


def is_plain(pattern: Pattern) -> bool:
    """Whether an automaton can match a pattern."""
    match pattern:
        case TokenPattern() | AnyNode() | OpenTag() | CloseTag() | Region():
            return True
        case Sequence(parts) | Choice(parts):
            return all(is_plain(part) for part in parts)
        case Repeat(part) | Labelled(_, part) | Look(part):
            return is_plain(part)
        case _:
            return False


def simplify(pattern: Pattern) -> Pattern:
    """Alternatives that are single tokens as one token, so that thousands of them cost what one costs; and so with ``&``."""
    match pattern:
        case TokenPattern():
            return spelt_out(pattern)
        case Sequence(parts):
            return sequence(simplify(part) for part in parts)
        case Choice(parts):
            return _merge([simplify(part) for part in parts])
        case Both(parts):
            return _intersection([simplify(part) for part in parts])
        case Repeat(part, low, high, at):
            return _repeat(simplify(part), low, high, at)
        case Labelled(label, part, at):
            return Labelled(label, simplify(part), at)
        case _:
            return pattern


def _repeat(part: Pattern, low: int, high: int | None, at: Place) -> Pattern:
    """``(x?){2,5}`` as ``x{0,5}`` and ``(x*)*`` as ``x*``: the same spans with fewer states."""
    if isinstance(part, Repeat):
        if (part.low, part.high) == (0, 1):
            return Repeat(part.part, 0, high, at)
        if part.low <= 1 and part.high is None and high != 0:
            return Repeat(part.part, part.low * low, None, at)
    return Repeat(part, low, high, at)


def _intersection(parts: list[Pattern]) -> Pattern:
    """``[tag="N.*"] & [word="g.*"]`` as ``[tag="N.*" & word="g.*"]``."""
    tokens = [part for part in parts if isinstance(part, TokenPattern)]
    if len(tokens) < 2:
        return both(parts)
    conditions = [token.condition for token in tokens if not isinstance(token.condition, Anything)]
    together = TokenPattern(conjunction(conditions) if conditions else ANYTHING)
    return both([together, *(part for part in parts if not isinstance(part, TokenPattern))])


def _merge(parts: list[Pattern]) -> Pattern:
    tokens = [part for part in parts if isinstance(part, TokenPattern)]
    if len(tokens) < 2:
        return choice(parts)
    together = TokenPattern(disjunction(dict.fromkeys(token.condition for token in tokens)))
    return choice([together, *(part for part in parts if not isinstance(part, TokenPattern))])
