"""Where matches begin that have a rare token and may not leave a region: ``[tag="N.*"] []* "rare" within s``.

Such a match begins between the start of the rare token's region and the token. The same is true of whole regions that hold
a rare token, such as ``<s> []* "rare" []* </s>``.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.query.matching.automata.automaton import Automaton
from paberki.query.matching.automata.evaluator import Evaluator
from paberki.query.matching.automata.sequences import Sequences
from paberki.query.matching.conditions.predicates import PlaceTest
from paberki.query.matching.conditions.regions import RegionSet
from paberki.query.matching.starting.starting_places import Necessity

__all__ = ["RegionStarts", "StretchStarts", "region_starts"]

Places = npt.NDArray[np.int64]

_FEWER: Final = 4
"""Worth while where at most one token in so many is a start."""
_SAMPLE: Final = 1024
"""Regions that are measured."""


class StretchStarts:
    """Positions in some stretches of a segment."""

    def __init__(self, stretches: RegionSet, sequences: Sequences) -> None:
        self._stretches, self._sequences = stretches, sequences

    @property
    def most(self) -> int:
        """How many they are."""
        return self._stretches.covered_tokens

    def starts(self, low: int, high: int) -> Places:
        """Those from ``low`` to ``high`` at which a match can take its first step, in order."""
        return self._sequences.beginning(self._stretches.inside(low, high, negated=False))


class RegionStarts:
    """Positions before rare tokens, in the same region as one of them."""

    def __init__(self, regions: RegionSet, necessary: Necessity, sequences: Sequences) -> None:
        self._regions, self._rare, self._behind = regions, necessary.positions, necessary.behind
        self._sequences = sequences

    @property
    def most(self) -> int:
        """How many they are, if the regions of rare tokens are as long as others."""
        some = slice(None, None, 1 + self._regions.size // _SAMPLE)
        lengths = self._regions.ends[some] - self._regions.starts[some]
        return len(self._rare) * (1 + int(lengths.mean()))

    def starts(self, low: int, high: int) -> Places:
        """Those from ``low`` to ``high`` at which a match can take its first step, in order."""
        regions, kind = self._regions, self._regions.starts.dtype
        last_region = int(np.searchsorted(regions.starts, kind.type(min(high, np.iinfo(kind).max)))) - 1
        furthest = max(high, int(regions.reach[last_region])) if last_region >= 0 else high
        first, last = np.searchsorted(self._rare, (low + self._behind, furthest))
        rare = self._rare[first:last]
        numbers = np.searchsorted(regions.reach, rare.astype(kind), "right")
        rare, numbers = rare[numbers < regions.size], numbers[numbers < regions.size]
        begins = np.maximum(regions.starts[numbers].astype(np.int64), low)
        return self._sequences.beginning(_positions_between(begins, np.minimum(rare - self._behind + 1, high)))


def _positions_between(begins: Places, ends: Places) -> Places:
    """The positions from each begin to its end, each once; begins and ends rise."""
    begins[1:] = np.maximum(begins[1:], np.maximum.accumulate(ends)[:-1])
    lengths = np.maximum(ends - begins, 0)
    return np.asarray(
        np.repeat(begins - np.cumsum(lengths) + lengths, lengths) + np.arange(int(lengths.sum()), dtype=np.int64)
    )


def region_starts(scopes: list[RegionSet], sequences: Sequences, necessary: Necessity | None) -> RegionStarts | None:
    """Starts in one of the scopes, or in the regions that the automaton may not leave; None where there would be many."""
    if necessary is None or not len(necessary.positions):
        return None
    own_regions = _own_regions(sequences.automaton, sequences.evaluator)
    sources = [RegionStarts(regions, necessary, sequences) for regions in (*scopes, *own_regions) if regions.size]
    best = min(sources, key=lambda source: source.most, default=None)
    return best if best is not None and best.most * _FEWER <= sequences.evaluator.tokens else None


def _own_regions(automaton: Automaton, evaluator: Evaluator) -> list[RegionSet]:
    """Regions that every match begins with and does not leave."""
    first = {number for number, _ in automaton.first}
    later = {target for targets in automaton.following for target, _ in targets} - automaton.final
    if first & later or not later:
        return []
    structures = [_structures(automaton, number, "continues") for number in sorted(later)]
    structures += [_structures(automaton, number, "open") for number in sorted(first)]
    return [evaluator.regions(PlaceTest("inside", name)) for name in sorted(frozenset.intersection(*structures))]


def _structures(automaton: Automaton, number: int, kind: str) -> frozenset[str]:
    """Structures that a state asks for in this way."""
    tests = [test for test in automaton.states[number].term if isinstance(test, PlaceTest)]
    return frozenset(test.structure for test in tests if test.kind == kind and not test.negated)
