"""A structure that is laid over an index when it is open: regions from elsewhere, such as labels that people gave.

The files of the index stay as they are. Regions are looked for when a query asks for them, segment by segment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from paberki.kernels import load
from paberki.query.index.attribute import COLUMNS
from paberki.query.index.structure import Structure

if TYPE_CHECKING:
    from paberki.query.index.reader import Index
    from paberki.query.index.segment import Segment

__all__ = ["Overlay", "OverlayRegion", "overlay_values"]


@dataclass(frozen=True, slots=True)
class OverlayRegion:
    """Tokens of a segment, half-open and counted from its first, with values of attributes."""

    start: int
    end: int
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Overlay:
    """A structure by name; ``stamp`` changes when its regions do, so that no answer of before is taken for one of now."""

    name: str
    attributes: tuple[str, ...]
    regions: Callable[[Segment], Sequence[OverlayRegion]]
    stamp: str

    def structure(self, segment: Segment) -> Structure:
        """The regions of a segment as queries see them."""
        regions = sorted(self.regions(segment), key=lambda one: (one.start, -one.end))
        arrays = _Arrays()
        arrays[f"s/{self.name}/starts"] = np.array([one.start for one in regions], np.int32)
        arrays[f"s/{self.name}/ends"] = ends = np.array([one.end for one in regions], np.int32)
        outer = np.empty(len(ends), np.int32)
        if load(COLUMNS).enclose(ends, outer):
            arrays[f"s/{self.name}/outer"] = outer
        for name in self.attributes:
            arrays.add_values(f"s/{self.name}/{name}", [one.values.get(name, "") for one in regions])
        return Structure(arrays, self.name, self.attributes, None)  # type: ignore[arg-type]


class _Arrays(dict[str, npt.NDArray[Any]]):
    """Named arrays in memory, read as those of a file are."""

    def array(self, name: str) -> npt.NDArray[Any]:
        return self[name]

    def add_values(self, prefix: str, texts: Sequence[str]) -> None:
        """A value for each region: distinct values in the order of code points, and which of them each region has."""
        distinct = sorted({"", *texts})
        raw = [one.encode() for one in distinct]
        places = {text: at for at, text in enumerate(distinct)}
        self[f"{prefix}/bytes"] = np.frombuffer(b"".join(raw), np.uint8)
        self[f"{prefix}/lengths"] = np.array([len(one) for one in raw], np.int64)
        self[f"{prefix}/ids"] = np.array([places[text] for text in texts], np.int64)


def overlay_values(index: Index, positions: npt.NDArray[np.int64]) -> dict[str, list[str]]:
    """Values of the structure that was laid over an index, at some tokens: ``name.attribute`` where one has a value."""
    overlay = index.segments[0].overlay if index.segments else None
    if overlay is None:
        return {}
    texts = {name: [""] * len(positions) for name in overlay.attributes}
    for segment in index.segments:
        mine = np.flatnonzero((positions >= segment.base) & (positions < segment.base + segment.tokens))
        structure = segment.structure(overlay.name)
        regions = structure.region_of(positions[mine] - segment.base)
        for at, region in zip(mine[regions >= 0].tolist(), regions[regions >= 0].tolist(), strict=True):
            for name in overlay.attributes:
                attribute = structure.attribute(name)
                texts[name][at] = attribute.value(int(attribute.ids[region]))
    return {f"{overlay.name}.{name}": own for name, own in texts.items() if any(own)}
