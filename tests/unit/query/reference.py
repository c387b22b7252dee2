"""A slow evaluator of queries over plain Python lists. It is written to be obviously right, and defines what queries mean.

A pattern is matched from a position by trying everything: ``ways`` yields every end with the labels set on the way and the
regions that are open. Strategies, filters and relations are the sentences of the documentation, word for word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from paberki.query.syntax.terms import (
    And,
    Anything,
    Attribute,
    Call,
    Comparison,
    Interval,
    Not,
    Number,
    Or,
    Test,
    Text,
    TokenNumber,
)
from paberki.query.syntax.tree import (
    AnyNode,
    Both,
    Choice,
    CloseTag,
    Complement,
    Constrained,
    Cut,
    Expand,
    Filter,
    Labelled,
    Limit,
    Look,
    Meet,
    OpenTag,
    Pattern,
    Region,
    Relation,
    Repeat,
    Root,
    Sequence,
    Span,
    Strategy,
    Table,
    TokenPattern,
    Union,
)

Labels = dict[str, tuple[int, int]]
OpenRegions = tuple[tuple[str, int], ...]


@dataclass
class Corpus:
    """Tokens (attribute to value; sets as frozensets), regions (start, end, attributes) and heads (−1: none)."""

    tokens: list[dict[str, Any]]
    regions: dict[str, list[tuple[int, int, dict[str, str]]]]
    heads: list[int] = field(default_factory=list)
    default: str = "word"
    base: int = 0
    frequencies: dict[tuple[str, str], int] = field(default_factory=dict)

    def inside(self, name: str, position: int) -> list[tuple[int, int, dict[str, str]]]:
        return [region for region in self.regions[name] if region[0] <= position < region[1]]


def fold(text: str, flags: str) -> str:
    if "c" in flags:
        text = text.lower()
    if "d" in flags:
        decomposed = unicodedata.normalize("NFD", text)
        text = unicodedata.normalize("NFC", "".join(one for one in decomposed if unicodedata.category(one) != "Mn"))
    return text


def equals(value: Any, text: Text, literal: bool) -> bool:
    if isinstance(value, frozenset):
        written = "|" + "".join(f"{one}|" for one in sorted(value))
        return equals(written, text, literal) or any(equals(one, text, literal) for one in value)
    value, pattern = fold(value, text.flags), fold(text.value, text.flags)
    return value == pattern if literal else re.fullmatch(pattern, value) is not None


def compare(left: Any, operator: str, right: Any) -> bool:
    if operator in ("=", "=="):
        return bool(left == right)
    return bool({"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[operator])


def number(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


def distinct(ways: Any) -> list[Any]:
    return list(
        {
            (end, tuple(sorted(labels.items())), regions): (end, labels, regions) for end, labels, regions in ways
        }.values()
    )


class Reference:
    def __init__(self, corpus: Corpus, *, absolute: bool = False) -> None:
        self.corpus = corpus
        self.size = len(corpus.tokens)
        self.absolute = absolute
        self.known_trees: dict[Pattern, Any] = {}

    # Conditions.

    def value(self, attribute: Attribute, position: int | None) -> Any:
        if position is None or position < 0:
            return None
        name = attribute.name or self.corpus.default
        if name in self.corpus.tokens[position]:
            return self.corpus.tokens[position][name]
        for structure, regions in self.corpus.regions.items():
            if name.startswith(f"{structure}_") and regions is not None:
                around = self.corpus.inside(structure, position)
                return (
                    min(around, key=lambda one: one[1] - one[0])[2].get(name[len(structure) + 1 :], "")
                    if around
                    else None
                )
        for member in sorted(self.corpus.tokens[position].get("feats", ())):
            key, _, value = member.partition("=")
            if key.lower() == name.lower():
                return value
        return None

    def place(self, label: str | None, position: int | None, labels: Labels) -> int | None:
        if label is None or label == "_":
            return position
        return labels[label][0] if label in labels else None

    def holds(self, condition: Any, position: int | None, labels: Labels) -> bool:
        match condition:
            case Anything():
                return True
            case And(parts):
                return all(self.holds(part, position, labels) for part in parts)
            case Or(parts):
                return any(self.holds(part, position, labels) for part in parts)
            case Not(part):
                return not self.holds(part, position, labels)
            case TokenNumber(first, last):
                assert position is not None
                return first <= position + self.corpus.base <= last
            case Test(operand):
                return self.test(operand, position, labels)
            case Comparison():
                return self.compared(condition, position, labels)
        raise AssertionError(condition)

    def test(self, operand: Any, position: int | None, labels: Labels) -> bool:
        if isinstance(operand, Call):
            assert position is not None
            regions = self.corpus.regions[operand.arguments[0].name]
            edge = 0 if operand.name == "lbound" else 1
            return any(region[edge] - edge == position for region in regions)
        if operand.label is None and operand.name in self.corpus.regions and position is not None:
            return bool(self.corpus.inside(operand.name, position))
        return operand.name in labels

    def compared(self, node: Comparison, position: int | None, labels: Labels) -> bool:
        left, right = node.left, node.right
        if (
            isinstance(left, Attribute)
            and not self.is_label(left, labels)
            and isinstance(right, Text | Interval | Number)
        ):
            value = self.value(
                left, self.place(left.label or ("match" if position is None else None), position, labels)
            )
            return value is not None and self.constant(value, node.operator, right) != node.negated
        if all(isinstance(side, Attribute) and not self.is_label(side, labels) for side in (left, right)):
            first, second = (self.value(side, self.place(side.label, position, labels)) for side in (left, right))
            return first is not None and second is not None and compare(first, node.operator, second) != node.negated
        first, second = self.number(left, labels, position), self.number(right, labels, position)
        return first is not None and second is not None and compare(first, node.operator, second) != node.negated

    def is_label(self, attribute: Attribute, labels: Labels) -> bool:
        return attribute.label is None and attribute.name in labels

    def constant(self, value: Any, operator: str, right: Any) -> bool:
        if operator in ("contains", "matches"):
            members = value if isinstance(value, frozenset) else frozenset(one for one in value.split("|") if one)
            test = any if operator == "contains" else all
            return bool(members) and test(equals(one, right, False) for one in members)
        if isinstance(right, Interval):
            amount = number(value)
            low, high = right.low, right.high
            return amount is not None and (low is None or low <= amount) and (high is None or amount <= high)
        if isinstance(right, Text) and operator in ("=", "=="):
            return equals(value, right, operator == "==")
        amount, bound = number(value), number(str(right.value))
        if amount is not None and bound is not None:
            return compare(amount, operator, bound)
        return isinstance(right, Text) and compare(value, operator, right.value)

    def number(self, operand: Any, labels: Labels, position: int | None = None) -> float | None:
        match operand:
            case Number(value):
                return value
            case Attribute(name, None):
                return labels[name][0] if name in labels else None
            case Attribute() as attribute:
                value = self.value(attribute, self.place(attribute.label, None, labels))
                return None if value is None else number(value)
            case Call("f" | "strlen" | "ambiguity", (Attribute() as attribute,)):
                value = self.value(attribute, self.place(attribute.label, position, labels))
                if value is None or operand.name != "f":
                    return None if value is None else len(value)
                return self.corpus.frequencies[attribute.name, value]
            case Call("start", (Attribute(name),)):
                return labels[name][0] if name in labels else None
            case Call("end", (Attribute(name),)):
                return labels[name][1] if name in labels else None
            case Call(name, (first, second)):
                one, two = self.number(first, labels, position), self.number(second, labels, position)
                if one is None or two is None:
                    return None
                if name in ("add", "sub"):
                    return one + two if name == "add" else one - two
                signed = name == "dist" or (name == "distance" and not self.absolute)
                return two - one if signed else abs(two - one)
        raise AssertionError(operand)

    # Patterns of tokens.

    def ways(
        self, pattern: Pattern, at: int, labels: Labels, regions: OpenRegions = ()
    ) -> Iterator[tuple[int, Labels, OpenRegions]]:
        """Every end of a match from a position, with labels and open regions."""
        match pattern:
            case TokenPattern(condition):
                if at < self.size and self.holds(condition, at, labels):
                    yield at + 1, labels, regions
            case AnyNode():
                if at < self.size:
                    yield at + 1, labels, regions
            case Sequence(parts):
                now = [(at, labels, regions)]
                for part in parts:
                    now = distinct(way for one in now for way in self.ways(part, *one))
                yield from now
            case Choice(parts):
                for part in parts:
                    yield from self.ways(part, at, labels, regions)
            case Repeat(part, low, high):
                yield from self.repeated(part, low, high, at, labels, regions)
            case Labelled(label, part):
                before = {**labels, label: (at, at + 1)}
                for end, now, opened in self.ways(part, at, before, regions):
                    if end > at:
                        yield end, {**now, label: (at, end)}, opened
                    else:
                        yield end, {name: place for name, place in now.items() if name != label}, opened
            case OpenTag(name, condition):
                for region, (start, _, attributes) in enumerate(self.corpus.regions[name]):
                    if start == at and self.region_holds(condition, attributes):
                        yield at, labels, (*regions, (name, region))
            case CloseTag(name):
                yield from self.closed(name, at, labels, regions)
            case Region(name, condition):
                for start, end, attributes in self.corpus.regions[name]:
                    if start == at and self.region_holds(condition, attributes):
                        yield end, labels, regions
            case Look():
                if self.looks(pattern, at, labels) != pattern.negated:
                    yield at, labels, regions
            case _:
                for start, end, now in self.spans(pattern):
                    if start == at:
                        yield end, {**labels, **now}, regions

    def repeated(self, part: Pattern, low: int, high: int | None, at: int, labels: Labels, regions: OpenRegions) -> Any:
        now = [(at, labels, regions)]
        every = now if low == 0 else []
        count = 0
        while now and (high is None or count < high):
            count += 1
            following = distinct(way for one in now for way in self.ways(part, *one) if way[0] > one[0] or count <= low)
            now = [way for way in following if count <= low or way not in every]
            every = distinct([*every, *now]) if count >= low else every
        yield from every

    def closed(self, name: str, at: int, labels: Labels, regions: OpenRegions) -> Any:
        own = [number for number, (other, _) in enumerate(regions) if other == name]
        if own:
            if self.corpus.regions[name][regions[own[-1]][1]][1] == at:
                yield at, labels, regions[: own[-1]] + regions[own[-1] + 1 :]
        elif any(end == at for _, end, _ in self.corpus.regions[name]):
            yield at, labels, regions

    def region_holds(self, condition: Any, attributes: dict[str, str]) -> bool:
        match condition:
            case Anything():
                return True
            case And(parts):
                return all(self.region_holds(part, attributes) for part in parts)
            case Or(parts):
                return any(self.region_holds(part, attributes) for part in parts)
            case Not(part):
                return not self.region_holds(part, attributes)
            case Comparison(Attribute(name), operator, right, negated):
                return self.constant(attributes.get(name, ""), operator, right) != negated
        raise AssertionError(condition)

    def looks(self, look: Look, at: int, labels: Labels) -> bool:
        if not look.behind:
            return any(True for _ in self.ways(look.part, at, labels))
        return any(end == at for start in range(at + 1) for end, _, _ in self.ways(look.part, start, labels))

    # Spans.

    def spans(self, pattern: Pattern) -> list[tuple[int, int, Labels]]:
        """Every match that is not empty, in order."""
        match pattern:
            case Relation() | Root() | Span():
                return sorted(
                    ((low, high, labels) for _, low, high, labels, _ in self.trees(pattern)),
                    key=lambda one: one[:2],
                )
            case Meet() | Union():
                return [(place, place + 1, {}) for place in sorted(self.places(pattern))]
            case Table():
                return list(self.rows(pattern))
            case Both(parts):
                sides = [self.spans(part) for part in parts if not isinstance(part, Complement)]
                common = set.intersection(*({span[:2] for span in side} for side in sides))
                for part in parts:
                    if isinstance(part, Complement):
                        common -= {span[:2] for span in self.spans(part.part)}
                return sorted((one for one in sides[0] if one[:2] in common), key=lambda one: one[:2])
            case Constrained(part, condition):
                self.absolute = isinstance(part, Relation | Root | Span)
                return [one for one in self.spans(part) if self.satisfied(condition, one)]
            case Limit(part, count, None):
                return [one for one in self.spans(part) if one[1] - 1 - one[0] <= count]
            case Limit(part, count, structure):
                return [one for one in self.spans(part) if self.in_a_row(one, count, str(structure))]
            case Filter(part, relation, scope, negated):
                others = self.spans(scope)
                return [one for one in self.spans(part) if self.related(one, relation, others) != negated]
        matches = []
        for start in range(self.size):
            for end, labels, _ in sorted(self.ways(pattern, start, {}), key=lambda one: one[0]):
                if end > start:
                    matches.append((start, end, labels))
        return matches

    def satisfied(self, condition: Any, span: tuple[int, int, Labels]) -> bool:
        start, end, labels = span
        extended = {**labels, "match": (start, start + 1), "matchend": (end - 1, end)}
        return self.holds(condition, None, extended)

    def in_a_row(self, span: tuple[int, int, Labels], count: int, structure: str) -> bool:
        regions = self.corpus.regions[structure]
        for number, (start, end, _) in enumerate(regions):
            if start <= span[0] < end:
                return span[1] <= regions[min(number + count - 1, len(regions) - 1)][1]
        return False

    def related(self, span: tuple[int, int, Labels], relation: str, others: list[tuple[int, int, Labels]]) -> bool:
        start, end = span[:2]
        for low, high, _ in others:
            if relation == "within" and low <= start and end <= high:
                return True
            if relation == "containing" and start <= low and high <= end:
                return True
            if relation == "overlap" and low < end and start < high:
                return True
        return False

    def places(self, pattern: Pattern) -> set[int]:
        match pattern:
            case TokenPattern(condition):
                return {place for place in range(self.size) if self.holds(condition, place, {})}
            case Union(left, right):
                return self.places(left) | self.places(right)
            case Meet(left, right, low, high, structure, negated):
                others = self.places(right)
                return {
                    place for place in self.places(left) if self.near(place, others, low, high, structure) != negated
                }
        raise AssertionError(pattern)

    def near(self, place: int, others: set[int], low: int, high: int, structure: str | None) -> bool:
        if structure is None:
            return any(low <= other - place <= high for other in others)
        return any(start <= other < end for start, end, _ in self.corpus.inside(structure, place) for other in others)

    def rows(self, pattern: Table) -> Iterator[tuple[int, int, Labels]]:
        for start in sorted(self.places(pattern.parts[0])):
            at: int | None = start
            for part, (low, high) in zip(pattern.parts[1:], pattern.gaps, strict=True):
                assert at is not None
                following = [
                    place
                    for place in sorted(self.places(part))
                    if place - at - 1 >= low and (high is None or place - at - 1 <= high)
                ]
                at = following[0] if following else None
                if at is None:
                    break
            if at is not None:
                yield start, at + 1, {}

    # Trees: own token, extent, labels, and edges (head, dependent).

    def trees(self, pattern: Pattern) -> list[tuple[int, int, int, Labels, list[tuple[int, int]]]]:
        if pattern not in self.known_trees:
            self.known_trees[pattern] = self.all_trees(pattern)
        return self.known_trees[pattern]  # type: ignore[no-any-return]

    def all_trees(self, pattern: Pattern) -> list[tuple[int, int, int, Labels, list[tuple[int, int]]]]:
        match pattern:
            case TokenPattern(condition):
                return [(p, p, p + 1, {}, []) for p in range(self.size) if self.holds(condition, p, {})]
            case AnyNode():
                return [(p, p, p + 1, {}, []) for p in range(self.size)]
            case Labelled(label, part):
                return [(p, a, b, {**names, label: (p, p + 1)}, edges) for p, a, b, names, edges in self.trees(part)]
            case Choice(parts):
                return [one for part in parts for one in self.trees(part)]
            case Span(part, extent):
                return [self.extended(one, extent) for one in self.trees(part)]
            case Root(name, part):
                return [
                    (p, a, b, names, [(-1, p), *edges])
                    for p, a, b, names, edges in self.trees(part)
                    if self.corpus.heads[p] < 0 and self.named(name, p)
                ]
            case Relation(source, children):
                grown = [(one, ()) for one in self.trees(source)]
                for child in (one for one in children if not one.negated):
                    grown = [pair for one in grown for pair in self.with_child(one, child)]
                return [
                    one
                    for one, _ in grown
                    if not any(child.negated and list(self.with_child((one, ()), child)) for child in children)
                ]
        raise AssertionError(pattern)

    def with_child(self, grown: Any, child: Any) -> Iterator[Any]:
        (p, a, b, names, edges), taken = grown
        for q, c, d, others, below in self.trees(child.target):
            if q not in taken and self.hangs(q, p, child):
                extent = min(a, c, p), max(b, d, p + 1)
                yield (p, *extent, {**names, **others}, [*edges, (p, q), *below]), (*taken, q)

    def hangs(self, token: int, ancestor: int, child: Any) -> bool:
        while self.corpus.heads[token] >= 0 and self.named(child.name, token):
            token = self.corpus.heads[token]
            if token == ancestor:
                return True
            if not child.descendants:
                return False
        return False

    def named(self, name: str, token: int) -> bool:
        return not name or re.fullmatch(name, self.corpus.tokens[token]["deprel"]) is not None

    def extended(self, tree: Any, extent: str) -> Any:
        p, a, b, names, edges = tree
        if extent == "all" or not edges:
            return tree
        head, dependent = edges[0]
        head = dependent if head < 0 else head
        low, high = {"source": (head, head), "target": (dependent, dependent)}.get(
            extent, (min(edges[0]), max(edges[0]))
        )
        return p, low, high + 1, names, edges

    # Whole queries.

    def hits(self, pattern: Pattern, strategy: str = "standard") -> list[tuple[int, int]]:
        """Spans of a query with all its operations."""
        filtered, limits = pattern, []
        while _restricts(filtered):
            limits.append(filtered)
            filtered = filtered.part
        if limits and isinstance(filtered, Filter):
            inner = filtered.part
            for limit in reversed(limits):
                inner = limit.changed(part=inner)
            if _restricts(inner):
                return self.hits(Filter(inner, filtered.relation, filtered.scope, filtered.negated), strategy)
        match pattern:
            case Strategy(name, part):
                return self.hits(part, name)
            case Cut(part, first, last):
                return self.hits(part, strategy)[first : last + 1]
            case Expand(part, direction, count, structure):
                return self.grown(self.hits(part, strategy), direction, count, structure)
            case Filter(part, "within", Region(), False) | Limit(part) | Constrained(part) if not isinstance(
                part, Region
            ):
                return chosen(
                    self.spans(pattern), strategy if not _unchosen(pattern) else "all", not _unchosen(pattern)
                )
            case Filter(part, relation, scope, negated):
                others = self.spans(scope)
                return [
                    one for one in self.hits(part, strategy) if self.related((*one, {}), relation, others) != negated
                ]
        return chosen(self.spans(pattern), strategy if not _unchosen(pattern) else "all", not _unchosen(pattern))

    def grown(
        self, hits: list[tuple[int, int]], direction: str, count: int, structure: str | None
    ) -> list[tuple[int, int]]:
        spans = []
        for start, end in hits:
            if direction != "right":
                start = self.edge(start, -1, count, structure)
            if direction != "left":
                end = self.edge(end - 1, 1, count, structure)
            spans.append((start, end))
        return sorted(set(spans))

    def edge(self, position: int, sign: int, count: int, structure: str | None) -> int:
        if structure is None:
            return max(position - count, 0) if sign < 0 else min(position + 1 + count, self.size)
        regions = self.corpus.regions[structure]
        around = [number for number, (start, end, _) in enumerate(regions) if start <= position < end]
        if not around:
            return position if sign < 0 else position + 1
        innermost = min(around, key=lambda one: regions[one][1] - regions[one][0])
        number = max(0, min(len(regions) - 1, innermost + sign * (count - 1)))
        return regions[number][0 if sign < 0 else 1]


def _restricts(pattern: Pattern) -> bool:
    """Whether a pattern restricts matching wherever it stands, while other filters look at the chosen hits."""
    if isinstance(pattern, Filter):
        is_scope = pattern.relation == "within" and isinstance(pattern.scope, Region) and not pattern.negated
        return is_scope and not isinstance(pattern.part, Region)
    return isinstance(pattern, Limit | Constrained)


def _unchosen(pattern: Pattern) -> bool:
    while isinstance(pattern, Filter | Limit | Constrained):
        pattern = pattern.part
    return isinstance(pattern, Relation | Root | Span | Meet | Union | Table)


def chosen(spans: list[tuple[int, int, Labels]], strategy: str, distinct: bool = True) -> list[tuple[int, int]]:
    """The hits that a strategy chooses, by its definition."""
    every = sorted({span[:2] for span in spans}) if distinct else sorted(span[:2] for span in spans)
    if strategy == "all":
        return every
    first, last = dict(reversed(every)), dict(every)
    earliest, latest = sorted(first.items()), sorted(last.items())
    if strategy == "traditional":
        return earliest
    if strategy == "standard":
        return [one for one in earliest if not any(end == one[1] and start < one[0] for start, end in earliest)]
    if strategy == "shortest":
        return [one for one in earliest if not any(one != o and one[0] <= o[0] and o[1] <= one[1] for o in earliest)]
    return [one for one in latest if not any(one != o and o[0] <= one[0] and one[1] <= o[1] for o in latest)]
