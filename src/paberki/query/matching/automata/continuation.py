"""Runs of an automaton that go on for long.

What becomes of a run depends on its states, its position and its bound alone. Runs that come to the same states at the same
position are therefore one run. They meet at positions that are multiples of :data:`STEPS`, the small ones first, and what happens from there is
found out once: a pattern such as ``"a" []* "b"`` costs one walk over the corpus, however many runs are alive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.query.matching.automata.evaluator import Masks
from paberki.query.matching.budget import BudgetWatch

Places = npt.NDArray[np.int64]
States = npt.NDArray[np.uint64]
Run = Callable[[States, Places, States, int], tuple[Places, States]]
"""Masks, runs, first states and mode give ends and the states where runs were cut off."""

STEPS: tuple[int, ...] = (64, 512, 4096)
_WORD: Final = (1 << 64) - 1
_BATCH: Final = 1 << 19
_MOST_ENTRIES: Final = 200_000


class Continuation:
    """Follows runs to their ends."""

    def __init__(self, masks: Masks, run: Run, tokens: int, clock: BudgetWatch) -> None:
        self._masks, self._run, self._tokens, self._clock = masks, run, tokens, clock
        self._results: dict[tuple[int, int, int, int], int] = {}

    def ends(self, places: Places, states: States, bounds: Places, mode: int) -> Places:
        """The end of each run that is at a place in some states, −1 for none."""
        rows = np.stack([places, states.view(np.int64), np.minimum(bounds, self._tokens)], 1)
        return self._in_stages(rows, 0, mode)

    def _in_stages(self, rows: Places, level: int, mode: int) -> Places:
        """Ends of runs that are at multiples of the last step; equal runs become one at each level."""
        unique, inverse = np.unique(rows, axis=0, return_inverse=True)
        if level == len(STEPS):
            answers = np.array(
                [self._follow(place, state, bound, mode) for place, state, bound in unique.tolist()], np.int64
            )
        else:
            answers = np.empty(len(unique), np.int64)
            size = max(1, _BATCH // STEPS[level])
            for at in range(0, len(unique), size):
                answers[at : at + size] = self._to_meeting(unique[at : at + size], level, mode)
        return answers[inverse.reshape(-1)]

    def _to_meeting(self, rows: Places, level: int, mode: int) -> Places:
        """Each run to the next multiple of a step, and from there on together."""
        self._clock.check()
        step = STEPS[level]
        places, states, bounds = rows[:, 0], np.ascontiguousarray(rows[:, 1]).view(np.uint64), rows[:, 2]
        stops = np.minimum((places // step + 1) * step, bounds)
        lengths = stops - places
        edges = np.concatenate([[0], np.cumsum(lengths + 1)])
        inside = np.arange(edges[-1], dtype=np.int64) + np.repeat(places - edges[:-1], lengths + 1)
        signed_lengths = np.where(stops < bounds, -lengths, lengths)
        ends, alive = self._run(self._masks.at(inside), np.stack([edges[:-1], places, signed_lengths], 1), states, mode)
        open_runs = np.flatnonzero(alive)
        if len(open_runs):
            further = np.stack([stops[open_runs], alive[open_runs].view(np.int64), bounds[open_runs]], 1)
            ends[open_runs] = np.maximum(ends[open_runs], self._in_stages(further, level + 1, mode))
        return ends

    def _follow(self, place: int, state: int, bound: int, mode: int) -> int:
        """The end of a run from a multiple of the largest step on."""
        state &= _WORD
        walk: list[tuple[tuple[int, int, int, int], int]] = []
        result = -1
        while state:
            key = (place, state, bound, mode)
            if key in self._results:
                result = self._results[key]
                break
            self._clock.check()
            stop = min(place + STEPS[-1], bound)
            runs = np.array([[0, place, stop - place if stop == bound else place - stop]], np.int64)
            fails = self._masks.between(place, stop + 1)
            ends, alive = self._run(fails, runs, np.array([state], np.uint64), mode)
            walk.append((key, int(ends[0])))
            place, state = stop, int(alive[0])
        if len(self._results) > _MOST_ENTRIES:
            self._results.clear()
        for key, end in reversed(walk):
            result = max(result, end) if mode else (end if end >= 0 else result)
            self._results[key] = result
        return result
