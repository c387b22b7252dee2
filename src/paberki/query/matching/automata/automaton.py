"""Patterns as automata whose states are tokens (Glushkov's construction).

A state is a token of the pattern with one of its terms (see :mod:`paberki.query.matching.conditions.predicates`) and with tests of the
position before it: tags and look-around. Final states read no token; they test the position where a match ends. A set of
states is a row of bits, so that one step of all runs from one place costs a few instructions.

An end tag after a start tag of the same structure means the same region. Between them a run may not leave the region: it is
in mode *inside*, where every token must continue the region. Where a start tag has no end tag behind it, nothing is tested.
The construction follows both possibilities and drops states from which no end can be reached.

Structures whose regions contain each other cannot be followed like that: their tags are labels, and pairs of places are
compared with the regions afterwards (:mod:`paberki.query.matching.combining.constraints`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.errors import QueryError
from paberki.query.matching.automata.thompson import LabelMark, Nodes, TagMark, build
from paberki.query.matching.conditions.names import Names
from paberki.query.matching.conditions.predicates import A_TOKEN, LookTest, PlaceTest, SimpleTest, Term, terms
from paberki.query.syntax.terms import Condition
from paberki.query.syntax.tree import Look, Pattern
from paberki.record import Record

MOST_STATES: Final = 8192
WORD_BITS: Final = 64
_BYTES: Final = 256

Modes = frozenset[tuple[str, str]]
"""Structures with an open tag: ``fresh`` (no token read since), ``inside``, or ``ignored``."""
Actions = tuple[int, ...]
"""Registers that a transition sets to the position where it happens: that of the next token."""


class State(Record):
    """What a token must be to be read here; ``node`` is where the pattern goes on, None in final states."""

    node: int | None
    term: Term
    modes: Modes = frozenset()


@dataclass(slots=True)
class Automaton:
    """States, the ones a run begins in, and transitions with the labels they set, by priority."""

    states: list[State]
    first: list[tuple[int, Actions]]
    following: list[list[tuple[int, Actions]]]
    labels: tuple[str, ...]
    looks: tuple[Look, ...]
    tags: dict[str, tuple[str, Condition]]
    final: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        self.final = frozenset(number for number, state in enumerate(self.states) if state.node is None)

    @property
    def transitions(self) -> int:
        """Number of transitions."""
        return sum(len(targets) for targets in self.following)

    @property
    def words(self) -> int:
        """Words of 64 bits that a set of states takes."""
        return (len(self.states) + WORD_BITS - 1) // WORD_BITS

    def matches_nothing(self) -> bool:
        """Whether a match may be empty."""
        return any(number in self.final for number, _ in self.first)

    def narrow(self) -> npt.NDArray[np.uint64]:
        """The tables of :func:`automaton_kernel.run`."""
        follow = [_bits(self.following[number]) for number in range(len(self.states))]
        rows = [_bits(self.first), sum(1 << number for number in self.final)]
        for byte in range((len(self.states) + 7) // 8):
            unions = [0] * _BYTES
            for value in range(1, 1 << min(8, len(follow) - byte * 8)):  # bits without a state are never set
                low = value & -value
                unions[value] = unions[value ^ low] | follow[byte * 8 + low.bit_length() - 1]
            rows += unions
        return np.array(rows, np.uint64)

    def wide(self) -> npt.NDArray[np.uint64]:
        """The tables of :func:`automaton_kernel.run_wide`."""
        rows = np.zeros((2 + len(self.states), self.words), np.uint64)
        for number, _ in self.first:
            _set(rows[0], number)
        for number in self.final:
            _set(rows[1], number)
        for number, targets in enumerate(self.following):
            for target, _ in targets:
                _set(rows[2 + number], target)
        return rows

    def lengths(self) -> tuple[int, int | None]:
        """The fewest and the most tokens of a match; None without limit."""
        return _shortest(self), _longest(self)


def _set(row: npt.NDArray[np.uint64], number: int) -> None:
    row[number // WORD_BITS] |= np.uint64(1 << (number % WORD_BITS))


def _bits(targets: list[tuple[int, Actions]]) -> int:
    union = 0
    for number, _ in targets:
        union |= 1 << number
    return union


def compile_pattern(pattern: Pattern, names: Names, *, nested: Callable[[str], bool]) -> Automaton:
    """The automaton of a pattern that needs no operations on spans. ``nested`` says of a structure whether it has regions in regions."""
    nodes = build(pattern, names, nested)
    return _Construction(nodes, names).automaton()


class _Construction:
    """Walks the pattern's graph from every token to the tokens that may follow it."""

    def __init__(self, nodes: Nodes, names: Names) -> None:
        self._nodes = nodes
        self._names = names
        self._numbers: dict[State, int] = {}
        self._states: list[State] = []
        self._terms: dict[int, list[Term]] = {}

    def automaton(self) -> Automaton:
        first = self._targets(self._nodes.start, frozenset())
        following: list[list[tuple[int, Actions]]] = []
        while len(following) < len(self._states):
            state = self._states[len(following)]
            following.append([] if state.node is None else self._targets(state.node, _after_token(state.modes)))
            if len(self._states) > MOST_STATES:
                raise QueryError(
                    f"the query needs more than {MOST_STATES} states; use smaller numbers in {{ }} or fewer alternatives"
                )
        useful = _alive(self._states, following)
        return Automaton(
            states=[state for number, state in enumerate(self._states) if number in useful],
            first=_renumber(first, useful),
            following=[_renumber(targets, useful) for number, targets in enumerate(following) if number in useful],
            labels=self._nodes.labels,
            looks=tuple(self._nodes.looks),
            tags=self._nodes.tags,
        )

    def _targets(self, node: int, modes: Modes) -> list[tuple[int, Actions]]:
        """States that can come next, the preferred one first, each with the registers set on the way."""
        targets: dict[tuple[int, Actions], None] = {}
        for after, tests, now, actions in self._paths(node, modes):
            if after is None:
                if not any(mode in ("fresh", "inside") for _, mode in now):
                    targets[self._number(State(None, tests)), actions] = None
                continue
            token = self._nodes.tokens[after]
            region_tests = tuple(PlaceTest("continues", name) for name, mode in sorted(now) if mode == "inside")
            for term in self._token_terms(after):
                state = State(token.target, _conjunction(tests, region_tests, term), now)
                targets[self._number(state), actions] = None
        return list(targets)

    def _token_terms(self, node: int) -> list[Term]:
        if node not in self._terms:
            self._terms[node] = terms(self._nodes.tokens[node].condition, self._names)
        return self._terms[node]

    def _number(self, state: State) -> int:
        if state not in self._numbers:
            self._numbers[state] = len(self._states)
            self._states.append(state)
        return self._numbers[state]

    def _paths(self, start: int, modes: Modes) -> Iterator[tuple[int | None, Term, Modes, Actions]]:
        """Ways to the next tokens (or None, the end) that read nothing, in order of preference."""
        earlier_entries: set[tuple[int, Term, Modes, Actions]] = set()
        stack: list[tuple[int, Term, Modes, Actions]] = [(start, (), modes, ())]
        while stack:
            entry = stack.pop()
            if entry in earlier_entries:
                continue
            earlier_entries.add(entry)
            if len(earlier_entries) > 16 * MOST_STATES:
                raise QueryError("the query has too many ways to match nothing between two tokens; write it simpler")
            node, tests, now, actions = entry
            if node == self._nodes.end:
                yield None, tests, now, actions
            if node in self._nodes.tokens:
                yield node, tests, now, actions
            for target, mark in reversed(self._nodes.edges.get(node, ())):
                stack.extend(reversed([(target, *after) for after in self._pass_mark(mark, tests, now, actions)]))

    def _pass_mark(
        self, mark: object, tests: Term, now: Modes, actions: Actions
    ) -> Iterator[tuple[Term, Modes, Actions]]:
        """What a mark on the way adds: tests of tags and look-around, registers of labels."""
        if mark is None:
            yield tests, now, actions
        elif isinstance(mark, LabelMark):
            yield tests, now, (*actions, mark.register)
        elif isinstance(mark, LookTest):
            yield _conjunction(tests, (mark,)), now, actions
        elif isinstance(mark, TagMark):
            yield from self._pass_tag(mark, tests, now, actions)
        else:
            for term in terms(mark, self._names):  # type: ignore[arg-type]
                yield _conjunction(tests, term, (A_TOKEN,)), now, actions

    def _pass_tag(
        self, mark: TagMark, tests: Term, now: Modes, actions: Actions
    ) -> Iterator[tuple[Term, Modes, Actions]]:
        test = PlaceTest("open" if mark.opens else "close", mark.structure, mark.condition)
        all_tests = _conjunction(tests, (test,))
        if mark.register is not None:
            yield all_tests, now, (*actions, mark.register)
            return
        mode = dict(now).get(mark.structure)
        others = frozenset(pair for pair in now if pair[0] != mark.structure)
        if mark.opens:
            yield all_tests, others | {(mark.structure, "fresh")}, actions
            yield all_tests, others | {(mark.structure, "ignored")}, actions
        elif mode in (None, "inside"):
            yield all_tests, others, actions


def _conjunction(*parts: Term) -> Term:
    tests: dict[SimpleTest, None] = {}
    for part in parts:
        tests.update(dict.fromkeys(part))
    return tuple(tests)


def _after_token(modes: Modes) -> Modes:
    return frozenset((name, "inside" if mode == "fresh" else mode) for name, mode in modes)


def _alive(states: list[State], following: list[list[tuple[int, Actions]]]) -> dict[int, int]:
    """New numbers of the states from which an end can be reached."""
    before: list[list[int]] = [[] for _ in states]
    for number, targets in enumerate(following):
        for target, _ in targets:
            before[target].append(number)
    live_states = {number for number, state in enumerate(states) if state.node is None}
    stack = list(live_states)
    while stack:
        for number in before[stack.pop()]:
            if number not in live_states:
                live_states.add(number)
                stack.append(number)
    return {number: new for new, number in enumerate(sorted(live_states))}


def _renumber(targets: list[tuple[int, Actions]], useful: dict[int, int]) -> list[tuple[int, Actions]]:
    return [(useful[number], actions) for number, actions in targets if number in useful]


def _shortest(automaton: Automaton) -> int:
    level = {number for number, _ in automaton.first}
    earlier_states = set(level)
    steps = 0
    while level and not level & automaton.final:
        level = {target for number in level for target, _ in automaton.following[number]} - earlier_states
        earlier_states |= level
        steps += 1
    return steps


def _longest(automaton: Automaton) -> int | None:
    """Longest way through the states; None where they form a circle."""
    depth: dict[int, int] = {}
    open_states: set[int] = set()
    for root, _ in automaton.first:
        stack = [(root, iter(automaton.following[root]))]
        open_states.add(root)
        while stack:
            number, targets = stack[-1]
            for target, _ in targets:
                if target in open_states:
                    return None
                if target not in depth:
                    open_states.add(target)
                    stack.append((target, iter(automaton.following[target])))
                    break
            else:
                stack.pop()
                open_states.discard(number)
                deepest = max((depth[target] for target, _ in automaton.following[number]), default=-1)
                depth[number] = deepest + 1
    return max((depth[number] for number, _ in automaton.first), default=0)
