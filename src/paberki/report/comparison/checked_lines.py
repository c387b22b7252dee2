"""Lines of a vertical file whose columns are fewer than usual: they are left out, counted, and their numbers noted.

What is usual is what most lines of the first block have, so that files with one column are as good as those with ten.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from paberki.query.sources.input_blocks import LineBlocks

_NEWLINE, _TAB, _LESS, _RETURN = (ord(sign) for sign in "\n\t<\r")
_NOTED: Final = 100


class CheckedVertical:
    """Blocks of whole lines; a line with too few columns becomes an empty one, so that later ones keep their numbers."""

    def __init__(self, blocks: LineBlocks) -> None:
        self._blocks = blocks
        self._usual = -1
        self._lines = 0
        self.broken_count = 0
        self.broken_lines: list[int] = []

    def check(self) -> None:
        """Say at once what cannot work."""
        self._blocks.check()

    @property
    def share(self) -> float | None:
        """How much of it is read."""
        return self._blocks.share

    def __iter__(self) -> Iterator[bytes]:
        for block in self._blocks:
            yield self._check(block)

    def _check(self, block: bytes) -> bytes:
        data = np.frombuffer(block, np.uint8)
        ends = np.flatnonzero(data == _NEWLINE)
        starts = np.concatenate([[0], ends[:-1] + 1]).astype(np.int64)
        tabs = np.searchsorted(np.flatnonzero(data == _TAB), ends)
        columns = np.diff(tabs, prepend=0)
        token = (ends > starts) & (data[np.minimum(starts, len(data) - 1)] != _LESS)
        token &= ~((ends == starts + 1) & (data[starts] == _RETURN))
        if self._usual < 0 and token.any():
            self._usual = int(np.bincount(columns[token]).argmax())
        bad = np.flatnonzero(token & (columns < self._usual))
        before, self._lines = self._lines, self._lines + len(ends)
        if not len(bad):
            return block
        self.broken_count += len(bad)
        self.broken_lines += (before + 1 + bad[: max(0, _NOTED - len(self.broken_lines))]).tolist()
        return _without(block, starts, ends, bad)


def _without(block: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64], bad: NDArray[np.int64]) -> bytes:
    pieces, at = [], 0
    for number in bad.tolist():
        pieces.append(block[at : starts[number]])
        at = int(ends[number])
    return b"".join([*pieces, block[at:]])
