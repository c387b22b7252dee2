"""Repairs of a text that remember where each character came from.

A repair replaces stretches of a text. With :class:`Origins` at hand it also notes, for every character of the new text, the
stretch of the first text that it stands for; :func:`paberki.extraction.repair.breakpoints.breakpoints_of` makes a short list of
that. Without them a repair keeps no record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

Replacement = str | Callable[[re.Match[str]], str]


class Edit(NamedTuple):
    """What stands from ``start`` to ``end`` becomes ``new``."""

    start: int
    end: int
    new: str


class Origins:
    """Where the characters of a text came from: each from ``begins`` to ``ends`` of the text that came first."""

    __slots__ = ("begins", "ends")

    def __init__(self, length: int) -> None:
        self.begins = list(range(length))
        self.ends = list(range(1, length + 1))

    def replace(self, edits: Iterable[tuple[str, Edit]]) -> None:
        """Follow a repair; each edit comes with what it replaces."""
        begins: list[int] = []
        ends: list[int] = []
        last_end = 0
        for old, edit in edits:
            before, after = _alike(old, edit.new)
            first, last = edit.start + before, edit.end - after
            begins += self.begins[last_end:first]
            ends += self.ends[last_end:first]
            self._spread(first, last, len(edit.new) - before - after, begins, ends)
            last_end = last
        self.begins = begins + self.begins[last_end:]
        self.ends = ends + self.ends[last_end:]

    def _spread(self, first: int, last: int, count: int, begins: list[int], ends: list[int]) -> None:
        """``count`` new characters for those from ``first`` to ``last``: one for one, the last one for all that is left."""
        for place in range(count):
            at = first + place
            begins.append(self.begins[at] if at < last else self._edge(last))
            ends.append(self.ends[at] if at < last and place + 1 < count else self._edge(last))

    def _edge(self, at: int) -> int:
        """Where the characters before ``at`` end."""
        return self.ends[at - 1] if at else self.begins[0] if self.begins else 0


def _alike(old: str, new: str) -> tuple[int, int]:
    """Number of characters that two stretches have in common at the beginning, and of the others at the end."""
    before = _same(old, new)
    rest = min(len(old), len(new)) - before
    return before, _same(old[::-1][:rest], new[::-1][:rest])


def _same(one: str, other: str) -> int:
    if one.startswith(other) or other.startswith(one):
        return min(len(one), len(other))
    return next(place for place, (mine, theirs) in enumerate(zip(one, other, strict=False)) if mine != theirs)


def replaced(text: str, edits: Iterable[Edit], origins: Origins | None = None) -> str:
    """The text after some edits, which come in order and do not overlap."""
    changes = [edit for edit in edits if text[edit.start : edit.end] != edit.new]
    if not changes:
        return text
    parts: list[str] = []
    last_end = 0
    for start, end, new in changes:
        parts += (text[last_end:start], new)
        last_end = end
    if origins is not None:
        origins.replace((text[edit.start : edit.end], edit) for edit in changes)
    return "".join((*parts, text[last_end:]))


def substitute(pattern: re.Pattern[str], new: Replacement, text: str, origins: Origins | None = None) -> str:
    """:func:`re.sub`."""
    if origins is None:
        return pattern.sub(new, text)
    make = new if callable(new) else (lambda match: match.expand(new))
    return replaced(text, (Edit(*match.span(), make(match)) for match in pattern.finditer(text)), origins)
