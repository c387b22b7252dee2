"""Conditions of query text: what stands in ``[ ]``, after ``::`` and in tags."""

from __future__ import annotations

from typing import Final

from paberki.query.syntax.lexemes import Lexeme
from paberki.query.syntax.query_reader import Reader
from paberki.query.syntax.terms import (
    Anything,
    Attribute,
    Call,
    Comparison,
    Condition,
    Interval,
    Number,
    Operand,
    Place,
    Test,
    Text,
    TokenNumber,
    conjunction,
    disjunction,
    negation,
)

_OPERATORS: Final = {
    "=": ("=", False), "!=": ("=", True), "==": ("==", False), "!==": ("==", True), "<": ("<", False),
    "<=": ("<=", False), ">": (">", False), ">=": (">=", False), "!<=": ("<=", True), "!>=": (">=", True),
}  # fmt: skip
_ANGLES: Final = frozenset({"<", ">"})
_NAMES: Final = ("name", "label")
_JOINTS: Final = (".", ":")
_SENSITIVE: Final = ("(?-i)", "(?s)", "(?c)")
_INSENSITIVE: Final = "(?i)"


def condition(reader: Reader, tag: bool = False) -> Condition:
    """A condition; inside tags ``>`` closes the tag and parts may stand beside each other."""
    if reader.dialect.equal_precedence:
        return _from_left(reader, tag)
    left = _disjunction(reader, tag)
    while reader.accept("->"):
        left = disjunction([negation(left), _disjunction(reader, tag)])
    return left


def _from_left(reader: Reader, tag: bool) -> Condition:
    left = _unary(reader, tag)
    while True:
        if reader.accept("&") or (tag and reader.peek().kind in _NAMES):
            left = conjunction([left, _unary(reader, tag)])
        elif reader.accept("|"):
            left = disjunction([left, _unary(reader, tag)])
        elif reader.accept("->"):
            left = disjunction([negation(left), _unary(reader, tag)])
        else:
            return left


def _disjunction(reader: Reader, tag: bool) -> Condition:
    parts = [_conjunction(reader, tag)]
    while reader.accept("|"):
        parts.append(_conjunction(reader, tag))
    return disjunction(parts)


def _conjunction(reader: Reader, tag: bool) -> Condition:
    parts = [_unary(reader, tag)]
    while reader.accept("&") or (tag and reader.peek().kind in _NAMES):
        parts.append(_unary(reader, tag))
    return conjunction(parts)


def _unary(reader: Reader, tag: bool) -> Condition:
    if reader.accept("!"):
        with reader.deeper():
            return negation(_unary(reader, tag))
    if reader.accept("("):
        with reader.deeper():
            inside = condition(reader, tag)
        reader.expect(")")
        return inside
    if reader.accept("#"):
        first = reader.whole()
        last = reader.whole() if reader.accept("-") else first
        return TokenNumber(first, last)
    return _comparison(reader, tag)


def _comparison(reader: Reader, tag: bool) -> Condition:
    first = reader.peek()
    if _at_operator(reader, tag):
        left: Operand = Attribute("")
    else:
        left = (
            _attribute_of_tag(reader)
            if tag and first.kind in _NAMES and reader.peek(1).text in _JOINTS
            else _sum(reader)
        )
        if isinstance(left, Text) and not _at_operator(reader, tag):
            return equal(Attribute(""), left, first.kind == "literal")
    negated = reader.accept_word("not") is not None
    word = reader.accept_word("contains", "matches")
    if word is not None:
        right = text(reader, reader.expect_kind("string", "a string"))
        return Comparison(left, word.text.lower(), right, negated, reader.place(first))
    if negated:
        reader.fail("'contains'", "'matches'")
    if not _at_operator(reader, tag):
        return _bare(left)
    operator, negated = _OPERATORS[reader.take().text]
    return _comparison_with(reader, first, left, operator, negated)


def _attribute_of_tag(reader: Reader) -> Attribute:
    """``xml:lang``, ``tei.type``: names of attributes as XML has them."""
    first = reader.take()
    name = first.text
    while reader.sees(*_JOINTS) and reader.peek(1).kind in _NAMES:
        name += reader.take().text + reader.take().text
    return Attribute(name, at=reader.place(first))


def _comparison_with(reader: Reader, first: Lexeme, left: Operand, operator: str, negated: bool) -> Condition:
    """A comparison up to its operator, and what follows."""
    if reader.sees_word("in") and reader.peek(1).text == "[":
        return Comparison(left, "in", _interval(reader), negated, reader.place(first))
    if reader.peek().kind == "variable":
        list_condition = word_list(reader, left)
        return negation(list_condition) if negated else list_condition
    literal = reader.peek().kind == "literal" or operator == "=="
    right = _sum(reader)
    place = reader.place(first)
    if isinstance(right, Text) and operator in ("=", "=="):
        if operator == "==" and right.flags == reader.dialect.flags:
            right = Text(right.value, "", right.at)
        return equal(left, right, literal, negated, place)
    return Comparison(left, operator, right, negated, place)


def equal(
    left: Operand, right: Text, literal: bool = False, negated: bool = False, at: Place | None = None
) -> Comparison:
    """A comparison with a string: as a literal if it is one or has the flag %l, else as a regular expression."""
    if "l" in right.flags:
        right, literal = Text(right.value, "", right.at), True
    return Comparison(left, "==" if literal else "=", right, negated, at or right.at)


def _at_operator(reader: Reader, tag: bool) -> bool:
    token = reader.peek()
    return token.kind == "sign" and token.text in _OPERATORS and not (tag and token.text in _ANGLES)


def _bare(operand: Operand) -> Condition:
    """An operand without operator; ``[_]`` is any token."""
    if isinstance(operand, Attribute) and operand.name == "_" and operand.label is None:
        return Anything()
    return Test(operand)


def _sum(reader: Reader) -> Operand:
    """An operand, or operands with + and - between them."""
    first = reader.peek()
    left = operand(reader)
    while reader.sees("+", "-"):
        name = "add" if reader.take().text == "+" else "sub"
        left = Call(name, (left, operand(reader)), reader.place(first))
    return left


def operand(reader: Reader) -> Operand:
    """One side of a comparison or an argument of a function."""
    token = reader.peek()
    if token.kind in ("string", "literal"):
        return text(reader, reader.take())
    if token.kind == "variable":
        reader.fail("an attribute", "a label", "a string")
    if reader.sees("-") or (token.kind == "number" and reader.peek(1).text != "."):
        return _number(reader)
    reader.accept("~")
    if reader.peek().kind not in ("name", "number", "label"):
        reader.fail("an attribute", "a label", "a string")
    name = reader.take()
    if reader.accept("."):
        attribute = reader.expect_kind("name", "the name of an attribute")
        return Attribute(attribute.text, None if name.text == "_" else name.text, reader.place(name))
    if reader.accept("("):
        return _call(reader, name)
    return Attribute(name.text, at=reader.place(name))


def _call(reader: Reader, name: Lexeme) -> Operand:
    if name.text == "RE" and reader.peek().kind == "variable":
        values = _values(reader)
        reader.expect(")")
        return Text("|".join(f"(?:{value})" for value in values), _flags(reader), reader.place(name))
    arguments = []
    with reader.deeper():
        if not reader.sees(")"):
            arguments.append(_sum(reader))
            while reader.accept(","):
                arguments.append(_sum(reader))
    reader.expect(")")
    return Call(name.text, tuple(arguments), reader.place(name))


def text(reader: Reader, token: Lexeme) -> Text:
    """A string token with the flags that follow it, or the dialect's."""
    value, flags = token.text, reader.dialect.flags
    if flags and token.kind == "literal":
        flags = ""
    if flags or reader.dialect.name == "blacklab":
        if value.startswith(_SENSITIVE):
            value, flags = value[value.index(")") + 1 :], ""
        elif value.startswith(_INSENSITIVE):
            value = value[len(_INSENSITIVE) :]
    return Text(value, _flags(reader, flags), (token.start, token.length))


def _flags(reader: Reader, otherwise: str = "") -> str:
    """Flags in alphabetical order; ``l`` (literal) excludes the others."""
    if reader.peek().kind != "flags":
        return otherwise
    token = reader.take()
    letters = set(token.text[1:])
    if unknown := letters - set("cdl"):
        reader.error(f"there is no flag %{min(unknown)}; flags are %c, %d and %l", token)
    return "l" if "l" in letters else "".join(sorted(letters))


def word_list(reader: Reader, left: Operand) -> Condition:
    """``$list``: the operand is one of its words, literally."""
    token = reader.peek()
    values = _values(reader)
    flags = _flags(reader)
    place = (token.start, token.length)
    return disjunction([Comparison(left, "==", Text(value, flags, place), at=place) for value in values])


def _values(reader: Reader) -> tuple[str, ...]:
    token = reader.take()
    values = reader.variables.get(token.text, ())
    if not values:
        reader.error(f"the word list {token.text} is not defined", token)
    return values


def _number(reader: Reader) -> Number:
    sign = -1 if reader.accept("-") else 1
    token = reader.expect_kind("number", "a number")
    value = float(token.text) if "." in token.text else int(token.text)
    return Number(sign * value, (token.start, token.length))


def _interval(reader: Reader) -> Interval:
    first = reader.take()
    reader.expect("[")
    low = None if reader.sees(",") else _number(reader).value
    reader.expect(",")
    high = None if reader.sees("]") else _number(reader).value
    reader.expect("]")
    return Interval(low, high, reader.place(first))
