"""Conditions on single labels as conditions on tokens: ``A:[] B:[] :: A.tag = "S.*"`` is searched as ``A:[tag="S.*"] B:[]``.

Constraints are tested on all ways of a match; tokens that no way may have need not be tried at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from paberki.query.matching.conditions.names import Names
from paberki.query.syntax.terms import And, Anything, Attribute, Comparison, Condition, Interval, Text, conjunction
from paberki.query.syntax.tree import Choice, Labelled, Pattern, Repeat, Sequence, TokenPattern

__all__ = ["with_label_conditions"]


def with_label_conditions(core: Pattern, constraints: list[Condition], names: Names) -> Pattern:
    """The pattern with what constraints say of the values of a label's token; the constraints stay true as they are.

    A label that several tokens have, or one that is repeated, stands for the last of them, so that nothing is known of the others.
    """
    conditions: dict[str, list[Condition]] = {}
    for constraint in constraints:
        for label, condition in _conditions(constraint, names):
            conditions.setdefault(label, []).append(condition)
    if not conditions:
        return core
    counts = Counter(_labels(core))
    single = {label: parts for label, parts in conditions.items() if counts[label] == 1}
    return _changed(core, single) if single else core


def _conditions(constraint: Condition, names: Names) -> Iterator[tuple[str, Condition]]:
    """Labels, and comparisons of an attribute of tokens with a constant."""
    if isinstance(constraint, And):
        for part in constraint.parts:
            yield from _conditions(part, names)
    elif isinstance(constraint, Comparison) and isinstance(constraint.right, Text | Interval):
        left = constraint.left
        if isinstance(left, Attribute) and left.label is not None and names.token_attribute(left.name) is not None:
            bare = Attribute(left.name, None, left.at)
            yield left.label, Comparison(bare, constraint.operator, constraint.right, constraint.negated, constraint.at)


def _labels(pattern: Pattern) -> Iterator[str]:
    match pattern:
        case Sequence(parts) | Choice(parts):
            for part in parts:
                yield from _labels(part)
        case Repeat(part):
            for label in _labels(part):
                yield from (label, label)  # as often as several times
        case Labelled(label, part):
            yield label
            yield from _labels(part)


def _changed(pattern: Pattern, conditions: Mapping[str, list[Condition]]) -> Pattern:
    match pattern:
        case Sequence(parts):
            return Sequence(tuple(_changed(part, conditions) for part in parts))
        case Choice(parts):
            return Choice(tuple(_changed(part, conditions) for part in parts))
        case Labelled(label, TokenPattern(condition), at) if label in conditions:
            own = [] if isinstance(condition, Anything) else [condition]
            return Labelled(label, TokenPattern(conjunction([*own, *conditions[label]])), at)
        case Labelled(label, part, at):
            return Labelled(label, _changed(part, conditions), at)
        case _:
            return pattern
