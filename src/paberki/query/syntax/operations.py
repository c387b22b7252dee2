"""What follows a pattern: constraints, filters, limits, cuts, expansion; and relations between tokens."""

from __future__ import annotations

from paberki.query.syntax.conditions import condition
from paberki.query.syntax.patterns import alternatives
from paberki.query.syntax.query_reader import Reader
from paberki.query.syntax.relation_functions import DEFAULT_CLASS
from paberki.query.syntax.tree import (
    Child,
    Constrained,
    Cut,
    Expand,
    Filter,
    Limit,
    OpenTag,
    Pattern,
    Region,
    Relation,
    Root,
)

_FILTERS = ("within", "containing", "overlap")


def chain(reader: Reader) -> Pattern:
    """A pattern and all operations on its hits."""
    part = relation(reader)
    while True:
        following = _operation(reader, part)
        if following is None:
            return part
        part = following


def _operation(reader: Reader, part: Pattern) -> Pattern | None:
    if reader.accept("::", "&"):
        return Constrained(part, condition(reader))
    if reader.sees_word(*_FILTERS) or (reader.sees("!") and reader.peek(1).text.lower() in _FILTERS):
        return _filter(reader, part)
    if reader.sees_word("not") and reader.peek(1).text.lower() in _FILTERS:
        return _filter(reader, part)
    if reader.accept_word("cut"):
        return _cut(reader, part)
    if reader.sees_word("expand"):
        return _expand(reader, part)
    return None


def _filter(reader: Reader, part: Pattern) -> Pattern:
    first = reader.peek()
    negated = reader.accept("!") is not None or reader.accept_word("not") is not None
    name = reader.take().text.lower()
    negated = negated != (reader.accept("!") is not None)
    token = reader.peek()
    if name == "within" and token.kind == "number":
        count = reader.whole()
        structure = reader.take().text if reader.peek().kind == "name" and not _keyword(reader) else None
        if negated:
            reader.error("a number of tokens cannot be negated", token)
        return Limit(part, count, structure, reader.place(first))
    if token.kind == "name" and token.text not in ("_", "TAB") and reader.peek(1).text != "(":
        reader.take()
        scope: Pattern = Region(token.text, at=(token.start, token.length))
    elif reader.dialect.filters_from_right:
        scope = _from_right(reader)
    else:
        scope = relation(reader)
    if isinstance(scope, OpenTag):  # as older Manatee writes regions; an edge alone would match nothing
        scope = Region(scope.name, scope.condition, scope.regex, scope.at)
    return Filter(part, name, scope, negated)


def _from_right(reader: Reader) -> Pattern:
    """A scope that takes the filters after it along."""
    scope = relation(reader)
    if reader.sees_word(*_FILTERS) or (reader.sees("!") and reader.peek(1).text.lower() in _FILTERS):
        with reader.deeper():
            return _filter(reader, scope)
    return scope


def _keyword(reader: Reader) -> bool:
    return reader.sees_word(*_FILTERS, "cut", "expand", "not")


def _cut(reader: Reader, part: Pattern) -> Pattern:
    token = reader.peek()
    first, last = 0, reader.whole() - 1
    if reader.peek().kind == "number":
        first, last = last + 1, reader.whole()
    if first < 0 or last < first:
        reader.error("cut needs a number above 0, or the numbers of a first and a last hit", token)
    return Cut(part, first, last)


def _expand(reader: Reader, part: Pattern) -> Pattern:
    opening = reader.take()
    side = reader.accept_word("left", "right")
    if reader.accept_word("to") is None:
        reader.fail("'to'")
    count, structure = 1, None
    if reader.peek().kind == "number":
        count = reader.whole()
        if reader.peek().kind == "name" and not _keyword(reader):
            structure = reader.take().text
    else:
        structure = reader.expect_kind("name", "the name of a structure").text
    return Expand(part, side.text.lower() if side else "both", count, structure, reader.place(opening))


def relation(reader: Reader) -> Pattern:
    """A pattern and what depends on it."""
    if reader.peek().kind == "arrow" and reader.peek().text.startswith("^"):
        return _root(reader)
    source = alternatives(reader, chain)
    if not _child_follows(reader):
        return source
    children = [_child(reader)]
    while reader.sees(";") and _child_follows(reader, 1):
        reader.take()
        children.append(_child(reader))
    return Relation(source, tuple(children))


def _root(reader: Reader) -> Pattern:
    token = reader.take()
    name, _, descendants = _arrow(token.text)
    if descendants:
        reader.error("a root has no relation of several steps; write ^-->", token)
    with reader.deeper():
        return Root(name, relation(reader), (token.start, token.length))


def _child_follows(reader: Reader, ahead: int = 0) -> bool:
    if reader.peek(ahead).kind == "label":
        ahead += 2
    token = reader.peek(ahead)
    return token.kind == "arrow" and not token.text.startswith("^")


def _child(reader: Reader) -> Child:
    label = None
    if reader.peek().kind == "label":
        label = reader.take().text
        reader.expect(":")
    token = reader.take()
    name, negated, descendants = _arrow(token.text)
    name = name.removeprefix(DEFAULT_CLASS)
    with reader.deeper():
        target = relation(reader)
    return Child(name, target, negated, descendants, label, (token.start, token.length))


def _arrow(text: str) -> tuple[str, bool, bool]:
    """Name, negation and depth of an arrow such as ``!-nsubj->>``."""
    negated = text.startswith("!")
    descendants = text.endswith(">>")
    inside = text.lstrip("!^")[1 : -3 if descendants else -2]
    if inside.startswith('"'):
        inside = inside[1:-1].replace('\\"', '"')
    return inside, negated, descendants
