"""Hits as arrays: starts, ends, labels, edges of relations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.int64]


@dataclass(slots=True)
class HitEdges:
    """One arrow of a relation query: the head, the dependent and the id of the relation's name, for every hit.

    ``label`` is the name that the query gives the arrow, if any; ids are those of ``deprel`` in the hit's segment.
    """

    source: Places
    target: Places
    relation: Places
    label: str | None = None

    def take(self, numbers: npt.NDArray[Any]) -> HitEdges:
        """The same for some hits."""
        return HitEdges(self.source[numbers], self.target[numbers], self.relation[numbers], self.label)

    def moved(self, distance: int) -> HitEdges:
        """The same with positions moved; roots (−1) stay."""
        source = np.where(self.source < 0, self.source, self.source + distance)
        return HitEdges(source, self.target + distance, self.relation, self.label)


@dataclass(slots=True)
class HitTable:
    """Half-open spans of token positions in the order of the corpus. Labels that are not set are −1."""

    starts: Places
    ends: Places
    labels: dict[str, Places] = field(default_factory=dict)
    label_ends: dict[str, Places] = field(default_factory=dict)
    edges: list[HitEdges] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.starts)

    @classmethod
    def empty(cls) -> HitTable:
        """No hits."""
        return cls(np.zeros(0, np.int64), np.zeros(0, np.int64))

    def take(self, indices: npt.NDArray[Any]) -> HitTable:
        """Some hits, by number."""
        return HitTable(
            self.starts[indices],
            self.ends[indices],
            {name: places[indices] for name, places in self.labels.items()},
            {name: places[indices] for name, places in self.label_ends.items()},
            [one.take(indices) for one in self.edges],
        )

    def moved(self, distance: int) -> HitTable:
        """The same hits with all positions moved, as from local to global ones."""
        if not distance:
            return self
        return HitTable(
            self.starts + distance,
            self.ends + distance,
            {name: np.where(places < 0, -1, places + distance) for name, places in self.labels.items()},
            {name: np.where(places < 0, -1, places + distance) for name, places in self.label_ends.items()},
            [one.moved(distance) for one in self.edges],
        )

    def followed_by(self, other: HitTable) -> HitTable:
        """These hits and others behind them."""
        return concatenate([self, other])

    @property
    def size_bytes(self) -> int:
        """Memory that the arrays take."""
        columns = 2 + len(self.labels) + len(self.label_ends) + 3 * len(self.edges)
        return len(self) * 8 * columns


def concatenate(tables: list[HitTable]) -> HitTable:
    """Hits of several tables one after another; labels that a table does not have are −1 there."""
    tables = [one for one in tables if len(one)] or tables[:1]
    if not tables:
        return HitTable.empty()
    if len(tables) == 1:
        return tables[0]
    return HitTable(
        np.concatenate([one.starts for one in tables]),
        np.concatenate([one.ends for one in tables]),
        _columns([one.labels for one in tables], [len(one) for one in tables]),
        _columns([one.label_ends for one in tables], [len(one) for one in tables]),
        [
            HitEdges(
                np.concatenate([one.edges[at].source for one in tables]),
                np.concatenate([one.edges[at].target for one in tables]),
                np.concatenate([one.edges[at].relation for one in tables]),
                tables[0].edges[at].label,
            )
            for at in range(len(tables[0].edges))
        ],
    )


def _columns(parts: list[dict[str, Places]], counts: list[int]) -> dict[str, Places]:
    names = dict.fromkeys(name for part in parts for name in part)
    return {
        name: np.concatenate(
            [part.get(name, np.full(count, -1, np.int64)) for part, count in zip(parts, counts, strict=True)]
        )
        for name in names
    }
