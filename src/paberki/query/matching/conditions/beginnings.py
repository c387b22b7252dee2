"""What all values that match a pattern begin with: these are looked up in a sorted lexicon, and no others need be read."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

__all__ = ["Leading", "leading_strings"]

_MOST_LETTERS: Final = 64
"""Beginnings that are looked up; to read the whole lexicon takes as long as some hundred of them."""
_LETTERS: Final = re.compile(r"[^.^$*+?{}\[\]|()\\]*")
_STRINGS: Final = re.compile(r"\((?:\?:)?([^.^$*+?{}\[\]()\\]+)\)(?![*?]|\{[0,])")
_CLASS: Final = re.compile(r"\[([^\]\\^\[]+)\](?![*?]|\{[0,])")
_DIGIT: Final = re.compile(r"\\d(?![*?]|\{[0,])")


class Leading(NamedTuple):
    """Strings of which every match begins with one, and the pattern behind them."""

    strings: list[str]
    rest: str


def leading_strings(pattern: str) -> Leading | None:
    """What every match begins with: letters, one of several strings in brackets, or one letter of a class."""
    match = _LETTERS.match(pattern)
    if match is not None and match[0]:
        letters = match[0]
        letters = letters[:-1] if pattern[len(letters) : len(letters) + 1] in ("*", "?", "{") else letters
        strings = [letters] if letters else []
    elif (match := _STRINGS.match(pattern)) is not None:
        strings = match[1].split("|")
    elif (match := _CLASS.match(pattern)) is not None:
        strings = _letters_of(match[1])
    elif (match := _DIGIT.match(pattern)) is not None:
        strings = [*"0123456789"]
    else:
        return None
    rest = pattern[match.end() :]
    if not strings or "" in strings or "|" in re.sub(r"\([^()|]*(?:\|[^()|]*)*\)|\\.", "", rest):
        return None
    return Leading(strings, rest)


def _letters_of(inside: str) -> list[str]:
    """The letters of a class such as ``A-Zčš``; none where they are too many."""
    letters: list[str] = []
    at = 0
    while at < len(inside) and len(letters) <= _MOST_LETTERS:
        if inside[at + 1 : at + 2] == "-" and at + 2 < len(inside):
            letters += map(chr, range(ord(inside[at]), min(ord(inside[at + 2]), ord(inside[at]) + _MOST_LETTERS) + 1))
            at += 3
        else:
            letters.append(inside[at])
            at += 1
    return letters if len(letters) <= _MOST_LETTERS else []
