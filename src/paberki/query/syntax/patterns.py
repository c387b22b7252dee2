"""Patterns of query text: sequences, alternatives, repetitions, labels, look-around, meet and union, tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from paberki.nearest import nearest
from paberki.query.syntax.conditions import condition, equal, text, word_list
from paberki.query.syntax.lexemes import Lexeme
from paberki.query.syntax.query_reader import Reader
from paberki.query.syntax.relation_functions import RELATION_FUNCTIONS, relation_function
from paberki.query.syntax.tags import tag
from paberki.query.syntax.terms import Anything, Attribute, negation
from paberki.query.syntax.tree import (
    AnyNode,
    Complement,
    Labelled,
    Look,
    Meet,
    Pattern,
    Repeat,
    Strategy,
    Table,
    TokenPattern,
    Union,
    both,
    choice,
    sequence,
)

STRATEGIES: Final = ("standard", "shortest", "longest", "traditional", "all")
_QUANTIFIERS: Final = {"?": (0, 1), "*": (0, None), "+": (1, None)}
_LOOKS: Final = {"(?=": (False, False), "(?!": (False, True), "(?<=": (True, False), "(?<!": (True, True)}
_KEYWORDS: Final = frozenset({"within", "containing", "overlap", "cut", "expand", "not"})
_ANCHORS: Final = {"0": "target", "9": "keyword"}

Chain = Callable[[Reader], Pattern]


def alternatives(reader: Reader, chain: Chain) -> Pattern:
    """Sequences with ``|`` and ``&`` between them. ``chain`` reads what may stand in brackets."""
    if reader.dialect.equal_precedence:
        return _from_left(reader, chain)
    parts = [_conjunct(reader, chain)]
    while reader.accept("|"):
        parts.append(_conjunct(reader, chain))
    return choice(parts)


def _from_left(reader: Reader, chain: Chain) -> Pattern:
    """Operators of equal precedence, the left-most first."""
    parts, join = [_sequence(reader, chain)], choice
    while reader.sees("|") or (reader.sees("&") and not _constraint_follows(reader)):
        following = choice if reader.take().text == "|" else both
        if following is not join:
            parts, join = [join(parts)], following
        parts.append(_sequence(reader, chain))
    return join(parts)


def _conjunct(reader: Reader, chain: Chain) -> Pattern:
    """Sequences with ``&`` between them."""
    parts = [_sequence(reader, chain)]
    while reader.sees("&") and not _constraint_follows(reader):
        reader.take()
        parts.append(_sequence(reader, chain))
    return both(parts)


def _constraint_follows(reader: Reader) -> bool:
    """Whether ``&`` begins a constraint on labels, as in Manatee, and no pattern."""
    at = 1
    while reader.peek(at).text in ("(", "!") and reader.peek(at).kind == "sign":
        at += 1
    token, following = reader.peek(at), reader.peek(at + 1)
    if token.kind == "number":
        return True
    return (
        token.kind == "name"
        and following.text in (".", "=", "!=", "<", ">", "<=", ">=", "(")
        and token.text not in RELATION_FUNCTIONS
    )


def _sequence(reader: Reader, chain: Chain) -> Pattern:
    parts = []
    while _item_follows(reader):
        parts.append(item(reader, chain))
    if not parts:
        word = reader.peek()
        if word.kind == "name" and word.text.lower() not in _KEYWORDS:
            reader.error(f'words stand in quotes: "{word.text}"', word, f'"{word.text}"')
        reader.fail("a token", "a string", "a tag", "'('")
    return sequence(parts)


def _item_follows(reader: Reader) -> bool:
    token = reader.peek()
    if token.kind == "label" and reader.peek(2).kind == "arrow":
        return reader.peek(2).text.startswith("^")
    if token.kind in ("string", "literal", "label", "variable"):
        return True
    if token.kind == "name":
        lower_text = token.text.lower()
        return token.text == "_" or (lower_text not in _KEYWORDS and reader.peek(1).text == "(") or token.text == "TAB"
    if token.kind == "arrow":
        return token.text.startswith("^")
    if token.kind == "sign" and token.text == "!":
        return reader.peek(1).text.lower() not in _KEYWORDS
    return token.kind == "sign" and token.text in ("[", "[:", "[::]", "(", "<", "</", "<<", "@", *_LOOKS)


def item(reader: Reader, chain: Chain) -> Pattern:
    """A labelled, repeated, negated or plain element of a sequence."""
    first = reader.peek()
    if first.kind == "label" or reader.sees("@"):
        return _label(reader, chain)
    if reader.accept("!"):
        with reader.deeper():
            return _negation(reader, first, item(reader, chain))
    return _repetition(reader, first, _element(reader, chain))


def _label(reader: Reader, chain: Chain) -> Pattern:
    """``a:[]+``: in BlackLab the label takes the repetition along, in the others each repetition sets it anew."""
    first = reader.take()
    if first.kind == "label":
        reader.expect(":")
    label = first.text if first.kind == "label" else _anchor(reader)
    place = (first.start, first.length)
    with reader.deeper():
        if reader.dialect.captures_count:
            return Labelled(label, item(reader, chain), place)
        if reader.peek().kind == "label" or reader.sees("@"):
            return Labelled(label, _label(reader, chain), place)
        return _repetition(reader, first, Labelled(label, _element(reader, chain), place))


def _repetition(reader: Reader, first: Lexeme, part: Pattern) -> Pattern:
    while (bounds := _quantifier(reader)) is not None:
        part = Repeat(part, *bounds, at=reader.place(first))
    return part


def _anchor(reader: Reader) -> str:
    """The name of ``@``, ``@0`` to ``@9``, each perhaps with a colon."""
    token = reader.peek()
    name = "target"
    if token.kind in ("number", "label") and token.text.isdigit():
        reader.take()
        if len(token.text) != 1:
            reader.error("targets are numbered from @0 to @9", token)
        name = _ANCHORS.get(token.text, f"target{token.text}")
    reader.accept(":")
    return name


def _negation(reader: Reader, first: Lexeme, part: Pattern) -> Pattern:
    """``!"a"`` is a token; ``!("a" "b")`` takes spans away from those of a pattern beside it."""
    if isinstance(part, TokenPattern):
        return TokenPattern(negation(part.condition))
    return Complement(part, reader.place(first))


def _quantifier(reader: Reader) -> tuple[int, int | None] | None:
    token = reader.peek()
    if token.kind == "sign" and token.text in _QUANTIFIERS:
        return _QUANTIFIERS[reader.take().text]
    if not reader.sees("{"):
        return None
    opening = reader.take()
    low = 0 if reader.sees(",") else reader.whole()
    high: int | None = low
    if reader.accept(","):
        high = None if reader.sees("}") else reader.whole()
    reader.expect("}")
    if low < 0 or (high is not None and high < low):
        reader.error(f"the repetition {{{low},{high}}} has its bounds in the wrong order", opening)
    return low, high


def _element(reader: Reader, chain: Chain) -> Pattern:
    token = reader.peek()
    if token.kind in ("string", "literal"):
        return TokenPattern(equal(Attribute(""), text(reader, reader.take()), token.kind == "literal"))
    if token.kind == "variable":
        return TokenPattern(word_list(reader, Attribute("")))
    if token.kind == "name" and token.text != "_":
        return _function(reader, chain)
    if reader.sees("[", "[:", "[::]"):
        return _token(reader)
    if reader.sees("<", "</", "<<"):
        return tag(reader)
    reader.take()
    if token.text == "_":
        return AnyNode()
    return _in_brackets(reader, chain, token)


def _token(reader: Reader) -> Pattern:
    opening = reader.take().text
    if opening == "[::]":
        return Look(TokenPattern(Anything()))
    closing = "]" if opening == "[" else ":]"
    if reader.accept(closing):
        return TokenPattern(Anything()) if opening == "[" else Look(TokenPattern(Anything()))
    inside = condition(reader)
    reader.expect(closing)
    return TokenPattern(inside) if opening == "[" else Look(TokenPattern(inside))


def _in_brackets(reader: Reader, chain: Chain, opening: Lexeme) -> Pattern:
    if opening.text == "(" and reader.sees_word("meet", "union"):
        return _meet_or_union(reader)
    with reader.deeper():
        inside = chain(reader)
    reader.expect(")")
    if opening.text in _LOOKS:
        behind, negated = _LOOKS[opening.text]
        return Look(inside, behind, negated)
    return inside


def _function(reader: Reader, chain: Chain) -> Pattern:
    name = reader.take()
    if name.text == "TAB":
        return _table(reader)
    if name.text.lower() == "mu":
        reader.expect("(")
        return _meet_or_union(reader)
    if name.text.lower() not in RELATION_FUNCTIONS:
        reader.error(f"there is no function {name.text!r} on patterns", name, "rspan")
    return relation_function(reader, name, chain)


def _meet_or_union(reader: Reader) -> Pattern:
    """After the opening bracket: ``meet A B -5 5)`` or ``union A B)``."""
    first = reader.peek()
    word = reader.accept_word("meet", "union")
    if word is None:
        reader.fail("'meet'", "'union'")
    with reader.deeper():
        left = _member(reader)
        negated = reader.accept_word("not") is not None
        right = _member(reader)
    low = high = 1
    structure = None
    if word.text.lower() == "meet" and not reader.sees(")"):
        if reader.peek().kind == "name":
            structure = reader.take().text
        else:
            low, high = reader.whole(), reader.whole()
    place = reader.place(first)
    reader.expect(")")
    if word.text.lower() == "union":
        return Union(left, right)
    return Meet(left, right, low, high, structure, negated, place)


def _member(reader: Reader) -> Pattern:
    """A token, or meet and union in brackets."""
    if reader.accept("("):
        if reader.sees_word("meet", "union"):
            return _meet_or_union(reader)
        inside = _member(reader)
        reader.expect(")")
        return inside
    label = None
    if reader.peek().kind == "label":
        label = reader.take()
        reader.expect(":")
    if reader.peek().kind not in ("string", "literal", "variable") and not reader.sees("["):
        reader.fail("a token", "'(meet'", "'(union'")
    part = _element(reader, _no_chain)
    return Labelled(label.text, part, (label.start, label.length)) if label else part


def _table(reader: Reader) -> Pattern:
    parts: list[TokenPattern] = []
    gaps: list[tuple[int, int | None]] = []
    while True:
        if reader.peek().kind not in ("string", "literal", "variable") and not reader.sees("["):
            reader.fail("a token")
        part = _element(reader, _no_chain)
        assert isinstance(part, TokenPattern)
        parts.append(part)
        gap = _quantifier(reader)
        if gap is None and reader.peek().kind not in ("string", "literal", "variable") and not reader.sees("["):
            return Table(tuple(parts), tuple(gaps))
        gaps.append(gap or (0, 0))


def _no_chain(reader: Reader) -> Pattern:
    reader.fail("a token")


def with_modifier(reader: Reader, chain: Chain) -> Pattern:
    """A whole query, perhaps with ``(?longest)`` before it."""
    if not reader.sees("(?"):
        return chain(reader)
    reader.take()
    name = reader.expect_kind("name", "the name of a matching strategy")
    if name.text not in STRATEGIES:
        hint = nearest(name.text, STRATEGIES)
        reader.error(f"there is no matching strategy {name.text!r}{hint}; choose from {', '.join(STRATEGIES)}", name)
    reader.expect(")")
    return Strategy(name.text, chain(reader))
