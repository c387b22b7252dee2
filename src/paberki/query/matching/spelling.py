"""Conditions of other engines that say something about neighbours of a token, in terms of what we have.

BlackLab's ``[punctAfter=","]`` (or ``punctBefore``) becomes a look at the next (or last) token, which must be punctuation.
Manatee's ``[ws("grad", "amod", "velik")]`` becomes a relation: tokens with the first lemma, of which the second depends
by a relation of that name; with ``amod of`` the other way round, as word sketches call it.
"""

from __future__ import annotations

from typing import Final

from paberki.errors import QueryError
from paberki.query.syntax.terms import (
    ANYTHING,
    And,
    Anything,
    Attribute,
    Call,
    Comparison,
    Condition,
    Test,
    Text,
    conjunction,
)
from paberki.query.syntax.tree import Child, Look, Pattern, Relation, Span, TokenPattern, sequence

__all__ = ["spelt_out"]

_BEHIND: Final = {"punctBefore": True, "punctAfter": False}
_PUNCTUATION: Final = Comparison(Attribute(""), "=", Text(r"[\p{P}\p{S}]+"))
_OF: Final = " of"
_SKETCH: Final = 3
"""Arguments of ``ws``."""


def spelt_out(token: TokenPattern) -> Pattern:
    """A token whose condition says nothing about neighbours, with these beside it."""
    parts = token.condition.parts if isinstance(token.condition, And) else (token.condition,)
    marks = [part for part in parts if _is_mark(part)]
    sketches = [part.operand for part in parts if isinstance(part, Test) and _is_sketch(part.operand)]
    if not marks and not sketches:
        return token
    own = [part for part in parts if not _is_mark(part) and not (isinstance(part, Test) and _is_sketch(part.operand))]
    if len(sketches) > 1 or (sketches and marks):
        raise QueryError("ws() stands alone or with conditions on the same token; join several with &")
    if sketches:
        return _relation(sketches[0], own)  # type: ignore[arg-type]
    before = [_look(mark) for mark in marks if _behind(mark)]
    after = [_look(mark) for mark in marks if not _behind(mark)]
    return sequence([*before, TokenPattern(_together(own)), *after])


def _is_mark(part: Condition) -> bool:
    return isinstance(part, Comparison) and isinstance(part.left, Attribute) and part.left.name in _BEHIND


def _is_sketch(operand: object) -> bool:
    return isinstance(operand, Call) and operand.name == "ws"


def _behind(mark: Condition) -> bool:
    assert isinstance(mark, Comparison)
    assert isinstance(mark.left, Attribute)
    return _BEHIND[mark.left.name]


def _look(mark: Condition) -> Look:
    """What the neighbour is; ``punctAfter != ","`` also holds where no punctuation follows."""
    assert isinstance(mark, Comparison)
    neighbour = Comparison(Attribute(""), mark.operator, mark.right, at=mark.at)
    return Look(TokenPattern(conjunction([_PUNCTUATION, neighbour])), behind=_behind(mark), negated=mark.negated)


def _relation(call: Call, own: list[Condition]) -> Span:
    values = [argument.value for argument in call.arguments if isinstance(argument, Text)]
    if len(values) != len(call.arguments) or len(values) != _SKETCH:
        raise QueryError(
            'ws() takes a lemma, a relation and another lemma, e.g. ws("grad", "amod", "velik")',
            position=max(call.at[0], 0),
            length=call.at[1],
        )
    first, name, second = values
    one, other = TokenPattern(_together([_lemma(first), *own])), TokenPattern(_lemma(second))
    if name.endswith(_OF):
        return Span(Relation(other, (Child(name.removesuffix(_OF), one, at=call.at),)), "target")
    return Span(Relation(one, (Child(name, other, at=call.at),)), "source")


def _lemma(value: str) -> Comparison:
    return Comparison(Attribute("lemma"), "==", Text(value))


def _together(parts: list[Condition]) -> Condition:
    real = [part for part in parts if not isinstance(part, Anything)]
    return conjunction(real) if real else ANYTHING
