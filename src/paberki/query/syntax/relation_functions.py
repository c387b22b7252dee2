"""Functions on relations, as BlackLab writes them: ``rspan(A, 'source')``, ``rel('nsubj', A, 'target')``, ``rcapture(A)``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from paberki.query.syntax.lexemes import Lexeme
from paberki.query.syntax.query_reader import Reader
from paberki.query.syntax.tree import AnyNode, Child, Pattern, Relation, Span

__all__ = ["DEFAULT_CLASS", "RELATION_FUNCTIONS", "relation_function"]

DEFAULT_CLASS: Final = "dep::"
"""What BlackLab writes before the names of dependency relations, or leaves out."""
RELATION_FUNCTIONS: Final = frozenset({"rspan", "rcapture", "rel"})
_EXTENTS: Final = ("source", "target", "full", "all")

Chain = Callable[[Reader], Pattern]


def relation_function(reader: Reader, name: Lexeme, chain: Chain) -> Pattern:
    """A function behind its name; ``chain`` reads the patterns that it takes."""
    reader.expect("(")
    if name.text.lower() == "rel":
        return _related(reader, name, chain)
    with reader.deeper():
        part = chain(reader)
    if name.text.lower() == "rcapture":
        return _capture(reader, part)
    extent = _extent(reader, name) if reader.accept(",") else "full"
    reader.expect(")")
    return Span(part, extent)


def _extent(reader: Reader, function: Lexeme) -> str:
    token = reader.expect_kind("string", "'source', 'target', 'full' or 'all'")
    if token.text not in _EXTENTS:
        reader.error(f"{function.text} knows {', '.join(_EXTENTS)}, not {token.text!r}", token)
    return token.text


def _related(reader: Reader, name: Lexeme, chain: Chain) -> Pattern:
    """``rel('nsubj', A, 'source', 'label', 'both')`` is ``rspan(_ label:-nsubj-> A, 'source')``; all may be left out."""
    relation, extent, label = "", "source", None
    target: Pattern = AnyNode()
    if not reader.sees(")"):
        relation = reader.expect_kind("string", "a relation").text.removeprefix(DEFAULT_CLASS)
    if reader.accept(","):
        with reader.deeper():
            target = chain(reader)
    if reader.accept(","):
        extent = _extent(reader, name)
    if reader.accept(","):
        label = reader.expect_kind("string", "a label").text or None
    if reader.accept(","):
        direction = reader.expect_kind("string", "'both'")
        if direction.text != "both":
            reader.error(f"rel finds relations in both directions, not {direction.text!r}", direction)
    reader.expect(")")
    child = Child("" if relation == ".*" else relation, target, label=label, at=reader.place(name))
    return Span(Relation(AnyNode(), (child,)), extent)


def _capture(reader: Reader, part: Pattern) -> Pattern:
    """``rcapture(A, 'name', 'relation')``: the hits of A; every hit has the relations of its own query, and no others."""
    for _ in range(2):
        if reader.accept(","):
            reader.expect_kind("string", "a string")
    reader.expect(")")
    return part
