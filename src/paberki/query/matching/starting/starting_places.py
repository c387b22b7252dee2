"""Where to look for matches: at the rarest token that every match must have, or everywhere.

Below some per cent of the corpus it pays to begin at the occurrences of a token; above, to sweep over all tokens. A rare
token that may stand anywhere behind the start of a match does not tell where to begin, but where not to.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.query.matching.automata.automaton import Automaton
from paberki.query.matching.automata.evaluator import Evaluator
from paberki.query.matching.conditions.predicates import NumberTest, PlaceTest, SimpleTest, Term, ValueTest
from paberki.query.matching.distinct import distinct
from paberki.record import Record

Places = npt.NDArray[np.int64]

SWEEP_SHARE: Final = 25
"""A sweep costs about as much as starting from one token in so many."""
SWEEP_SHARE_SHORT: Final = 10
"""The same for matches of a few tokens, unless all are the same row of values."""
_SHORT: Final = 8
_RARE: Final = 100
"""A token is rare where one in so many is such a token."""
_SMALL: Final = 4096
_MOST_STATES: Final = 256
_MOST_TRANSITIONS: Final = 4096
_WIDEST: Final = 256
"""Most places that a match may begin at, seen from its anchor."""


_TESTED: Final = (ValueTest, PlaceTest, NumberTest)


_WIDE: Final = 8


class Anchor(Record):
    """States of which every match has one, with the fewest and the most tokens before it."""

    tests: tuple[tuple[SimpleTest, Term], ...]
    """For each state the test that gives positions, and the others, which are tested there."""
    low: int
    high: int
    count: int
    """Positions that the tests give, at most."""

    def starts(self, evaluator: Evaluator, low: int, high: int) -> Places:
        """Positions from ``low`` to ``high`` where a match may begin, in order."""
        parts = []
        for source, others in self.tests:
            places = evaluator.positions(source, low + self.low, min(high + self.high, evaluator.tokens + 1))
            for test in others:
                if isinstance(test, _TESTED):
                    places = places[evaluator.holds(test, places)]
            parts.append(places)
        places = parts[0] if len(parts) == 1 else distinct(np.concatenate(parts))
        if self.low == self.high:
            return places - self.low if self.low else places
        starts = distinct(places[:, None] - np.arange(self.low, self.high + 1)[None, :])
        return starts[(starts >= low) & (starts < high)]

    @property
    def is_wide(self) -> bool:
        """Whether most of the starts that it gives will not even have the right first token."""
        return self.high - self.low > _WIDE

    def sure_tests(self) -> frozenset[tuple[int, SimpleTest]]:
        """Offsets and tests that :meth:`starts` has made sure of."""
        if len(self.tests) > 1 or self.low != self.high:
            return frozenset()
        source, others = self.tests[0]
        return frozenset((self.low, test) for test in (source, *others) if isinstance(test, _TESTED))


def anchor(automaton: Automaton, evaluator: Evaluator) -> Anchor | None:
    """The cheapest anchor, None where a sweep is cheaper."""
    if len(automaton.states) > _MOST_STATES or automaton.transitions > _MOST_TRANSITIONS:
        return None
    best: Anchor | None = None
    for numbers in _cuts(automaton):
        distances = _distances(automaton, numbers)
        if distances is None or distances[1] - distances[0] > _WIDEST:
            continue
        candidate = _candidate(automaton, evaluator, numbers, distances)
        if candidate.tests and (best is None or _cost(candidate) < _cost(best)):
            best = candidate
    if best is None:
        return None
    longest = automaton.lengths()[1]
    is_short = longest is not None and longest <= _SHORT and not _is_row_of_values(automaton)
    share = SWEEP_SHARE_SHORT if is_short else SWEEP_SHARE
    return best if _cost(best) * share <= evaluator.tokens or evaluator.tokens <= _SMALL else None


def _is_row_of_values(automaton: Automaton) -> bool:
    """Whether every match is the same row of tokens, of which only values are tested: that is swept fastest."""
    tests = [test for state in automaton.states for test in state.term]
    is_row = automaton.transitions == len(automaton.states) - 1 and len(automaton.first) == 1
    return is_row and all(isinstance(test, ValueTest) for test in tests)


class Necessity(Record):
    """Rare positions of which every match has one, at least so many tokens behind its start."""

    positions: Places
    behind: int
    numbers: frozenset[int]
    """The states that hold there."""

    def limits(self, starts: Places, bounds: Places) -> Places:
        """The positions that matches may not go beyond, 0 where no match can begin."""
        after = np.append(self.positions, np.iinfo(np.int64).max)
        nearest = after[np.searchsorted(self.positions, starts + self.behind)]
        return np.where(nearest < bounds, bounds, 0)


def necessity(automaton: Automaton, evaluator: Evaluator) -> Necessity | None:
    """The rarest token that stands anywhere in a match, if it is rare; one that has an anchor needs none."""
    if len(automaton.states) > _MOST_STATES or automaton.transitions > _MOST_TRANSITIONS:
        return None
    best: tuple[Anchor, frozenset[int]] | None = None
    for numbers in _cuts(automaton):
        if numbers == automaton.final:
            continue  # they are behind the match
        candidate = _candidate(automaton, evaluator, numbers, (0, 0))
        if candidate.tests and (best is None or candidate.count < best[0].count):
            best = candidate, numbers
    if best is None or (best[0].count and (_distances(automaton, best[1]) or best[0].count * _RARE > evaluator.tokens)):
        return None
    return Necessity(best[0].starts(evaluator, 0, evaluator.tokens), _fewest(automaton, best[1]), best[1])


def _fewest(automaton: Automaton, numbers: frozenset[int]) -> int:
    """Fewest tokens before one of these states."""
    level, steps = {number for number, _ in automaton.first}, 0
    while level and not level & numbers:
        level = {target for number in level for target, _ in automaton.following[number]}
        steps += 1
    return steps


def _cost(one: Anchor) -> int:
    return one.count * (1 + one.high - one.low)


def _candidate(
    automaton: Automaton, evaluator: Evaluator, numbers: frozenset[int], distances: tuple[int, int]
) -> Anchor:
    tests = []
    total = 0
    for number in sorted(numbers):
        term = automaton.states[number].term
        choices = [(evaluator.estimate(test), at) for at, test in enumerate(term) if _gives_positions(test)]
        if not choices:
            return Anchor((), 0, 0, evaluator.tokens)
        count, at = min(choices)
        total += count
        tests.append((term[at], (*term[:at], *term[at + 1 :])))
    return Anchor(tuple(tests), *distances, total)


def _gives_positions(test: SimpleTest) -> bool:
    if isinstance(test, PlaceTest):
        return test.kind == "inside" or (test.kind in ("open", "close", "last") and not test.negated)
    return isinstance(test, ValueTest) or (isinstance(test, NumberTest) and not test.negated and test.last < 1 << 62)


def _cuts(automaton: Automaton) -> list[frozenset[int]]:
    """Sets of states that no match can avoid: those of one token of the pattern, the first ones, and the last ones."""
    groups: dict[int, set[int]] = {}
    for number, state in enumerate(automaton.states):
        if state.node is not None:
            groups.setdefault(state.node, set()).add(number)
    cuts = [frozenset(group) for group in groups.values() if not _reaches_end(automaton, group)]
    first = frozenset(number for number, _ in automaton.first) - automaton.final
    cuts += [] if first in cuts else [first]
    return [*cuts, automaton.final]  # what stands behind a match, as in [: :]


def _reaches_end(automaton: Automaton, without: set[int]) -> bool:
    stack = [number for number, _ in automaton.first if number not in without]
    states = set(stack)
    while stack:
        number = stack.pop()
        if number in automaton.final:
            return True
        for target, _ in automaton.following[number]:
            if target not in states and target not in without:
                states.add(target)
                stack.append(target)
    return False


def _distances(automaton: Automaton, numbers: frozenset[int]) -> tuple[int, int] | None:
    """Fewest and most tokens before the first of these states; None without limit. Sets of states are bits of a number."""
    following = [sum({1 << target for target, _ in targets}) for targets in automaton.following]
    goals = sum(1 << number for number in numbers)
    level = sum({1 << number for number, _ in automaton.first})
    fewest = most = None
    for step in range(_WIDEST * 2):
        if level & goals:
            fewest = step if fewest is None else fewest
            most = step
        before, level = level, _union(following, level & ~goals)
        if not level:
            return (fewest, most) if fewest is not None and most is not None else None
        if level == before:
            return None
    return None


def _union(following: list[int], level: int) -> int:
    union = 0
    while level:
        lowest = level & -level
        union |= following[lowest.bit_length() - 1]
        level ^= lowest
    return union
