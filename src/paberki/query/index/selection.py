"""Selections: named sets of blocks. A hit belongs to one if its first and its last token are in selected blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from paberki.query.index.segment import Segment

BLOCK = "p"
"""The structure whose regions are selected."""


class Selection:
    """A bit for each block of each segment, and how many tokens that makes."""

    def __init__(self, name: str, blocks: Mapping[int, npt.NDArray[np.bool_]], tokens: int, digest: str) -> None:
        self.name, self.tokens, self.digest = name, tokens, digest
        self._blocks = blocks

    def blocks(self, segment: Segment) -> npt.NDArray[np.bool_]:
        """Which blocks of a segment are selected."""
        bits = self._blocks.get(segment.number)
        return np.zeros(segment.structure(BLOCK).size, np.bool_) if bits is None else bits

    def tokens_of(self, segment: Segment) -> int:
        """Tokens in the selected blocks of a segment."""
        blocks = segment.structure(BLOCK)
        lengths = blocks.ends.astype(np.int64) - blocks.starts
        return int(lengths[self.blocks(segment)].sum())

    def contains(self, segment: Segment, starts: npt.NDArray[Any], ends: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Which of these spans (local, half-open) belong to the selection."""
        bits = np.append(self.blocks(segment), False)
        structure = segment.structure(BLOCK)
        return bits[structure.region_of(starts)] & bits[structure.region_of(np.asarray(ends) - 1)]
