"""Hits as they are found; many of them are kept in a file that has no name and goes away by itself."""

from __future__ import annotations

import tempfile
import weakref
from typing import IO, Any, Final

import numpy as np

from paberki.query.matching.hit_table import HitTable, concatenate

_SPILL_BYTES: Final = 512 << 20


class HitStore:
    """Grows at the end. Beyond half a gigabyte, hits without labels go to disk."""

    def __init__(self, memory_bytes: int) -> None:
        self._limit = min(_SPILL_BYTES, memory_bytes)
        self._parts: list[HitTable] = []
        self._count = 0
        self._file: IO[bytes] | None = None
        self._in_file = 0
        self.size_bytes = 0

    def __len__(self) -> int:
        return self._count

    @property
    def is_on_disk(self) -> bool:
        """Whether hits are on disk."""
        return self._file is not None

    def add(self, table: HitTable) -> None:
        """Put hits behind the others."""
        if not len(table):
            return
        self._parts.append(table)
        self._count += len(table)
        self.size_bytes += table.size_bytes
        plain = not table.labels and not table.edges
        if plain and self.size_bytes - self._in_file * 16 > self._limit:
            self._spill()

    def _spill(self) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="paberki-hits-")  # noqa: SIM115 - lives as long as the store
            weakref.finalize(self, self._file.close)
        for part in self._parts:
            np.stack([part.starts, part.ends], 1).tofile(self._file)
            self._in_file += len(part)
        self._file.flush()
        self._parts = []

    def table(self) -> HitTable:
        """All hits so far."""
        if self._file is None:
            if len(self._parts) > 1:
                self._parts = [concatenate(self._parts)]
            return self._parts[0] if self._parts else HitTable.empty()
        if self._parts:
            self._spill()
        pairs: Any = np.memmap(self._file, np.int64, "r", shape=(self._in_file, 2))
        return HitTable(pairs[:, 0], pairs[:, 1])
