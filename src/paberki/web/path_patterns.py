"""Matches paths against many patterns with ``*`` and ``$`` (RFC 9309 §2.2.2 and 2.2.3).

Patterns without wildcards are in one dictionary per length, so that hundreds of them cost a few look-ups. The others
are matched piece by piece from the left, which takes linear time where a regular expression can take exponential time.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from itertools import islice
from operator import neg
from typing import Final, Generic, TypeVar

from paberki.web.urls import spell

T = TypeVar("T")
_CompiledPattern = tuple[int, tuple[str, ...]]
END: Final = "$"
"""Last piece of a pattern that matches a whole path; no other piece contains a dollar sign."""

_SIMPLE = re.compile(r"[A-Za-z0-9\-._~!&'()+,;=:@/?]*\Z")


class Patterns(Generic[T]):
    """Values by path pattern; the longest matching pattern determines the value."""

    __slots__ = ("_by_length", "_lengths", "_wild")

    def __init__(self, pairs: Iterable[tuple[str, T]], merge: Callable[[T, T], T]) -> None:
        """``pairs`` has patterns as written, one character per byte; ``merge`` combines values of equal patterns."""
        values: dict[_CompiledPattern, T] = {}
        for pattern, value in pairs:
            key = _compile(pattern)
            values[key] = merge(values[key], value) if key in values else value
        self._by_length: dict[int, dict[str, T]] = {}
        for (length, pieces), value in values.items():
            if len(pieces) == 1:
                self._by_length.setdefault(length, {})[pieces[0]] = value
        self._lengths = sorted(self._by_length, reverse=True)
        wild = [(length, pieces, value) for (length, pieces), value in values.items() if len(pieces) > 1]
        self._wild = sorted(wild, key=lambda one: -one[0])

    def __bool__(self) -> bool:
        return bool(self._by_length or self._wild)

    def longest(self, path: str, *, prefer: T | None = None) -> T | None:
        """Value of the longest pattern that matches a path in :func:`matched_form`; ``prefer`` wins a tie."""
        best: T | None = None
        best_length = -1
        for length in islice(self._lengths, bisect_left(self._lengths, -len(path), key=neg), None):
            value = self._by_length[length].get(path[:length])
            if value is not None:
                best, best_length = value, length
                break
        for length, pieces, value in self._wild:
            if length < best_length or (length == best_length and best == prefer):
                break
            if (length > best_length or value == prefer) and _matches(pieces, path):
                best, best_length = value, length
        return best


def matched_form(path: str) -> str:
    """A path in the spelling for comparison with patterns: ``*`` and ``$`` are percent-coded."""
    if _SIMPLE.match(path):
        return path
    return spell(path).replace("*", "%2A").replace("$", "%24")


def _compile(pattern: str) -> _CompiledPattern:
    """Length of a pattern and the pieces between its wildcards. A single piece is a prefix; of several pieces, the last
    one is the end of the path (empty if anything may follow)."""
    if _SIMPLE.match(pattern):
        return len(pattern), (pattern,)
    is_anchored = pattern.endswith("$")
    pieces = [_spell_bytes(piece) for piece in re.split(r"\*+", pattern[:-1] if is_anchored else pattern)]
    length = sum(map(len, pieces)) + len(pieces) - 1 + is_anchored
    if is_anchored and len(pieces) == 1:
        return length, ("", pieces[0], END)
    if not is_anchored and len(pieces) > 1 and pieces[-1]:
        pieces.append("")
    return length, tuple(pieces)


def _spell_bytes(piece: str) -> str:
    """The canonical spelling of a piece that has one character per byte; non-ASCII bytes are percent-coded."""
    percent_coded = "".join(char if char < "\x80" else f"%{ord(char):02X}" for char in piece)
    return spell(percent_coded).replace("$", "%24")


def _matches(pieces: tuple[str, ...], path: str) -> bool:
    if pieces[-1] == END:
        return path == pieces[1]
    position = len(pieces[0])
    if not path.startswith(pieces[0]):
        return False
    for piece in pieces[1:-1]:
        position = path.find(piece, position)
        if position < 0:
            return False
        position += len(piece)
    return path.endswith(pieces[-1]) and len(path) - len(pieces[-1]) >= position
