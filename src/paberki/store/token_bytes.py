"""Where tokens are in the bytes of their pages. Row groups that were read are remembered, as lines come in groups."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from paberki.errors import StoreError
from paberki.store.directory import Directory
from paberki.store.layer import CHUNK, SHARD, LayerFile

__all__ = ["TokenBytes"]

_LAYER: Final = "annotate"
_COLUMNS: Final = ("tok_byte_start", "tok_byte_end")
_MOST_BYTES: Final = 64 << 20


class TokenBytes:
    """Byte spans of the tokens of a corpus, page by page."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory
        self._lock = Lock()
        self._groups: OrderedDict[tuple[int, int], list[NDArray[np.uint32]]] = OrderedDict()
        self._size = 0

    def span(self, page: int, first: int, end: int, token_count: int) -> tuple[int, int] | None:
        """First byte and end of the tokens ``first`` to before ``end`` of a page that has so many; None if it has not."""
        offsets, starts, ends = self._group(*divmod(page, SHARD))
        row = page % SHARD % CHUNK
        if row + 1 >= len(offsets):
            return None
        low, high = int(offsets[row]), int(offsets[row + 1])
        if high - low != token_count or not 0 <= first < end <= token_count:
            return None
        return int(starts[low + first]), int(ends[low + end - 1])

    def tokens(self, page: int, start: int, end: int, token_count: int) -> tuple[int, int] | None:
        """The first of the tokens that have one of these bytes, and behind the last; None if no token has."""
        offsets, starts, ends = self._group(*divmod(page, SHARD))
        row = page % SHARD % CHUNK
        if page < 0 or row + 1 >= len(offsets):
            return None
        low, high = int(offsets[row]), int(offsets[row + 1])
        token_places = np.flatnonzero((starts[low:high] < end) & (ends[low:high] > start))
        if high - low != token_count or not len(token_places):
            return None
        return int(token_places[0]), int(token_places[-1]) + 1

    def _group(self, shard: int, row: int) -> list[NDArray[np.uint32]]:
        key = (shard, row // CHUNK)
        with self._lock:
            if key in self._groups:
                self._groups.move_to_end(key)
                return self._groups[key]
        arrays = self._read(*key)
        with self._lock:
            if key not in self._groups:
                self._groups[key] = arrays
                self._size += sum(one.nbytes for one in arrays)
            while self._size > _MOST_BYTES and len(self._groups) > 1:
                self._size -= sum(one.nbytes for one in self._groups.popitem(last=False)[1])
        return arrays

    def _read(self, shard: int, group: int) -> list[NDArray[np.uint32]]:
        """Offsets of pages, and starts and ends of all their tokens; nothing where the layer is not there."""
        try:
            with LayerFile(self._directory.layer(_LAYER, shard)) as file:
                columns = file.read(group, _COLUMNS) if group < file.groups else None
        except (OSError, StoreError):
            columns = None
        if columns is None:
            return [np.zeros(1, np.uint32)] * 3
        starts, ends = (columns[name] for name in _COLUMNS)
        lengths = starts.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
        flat = [one.flatten().to_numpy(zero_copy_only=False).astype(np.uint32) for one in (starts, ends)]
        return [np.concatenate([[0], np.cumsum(lengths)]).astype(np.uint32), *flat]
