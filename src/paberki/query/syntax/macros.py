"""Macros and word lists: definitions before a query, ``/name[arguments]`` and ``$name`` inside it.

``define macro pp(2) '"$0" [tag="$1"]'; /pp["in", "N.*"]`` reads ``"in" [tag="N.*"]``.
``define $pets = "cat dog"; [lemma = $pets]`` compares with each word literally.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from paberki.errors import QueryError
from paberki.nearest import nearest

_STRING: Final = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_MACRO: Final = rf"(?is)\s*(?:define\s+)?macro\s+(\w+)\s*\(\s*(\d+|{_STRING})\s*\)\s*((?:{_STRING}\s*)+);"
_LIST: Final = rf"(?is)\s*define\s+(\$\w+)\s*=\s*({_STRING})\s*;"
_CALL: Final = rf"(?s){_STRING}|/(\w+)\s*\["
_PART: Final = rf"(?s){_STRING}|[^,\]\"']+|,"
"""Compiled when a query has a definition or a call: most have none."""
_DEEPEST: Final = 20
_LONGEST: Final = 1_000_000

BUILT_IN: Final = {
    ("region", 1): "<$0> []* </$0>",
    ("region", 2): "<$0_$1> []* </$0_$1>",
    ("codist", 2): '[$0 = "$1"]',
}
"""Macros that CQP brings along, by name and number of arguments."""


@dataclass(slots=True)
class Expansion:
    """Query text with its macros replaced, and where each stretch came from."""

    text: str
    variables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    pieces: list[tuple[int, int, int]] = field(default_factory=list)
    """Start in the text, start in the original, length in the original where it was replaced, else 0."""

    def relocate(self, error: QueryError) -> QueryError:
        """The same error with its place in what was typed."""
        if error.position is None or not self.pieces:
            return error
        begin, origin, call_length = max(
            (one for one in self.pieces if one[0] <= error.position), key=lambda one: one[0]
        )
        if call_length:
            error.position, error.length = origin, call_length
        else:
            error.position += origin - begin
        return error


def expand(text: str) -> Expansion:
    """Take definitions off the front and replace calls of macros."""
    if "/" not in text and not text.lstrip().lower().startswith(("define", "macro")):
        return Expansion(text)
    macros: dict[tuple[str, int], str] = dict(BUILT_IN)
    variables: dict[str, tuple[str, ...]] = {}
    at = 0
    while True:
        if (match := re.compile(_MACRO).match(text, at)) is not None:
            macros[match[1], _arity(match[2])] = " ".join(one[1:-1] for one in re.findall(_STRING, match[3]))
        elif (match := re.compile(_LIST).match(text, at)) is not None:
            variables[match[1]] = tuple(match[2][1:-1].split())
        else:
            break
        at = match.end()
    if "/" not in text and at == 0:
        return Expansion(text, variables)
    return _replace(text, at, macros, variables)


def _arity(parameters: str) -> int:
    return int(parameters) if parameters.isdigit() else len(set(re.findall(r"\$\d", parameters)))


def _replace(
    text: str, at: int, macros: dict[tuple[str, int], str], variables: dict[str, tuple[str, ...]]
) -> Expansion:
    pieces: list[tuple[int, int, int]] = []
    parts: list[str] = []
    length = 0

    def add(piece: str, origin: int, call_length: int) -> None:
        nonlocal length
        pieces.append((length, origin, call_length))
        parts.append(piece)
        length += len(piece)

    for match in list(re.compile(_CALL).finditer(text, at)):
        if match[1] is None or match.start() < at:
            continue
        add(text[at : match.start()], at, 0)
        body, end = _call(text, match, macros)
        add(_fully(body, macros, 0), match.start(), end - match.start())
        at = end
    add(text[at:], at, 0)
    return Expansion("".join(parts), variables, pieces)


def _fully(text: str, macros: dict[tuple[str, int], str], depth: int) -> str:
    """Text with all calls replaced, also those inside macros."""
    if depth > _DEEPEST or len(text) > _LONGEST:
        raise QueryError("a macro calls itself, or makes the query too long", position=0)
    parts, at = [], 0
    for match in list(re.finditer(_CALL, text)):
        if match[1] is None or match.start() < at:
            continue
        body, end = _call(text, match, macros)
        parts += [text[at : match.start()], _fully(body, macros, depth + 1)]
        at = end
    return "".join([*parts, text[at:]])


def _call(text: str, match: re.Match[str], macros: dict[tuple[str, int], str]) -> tuple[str, int]:
    """The body of the macro that is called here, with its arguments in place, and where the call ends."""
    arguments: list[str] = [""]
    at = match.end()
    while text[at : at + 1] != "]":
        part = re.compile(_PART).match(text, at)
        if part is None:
            raise QueryError(
                f"the call of /{match[1]} has no closing ]",
                position=match.start(),
                length=len(match[0]),
                expected=("]",),
            )
        if part[0] == ",":
            arguments.append("")
        else:
            arguments[-1] += part[0]
        at = part.end()
    values = [one.strip() for one in arguments] if any(one.strip() for one in arguments) else []
    body = macros.get((match[1], len(values)))
    if body is None:
        names = {name for name, _ in macros}
        counts = [count for name, count in macros if name == match[1]]
        detail = f"takes {counts[0]} arguments, not {len(values)}" if counts else "is not defined"
        hint = "" if counts else nearest(match[1], names)
        raise QueryError(f"the macro /{match[1]} {detail}{hint}", position=match.start(), length=len(match[0]))
    for number, value in enumerate(values):
        plain = value[1:-1] if value[:1] in {'"', "'"} and value[-1:] == value[:1] else value
        body = body.replace(f"${number}", plain)
    return body, at + 1
