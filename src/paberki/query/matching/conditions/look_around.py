"""Patterns with look-around, taken apart so that an engine of linear time can do most of the work.

``(?=x)y`` at the beginning of a value is ``y`` and ``x.*`` at once, ``(?!x)y`` is ``y`` but not ``x.*``, and the same goes for
look-behind at the end. Elsewhere, a pattern without its look-around matches all that the pattern does, and more: only
these values are left to the engine whose time has no bound.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final, NamedTuple

__all__ = [
    "UCP",
    "LookAround",
    "edge_condition",
    "possessive_signs",
    "spelled_out",
    "wider_patterns",
    "without_needless_look",
]

UCP: Final = "(*UCP)"
"""A pattern that begins with this has classes of all alphabets."""
_CLASSES: Final = {"w": "0-9A-Za-z_", "d": "0-9", "s": "\t\n\f\r "}
_WIDE_CLASSES: Final = _CLASSES | {"w": r"\p{L}\p{N}\p{M}_", "d": r"\p{Nd}"}

_OPENING: Final = re.compile(r"\(\?(<?)([=!])")
_OTHERWISE: Final = re.compile(r"\\(?![pP]\{[A-Z][a-z]?\})[0-9A-Za-z]|\(\?(?!:|>|<?[=!])|\[:|^\(\*")
"""What engines understand in different ways, or only one does: classes such as ``\\w``, references, flags."""
_QUANTIFIERS: Final = ("*", "+", "?", "{")
_COUNTED: Final = re.compile(r"(?<!\\[pPx])\{(?:\d+,?\d*|,\d+)\}$")
"""A repetition such as ``{2,}``, not the letters of ``\\p{L}`` or ``\\x{61}``."""


def spelled_out(pattern: str) -> str:
    """A pattern whose classes, such as ``\\w``, are written as the letters that they mean everywhere else in queries."""
    classes = _CLASSES
    if pattern.startswith(UCP):
        pattern, classes = pattern[len(UCP) :], _WIDE_CLASSES
    text, at, inside = "", 0, False
    while at < len(pattern):
        if pattern[at] == "\\":
            sign = pattern[at + 1 : at + 2]
            letters = classes.get(sign.lower(), "")
            if letters and not inside:
                text += f"[^{letters}]" if sign.isupper() else f"[{letters}]"
            else:
                text += letters if letters and sign.islower() else pattern[at : at + 2]
            at += 2
            continue
        start = at
        at += 1
        if inside:
            inside = pattern[start] != "]"
        elif pattern[start] == "[":
            inside = True
            at += pattern[at : at + 1] == "^"
            at += pattern[at : at + 1] == "]"
        text += pattern[start:at]
    return text


def without_needless_look(pattern: str) -> str | None:
    """``x(?=y).*`` as ``xy.*`` and ``.*(?<=x)y`` as ``.*xy``, which are the same; None for other patterns."""
    groups = _groups(pattern)
    if groups is None or _OTHERWISE.search(pattern) or _has_alternatives(pattern):
        return None
    for start, end in groups:
        opening = _OPENING.match(pattern, start)
        if opening is None or opening[2] == "!" or _depth(pattern, start):
            continue
        text = pattern[opening.end() : end - 1]
        if "(?>" in text or possessive_signs(text):
            continue
        inside = f"(?:{text})" if _has_alternatives(text) else text
        if not opening[1] and pattern[end:] == ".*":
            return f"{pattern[:start]}{inside}.*"
        if opening[1] and pattern[:start] == ".*":
            return f".*{inside}{pattern[end:]}"
    return None


class LookAround(NamedTuple):
    """What is left of a pattern, and what its values must match besides, or must not."""

    rest: str
    condition: str
    negated: bool


def edge_condition(pattern: str) -> LookAround | None:
    """A pattern without the look-ahead at its beginning or the look-behind at its end; None where it has neither."""
    groups = _groups(pattern)
    if groups is None or _OTHERWISE.search(pattern) or _has_alternatives(pattern):
        return None
    for start, end in groups:
        opening = _OPENING.match(pattern, start)
        if opening is None:
            continue
        inside, negated = pattern[opening.end() : end - 1], opening[2] == "!"
        whole = f"(?:{inside})" if _has_alternatives(inside) else inside
        if start == 0 and not opening[1] and pattern[end : end + 1] not in _QUANTIFIERS:
            return LookAround(pattern[end:], f"{whole}.*", negated)
        if end == len(pattern) and opening[1] and "(?>" not in inside and not possessive_signs(inside):
            return LookAround(pattern[:start], f".*{whole}", negated)
    return None


def wider_patterns(pattern: str) -> list[str]:
    """Patterns of which each matches at least the same values; none where that cannot be told.

    One is the pattern without look-around. Of ``x(?=y)z`` another is ``xy.*``, of ``x(?<=y)z`` it is ``.*yz``.
    """
    groups = _groups(pattern)
    if groups is None or _OTHERWISE.search(pattern):
        return []
    looks: list[tuple[int, int]] = []
    for start, end in groups:
        if _OPENING.match(pattern, start) and (not looks or start >= looks[-1][1]):
            looks.append((start, end))
    patterns = [_without(pattern, looks, 0, len(pattern))]
    depths = {start: _depth(pattern, start) for start, _ in looks}
    for start, end in [] if _has_alternatives(pattern) else looks:
        opening = _OPENING.match(pattern, start)
        if opening is None or opening[2] == "!" or depths[start] or pattern[end : end + 1] in _QUANTIFIERS:
            continue
        inside = f"(?:{text})" if _has_alternatives(text := pattern[opening.end() : end - 1]) else text
        if opening[1]:
            patterns.append(f".*{inside}{_without(pattern, looks, end, len(pattern))}")
        else:
            patterns.append(f"{_without(pattern, looks, 0, start)}{inside}.*")
    return patterns


def _without(pattern: str, looks: list[tuple[int, int]], low: int, high: int) -> str:
    """A part of a pattern without its look-around; what gives nothing back, gives something back."""
    inside = [(start, end) for start, end in looks if low <= start and end <= high]
    edges = [low, *(edge for look in inside for edge in look), high]
    text = "".join(pattern[edges[at] : edges[at + 1]] for at in range(0, len(edges), 2))
    edges = [-1, *possessive_signs(text), len(text)]
    return "".join(text[low + 1 : high] for low, high in pairwise(edges)).replace("(?>", "(?:")


def possessive_signs(pattern: str) -> list[int]:
    """Places of the second sign of ``*+``, ``++``, ``?+`` and ``{2}+``, which give nothing back."""
    signs = _signs(pattern)
    places: list[int] = []
    for before, at in pairwise(signs):
        if pattern[at] != "+" or before != at - 1 or before in places:
            continue
        if pattern[before] in "*+?" or _COUNTED.search(pattern, 0, at):
            places.append(at)
    return places


def _depth(pattern: str, place: int) -> int:
    """How many groups are open at a place."""
    return sum((pattern[at] == "(") - (pattern[at] == ")") for at in _signs(pattern) if at < place)


def _groups(pattern: str) -> list[tuple[int, int]] | None:
    """Where groups begin and end, in the order of their beginnings; None where brackets do not match."""
    groups: list[tuple[int, int]] = []
    open_brackets: list[int] = []
    for at in _signs(pattern):
        if pattern[at] == "(":
            open_brackets.append(at)
        elif pattern[at] == ")":
            if not open_brackets:
                return None
            groups.append((open_brackets.pop(), at + 1))
    return None if open_brackets else sorted(groups)


def _has_alternatives(pattern: str) -> bool:
    """Whether ``|`` stands outside of all groups."""
    depth = 0
    for at in _signs(pattern):
        depth += (pattern[at] == "(") - (pattern[at] == ")")
        if pattern[at] == "|" and depth == 0:
            return True
    return False


def _signs(pattern: str) -> list[int]:
    """Places of letters that are not escaped and not in brackets."""
    places, at, inside = [], 0, False
    while at < len(pattern):
        sign = pattern[at]
        if sign == "\\":
            at += 2
            continue
        if inside:
            inside = sign != "]"
        elif sign == "[":
            inside = True
            at += 2 if pattern[at + 1 : at + 2] == "^" else 1
            at += pattern[at : at + 1] == "]"
            continue
        else:
            places.append(at)
        at += 1
    return places
