"""Conditions on one token as alternatives of simple tests.

A test is about one thing: the values of one attribute, a structure, a number, the value at a label. A term is a tuple of
tests that must all hold; a condition is a list of terms of which one must hold (disjunctive normal form). Conditions on
the same attribute are one test however they are put together, because a set of ids can express them.
"""

from __future__ import annotations

import math
from typing import Final, TypeAlias

from paberki.errors import QueryError
from paberki.query.matching.conditions.functions import check_calls
from paberki.query.matching.conditions.names import Names
from paberki.query.matching.conditions.regexes import check
from paberki.query.matching.conditions.value_tests import attribute_names
from paberki.query.syntax.terms import (
    ANYTHING,
    And,
    Anything,
    Attribute,
    Call,
    Comparison,
    Condition,
    Interval,
    Not,
    Number,
    Operand,
    Or,
    Test,
    Text,
    TokenNumber,
    conjunction,
    negation,
)
from paberki.record import Record

MOST_TERMS: Final = 512
"""Alternatives of one token that mix attributes."""


class ValueTest(Record):
    """The token's value of an attribute satisfies a condition."""

    attribute: str
    condition: Condition


class PlaceTest(Record):
    """The position is inside a region, at its start, at its end, or inside but not at its start (``continues``)."""

    kind: str
    structure: str
    condition: Condition = ANYTHING
    negated: bool = False


class NumberTest(Record):
    """The global position of the token."""

    first: int
    last: int
    negated: bool = False


A_TOKEN: Final = NumberTest(0, 1 << 62)
"""There is a token at this position; false behind the last one."""


class ReferenceTest(Record):
    """The token's value is that of a label's token."""

    attribute: str
    label: str
    other: str
    negated: bool = False


class FunctionTest(Record):
    """A condition on several attributes of the token."""

    condition: Condition
    negated: bool = False


class LookTest(Record):
    """A pattern, by number, matches up to or from this position."""

    number: int
    negated: bool = False


SimpleTest: TypeAlias = ValueTest | PlaceTest | NumberTest | ReferenceTest | FunctionTest | LookTest
Term: TypeAlias = tuple[SimpleTest, ...]


def terms(condition: Condition, names: Names) -> list[Term]:
    """The alternatives of a token's condition."""
    alternatives = [_merge(term) for term in _normal(condition, False, names)]
    return list(dict.fromkeys(alternatives))


def _merge(term: Term) -> Term:
    """A term with one test per attribute."""
    values: dict[str, list[Condition]] = {}
    others: list[SimpleTest] = []
    for test in term:
        if isinstance(test, ValueTest):
            values.setdefault(test.attribute, []).append(test.condition)
        elif test not in others:
            others.append(test)
    value_tests = [ValueTest(name, conjunction(dict.fromkeys(parts))) for name, parts in values.items()]
    return (*value_tests, *others)


def _normal(condition: Condition, negated: bool, names: Names) -> list[Term]:
    check_calls(condition)
    attribute = _single_attribute(condition, names)
    if attribute is not None:
        return [(ValueTest(attribute, negation(condition) if negated else condition),)]
    match condition:
        case Anything():
            return [] if negated else [()]
        case Not(part):
            return _normal(part, not negated, names)
        case And(parts) | Or(parts):
            sides = [_normal(part, negated, names) for part in parts]
            if isinstance(condition, And) == negated:
                return [term for side in sides for term in side]
            return _product(sides)
        case TokenNumber(first, last):
            return [(NumberTest(first, last, negated),)]
        case Test(operand):
            return [(_bare(operand, negated, names),)]
        case Comparison():
            return [(_comparison(condition, negated, names),)]


def _product(sides: list[list[Term]]) -> list[Term]:
    product: list[Term] = [()]
    for side in sides:
        product = [(*left, *right) for left in product for right in side]
        if len(product) > MOST_TERMS:
            raise QueryError(
                f"a token's condition has more than {MOST_TERMS} alternatives over several attributes; write it simpler"
            )
    return product


def _single_attribute(condition: Condition, names: Names) -> str | None:
    """The positional attribute of a condition that names only one, else None; its patterns are checked on the way."""
    if isinstance(condition, Anything | TokenNumber):
        return None
    real: set[str | None] = set()
    for attribute in attribute_names(condition):
        if attribute.label is not None:
            return None
        real.add(names.token_attribute(attribute.name))
    if len(real) != 1 or None in real or not _constant(condition):
        return None
    return real.pop()


def _constant(condition: Condition) -> bool:
    """Whether values are compared with constants alone."""
    match condition:
        case And(parts) | Or(parts):
            return all(_constant(part) for part in parts)
        case Not(part):
            return _constant(part)
        case Comparison(left, operator, right):
            if isinstance(right, Text) and operator in ("=", "contains", "matches"):
                check_text(right)
            return isinstance(right, Text | Number | Interval) and isinstance(left, Attribute | Call)
        case Test(operand):
            return isinstance(operand, Attribute) or (isinstance(operand, Call) and operand.name == "is_prefix")
        case _:
            return False


def check_text(text: Text) -> None:
    """Raise an error that says where, if a string of the query is no regular expression."""
    try:
        check(text.value)
    except QueryError as error:
        position, length = text.at
        place = f" (character {position + 1})" if position >= 0 else ""
        raise QueryError(f"{error}{place}", position=max(position, 0), length=length) from None


def _bare(operand: Operand, negated: bool, names: Names) -> SimpleTest:
    """``[np]``, ``[lbound(s)]``, ``[rbound(s)]``."""
    if isinstance(operand, Attribute) and operand.label is None:
        if names.is_structure(operand.name):
            return PlaceTest("inside", operand.name, negated=negated)
        pair = names.structure_attribute(operand.name)
        if pair is not None:
            return PlaceTest("inside", pair[0], Not(Comparison(Attribute(pair[1]), "==", Text(""))), negated)
        names.unknown_attribute(operand)
    if isinstance(operand, Call) and operand.name in ("lbound", "rbound") and len(operand.arguments) == 1:
        inside = operand.arguments[0]
        if isinstance(inside, Attribute):
            kind = "open" if operand.name == "lbound" else "last"
            return PlaceTest(kind, names.structure(inside.name, inside.at), negated=negated)
    if isinstance(operand, Call) and operand.name == "is_prefix":
        return _function(Test(operand), negated, names)
    position, length = getattr(operand, "at", (0, 0))
    raise QueryError("this is no condition on a token", position=max(position, 0), length=length)


def _comparison(node: Comparison, negated: bool, names: Names) -> SimpleTest:
    left, right = node.left, node.right
    if isinstance(left, Attribute) and isinstance(right, Attribute):
        if left.label is None and right.label is None:
            return _function(node, negated, names)
        if node.operator in ("=", "=="):
            return _reference(left, right, node.negated != negated, names)
    if isinstance(left, Attribute) and (left.name, left.label) == ("_", None) and isinstance(right, Number):
        return _position(node.operator, right.value, node.negated != negated)
    if isinstance(left, Attribute) and left.label is None and _is_constant(right):
        pair = names.structure_attribute(left.name)
        if pair is None:
            names.unknown_attribute(left)
        _constant(node)
        inside = Comparison(Attribute(pair[1]), node.operator, right, node.negated)
        return PlaceTest("inside", pair[0], inside, negated)
    if isinstance(left, Call) or isinstance(right, Call):
        return _function(node, negated, names)
    for attribute in sorted(attribute_names(node), key=lambda one: one.at):
        if attribute.label is None and names.token_attribute(attribute.name) is None:
            names.unknown_attribute(attribute)
    raise QueryError(
        "this comparison cannot be made inside a token; write it after ::",
        position=max(node.at[0], 0),
        length=node.at[1],
    )


def _position(operator: str, number: float, negated: bool) -> NumberTest:
    """``[_ < 6]``: the number of the token in the corpus."""
    if operator in ("=", "=="):
        whole = float(number).is_integer()
        return NumberTest(int(number), int(number), negated) if whole else NumberTest(0, -1, negated)
    if operator in ("<", "<="):
        last = math.floor(number) if operator == "<=" else math.ceil(number) - 1
        return NumberTest(0, last, negated)
    first = math.ceil(number) if operator == ">=" else math.floor(number) + 1
    return NumberTest(max(first, 0), A_TOKEN.last, negated)


def _function(condition: Comparison | Test, negated: bool, names: Names) -> SimpleTest:
    """``[word = lemma]``, ``[is_prefix(lemma, word)]``, ``[int(doc_year) > 2010]``, ``[lbound_of(s, _) = _]``."""
    for attribute in sorted(attribute_names(condition) - structure_arguments(condition), key=lambda one: one.at):
        if attribute.label is not None:
            raise QueryError(
                "functions of labels stand after ::, not inside a token",
                position=max(attribute.at[0], 0),
                length=attribute.at[1],
            )
        full_name = names.token_attribute(attribute.name) or names.structure_attribute(attribute.name)
        if attribute.name != "_" and full_name is None and names.feature(attribute.name) is None:
            names.unknown_attribute(attribute)
    for attribute in structure_arguments(condition):
        names.structure(attribute.name, attribute.at)
    return FunctionTest(condition, negated)


def structure_arguments(condition: Comparison | Test) -> set[Attribute]:
    """First arguments of lbound_of and rbound_of, which are structures."""
    operands = [condition.operand] if isinstance(condition, Test) else [condition.left, condition.right]
    structures = set()
    while operands:
        operand = operands.pop()
        if isinstance(operand, Call):
            if operand.name in ("lbound_of", "rbound_of") and isinstance(operand.arguments[0], Attribute):
                structures.add(operand.arguments[0])
            operands += operand.arguments
    return structures


def _is_constant(operand: Operand) -> bool:
    return isinstance(operand, Text | Number | Interval)


def _reference(left: Attribute, right: Attribute, negated: bool, names: Names) -> SimpleTest:
    """``[lemma = a.lemma]``."""
    if left.label is not None:
        left, right = right, left
    own, other = names.token_attribute(left.name), names.token_attribute(right.name)
    for real, attribute in ((own, left), (other, right)):
        if real is None:
            names.unknown_attribute(attribute)
    if left.label is not None or right.label is None:
        raise QueryError(
            "one side of this comparison must be the token and the other a label",
            position=max(left.at[0], 0),
            length=left.at[1],
        )
    assert own is not None
    assert other is not None
    return ReferenceTest(own, right.label, other, negated)
