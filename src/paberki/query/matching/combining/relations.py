"""Dependency relations: tokens, their heads, and what hangs on them.

A node of the query is a table of tokens; an arrow joins the table of a child to that of its parent through the head column.
Sentences are looked at some thousands at a time; relations do not leave their sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.errors import QueryError
from paberki.query.index.segment import Segment
from paberki.query.matching.automata.evaluator import Evaluator
from paberki.query.matching.budget import BudgetWatch
from paberki.query.matching.combining.constraints import Constraint
from paberki.query.matching.combining.joining import pair_rows, sort_spans
from paberki.query.matching.conditions.id_set import Bools, IdSet
from paberki.query.matching.conditions.names import Names
from paberki.query.matching.conditions.predicates import SimpleTest, ValueTest, terms
from paberki.query.matching.conditions.regexes import matching
from paberki.query.matching.distinct import distinct
from paberki.query.matching.hit_table import HitEdges, HitTable, concatenate
from paberki.query.matching.nodes import node_condition, obligatory
from paberki.query.syntax.terms import Anything, Attribute, Comparison, Condition, Text, conjunction
from paberki.query.syntax.tree import (
    AnyNode,
    Child,
    Choice,
    Constrained,
    Labelled,
    Pattern,
    Relation,
    Repeat,
    Root,
    Span,
    TokenPattern,
)

Places = npt.NDArray[np.int64]

_SENTENCE: Final = "s"
_FIRST_WINDOW: Final = 1 << 14
_WINDOW: Final = 1 << 18
_SPARSE: Final = 100
"""A token rarer than one in so many decides which sentences are looked at."""
_DEEPEST: Final = 500
_NO_NAME: Final = ("", "_")


@dataclass(slots=True)
class RelationMatches:
    """Matches of a node: its own token, and everything that hangs on it."""

    head: Places
    table: HitTable

    def take(self, numbers: npt.NDArray[Any]) -> RelationMatches:
        """Some of them."""
        return RelationMatches(self.head[numbers], self.table.take(numbers))


class Relations:
    """Relation queries on one segment."""

    def __init__(self, names: Names, segment: Segment, clock: BudgetWatch) -> None:
        if segment.head is None:
            raise QueryError("this corpus has no dependency relations; index it with the columns head and deprel")
        self._names, self._segment, self._clock = names, segment, clock
        self._heads = segment.head
        self._evaluator = Evaluator(segment, names.index, clock)
        self._relations = segment.attribute("deprel")
        self._universe: Places = np.zeros(0, np.int64)

    def matches(self, pattern: Pattern) -> HitTable:
        """All matches in order."""
        return concatenate([*(table for table, _ in self.chunks(pattern)), HitTable.empty()])

    def chunks(self, pattern: Pattern) -> Iterator[tuple[HitTable, int]]:
        """Matches, some sentences at a time, with the position up to which all are found."""
        for places, searched_end in self._universes(pattern):
            self._clock.check()
            self._universe = places
            rows = self._node(pattern)
            yield sort_spans(rows.table), searched_end

    def _universes(self, pattern: Pattern) -> Iterator[tuple[Places, int]]:
        """Tokens of whole sentences; of those with the rarest token of the pattern, if it is rare."""
        tokens = self._segment.tokens
        if _SENTENCE not in self._names.index.structures or not self._segment.structure(_SENTENCE).size:
            yield np.arange(tokens, dtype=np.int64), tokens
            return
        sentences = self._segment.structure(_SENTENCE)
        rare = self._rarest(pattern)
        if rare is not None:
            yield from self._sparse_universes(rare, sentences)
            return
        low, size, kind = 0, _FIRST_WINDOW, sentences.starts.dtype
        while low < tokens:
            number = int(np.searchsorted(sentences.starts, kind.type(min(low + size, tokens))))
            high = int(sentences.starts[number]) if number < sentences.size else tokens
            yield np.arange(low, high, dtype=np.int64), high
            low, size = high, min(size * 4, _WINDOW)

    def _sparse_universes(self, rare: list[SimpleTest], sentences: Any) -> Iterator[tuple[Places, int]]:
        tokens = self._segment.tokens
        places = distinct(np.concatenate([self._evaluator.positions(test, 0, tokens) for test in rare]))
        numbers = distinct(sentences.region_of(places))
        numbers = numbers[numbers >= 0]
        step = 256
        at = 0
        while at < len(numbers):
            batch = numbers[at : at + step]
            starts, ends = sentences.starts[batch].astype(np.int64), sentences.ends[batch].astype(np.int64)
            lengths = ends - starts
            inside = np.repeat(starts - np.cumsum(lengths) + lengths, lengths) + np.arange(int(lengths.sum()))
            at, step = at + step, min(step * 4, 1 << 13)
            yield inside, tokens if at >= len(numbers) else int(ends[-1])

    def _rarest(self, pattern: Pattern) -> list[SimpleTest] | None:
        """Tests of the rarest token that every match has."""
        best: tuple[int, list[SimpleTest]] | None = None
        for condition in obligatory(pattern):
            tests: list[SimpleTest] = []
            total = 0
            for term in terms(condition, self._names):
                values = [(self._evaluator.estimate(test), test) for test in term if isinstance(test, ValueTest)]
                count, test = min(values, key=lambda pair: pair[0]) if values else (self._segment.tokens, None)
                total += count
                tests += [test] if test is not None else []
            if total * _SPARSE < self._segment.tokens and (best is None or total < best[0]):
                best = (total, tests)
        return None if best is None else best[1] or None

    # Nodes.

    def _node(self, pattern: Pattern) -> RelationMatches:
        match pattern:
            case Relation(source, children):
                return self._relation(source, children)
            case Root(name, target):
                return self._root(name, self._node(target))
            case Labelled(label, part):
                rows = self._node(part)
                rows.table.labels[label], rows.table.label_ends[label] = rows.head, rows.head + 1
                return rows
            case Constrained(part, condition):
                rows = self._node(part)
                return rows.take(np.flatnonzero(self._satisfies(condition, rows.table)))
            case Span(part, extent):
                return _extend(self._node(part), extent)
            case Choice(parts):
                sides = [self._node(part) for part in parts]
                return RelationMatches(
                    np.concatenate([side.head for side in sides]), concatenate([side.table for side in sides])
                )
            case _:
                return self._tokens(node_condition(pattern))

    def _satisfies(self, condition: Condition, table: HitTable) -> Bools:
        from paberki.query.matching.matches import satisfies

        return satisfies(Constraint(self._evaluator, self._names, absolute=True), condition, table)

    def _tokens(self, condition: Condition) -> RelationMatches:
        places = self._universe
        if not isinstance(condition, Anything):
            places = places[self._holds(condition, places)]
        return RelationMatches(places, HitTable(places, places + 1))

    def _holds(self, condition: Condition, places: Places) -> Bools:
        if isinstance(condition, Anything):
            return np.ones(len(places), np.bool_)
        answers = np.zeros(len(places), np.bool_)
        for term in terms(condition, self._names):
            good = np.ones(len(places), np.bool_)
            for test in term:
                good &= self._evaluator.holds(test, places)
            answers |= good
        return answers

    def _root(self, name: str, rows: RelationMatches) -> RelationMatches:
        ids = self._relations.ids_at(rows.head)
        nameless_ids = IdSet.of_ids(self._relations.size, *(self._relations.id_of(one) for one in _NO_NAME))
        good = (self._heads[rows.head] == 0) & ~nameless_ids.holds(ids) & self._have_name(name, ids)
        rows = rows.take(np.flatnonzero(good))
        edge = HitEdges(np.full(len(rows.head), -1, np.int64), rows.head, ids[good].astype(np.int64))
        rows.table.edges.insert(0, edge)
        return rows

    def _have_name(self, name: str, ids: npt.NDArray[Any]) -> Bools:
        """Whether relations have this name."""
        if not name:
            return np.ones(len(ids), np.bool_)
        return matching(self._relations, name).holds(ids)

    # Arrows.

    def _relation(self, source: Pattern, children: tuple[Child, ...]) -> RelationMatches:
        """Tokens of the source with one row of each child; no two children are the same token."""
        rows: RelationMatches | None = None
        targets: list[int] = []
        for child in children:
            if child.negated:
                continue
            below = self._below(child)
            rows = self._sources(source, below) if rows is None else _join(rows, below, targets, self._clock)
            targets.append(len(rows.table.edges) - len(below.table.edges))
        if rows is None:
            rows = self._node(source)
        for child in children:
            if child.negated:
                rows = rows.take(np.flatnonzero(~np.isin(rows.head, self._below(child).head)))
        return rows

    def _sources(self, source: Pattern, below: RelationMatches) -> RelationMatches:
        """Rows of the first child together with its parent, where that is what the source asks for."""
        bare, labels = _without_labels(source)
        if not isinstance(bare, AnyNode | TokenPattern | Repeat):
            return _join(self._node(source), below, [], self._clock)
        rows = below.take(np.flatnonzero(self._holds(node_condition(bare), below.head)))
        for label in labels:
            rows.table.labels[label], rows.table.label_ends[label] = rows.head, rows.head + 1
        rows.table.starts = np.minimum(rows.table.starts, rows.head)
        rows.table.ends = np.maximum(rows.table.ends, rows.head + 1)
        return rows

    def _below(self, child: Child) -> RelationMatches:
        """Rows of a child's node by the token they hang on, with the arrow as first edge."""
        rows = self._node(child.target) if child.descendants else self._dependents(child)
        ids = self._relations.ids_at(rows.head)
        numbers = np.flatnonzero(self._have_name(child.name, ids) & (self._heads[rows.head] != 0))
        parents = rows.head[numbers] + self._heads[rows.head[numbers]]
        if child.descendants:
            numbers, parents = self._ancestors(child.name, numbers, parents)
        below = rows.take(numbers)
        edge = HitEdges(parents, below.head, ids[numbers].astype(np.int64), child.label)
        below.table.edges.insert(0, edge)
        return RelationMatches(parents, below.table)

    def _dependents(self, child: Child) -> RelationMatches:
        """Rows of a child's node; of single tokens, only those with a relation of its name."""
        if not child.name or not isinstance(child.target, AnyNode | TokenPattern):
            return self._node(child.target)
        relation = Comparison(Attribute("deprel"), "=", Text(child.name))
        return self._tokens(conjunction([relation, node_condition(child.target)]))

    def _ancestors(self, name: str, numbers: Places, parents: Places) -> tuple[Places, Places]:
        """All ancestors, each step over a relation of this name."""
        steps = [(numbers, parents)]
        for _ in range(_DEEPEST):
            ids = self._relations.ids_at(parents)
            good = self._have_name(name, ids) & (self._heads[parents] != 0)
            numbers, parents = numbers[good], parents[good]
            if not len(numbers):
                break
            parents = parents + self._heads[parents]
            steps.append((numbers, parents))
        return np.concatenate([one for one, _ in steps]), np.concatenate([one for _, one in steps])


def _without_labels(pattern: Pattern) -> tuple[Pattern, list[str]]:
    labels = []
    while isinstance(pattern, Labelled):
        labels.append(pattern.label)
        pattern = pattern.part
    return pattern, labels


def _join(left: RelationMatches, right: RelationMatches, targets: list[int], clock: BudgetWatch) -> RelationMatches:
    """Rows with the same token, where the new arrow leads to another token than the arrows before."""
    order = np.argsort(right.head, kind="stable")
    right = right.take(order)
    low = np.searchsorted(right.head, left.head)
    counts = np.searchsorted(right.head, left.head, "right") - low
    table = pair_rows(left.table, right.table, low, counts, clock.room)
    numbers = np.repeat(np.arange(len(left.head)), counts)
    others = np.repeat(low - np.cumsum(counts) + counts, counts) + np.arange(int(counts.sum()))
    table.starts = np.minimum(left.table.starts[numbers], right.table.starts[others])
    table.ends = np.maximum(left.table.ends[numbers], right.table.ends[others])
    head = left.head[numbers]
    table.starts, table.ends = np.minimum(table.starts, head), np.maximum(table.ends, head + 1)
    new = table.edges[len(left.table.edges)]
    good = np.ones(len(table), np.bool_)
    for target in targets:
        good &= table.edges[target].target != new.target
    return RelationMatches(head, table).take(np.flatnonzero(good))


def _extend(rows: RelationMatches, extent: str) -> RelationMatches:
    """The same rows with the extent of their first arrow's source, target or both; ``all`` is what they have."""
    table = rows.table
    if extent == "all" or not table.edges:
        return rows
    source, target = table.edges[0].source, table.edges[0].target
    source = np.where(source < 0, target, source)
    low, high = {
        "source": (source, source),
        "target": (target, target),
        "full": (np.minimum(source, target), np.maximum(source, target)),
    }[extent]
    return RelationMatches(rows.head, HitTable(low, high + 1, table.labels, table.label_ends, table.edges))
