"""Conditions, operands and tags as text."""

from __future__ import annotations

import re
from typing import Final

from paberki.query.syntax.terms import (
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
)
from paberki.query.syntax.tree import OpenTag, Region, TokenPattern

_ESCAPED: Final = re.compile(r'\\.|"', re.DOTALL)
_WORD_OPERATORS: Final = frozenset({"contains", "matches"})
_NEGATED: Final = {"=": "!=", "==": "!==", "<=": "!<=", ">=": "!>="}
_SUMS: Final = {"add": "+", "sub": "-"}


def quote(text: str) -> str:
    """A string in double quotes."""
    return '"' + _ESCAPED.sub(lambda match: r"\"" if match[0] == '"' else match[0], text) + '"'


def condition_text(node: TokenPattern | Condition, bare: bool = True) -> str:
    """A token with its brackets, or a condition; ``bare`` tokens of the default attribute need none."""
    if not isinstance(node, TokenPattern):
        return _condition(node)
    inside = node.condition
    if isinstance(inside, Anything):
        return "[]"
    if (
        bare
        and isinstance(inside, Comparison)
        and inside.left == Attribute("")
        and inside.operator == "="
        and not inside.negated
    ):
        return _operand(inside.right) if isinstance(inside.right, Text) else f"[{_condition(inside)}]"
    return f"[{_condition(inside)}]"


def _condition(node: Condition) -> str:
    match node:
        case Anything():
            return "_"
        case And(parts):
            return " & ".join(_inner(part, And, Or) for part in parts)
        case Or(parts):
            return " | ".join(_inner(part, Or) for part in parts)
        case Not(part):
            return f"!({_condition(part)})"
        case Test(operand):
            return _operand(operand)
        case TokenNumber(first, last):
            return f"#{first}" if first == last else f"#{first}-{last}"
        case Comparison():
            return _comparison(node)


def _inner(node: Condition, *kinds: type) -> str:
    return f"({_condition(node)})" if isinstance(node, kinds) else _condition(node)


def _comparison(node: Comparison) -> str:
    left, right = _operand(node.left), _operand(node.right)
    if node.operator in _WORD_OPERATORS:
        return f"{left} {'not ' if node.negated else ''}{node.operator} {right}"
    if node.operator == "in":
        return f"{left}{'!=' if node.negated else '='}{right}"
    operator = _NEGATED[node.operator] if node.negated else node.operator
    return f"{left}{operator}{right}" if isinstance(node.right, Text) else f"{left} {operator} {right}"


def _operand(node: Operand) -> str:
    match node:
        case Text(value, flags):
            return quote(value) + (f"%{flags}" if flags else "")
        case Number(value):
            return str(value)
        case Interval(low, high):
            return f"in[{'' if low is None else low},{'' if high is None else high}]"
        case Attribute(name, label):
            return f"{label}.{name}" if label is not None else name
        case Call(name, arguments) if name in _SUMS:
            return f" {_SUMS[name]} ".join(_operand(one) for one in arguments)
        case Call(name, arguments):
            return f"{name}({', '.join(_operand(one) for one in arguments)})"
        case _:
            raise TypeError(f"{type(node).__name__} cannot be printed")


def tag_text(node: OpenTag | Region, closing: str) -> str:
    """A tag with its conditions."""
    name = quote(node.name) if node.regex else node.name
    if isinstance(node.condition, Anything):
        return f"<{name}{closing}"
    inside = _condition(node.condition)
    return f"<{name}{'' if inside.startswith(('=', '!=')) else ' '}{inside}{closing}"
