"""Sentences of languages without a model, by signs alone.

A sentence ends at a full stop or its like, with the quotes and brackets that follow, where a space comes next and the next
word has no small letter. No sentence ends after a number or a single letter with a full stop (*8. 2. 2009.*, *J. Novak*).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_WIDE: Final = frozenset("。！？｡")
"""Stops of scripts without spaces."""
_STOPS: Final = frozenset(".!?…؟۔।॥։።៕") | _WIDE
_CLOSING: Final = frozenset("\"”“’'»«)]›‹」』）")


def sentence_edges(text: str, starts: Sequence[int], ends: Sequence[int]) -> list[int]:
    """Numbers of the tokens at which sentences begin, with the total at the end."""
    edges = [0] if len(starts) else []
    for at in range(1, len(starts)):
        stop = at - 1
        while stop > edges[-1] and _CLOSING.issuperset(text[starts[stop] : ends[stop]]):
            stop -= 1
        sign, first = text[ends[stop] - 1], text[starts[at]]
        has_space = starts[at] > ends[at - 1] or sign in _WIDE
        if sign in _STOPS and has_space and not first.islower() and first not in _CLOSING | _STOPS:
            word = text[starts[stop - 1] : ends[stop - 1]] if stop > edges[-1] else ""
            if sign != "." or not (word.isdecimal() or (len(word) == 1 and word.isalpha())):
                edges.append(at)
    return [*edges, len(starts)]
