"""Tokens near each other: meet, union and tables."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paberki.query.matching.automata.evaluator import Evaluator
from paberki.query.matching.conditions.names import Names
from paberki.query.matching.conditions.predicates import NumberTest, PlaceTest, SimpleTest, ValueTest, terms
from paberki.query.matching.conditions.regions import Regions
from paberki.query.matching.hits import HitTable
from paberki.query.syntax.terms import ANYTHING, Condition
from paberki.query.syntax.tree import Labelled, Meet, Pattern, Table, Token, Union

Places = npt.NDArray[np.int64]


def token_positions(condition: Condition, names: Names, evaluator: Evaluator) -> Places:
    """Positions of all tokens that satisfy a condition, in order."""
    parts = []
    for term in terms(condition, names):
        choices = [(evaluator.estimate(test), at) for at, test in enumerate(term) if _gives(test)]
        if not choices:
            places = np.arange(evaluator.tokens, dtype=np.int64)
            rest: tuple[SimpleTest, ...] = term
        else:
            _, at = min(choices)
            places = evaluator.positions(term[at], 0, evaluator.tokens)
            rest = (*term[:at], *term[at + 1 :])
        for test in rest:
            places = places[evaluator.holds(test, places)]
        parts.append(places)
    if not parts:
        return np.zeros(0, np.int64)
    return parts[0] if len(parts) == 1 else np.unique(np.concatenate(parts))


def _gives(test: SimpleTest) -> bool:
    if isinstance(test, PlaceTest):
        return test.kind in ("open", "last") and not test.negated
    return isinstance(test, ValueTest) or (isinstance(test, NumberTest) and not test.negated)


def cooccurrences(pattern: Pattern, names: Names, evaluator: Evaluator) -> HitTable:
    """Hits of meet and union: single tokens."""
    places = _places(pattern, names, evaluator)
    table = HitTable(places, places + 1)
    if isinstance(pattern, Meet) and isinstance(pattern.left, Labelled):
        table.labels[pattern.left.label], table.label_ends[pattern.left.label] = places, places + 1
    return table


def _places(pattern: Pattern, names: Names, evaluator: Evaluator) -> Places:
    match pattern:
        case Token(condition):
            return token_positions(condition, names, evaluator)
        case Labelled(_, part):
            return _places(part, names, evaluator)
        case Union(left, right):
            return np.union1d(_places(left, names, evaluator), _places(right, names, evaluator))
        case Meet():
            return _met(pattern, names, evaluator)
        case _:
            raise TypeError(f"{type(pattern).__name__} is no part of meet and union")


def _met(pattern: Meet, names: Names, evaluator: Evaluator) -> Places:
    """Tokens of the left side with (or without) one of the right side in the window or in the same region."""
    left, right = (_places(part, names, evaluator) for part in (pattern.left, pattern.right))
    if pattern.structure is not None:
        regions = Regions.of(evaluator.segment, names.structure(pattern.structure, pattern.at), ANYTHING)
        own, others = regions.innermost(left), regions.innermost(right)
        near = (own >= 0) & np.isin(own, others)
    else:
        low, high = min(pattern.low, pattern.high), max(pattern.low, pattern.high)
        first = np.searchsorted(right, left + low)
        last = np.searchsorted(right, left + high, "right")
        near = last > first
    return np.asarray(left[near != pattern.negated])


def table_rows(pattern: Table, names: Names, evaluator: Evaluator) -> HitTable:
    """Rows of tokens with gaps: from each first token the nearest second one that is far enough, and so on."""
    starts = token_positions(pattern.parts[0].condition, names, evaluator)
    current = starts
    for part, (low, high) in zip(pattern.parts[1:], pattern.gaps, strict=True):
        places = token_positions(part.condition, names, evaluator)
        following = np.searchsorted(places, current + 1 + low)
        exists = following < len(places)
        starts, current, following = starts[exists], current[exists], following[exists]
        nearest = places[following] if len(places) else current
        if high is not None:
            good = nearest <= current + 1 + high
            starts, nearest = starts[good], nearest[good]
        current = nearest
    return HitTable(starts, current + 1)
