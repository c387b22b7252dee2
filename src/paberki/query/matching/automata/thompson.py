"""Patterns as graphs: nodes, edges that read nothing but may test or mark, and nodes that read a token.

Edges stand in order of preference: earlier alternatives first, one more repetition before going on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from paberki.errors import QueryError
from paberki.query.matching.conditions.names import Names
from paberki.query.matching.conditions.predicates import LookTest, check_text
from paberki.query.syntax.terms import (
    ANYTHING,
    And,
    Attribute,
    Comparison,
    Condition,
    Not,
    Or,
    Text,
    conjunction,
    disjunction,
    negation,
)
from paberki.query.syntax.tree import (
    AnyNode,
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
)
from paberki.record import Record

MOST_NODES: Final = 100_000


class TokenNode(Record):
    """A node that reads a token."""

    condition: Condition
    target: int


class TagMark(Record):
    """A start or end tag on an edge; ``register`` for structures whose regions contain each other."""

    structure: str
    opens: bool
    condition: Condition = ANYTHING
    register: int | None = None


class LabelMark(Record):
    """A register is set to the position."""

    register: int


Mark: TypeAlias = TagMark | LabelMark | LookTest | Condition | None


@dataclass(slots=True)
class Nodes:
    """The graph of a pattern."""

    start: int
    end: int
    edges: dict[int, list[tuple[int, Mark]]] = field(default_factory=dict)
    tokens: dict[int, TokenNode] = field(default_factory=dict)
    looks: list[Look] = field(default_factory=list)
    labels: tuple[str, ...] = ()
    tags: dict[str, tuple[str, Condition]] = field(default_factory=dict)
    """Registers of start tags of nested structures, with their structure and condition."""


def build(pattern: Pattern, names: Names, nested: Callable[[str], bool]) -> Nodes:
    """The graph of a pattern without operations on spans."""
    builder = _Builder(names, nested)
    start = builder.new()
    end = builder.add(pattern, start)
    nodes = builder.nodes
    nodes.start, nodes.end, nodes.labels = start, end, tuple(builder.registers)
    return nodes


class _Builder:
    def __init__(self, names: Names, nested: Callable[[str], bool]) -> None:
        self.nodes = Nodes(0, 0)
        self.registers: dict[str, int] = {}
        self._names = names
        self._nested = nested
        self._count = 0
        self._open: list[str] = []

    def new(self) -> int:
        self._count += 1
        if self._count > MOST_NODES:
            raise QueryError("the query is too large; use smaller numbers in { } or fewer alternatives")
        return self._count - 1

    def _register(self, label: str) -> int:
        return self.registers.setdefault(label, len(self.registers))

    def _edge(self, source: int, target: int, mark: Mark = None) -> int:
        self.nodes.edges.setdefault(source, []).append((target, mark))
        return target

    def _add_mark(self, source: int, mark: Mark) -> int:
        return self._edge(source, self.new(), mark)

    def add(self, pattern: Pattern, at: int) -> int:
        """Put a pattern behind a node; the node where it ends."""
        match pattern:
            case TokenPattern(condition):
                return self._token(condition, at)
            case AnyNode():
                return self._token(ANYTHING, at)
            case Sequence(parts):
                for part in parts:
                    at = self.add(part, at)
                return at
            case Choice(parts):
                return self._choice(parts, at)
            case Repeat():
                return self._repeat(pattern, at)
            case Labelled(label, part):
                return self._add_label(label, part, at)
            case OpenTag() | CloseTag():
                return self._tag(pattern, at)
            case Region():
                return self._region(pattern, at)
            case Look():
                return self._look(pattern, at)
            case _:
                raise TypeError(f"{type(pattern).__name__} has no automaton")

    def _token(self, condition: Condition, at: int) -> int:
        node = self._add_mark(at, None)
        target = self.new()
        self.nodes.tokens[node] = TokenNode(condition, target)
        return target

    def _choice(self, parts: tuple[Pattern, ...], at: int) -> int:
        end = self.new()
        for part in parts:
            self._edge(self.add(part, self._add_mark(at, None)), end)
        return end

    def _repeat(self, pattern: Repeat, at: int) -> int:
        for _ in range(pattern.low):
            at = self.add(pattern.part, at)
        end = self.new()
        if pattern.high is None:
            loop = self._add_mark(at, None)
            self._edge(self.add(pattern.part, self._add_mark(loop, None)), loop)
            return self._edge(loop, end)
        for _ in range(pattern.high - pattern.low):
            inside = self._add_mark(at, None)
            self._edge(at, end)
            at = self.add(pattern.part, inside)
        return self._edge(at, end)

    def _add_label(self, label: str, part: Pattern, at: int) -> int:
        at = self._add_mark(at, LabelMark(self._register(label)))
        at = self.add(part, at)
        if isinstance(part, TokenPattern | AnyNode):
            return at
        return self._add_mark(at, LabelMark(self._register(f"{label}<")))

    def _tag(self, tag: OpenTag | CloseTag, at: int) -> int:
        marks = tag_marks(tag, self._names)
        end = self.new()
        for mark in marks:
            self._edge(at, end, self._with_register(mark))
        return end

    def _with_register(self, mark: TagMark) -> TagMark:
        """Tags of nested structures set labels; pairs are found by the order in which they are written."""
        if not self._nested(mark.structure):
            return mark
        if mark.opens:
            label = f"<{mark.structure} {len([one for one in self.registers if one.startswith('<')])}"
            self._open.append(label)
            self.nodes.tags[label] = (mark.structure, mark.condition)
        else:
            label = next((one for one in reversed(self._open) if one.split(" ")[0] == f"<{mark.structure}"), "")
            if not label:
                return mark
            self._open.remove(label)
            label += ">"
        return TagMark(mark.structure, mark.opens, mark.condition, self._register(label))

    def _region(self, region: Region, at: int) -> int:
        end = self.new()
        for mark in tag_marks(OpenTag(region.name, region.condition, region.regex, region.at), self._names):
            inner = self._add_mark(at, self._with_register(mark))
            loop = self._token(ANYTHING, inner)
            again = self._add_mark(loop, None)
            self._edge(self._token(ANYTHING, again), loop)
            self._edge(loop, end, self._with_register(TagMark(mark.structure, False)))
        return end

    def _look(self, look: Look, at: int) -> int:
        if isinstance(look.part, TokenPattern) and not look.behind and not look.negated:
            return self._add_mark(at, look.part.condition)
        self.nodes.looks.append(Look(look.part, look.behind))
        return self._add_mark(at, LookTest(len(self.nodes.looks) - 1, look.negated))


def tag_marks(tag: OpenTag | CloseTag | Region, names: Names) -> list[TagMark]:
    """The tag in each structure that its name stands for, with its condition on real attributes."""
    opens = not isinstance(tag, CloseTag)
    condition: Condition = ANYTHING if isinstance(tag, CloseTag) else tag.condition
    if tag.regex:
        return [
            TagMark(name, opens, structure_condition(condition, name, None, names))
            for name in names.structures_like(tag.name, tag.at)
        ]
    structure, attribute = names.tag(tag.name, tag.at)
    real_condition = structure_condition(condition, structure, attribute, names)
    if attribute is not None and opens and condition == ANYTHING:
        real_condition = Not(Comparison(Attribute(attribute), "==", Text("")))
    return [TagMark(structure, opens, real_condition)]


def structure_condition(condition: Condition, structure: str, attribute: str | None, names: Names) -> Condition:
    """A condition of a tag with the names of the structure's attributes checked; the empty name is ``attribute``."""
    match condition:
        case And(parts):
            return conjunction([structure_condition(part, structure, attribute, names) for part in parts])
        case Or(parts):
            return disjunction([structure_condition(part, structure, attribute, names) for part in parts])
        case Not(part):
            return negation(structure_condition(part, structure, attribute, names))
        case Comparison(Attribute(name="") as left) if attribute is not None:
            own_attribute: Attribute = Attribute(attribute, at=left.at)
        case Comparison(Attribute() as left):
            own_attribute = left
        case _:
            return condition
    names.attribute_of(structure, own_attribute)
    if isinstance(condition.right, Text) and condition.operator == "=":
        check_text(condition.right)
    return Comparison(own_attribute, condition.operator, condition.right, condition.negated, condition.at)
