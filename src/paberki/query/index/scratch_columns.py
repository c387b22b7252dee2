"""Columns that wait on disk while a segment is made, so that memory does not grow with its tokens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt

PIECE: Final = 1 << 21
"""Items that are read at once: a multiple of 64, so that packed pieces end with a word."""


class ScratchColumn:
    """Numbers of one type: appended first, then read in pieces as often as needed."""

    def __init__(self, path: Path, kind: npt.DTypeLike) -> None:
        self.path, self.kind = path, np.dtype(kind)
        self._file: BinaryIO = open(path, "w+b")  # noqa: SIM115 - closed by remove
        self.count = 0

    def append(self, values: npt.NDArray[Any]) -> None:
        """Add numbers at the end."""
        self._file.write(np.ascontiguousarray(values, self.kind).data.cast("B"))
        self.count += len(values)

    def pieces(self, size: int = PIECE) -> Iterator[npt.NDArray[Any]]:
        """All numbers in order, some at a time."""
        self._file.flush()
        self._file.seek(0)
        for start in range(0, self.count, size):
            yield np.fromfile(self._file, self.kind, min(size, self.count - start))

    def remove(self) -> None:
        """Close and delete the file."""
        self._file.close()
        self.path.unlink(missing_ok=True)
