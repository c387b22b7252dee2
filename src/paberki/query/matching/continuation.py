"""Runs of an automaton that go on for long.

What becomes of a run depends on its states, its position and its bound alone. Runs that come to the same states at the same
position are therefore one run. They meet at positions that are multiples of :data:`STEP`, and what happens from there is
found out once: a pattern such as ``"a" []* "b"`` costs one walk over the corpus, however many runs are alive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.query.matching.budget import Clock
from paberki.query.matching.evaluator import Masks

Places = npt.NDArray[np.int64]
States = npt.NDArray[np.uint64]
Run = Callable[[States, Places, States, int], tuple[Places, States]]
"""Masks, runs, first states and mode give ends and the states where runs were cut off."""

STEP: Final = 4096
_BATCH: Final = 256
_MOST_ENTRIES: Final = 200_000


class Continuation:
    """Follows runs to their ends."""

    def __init__(self, masks: Masks, run: Run, tokens: int, clock: Clock) -> None:
        self._masks, self._run, self._tokens, self._clock = masks, run, tokens, clock
        self._known: dict[tuple[int, int, int, int], int] = {}

    def ends(self, places: Places, states: States, bounds: Places, mode: int) -> Places:
        """The end of each run that is at a place in some states, −1 for none."""
        rows = np.stack([places, states.view(np.int64), np.minimum(bounds, self._tokens)], 1)
        unique, inverse = np.unique(rows, axis=0, return_inverse=True)
        answers = np.empty(len(unique), np.int64)
        for at in range(0, len(unique), _BATCH):
            answers[at : at + _BATCH] = self._to_meeting(unique[at : at + _BATCH], mode)
        return answers[inverse.reshape(-1)]

    def _to_meeting(self, rows: Places, mode: int) -> Places:
        """Each run to the next multiple of the step, and from there on together."""
        self._clock.check()
        places, states, bounds = rows[:, 0], np.ascontiguousarray(rows[:, 1]).view(np.uint64), rows[:, 2]
        stops = np.minimum((places // STEP + 1) * STEP, bounds)
        lengths = stops - places
        edges = np.concatenate([[0], np.cumsum(lengths + 1)])
        inside = np.arange(edges[-1], dtype=np.int64) + np.repeat(places - edges[:-1], lengths + 1)
        signed = np.where(stops < bounds, -lengths, lengths)
        ends, alive = self._run(self._masks.at(inside), np.stack([edges[:-1], places, signed], 1), states, mode)
        for number in np.flatnonzero(alive):
            further = self._followed(int(stops[number]), int(alive[number]), int(bounds[number]), mode)
            ends[number] = max(int(ends[number]), further)
        return ends

    def _followed(self, place: int, state: int, bound: int, mode: int) -> int:
        """The end of a run from a multiple of the step on."""
        walk: list[tuple[tuple[int, int, int, int], int]] = []
        result = -1
        while state:
            key = (place, state, bound, mode)
            if key in self._known:
                result = self._known[key]
                break
            self._clock.check()
            stop = min(place + STEP, bound)
            runs = np.array([[0, place, stop - place if stop == bound else place - stop]], np.int64)
            fails = self._masks.between(place, stop + 1)
            ends, alive = self._run(fails, runs, np.array([state], np.uint64), mode)
            walk.append((key, int(ends[0])))
            place, state = stop, int(alive[0])
        if len(self._known) > _MOST_ENTRIES:
            self._known.clear()
        for key, end in reversed(walk):
            result = max(result, end) if mode else (end if end >= 0 else result)
            self._known[key] = result
        return result
