"""Tags of query text: ``<s>``, ``</s>``, ``<s id="3"/>``, ``<"person|place"/>``, ``<<np>>``."""

from __future__ import annotations

from paberki.query.syntax.conditions import condition
from paberki.query.syntax.lexemes import Lexeme
from paberki.query.syntax.query_reader import Reader
from paberki.query.syntax.terms import Anything, Condition
from paberki.query.syntax.tree import CloseTag, OpenTag, Pattern, Region


def tag(reader: Reader) -> Pattern:
    """The tag that begins at the next token."""
    opening = reader.take()
    name = _name(reader)
    regex = name.kind == "string"
    place = (name.start, name.length)
    if opening.text == "<<":
        reader.accept("/")
        reader.expect(">>")
        return Region(name.text, Anything(), regex, place)
    if opening.text == "</":
        reader.expect(">")
        return CloseTag(name.text, regex, place)
    inside: Condition = Anything()
    if not reader.sees(">", "/>"):
        inside = condition(reader, tag=True)
    closing = reader.accept(">", "/>")
    if closing is None:
        reader.fail("'>'", "'/>'")
    kind = OpenTag if closing.text == ">" else Region
    return kind(name.text, inside, regex, place)


def _name(reader: Reader) -> Lexeme:
    if reader.peek().kind == "string":
        return reader.take()
    return reader.expect_kind("name", "the name of a structure")
