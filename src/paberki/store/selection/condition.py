"""Conditions in recipes and ``--where``: one boolean expression over columns, parsed by us and nothing else.

    status != 200 or mime not in ('text/html', 'text/plain')
    kept_char_count / char_count < 0.1 and not connected
    lang is null or lang not in $lang

Comparison, arithmetic, ``and or not``, ``in (…)``, ``is null``, ``like``; SQL's three-valued logic for nulls. Evaluated
with Arrow's vectorised kernels, so there is no way from a recipe to files, functions or code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from paberki.errors import QueryError

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:_\d+)*(?:\.\d+)?|\.\d+)|(?P<string>'(?:[^']|'')*')|(?P<variable>\$[a-z_]+)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)|(?P<op><=|>=|!=|<>|==|[=<>()+*/,-]))"
)
_WORDS = {"and", "or", "not", "in", "is", "null", "like", "true", "false"}
_COMPARE: dict[str, str] = {
    "=": "equal",
    "==": "equal",
    "!=": "not_equal",
    "<>": "not_equal",
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
}
_ARITHMETIC = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
MAX_LENGTH = 10_000
MAX_DEPTH = 100
MAX_DIGITS = 18
"""Longer whole numbers do not fit into a column and are compared as fractions."""


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of a parsed condition: an operator and its operands."""

    kind: str
    parts: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """A parsed condition with the columns and variables it mentions."""

    source: str
    root: Node
    names: tuple[str, ...]
    variables: tuple[str, ...]

    def evaluate(self, column: Callable[[str], pa.Array], variables: Mapping[str, Any] | None = None) -> pa.Array:
        """Truth for each row; null where the condition cannot be decided."""
        try:
            result = _evaluate(self.root, column, variables or {})
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError) as error:
            reason = str(error).splitlines()[0]
            raise QueryError(f"condition {self.source!r} compares things of different kinds: {reason}") from error
        if not (pa.types.is_boolean(result.type) or pa.types.is_null(result.type)):
            raise QueryError(f"condition {self.source!r} is a value, not a statement; compare it with something")
        return result


@lru_cache(maxsize=1024)
def parse(source: str) -> Condition:
    """Parse a condition; an error names its place."""
    if len(source) > MAX_LENGTH:
        raise QueryError(f"condition is longer than {MAX_LENGTH} characters")
    parser = _Parser(source)
    root = parser.expression()
    parser.end()
    names = tuple(dict.fromkeys(part.parts[0] for part in _walk(root) if part.kind == "name"))
    variables = tuple(dict.fromkeys(part.parts[0] for part in _walk(root) if part.kind == "variable"))
    return Condition(source, root, names, variables)


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for part in node.parts:
        if isinstance(part, Node):
            yield from _walk(part)


class _Parser:
    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens = list(self._tokens())
        self.place = 0
        self.depth = 0

    def _tokens(self) -> Iterator[tuple[str, str, int]]:
        at = 0
        while self.source[at:].strip():
            match = _TOKEN.match(self.source, at)
            if not match or not match.lastgroup:
                raise QueryError(f"condition {self.source!r}: cannot read {self.source[at:].strip()[:20]!r}")
            kind, text = match.lastgroup, match.group(match.lastgroup)
            if kind == "name" and text.lower() in _WORDS:
                kind, text = "word", text.lower()
            yield kind, text, at
            at = match.end()

    def peek(self) -> str:
        kind, text, _ = self.tokens[self.place] if self.place < len(self.tokens) else ("", "", 0)
        return text if kind in ("op", "word") else ""

    def take(self, *choices: str) -> str:
        if (text := self.peek()) and text in choices:
            self.place += 1
            return text
        return ""

    def need(self, token: str) -> None:
        if not self.take(token):
            self.wrong(f"{token!r} expected")

    def wrong(self, why: str) -> None:
        rest = self.tokens[self.place][1] if self.place < len(self.tokens) else "the end"
        raise QueryError(f"condition {self.source!r}: {why} before {rest!r}")

    def end(self) -> None:
        if self.place < len(self.tokens):
            self.wrong("'and' or 'or' expected")

    def expression(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise QueryError("condition is nested too deeply")
        parts = [self.conjunction()]
        while self.take("or"):
            parts.append(self.conjunction())
        self.depth -= 1
        return Node("or", tuple(parts)) if len(parts) > 1 else parts[0]

    def conjunction(self) -> Node:
        parts = [self.negation()]
        while self.take("and"):
            parts.append(self.negation())
        return Node("and", tuple(parts)) if len(parts) > 1 else parts[0]

    def negation(self) -> Node:
        count = 0
        while self.take("not"):
            count += 1
        node = self.comparison()
        return Node("not", (node,)) if count % 2 else node

    def comparison(self) -> Node:
        left = self.sum()
        if operator := self.take(*_COMPARE):
            return Node("compare", (operator, left, self.sum()))
        if self.take("is"):
            negated = bool(self.take("not"))
            self.need("null")
            node = Node("null", (left,))
            return Node("not", (node,)) if negated else node
        negated = bool(self.take("not"))
        node = left
        if self.take("in"):
            node = Node("in", (left, self.choices()))
        elif self.take("like"):
            node = Node("like", (left, self.text()))
        elif negated:
            self.wrong("'in' or 'like' expected")
        return Node("not", (node,)) if negated else node

    def sum(self) -> Node:
        left = self.product()
        terms = 1
        while operator := self.take("+", "-"):
            left = Node("arithmetic", (operator, left, self.product()))
            terms = self.next_depth(terms)
        return left

    def product(self) -> Node:
        left = self.operand()
        factors = 1
        while operator := self.take("*", "/"):
            left = Node("arithmetic", (operator, left, self.operand()))
            factors = self.next_depth(factors)
        return left

    def next_depth(self, terms: int) -> int:
        """Each term of a sum or product is one level deeper than the one before."""
        if terms >= MAX_DEPTH:
            raise QueryError(f"condition {self.source[:60]!r}… has more than {MAX_DEPTH} terms in one sum or product")
        return terms + 1

    def operand(self) -> Node:
        if self.take("("):
            node = self.expression()
            self.need(")")
            return node
        signs = 0
        while self.take("-"):
            signs += 1
        if signs:
            node = self.operand()
            return Node("arithmetic", ("-", Node("value", (0,)), node)) if signs % 2 else node
        if self.place >= len(self.tokens):
            self.wrong("a column or value expected")
        kind, text, _ = self.tokens[self.place]
        if kind == "op" or (kind == "word" and text not in ("true", "false", "null")):
            self.wrong("a column or value expected")
        self.place += 1
        if kind in ("name", "variable"):
            return Node(kind, (text.lstrip("$"),))
        return Node("value", (_value(kind, text),))

    def choices(self) -> Node:
        if self.place < len(self.tokens) and self.tokens[self.place][0] == "variable":
            return self.operand()
        self.need("(")
        values = [self.operand()]
        while self.take(","):
            values.append(self.operand())
        self.need(")")
        if any(value.kind != "value" for value in values):
            self.wrong("values expected in the list")
        return Node("list", tuple(value.parts[0] for value in values))

    def text(self) -> str:
        node = self.operand()
        if node.kind != "value" or not isinstance(node.parts[0], str):
            self.wrong("a pattern in quotes expected")
        return str(node.parts[0])


def _value(kind: str, text: str) -> Any:
    if kind == "string":
        return text[1:-1].replace("''", "'")
    if kind == "word":
        return {"true": True, "false": False, "null": None}[text]
    return float(text) if "." in text or len(text) > MAX_DIGITS else int(text)


def _evaluate(node: Node, column: Callable[[str], pa.Array], variables: Mapping[str, Any]) -> Any:
    def value(part: Node) -> Any:
        return _evaluate(part, column, variables)

    if node.kind == "value":
        return pa.scalar(node.parts[0])
    if node.kind == "name":
        return column(node.parts[0])
    if node.kind == "variable":
        return pa.scalar(_variable(node, variables))
    if node.kind in ("and", "or"):
        result = value(node.parts[0])
        for part in node.parts[1:]:
            result = pc.call_function(f"{node.kind}_kleene", [result, value(part)])
        return result
    if node.kind == "not":
        return pc.invert(value(node.parts[0]))
    if node.kind == "null":
        return pc.is_null(value(node.parts[0]))
    if node.kind == "like":
        return pc.match_like(value(node.parts[0]), node.parts[1])
    if node.kind == "in":
        return _in(value(node.parts[0]), node.parts[1], variables)
    left, right = value(node.parts[1]), value(node.parts[2])
    if node.kind == "compare":
        return pc.call_function(_COMPARE[node.parts[0]], list(_same_kind(left, right)))
    if node.parts[0] == "/":
        left, right = pc.cast(left, pa.float64()), pc.cast(right, pa.float64())
    return pc.call_function(_ARITHMETIC[node.parts[0]], [left, right])


def _same_kind(left: Any, right: Any) -> tuple[Any, Any]:
    """A date column may be compared with a date in quotes."""
    for one, other in ((left, right), (right, left)):
        if pa.types.is_temporal(one.type) and pa.types.is_string(other.type):
            moment = pc.cast(other, one.type)
            return (left, moment) if other is right else (moment, right)
    return left, right


def _in(values: Any, choices: Node, variables: Mapping[str, Any]) -> Any:
    members = list(_variable(choices, variables)) if choices.kind == "variable" else list(choices.parts)
    result = pc.is_in(values, value_set=pa.array(members).cast(values.type))
    return pc.if_else(pc.is_null(values), pa.scalar(None, pa.bool_()), result)


def _variable(node: Node, variables: Mapping[str, Any]) -> Any:
    if node.parts[0] not in variables:
        raise QueryError(f"${node.parts[0]} is not set; known: {', '.join(variables) or 'none'}")
    return variables[node.parts[0]]
