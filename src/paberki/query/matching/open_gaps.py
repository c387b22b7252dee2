"""``A []* B`` without a limit: both sides are looked for on their own, and each A ends where the next B does.

With the earliest end of each start, what stands between does not matter: of all matches of B behind the first end of an A,
the one that ends first ends the match. So nobody has to walk from every A to the next B, however far that is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from paberki.query.matching.program import Program, compile_part
from paberki.query.syntax.terms import ANYTHING
from paberki.query.syntax.tree import (
    Choice,
    CloseTag,
    Labelled,
    OpenTag,
    Pattern,
    Repeat,
    Sequence,
    TokenPattern,
    sequence,
)

if TYPE_CHECKING:
    from paberki.query.matching.matches import Matches

__all__ = ["Followers", "OpenGap", "split_at_gap"]

Places = npt.NDArray[np.int64]


class OpenGap(NamedTuple):
    """Programs of what stands before and behind a gap, and the fewest tokens between."""

    left: Program
    right: Program
    fewest: int


def split_at_gap(program: Program) -> OpenGap | None:
    """The first open gap of a program that asks for the earliest end of each start and for nothing between."""
    core = program.outline.core
    if program.automaton is None or program.enumerates or not isinstance(core, Sequence) or _has_tag_pairs(core):
        return None
    for number, part in enumerate(core.parts):
        if isinstance(part, Repeat) and part.high is None and part.part == TokenPattern(ANYTHING):
            left, right = (
                _earliest(sequence(parts), program) for parts in (core.parts[:number], core.parts[number + 1 :])
            )
            if left is not None and right is not None:
                return OpenGap(left, right, part.low)
    return None


def _earliest(pattern: Pattern, program: Program) -> Program | None:
    """A part of a pattern as a program; None where it may match no token."""
    if isinstance(pattern, Sequence) and not pattern.parts:
        return None
    part = compile_part(pattern, program)
    part.strategy = "traditional"
    return part if part.automaton is not None and part.automaton.lengths()[0] > 0 else None


def _has_tag_pairs(pattern: Pattern) -> bool:
    """Whether a start tag may have its end tag on the other side of a gap."""
    tags = {type(tag) for tag in _tags(pattern)}
    return len(tags) > 1


def _tags(pattern: Pattern) -> Iterator[OpenTag | CloseTag]:
    match pattern:
        case OpenTag() | CloseTag():
            yield pattern
        case Sequence(parts) | Choice(parts):
            for part in parts:
                yield from _tags(part)
        case Repeat(part) | Labelled(_, part):
            yield from _tags(part)


class Followers:
    """Matches of what stands behind a gap, found from left to right as far as they are needed."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._restart(0)

    def _restart(self, low: int) -> None:
        self._low = self._searched_end = low
        self._stream: Iterator[tuple[Places, Places, int]] = (
            (table.starts, table.ends, searched_end) for table, searched_end in self._matches.chunks(low)
        )
        self._starts = self._ends = np.zeros(0, np.int64)

    def earliest_ends(self, places: Places) -> Places:
        """The earliest end of a match that begins at each place or behind it, −1 for none; places in any order."""
        if not len(places):
            return places
        low, high = int(places.min()), int(places.max())
        if low < self._low:
            self._restart(low)
        self._forget(low)
        while not self._reaches(high):
            following = next(self._stream, None)
            if following is None:
                break
            starts, ends, self._searched_end = following
            self._starts, self._ends = np.concatenate([self._starts, starts]), np.concatenate([self._ends, ends])
        nearest = np.append(np.minimum.accumulate(self._ends[::-1])[::-1], -1)
        return nearest[np.searchsorted(self._starts, places)]

    def _reaches(self, place: int) -> bool:
        """Whether nothing that is still to be found could be an earlier end for a place."""
        following = int(np.searchsorted(self._starts, place))
        return following < len(self._starts) and int(self._ends[following:].min()) <= self._searched_end

    def _forget(self, low: int) -> None:
        first = int(np.searchsorted(self._starts, low))
        self._low, self._starts, self._ends = low, self._starts[first:], self._ends[first:]
