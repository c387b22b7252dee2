"""Tokens near each other: meet, union and tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.query.matching.automata.evaluator import Evaluator
from paberki.query.matching.conditions.names import Names
from paberki.query.matching.conditions.predicates import NumberTest, PlaceTest, SimpleTest, ValueTest, terms
from paberki.query.matching.conditions.regions import RegionSet
from paberki.query.matching.distinct import distinct
from paberki.query.matching.hit_table import HitTable
from paberki.query.syntax.terms import ANYTHING, Condition
from paberki.query.syntax.tree import Labelled, Meet, Pattern, Table, TokenPattern, Union

Places = npt.NDArray[np.int64]

_AT_ONCE: Final = 1 << 18
"""Tokens of all sides that are compared in one go."""
_BYTES: Final = 32
"""Memory for each token of a table."""


def token_positions(condition: Condition, names: Names, evaluator: Evaluator, low: int, high: int) -> Places:
    """Positions from ``low`` to ``high`` of tokens that satisfy a condition, in order."""
    low, high = max(low, 0), min(high, evaluator.tokens)
    parts = []
    for term in terms(condition, names):
        choices = [(evaluator.estimate(test), at) for at, test in enumerate(term) if _gives(test)]
        if not choices:
            places = np.arange(low, max(low, high), dtype=np.int64)
            rest: tuple[SimpleTest, ...] = term
        else:
            _, at = min(choices)
            places = evaluator.positions(term[at], low, high)
            rest = (*term[:at], *term[at + 1 :])
        for test in rest:
            places = places[evaluator.holds(test, places)]
        parts.append(places)
    if not parts:
        return np.zeros(0, np.int64)
    return parts[0] if len(parts) == 1 else distinct(np.concatenate(parts))


def _gives(test: SimpleTest) -> bool:
    if isinstance(test, PlaceTest):
        return test.kind in ("open", "last") and not test.negated
    return isinstance(test, ValueTest) or (isinstance(test, NumberTest) and not test.negated)


def _tokens(pattern: Pattern, names: Names, evaluator: Evaluator) -> int:
    """How many tokens all sides have, at most."""
    match pattern:
        case TokenPattern(condition):
            return sum(
                min([evaluator.estimate(test) for test in term if _gives(test)], default=evaluator.tokens)
                for term in terms(condition, names)
            )
        case Labelled(_, part):
            return _tokens(part, names, evaluator)
        case Union(left, right) | Meet(left, right):
            return _tokens(left, names, evaluator) + _tokens(right, names, evaluator)
        case _:
            raise TypeError(f"{type(pattern).__name__} is no part of meet and union")


def cooccurrences(pattern: Pattern, names: Names, evaluator: Evaluator) -> Iterator[tuple[HitTable, int]]:
    """Hits of meet and union, single tokens, a stretch of the segment at a time; with the end of the stretch."""
    share = _tokens(pattern, names, evaluator) / max(evaluator.tokens, 1)
    size = max(_AT_ONCE, int(_AT_ONCE / max(share, 1 / evaluator.tokens if evaluator.tokens else 1)))
    for low in range(0, evaluator.tokens, size):
        high = min(low + size, evaluator.tokens)
        places = _places(pattern, names, evaluator, low, high)
        table = HitTable(places, places + 1)
        if isinstance(pattern, Meet) and isinstance(pattern.left, Labelled):
            table.labels[pattern.left.label], table.label_ends[pattern.left.label] = places, places + 1
        yield table, high


def _places(pattern: Pattern, names: Names, evaluator: Evaluator, low: int, high: int) -> Places:
    match pattern:
        case TokenPattern(condition):
            return token_positions(condition, names, evaluator, low, high)
        case Labelled(_, part):
            return _places(part, names, evaluator, low, high)
        case Union(left, right):
            return np.union1d(_places(left, names, evaluator, low, high), _places(right, names, evaluator, low, high))
        case Meet():
            return _meeting_tokens(pattern, names, evaluator, low, high)
        case _:
            raise TypeError(f"{type(pattern).__name__} is no part of meet and union")


def _meeting_tokens(pattern: Meet, names: Names, evaluator: Evaluator, low: int, high: int) -> Places:
    """Tokens of the left side with (or without) one of the right side in the window or in the same region."""
    left = _places(pattern.left, names, evaluator, low, high)
    if not len(left):
        return left
    if pattern.structure is not None:
        regions = RegionSet.of(evaluator.segment, names.structure(pattern.structure, pattern.at), ANYTHING)
        own = regions.innermost(left)
        inside = own[own >= 0]
        if not len(inside):
            return left if pattern.negated else left[:0]
        begin, end = int(regions.starts[inside].min()), int(regions.ends[inside].max())
        others = regions.innermost(_places(pattern.right, names, evaluator, begin, end))
        near = (own >= 0) & np.isin(own, others)
    else:
        first, last = min(pattern.low, pattern.high), max(pattern.low, pattern.high)
        right = _places(pattern.right, names, evaluator, int(left[0]) + first, int(left[-1]) + last + 1)
        near = np.searchsorted(right, left + last, "right") > np.searchsorted(right, left + first)
    return np.asarray(left[near != pattern.negated])


def table_rows(pattern: Table, names: Names, evaluator: Evaluator) -> HitTable:
    """Rows of tokens with gaps: from each first token the nearest second one that is far enough, and so on."""
    for part in pattern.parts:
        evaluator.room(_tokens(part, names, evaluator) * _BYTES)
    starts = token_positions(pattern.parts[0].condition, names, evaluator, 0, evaluator.tokens)
    current = starts
    for part, (low, high) in zip(pattern.parts[1:], pattern.gaps, strict=True):
        places = token_positions(part.condition, names, evaluator, 0, evaluator.tokens)
        following = np.searchsorted(places, current + 1 + low)
        exists = following < len(places)
        starts, current, following = starts[exists], current[exists], following[exists]
        nearest = places[following] if len(places) else current
        if high is not None:
            good = nearest <= current + 1 + high
            starts, nearest = starts[good], nearest[good]
        current = nearest
    return HitTable(starts, current + 1)
