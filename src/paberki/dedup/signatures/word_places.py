"""Words of a text with their places, cut exactly as :mod:`paberki.dedup.signatures.shingles` cuts them, in plain Python.

It is used to show passages: there are few texts, and the place of each word matters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from paberki.dedup.signatures.shingles import UNDIVIDED


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    alone = "".join(f"{chr(first)}-{chr(last - 1)}" for first, last in UNDIVIDED)
    return re.compile(rf"(?=\w)[{alone}]|[^\W{alone}]+")


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where each word begins and ends.

    >>> word_spans("Dobar dan, svijete 漢字")
    [(0, 5), (6, 9), (11, 18), (19, 20), (20, 21)]
    """
    return [match.span() for match in _pattern().finditer(text)]


def words(text: str) -> list[str]:
    """The words in small letters."""
    return [text[low:high].lower() for low, high in word_spans(text)]


def shared_passages(left: Sequence[str], right: Sequence[str], least: int = 5) -> list[tuple[int, int, int]]:
    """Runs of at least ``least`` words that both have, longest first taken: (place left, place right, words).

    Each word of the left and of the right text is in one passage at most. Both in order of the left text.
    """
    places: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(right) - least + 1):
        here = places.setdefault(tuple(right[at : at + least]), [])
        if len(here) < 16:  # a word again and again: any few places will do
            here.append(at)
    passages: list[tuple[int, int, int]] = []
    at = 0
    while at <= len(left) - least:
        best = (0, 0)
        for other in places.get(tuple(left[at : at + least]), ()):
            length = _agree(left, right, at, other)
            best = max(best, (length, -other))
        if best[0]:
            passages.append((at, -best[1], best[0]))
        at += best[0] or 1
    return passages


def _agree(left: Sequence[str], right: Sequence[str], at: int, other: int) -> int:
    length = 0
    while at + length < len(left) and other + length < len(right) and left[at + length] == right[other + length]:
        length += 1
    return length
