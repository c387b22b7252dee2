"""Breakpoints: where the distance between a view and the text that it was made of changes.

A breakpoint is a pair of offsets, in the view and in the text. From one to the next both run alongside, one character for
one. Two breakpoints at one place of the view frame what was left out there: the first says where the text before it ends,
the second where the text after it begins. A single one follows characters that became more or fewer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from paberki.extraction.repair.edits import Origins

Longs = npt.NDArray[np.int64]
Breakpoints = Sequence[tuple[int, int]]


def breakpoints_of(origins: Origins) -> list[tuple[int, int]]:
    """The breakpoints of a view whose characters came from there."""
    if not origins.begins:
        return []
    begins, ends = np.array(origins.begins, np.int64), np.array(origins.ends, np.int64)
    gaps = begins[1:] != ends[:-1]
    changes = np.flatnonzero(gaps | (ends[:-1] != begins[:-1] + 1))
    pairs = [(0, origins.begins[0])]
    for last in changes.tolist():
        pairs.append((last + 1, origins.ends[last]))
        if gaps[last]:
            pairs.append((last + 1, origins.begins[last + 1]))
    if origins.ends[-1] != origins.begins[-1] + 1:
        pairs.append((len(ends), origins.ends[-1]))
    return pairs


def in_text(breakpoints: Breakpoints, starts: Longs, ends: Longs) -> tuple[Longs, Longs]:
    """Where stretches of a view, none of them empty, begin and end in the text that it was made of."""
    table = np.array(breakpoints, np.int64).reshape(-1, 2)
    views, texts = table[:, 0], table[:, 1]
    following = np.append(texts[1:], np.iinfo(np.int64).max)
    own = np.searchsorted(views, starts, "right") - 1
    # Inside of what became longer, a stretch begins at the last character that it was made of.
    begins = np.minimum(texts[own] + starts - views[own], np.maximum(following[own] - 1, texts[own]))
    before = np.searchsorted(views, ends, "left")
    exact = before < len(views)
    exact[exact] = views[before[exact]] == ends[exact]
    last = before - 1
    stops = np.minimum(texts[last] + ends - views[last], following[last])
    stops[exact] = texts[before[exact]]
    return begins, stops
