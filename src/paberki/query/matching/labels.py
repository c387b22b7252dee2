"""Which labels a query sets, and whether its constraints may use them."""

from __future__ import annotations

from collections.abc import Iterator

from paberki.errors import QueryError
from paberki.nearest import nearest
from paberki.query.matching.conditions.functions import check_calls
from paberki.query.matching.conditions.names import Names
from paberki.query.matching.conditions.predicates import structure_arguments
from paberki.query.matching.conditions.value_tests import attribute_names
from paberki.query.matching.outline import Outline
from paberki.query.syntax.dialects import Dialect
from paberki.query.syntax.terms import And, Attribute, Comparison, Condition, Not, Or, Test
from paberki.query.syntax.tree import (
    Both,
    Child,
    Choice,
    Constrained,
    Cut,
    Expand,
    Filter,
    Labelled,
    Limit,
    Meet,
    Pattern,
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

ALWAYS = ("match", "matchend")


def definite(pattern: Pattern) -> frozenset[str]:
    """Labels that every match sets."""
    match pattern:
        case Labelled(label, part):
            return definite(part) | {label}
        case Sequence(parts) | Both(parts):
            return frozenset().union(*(definite(part) for part in parts))
        case Choice(parts):
            return frozenset.intersection(*(definite(part) for part in parts))
        case Repeat(part, low):
            return definite(part) if low else frozenset()
        case Relation(source, children):
            return definite(source).union(*(_of_child(child) for child in children if not child.negated))
        case Root(_, part) | Strategy(_, part):
            return definite(part)
        case Span(part) | Constrained(part) | Filter(part) | Limit(part) | Cut(part) | Expand(part):
            return definite(part)
        case Meet(left):
            return definite(left)
        case _:
            return frozenset()


def _of_child(child: Child) -> frozenset[str]:
    return definite(child.target)


def possible(pattern: Pattern) -> frozenset[str]:
    """Labels that some match sets."""
    own = frozenset({pattern.label}) if isinstance(pattern, Labelled) else frozenset()
    return own.union(*(possible(part) for part in parts_of(pattern)))


def parts_of(pattern: Pattern) -> list[Pattern]:
    """The patterns inside a pattern; not those of filters, nor what must not occur."""
    match pattern:
        case Sequence(parts) | Both(parts) | Choice(parts):
            return list(parts)
        case Table(parts):
            return list(parts)
        case Relation(source, children):
            return [source, *(child.target for child in children if not child.negated)]
        case Root(_, part) | Strategy(_, part) | Labelled(_, part):
            return [part]
        case Repeat(part) | Span(part) | Constrained(part) | Filter(part) | Limit(part) | Cut(part) | Expand(part):
            return [part]
        case Meet(left, right) | Union(left, right):
            return [left, right]
        case _:
            return []


def check_labels(parts: Outline, names: Names, dialect: Dialect) -> None:
    """Raise an error where a constraint uses a label that no match, or not every match, sets."""
    labels = possible(parts.core)
    always = definite(parts.core) | set(ALWAYS)
    for condition in parts.constraints:
        check_calls(condition)
        for attribute, must_be_set in _uses(condition, names):
            _check_use(attribute, must_be_set, labels, always, names, dialect)
    for token in _tokens(parts.core):
        for attribute in attribute_names(token.condition):
            if attribute.label is not None and attribute.label not in labels:
                _unknown(attribute, attribute.label, labels)


def _check_use(
    attribute: Attribute,
    must_be_set: bool,
    labels: frozenset[str],
    always: frozenset[str],
    names: Names,
    dialect: Dialect,
) -> None:
    label = attribute.label if attribute.label is not None else attribute.name
    if label not in labels and label not in ALWAYS:
        if attribute.label is None and (names.token_attribute(label) or names.structure_attribute(label)):
            return
        _unknown(attribute, label, labels)
    if attribute.label is not None and not _exists(attribute, names):
        names.unknown_attribute(attribute)
    if must_be_set and label not in always and not dialect.captures_count:
        raise QueryError(
            f"the label {label!r} is not set in every match and cannot be used after :: (character {attribute.at[0] + 1})",
            position=max(attribute.at[0], 0),
            length=attribute.at[1],
        )


def _exists(attribute: Attribute, names: Names) -> bool:
    name = attribute.name
    return bool(names.token_attribute(name) or names.structure_attribute(name) or names.feature(name))


def _unknown(attribute: Attribute, label: str, labels: frozenset[str]) -> None:
    hint = nearest(label, labels)
    raise QueryError(
        f"no token has the label {label!r} (character {attribute.at[0] + 1}){hint}",
        position=max(attribute.at[0], 0),
        length=attribute.at[1],
        expected=tuple(sorted(labels)),
        suggestion=hint.partition("mean '")[2].removesuffix("'?") or None,
    )


def _uses(condition: Condition, names: Names, tested: frozenset[str] = frozenset()) -> Iterator[tuple[Attribute, bool]]:
    """Labels in a constraint; whether they must be set: a bare label need not be, nor one that is ``tested`` beside it."""
    match condition:
        case And(parts) | Or(parts):
            for part in parts:
                yield from _uses(part, names, tested | _tested(condition))
        case Not(part):
            yield from _uses(part, names, tested)
        case Test(Attribute(label=None) as attribute):
            yield attribute, False
        case Test(Attribute(name, str(label), at)) if names.is_structure(name) and not names.token_attribute(name):
            yield Attribute(label, at=at), label not in tested
        case Comparison() | Test():
            structures = structure_arguments(condition)
            for attribute in sorted(attribute_names(condition), key=lambda one: one.at):
                if attribute not in structures:
                    yield attribute, (attribute.label or attribute.name) not in tested
        case _:
            return


def _tested(condition: And | Or) -> frozenset[str]:
    """Labels that are set where the other parts matter: ``a & …``, ``!a | …``, which is ``a -> …``."""
    parts = [part.part for part in condition.parts if isinstance(part, Not)]
    tests = parts if isinstance(condition, Or) else condition.parts
    return frozenset(
        test.operand.name
        for test in tests
        if isinstance(test, Test) and isinstance(test.operand, Attribute) and test.operand.label is None
    )


def _tokens(pattern: Pattern) -> Iterator[TokenPattern]:
    stack = [pattern]
    while stack:
        part = stack.pop()
        if isinstance(part, TokenPattern):
            yield part
        stack += parts_of(part)
