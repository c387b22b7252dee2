"""Selections: named sets of blocks. A hit belongs to one if its first and its last token are in selected blocks.

``kept`` and ``dropped`` are what the last ``select`` made of the blocks that are indexed; ``kept@KEY`` is what an earlier one made.
Pages that were taken down since are in no selection.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.query.index.segment import Segment

BLOCK: Final = "p"
"""The structure whose regions are selected."""
Bits = npt.NDArray[np.bool_]


class Selection:
    """A bit for each block of each segment, and how many tokens that makes."""

    def __init__(self, name: str, digest: str, tokens: int, read: Callable[[Segment], Bits]) -> None:
        self.name, self.digest, self.tokens = name, digest, tokens
        self._read = read
        self._bits: dict[int, Bits] = {}

    def blocks(self, segment: Segment) -> Bits:
        """Which blocks of a segment are selected."""
        if segment.number not in self._bits:
            self._bits[segment.number] = self._read(segment)
        return self._bits[segment.number]

    def tokens_of(self, segment: Segment) -> int:
        """Tokens in the selected blocks of a segment."""
        return selected_tokens(segment, self.blocks(segment))

    def contains(self, segment: Segment, starts: npt.NDArray[Any], ends: npt.NDArray[Any]) -> Bits:
        """Which of these spans (local, half-open) belong to the selection."""
        bits = np.append(self.blocks(segment), False)
        structure = segment.structure(BLOCK)
        inside: Bits = bits[structure.region_of(starts)] & bits[structure.region_of(np.asarray(ends) - 1)]
        return inside


def selected_tokens(segment: Segment, bits: Bits) -> int:
    """Tokens in these blocks of a segment."""
    blocks = segment.structure(BLOCK)
    return int((blocks.ends.astype(np.int64) - blocks.starts)[bits].sum())
