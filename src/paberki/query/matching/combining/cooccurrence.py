"""Tokens near each other: meet, union and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

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
_RARE: Final = 100
"""A part of a row is rare where at most one token in so many can be it."""
_SENTENCE: Final = 32
"""Tokens of a region, more or less."""
_FIRST_STRETCH: Final = 1 << 16
_LARGEST_STRETCH: Final = 1 << 22
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
        case Union(left, right):
            return _tokens(left, names, evaluator) + _tokens(right, names, evaluator)
        case Meet(left, right):
            others = _tokens(right, names, evaluator)
            if _is_from_right(pattern, names, evaluator):
                return others * _width(pattern)
            return _tokens(left, names, evaluator) + others
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
    if _is_from_right(pattern, names, evaluator):
        return _near_right(pattern, names, evaluator, low, high)
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


def _is_from_right(pattern: Meet, names: Names, evaluator: Evaluator) -> bool:
    """Whether the right side is so rare that one looks at what stands around it."""
    if pattern.negated or not isinstance(pattern.left, TokenPattern):
        return False
    return _tokens(pattern.right, names, evaluator) * _width(pattern) * 4 < _tokens(pattern.left, names, evaluator)


def _width(pattern: Meet) -> int:
    """Tokens around one of the right side."""
    return _SENTENCE if pattern.structure is not None else 1 + abs(pattern.high - pattern.low)


def _near_right(pattern: Meet, names: Names, evaluator: Evaluator, low: int, high: int) -> Places:
    """The same from the rare right side on."""
    assert isinstance(pattern.left, TokenPattern)
    if pattern.structure is not None:
        regions = RegionSet.of(evaluator.segment, names.structure(pattern.structure, pattern.at), ANYTHING)
        edges = regions.innermost(np.array([low, high - 1]))
        begin = low if edges[0] < 0 else min(low, int(regions.starts[edges[0]]))
        end = high if edges[1] < 0 else max(high, int(regions.ends[edges[1]]))
        own = distinct(regions.innermost(_places(pattern.right, names, evaluator, begin, end)))
        own = own[own >= 0]
        begins, ends = regions.starts[own].astype(np.int64), regions.ends[own].astype(np.int64)
    else:
        first, last = min(pattern.low, pattern.high), max(pattern.low, pattern.high)
        right = _places(pattern.right, names, evaluator, low + first, high + last)
        begins, ends = right - last, right - first + 1
    around = _stretches(begins, ends, evaluator.tokens)
    places = _tokens_at(pattern.left.condition, names, evaluator, around[(around >= low) & (around < high)])
    if pattern.structure is not None:
        places = places[np.isin(regions.innermost(places), own)]
    return places


def table_rows(
    pattern: Table, names: Names, evaluator: Evaluator, regions: Sequence[RegionSet] = ()
) -> Iterator[tuple[HitTable, int]]:
    """Rows of tokens with gaps, a stretch of the segment at a time, with the end of the stretch: from each first token the
    nearest second one that is far enough, and so on.

    ``regions`` are those that rows may not leave: rows that do may be missing.
    """
    counts = [_tokens(part, names, evaluator) for part in pattern.parts]
    if not min(counts):
        return
    whole, own_regions = _reach(pattern, 0, len(pattern.gaps)), [one for one in regions if not one.nested]
    zones = _zones(pattern, names, evaluator, counts, own_regions)
    if zones is not None:
        evaluator.room(len(zones.places) * _BYTES)
        sides = [_tokens_at(part.condition, names, evaluator, zones.places) for part in pattern.parts]
        yield _rows(pattern, sides[0][np.isin(sides[0], zones.starts, assume_unique=True)], sides), evaluator.tokens
        return
    has_end = whole is not None or bool(own_regions)
    if not has_end:
        evaluator.room(sum(counts) * _BYTES)
    low, size = 0, _FIRST_STRETCH if has_end else evaluator.tokens
    while low < evaluator.tokens:
        evaluator.room(size * _BYTES if has_end else 0)
        high = min(low + size, evaluator.tokens)
        stop = high + (whole or 0)
        if whole is None and has_end:
            stop = max(high, int(own_regions[0].limits(np.array([high - 1]))[0]))
        sides = [token_positions(part.condition, names, evaluator, low, stop) for part in pattern.parts]
        yield _rows(pattern, sides[0][sides[0] < high], sides), high
        low, size = high, min(size * 4, _LARGEST_STRETCH)


def _rows(pattern: Table, starts: Places, sides: list[Places]) -> HitTable:
    """Rows that begin at some first tokens; ``sides`` are all tokens of each part."""
    current = starts
    for places, (low, high) in zip(sides[1:], pattern.gaps, strict=True):
        following = np.searchsorted(places, current + 1 + low)
        exists = following < len(places)
        starts, current, following = starts[exists], current[exists], following[exists]
        nearest = places[following] if len(places) else current
        if high is not None:
            good = nearest <= current + 1 + high
            starts, nearest = starts[good], nearest[good]
        current = nearest
    return HitTable(starts, current + 1)


class _Zones(NamedTuple):
    """Where rows with a rare token can begin, and everything that they can reach from there."""

    starts: Places
    places: Places


def _zones(
    pattern: Table, names: Names, evaluator: Evaluator, counts: list[int], regions: Sequence[RegionSet]
) -> _Zones | None:
    """The surroundings of the rarest part of a row; None where it is not rare, or rows have no end."""
    rarest = int(np.argmin(counts))
    if counts[rarest] * _RARE > evaluator.tokens:
        return None
    rare = token_positions(pattern.parts[rarest].condition, names, evaluator, 0, evaluator.tokens)
    before = _reach(pattern, 0, rarest)
    whole = _reach(pattern, 0, len(pattern.gaps))
    if before is not None and whole is not None:
        return _Zones(
            _stretches(rare - before, rare + 1, evaluator.tokens),
            _stretches(rare - before, rare + whole + 1, evaluator.tokens),
        )
    for own in regions:
        around = distinct(own.numbers_around(rare))
        begins, ends = own.starts[around].astype(np.int64), own.reach[around].astype(np.int64)
        places = _stretches(begins, ends, evaluator.tokens)
        return _Zones(places, places)
    return None


def _reach(pattern: Table, first: int, last: int) -> int | None:
    """The most tokens from one part of a row to another; None without limit."""
    highs = [high for _, high in pattern.gaps[first:last]]
    return None if None in highs else sum(high + 1 for high in highs if high is not None)


def _stretches(begins: Places, ends: Places, tokens: int) -> Places:
    """The positions from each begin to its end, each once; begins rise."""
    stretches = RegionSet(np.maximum(begins, 0), np.minimum(ends, tokens))
    return stretches.inside(0, tokens, negated=False)


def _tokens_at(condition: Condition, names: Names, evaluator: Evaluator, places: Places) -> Places:
    """Those of some positions whose tokens satisfy a condition."""
    holds = np.zeros(len(places), np.bool_)
    for term in terms(condition, names):
        good = np.ones(len(places), np.bool_)
        for test in term:
            good &= evaluator.holds(test, places)
        holds |= good
    return np.asarray(places[holds])
