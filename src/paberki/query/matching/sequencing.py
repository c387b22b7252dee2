"""Sequences whose parts are found one by one: spans joined where one ends and the next begins.

Tags and look-around read no token. Next to parts with operations of their own, as in ``("a" within <np/>) </s>``, they are
conditions on the place where the spans meet; a start and an end tag around such parts mean one region.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from paberki.query.index.segment import Segment
from paberki.query.matching.automata.thompson import tag_marks
from paberki.query.matching.budget import BudgetWatch
from paberki.query.matching.combining.joining import join
from paberki.query.matching.conditions.regions import RegionSet
from paberki.query.matching.hit_table import HitTable, concatenate
from paberki.query.matching.matches import Matches
from paberki.query.matching.outline import is_plain
from paberki.query.matching.program import Program, compile_part
from paberki.query.syntax.terms import ANYTHING
from paberki.query.syntax.tree import (
    Choice,
    CloseTag,
    Labelled,
    Look,
    OpenTag,
    Pattern,
    Region,
    Repeat,
    Sequence,
    TokenPattern,
    choice,
    sequence,
)

__all__ = ["Sequencer"]

Places = npt.NDArray[np.int64]

_NOTHING = Sequence(())
"""The pattern that matches nothing everywhere."""


class _Unit(NamedTuple):
    """A part of a sequence: its spans, and what must hold where it matches nothing (None: it always reads tokens)."""

    spans: HitTable
    empty: Pattern | None


class Sequencer:
    """Joins the parts of sequences in one segment."""

    def __init__(
        self, program: Program, segment: Segment, clock: BudgetWatch, spans_of: Callable[[Pattern], HitTable]
    ) -> None:
        self._program, self._segment, self._clock, self._spans_of = program, segment, clock, spans_of

    def spans(self, parts: tuple[Pattern, ...]) -> HitTable:
        """Every span of the parts one after another that is not empty."""
        whole, *others = self._units(parts)
        for unit in others:
            choices = [join(whole.spans, unit.spans, self._clock.room)]
            if unit.empty is not None:
                choices.append(self._where(whole.spans, whole.spans.ends, unit.empty))
            if whole.empty is not None:
                choices.append(self._where(unit.spans, unit.spans.starts, whole.empty))
            whole = _Unit(concatenate(choices), _together(whole.empty, unit.empty))
        return whole.spans

    def _units(self, parts: tuple[Pattern, ...]) -> list[_Unit]:
        """Neighbours that an automaton can match stay together, as does what stands between two tags of a region."""
        units: list[_Unit] = []
        at = 0
        while at < len(parts):
            close = _closing(parts, at)
            end = close + 1 if close is not None else at + 1
            if close is not None and not all(is_plain(part) for part in parts[at:end]):
                units.append(_Unit(self._region(parts[at], parts[at + 1 : close]), None))
            else:
                while end < len(parts) and is_plain(parts[at]) and is_plain(parts[end]) and not self._opens(parts, end):
                    end += 1
                pattern = sequence(parts[at:end])
                units.append(_Unit(self._spans_of(pattern), zero_width(pattern)))
            at = end
        return units

    @staticmethod
    def _opens(parts: tuple[Pattern, ...], at: int) -> bool:
        """Whether a tag begins a region that ends behind a part that no automaton can match."""
        close = _closing(parts, at)
        return close is not None and not all(is_plain(part) for part in parts[at:close])

    def _region(self, tag: Pattern, parts: tuple[Pattern, ...]) -> HitTable:
        """Spans between a start and an end tag that are a whole region."""
        assert isinstance(tag, OpenTag)
        spans = self._spans_of(sequence(parts))
        good = np.zeros(len(spans), np.bool_)
        for mark in tag_marks(tag, self._program.names):
            good |= RegionSet.of(self._segment, mark.structure, mark.condition).pairs_hold(spans.starts, spans.ends)
        return spans.take(np.flatnonzero(good))

    def _where(self, spans: HitTable, places: Places, condition: Pattern) -> HitTable:
        """The spans that begin or end where tags and look-around allow it."""
        if condition == _NOTHING or not len(spans):
            return spans
        token = TokenPattern(ANYTHING)
        allowed_places = self._plain(sequence([condition, token])).starts
        at_end = self._plain(sequence([token, condition])).ends
        allowed_places = np.append(allowed_places, at_end[at_end == self._segment.tokens])
        return spans.take(np.flatnonzero(np.isin(places, allowed_places)))

    def _plain(self, pattern: Pattern) -> HitTable:
        matches = Matches(compile_part(pattern, self._program), self._segment, self._clock)
        return concatenate([table for table, _ in matches.chunks()])


def _closing(parts: tuple[Pattern, ...], at: int) -> int | None:
    """The number of the end tag that belongs to the start tag with a number, if that is one."""
    tag = parts[at]
    if not isinstance(tag, OpenTag):
        return None
    depth = 0
    for number, part in enumerate(parts[at:], at):
        if isinstance(part, OpenTag) and part.name == tag.name:
            depth += 1
        elif isinstance(part, CloseTag) and part.name == tag.name:
            depth -= 1
            if not depth:
                return number
    return None


def _together(first: Pattern | None, second: Pattern | None) -> Pattern | None:
    return None if first is None or second is None else sequence([first, second])


def zero_width(pattern: Pattern) -> Pattern | None:
    """What must hold at a place for a pattern to match nothing there; None if it always reads tokens."""
    match pattern:
        case OpenTag() | CloseTag() | Look():
            return pattern
        case Repeat(_, 0):
            return _NOTHING
        case Repeat(part) | Labelled(_, part):
            return zero_width(part)
        case Sequence(parts):
            conditions = [zero_width(part) for part in parts]
            return None if None in conditions else sequence(one for one in conditions if one is not None)
        case Choice(parts):
            ways = [one for one in map(zero_width, parts) if one is not None]
            return (_NOTHING if _NOTHING in ways else choice(ways)) if ways else None
        case TokenPattern() | Region() | _:
            return None
