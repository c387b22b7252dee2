"""Trees as text in one canonical spelling, which the parser reads back into the same tree."""

from __future__ import annotations

import re
from functools import singledispatch
from typing import Final

from paberki.query.syntax.printing import condition_text, quote, tag_text
from paberki.query.syntax.tree import (
    AnyNode,
    Both,
    Child,
    Choice,
    CloseTag,
    Complement,
    Constrained,
    Cut,
    Expand,
    Filter,
    Labelled,
    Limit,
    Look,
    Meet,
    OpenTag,
    Pattern,
    Region,
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

_CHAINS: Final = (Constrained, Filter, Limit, Cut, Expand)
_OUTER: Final = (*_CHAINS, Strategy, Relation, Root)
_QUANTIFIERS: Final = {(0, 1): "?", (0, None): "*", (1, None): "+"}
_SAFE_NAME: Final = re.compile(r"""(?!>)(?:(?!->)[^\s'"\[\]])*""")
_ANCHORS: Final = {"target": "@", "keyword": "@9"} | {f"target{n}": f"@{n}" for n in range(1, 9)}


@singledispatch
def print_pattern(pattern: Pattern) -> str:
    """The text of a pattern."""
    raise TypeError(f"{type(pattern).__name__} is no pattern")


def _in_brackets(pattern: Pattern, *kinds: type) -> str:
    """The text of a pattern, in brackets if it is of these kinds."""
    return f"({print_pattern(pattern)})" if isinstance(pattern, kinds) else print_pattern(pattern)


@print_pattern.register
def _(pattern: TokenPattern) -> str:
    return condition_text(pattern)


@print_pattern.register
def _(pattern: Sequence) -> str:
    return " ".join(_in_brackets(part, Sequence, Choice, Both, *_OUTER) for part in pattern.parts)


@print_pattern.register
def _(pattern: Choice) -> str:
    return " | ".join(_in_brackets(part, Choice, Both, *_OUTER) for part in pattern.parts)


@print_pattern.register
def _(pattern: Both) -> str:
    return " & ".join(_in_brackets(part, Choice, Both, *_OUTER) for part in pattern.parts)


@print_pattern.register
def _(pattern: Complement) -> str:
    return f"!({print_pattern(pattern.part)})"


@print_pattern.register
def _(pattern: Repeat) -> str:
    bounds = (pattern.low, pattern.high)
    suffix = _QUANTIFIERS.get(bounds) or (
        f"{{{pattern.low}}}"
        if pattern.low == pattern.high
        else f"{{{pattern.low},{'' if pattern.high is None else pattern.high}}}"
    )
    return _in_brackets(pattern.part, Sequence, Choice, Both, Repeat, Labelled, Table, *_OUTER) + suffix


@print_pattern.register
def _(pattern: Labelled) -> str:
    mark = _ANCHORS.get(pattern.label, f"{pattern.label}:")
    return mark + _in_brackets(pattern.part, Sequence, Choice, Both, Repeat, Table, *_OUTER)


@print_pattern.register
def _(pattern: OpenTag) -> str:
    return tag_text(pattern, ">")


@print_pattern.register
def _(pattern: Region) -> str:
    return tag_text(pattern, "/>")


@print_pattern.register
def _(pattern: CloseTag) -> str:
    return f"</{quote(pattern.name) if pattern.regex else pattern.name}>"


@print_pattern.register
def _(pattern: Look) -> str:
    if isinstance(pattern.part, TokenPattern) and not pattern.behind and not pattern.negated:
        inside = condition_text(pattern.part, bare=False)[1:-1]
        return f"[: {inside} :]" if inside else "[::]"
    return f"(?{'<' if pattern.behind else ''}{'!' if pattern.negated else '='} {print_pattern(pattern.part)})"


@print_pattern.register
def _(pattern: Meet) -> str:
    window = pattern.structure or f"{pattern.low} {pattern.high}"
    negation = "not " if pattern.negated else ""
    return f"MU(meet {_member(pattern.left)} {negation}{_member(pattern.right)} {window})"


@print_pattern.register
def _(pattern: Union) -> str:
    return f"MU(union {_member(pattern.left)} {_member(pattern.right)})"


def _member(pattern: Pattern) -> str:
    text = print_pattern(pattern)
    return text[2:] if isinstance(pattern, Meet | Union) else text


@print_pattern.register
def _(pattern: Table) -> str:
    words = [print_pattern(pattern.parts[0])]
    for (low, high), part in zip(pattern.gaps, pattern.parts[1:], strict=True):
        words += [f"{{{low},{'' if high is None else high}}}", print_pattern(part)]
    return f"TAB {' '.join(words)}"


@print_pattern.register
def _(pattern: AnyNode) -> str:
    return "_"


@print_pattern.register
def _(pattern: Relation) -> str:
    children = " ; ".join(_child(child) for child in pattern.children)
    return f"{_in_brackets(pattern.source, *_OUTER)} {children}"


def _child(child: Child) -> str:
    label = f"{child.label}:" if child.label else ""
    arrow = f"{'!' if child.negated else ''}-{_name(child.name)}->{'>' if child.descendants else ''}"
    return f"{label}{arrow} {_in_brackets(child.target, *_OUTER)}"


def _name(name: str) -> str:
    return name if _SAFE_NAME.fullmatch(name) and not name.endswith("-") else quote(name)


@print_pattern.register
def _(pattern: Root) -> str:
    return f"^-{_name(pattern.name)}-> {_in_brackets(pattern.target, *_OUTER)}"


@print_pattern.register
def _(pattern: Span) -> str:
    return f"rspan({print_pattern(pattern.part)}, '{pattern.extent}')"


@print_pattern.register
def _(pattern: Constrained) -> str:
    return f"{_in_brackets(pattern.part, Strategy)} :: {condition_text(pattern.condition)}"


@print_pattern.register
def _(pattern: Filter) -> str:
    sign = "!" if pattern.negated else ""
    scope = print_pattern(pattern.scope)
    if not isinstance(pattern.scope, Region | TokenPattern):
        scope = f"({scope})"
    return f"{_in_brackets(pattern.part, Strategy)} {sign}{pattern.relation} {scope}"


@print_pattern.register
def _(pattern: Limit) -> str:
    structure = f" {pattern.structure}" if pattern.structure else ""
    return f"{_in_brackets(pattern.part, Strategy)} within {pattern.count}{structure}"


@print_pattern.register
def _(pattern: Cut) -> str:
    numbers = f"{pattern.last + 1}" if pattern.first == 0 else f"{pattern.first} {pattern.last}"
    return f"{_in_brackets(pattern.part, Strategy)} cut {numbers}"


@print_pattern.register
def _(pattern: Expand) -> str:
    side = "" if pattern.direction == "both" else f" {pattern.direction}"
    target = f"{pattern.count}" if pattern.structure is None else pattern.structure
    if pattern.structure is not None and pattern.count != 1:
        target = f"{pattern.count} {pattern.structure}"
    return f"{_in_brackets(pattern.part, Strategy)} expand{side} to {target}"


@print_pattern.register
def _(pattern: Strategy) -> str:
    return f"(?{pattern.name}) {print_pattern(pattern.part)}"
