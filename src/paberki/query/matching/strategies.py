"""Which of the matches are hits.

``all`` takes every span. ``traditional`` takes the earliest end of each start. ``standard`` takes of these, among equal ends,
the left-most; ``shortest`` takes of these none that contains another; ``longest`` takes the latest end of each start, and none
inside another. Spans come in order of their starts, a stretch of the corpus at a time, and what a later stretch may still
change is held back.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.query.matching.automata.sequences import EARLIEST, EVERY, LATEST
from paberki.query.matching.hit_table import HitTable

MODES: Final = {"all": EVERY, "traditional": EARLIEST, "standard": EARLIEST, "shortest": EARLIEST, "longest": LATEST}


class Chooser:
    """Chooses among spans that come in rising order of starts; with several ends per start, of these too."""

    def __init__(self, strategy: str) -> None:
        self._strategy = strategy
        self._ends: npt.NDArray[np.int64] = np.zeros(0, np.int64)
        self._furthest = -1
        self._held_spans: HitTable | None = None

    def choose(self, spans: HitTable, searched_end: int) -> HitTable:
        """Hits among the next spans. All spans that start below ``searched_end`` have been seen."""
        if self._strategy == "standard":
            return self._standard(spans, searched_end)
        if self._strategy == "longest":
            return self._longest(spans)
        if self._strategy == "shortest":
            return self._shortest(spans, searched_end)
        return spans

    def finish(self) -> HitTable | None:
        """What was held back."""
        held_spans, self._held_spans = self._held_spans, None
        return held_spans

    def _standard(self, spans: HitTable, searched_end: int) -> HitTable:
        ends = spans.ends
        if len(ends) > 1 and not np.all(ends[1:] > ends[:-1]):
            order = np.argsort(ends, kind="stable")
            sorted_ends = ends[order]
            first = np.concatenate([[True], sorted_ends[1:] != sorted_ends[:-1]])
            spans = spans.take(np.sort(order[first]))
        if len(self._ends) and len(spans):
            spans = spans.take(np.flatnonzero(~np.isin(spans.ends, self._ends)))
        all_ends = np.concatenate([self._ends, spans.ends])
        self._ends = all_ends[all_ends > searched_end]
        return spans

    def _longest(self, spans: HitTable) -> HitTable:
        if not len(spans):
            return spans
        before = np.maximum.accumulate(np.concatenate([[self._furthest], spans.ends[:-1]]))
        self._furthest = max(self._furthest, int(spans.ends.max()))
        return spans.take(np.flatnonzero(spans.ends > before))

    def _shortest(self, spans: HitTable, searched_end: int) -> HitTable:
        if self._held_spans is not None and len(self._held_spans):
            spans = self._held_spans.followed_by(spans)
        if not len(spans):
            self._held_spans = None
            return spans
        after = np.minimum.accumulate(spans.ends[::-1])[::-1]
        good = np.ones(len(spans), np.bool_)
        good[:-1] = spans.ends[:-1] < after[1:]
        spans = spans.take(np.flatnonzero(good))
        are_settled = spans.ends <= searched_end
        cut = len(spans) if are_settled.all() else int(np.argmin(are_settled))
        self._held_spans = spans.take(np.arange(cut, len(spans)))
        return spans.take(np.arange(cut))


def best_per_start(starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64], strategy: str) -> npt.NDArray[np.int64]:
    """Numbers of the spans that a strategy may choose from, where all ends of each start are given in rising order.

    Spans with equal starts and ends stay together with the first of them only, unless the strategy is ``all``.
    """
    if not len(starts) or strategy == "all":
        return np.arange(len(starts))
    changes = np.flatnonzero(starts[1:] != starts[:-1]) + 1
    firsts = np.concatenate([[0], changes])
    if strategy != "longest":
        return firsts
    lasts = np.concatenate([changes, [len(starts)]]) - 1
    return np.asarray(np.searchsorted(starts * (1 << 32) + ends, starts[lasts] * (1 << 32) + ends[lasts]))
