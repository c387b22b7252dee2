"""Pages in a random order that depends on the seed and their numbers alone, in bounded memory.

Every page gets a hash; pages are spread over files by its first bits, and each file is sorted. A file that is still large is
read in slices, one range of hashes after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.store.layer import SHARD

KEY: Final = "paberki_order"
_BUCKET_PAGES: Final = 1000
_MOST_BUCKETS: Final = 256
_BITS: Final = 64
_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX: Final = ((30, np.uint64(0xBF58476D1CE4E5B9)), (27, np.uint64(0x94D049BB133111EB)))


def order_of(numbers: npt.NDArray[Any], seed: int) -> npt.NDArray[np.uint64]:
    """A hash for each page number (splitmix64)."""
    with np.errstate(over="ignore"):
        value = numbers.astype(np.uint64) + np.uint64(seed % (1 << 63)) * _GOLDEN + _GOLDEN
        value *= _GOLDEN
        for shift, factor in _MIX:
            value = (value ^ (value >> np.uint64(shift))) * factor
        return value ^ (value >> np.uint64(31))


@dataclass(frozen=True, slots=True)
class Bucket:
    """A range of hashes within a file of the spool."""

    path: str
    low: int
    high: int
    """The last hash of the range."""

    def read(self, pages: object) -> pa.Table:
        """Its pages in their order."""
        del pages
        from paberki.export.pages.exported_pages import combine

        tables = []
        for table in _streams(Path(self.path)):
            keys = table.column(KEY).to_numpy()
            tables.append(table.filter(pa.array((keys >= np.uint64(self.low)) & (keys <= np.uint64(self.high)))))
        rows = combine(tables)
        keys = rows.column(KEY).to_numpy()
        return rows.take(pa.array(np.argsort(keys, kind="stable"))).drop_columns([KEY])


class Buckets:
    """The spool: which pages go where, and how many they are."""

    def __init__(self, folder: Path, seed: int, pages: int) -> None:
        """``pages`` is a guess of their number, which only the size of files depends on."""
        self.folder, self.seed = folder, seed
        self._bits = min(max(pages // _BUCKET_PAGES, 1), _MOST_BUCKETS).bit_length() - 1
        slices = max(1, pages // _BUCKET_PAGES >> self._bits)
        self._slice_bits = (slices - 1).bit_length()
        self._counts = np.zeros(1 << (self._bits + self._slice_bits), np.int64)

    def _places(self, keys: npt.NDArray[np.uint64], bits: int) -> npt.NDArray[np.int64]:
        return (keys >> np.uint64(_BITS - bits)).astype(np.int64) if bits else np.zeros(len(keys), np.int64)

    def count(self, shard: int, first: int, rows: npt.NDArray[np.bool_]) -> None:
        """Count the chosen pages of a row group."""
        keys = order_of(shard * SHARD + first + np.flatnonzero(rows), self.seed)
        places = self._places(keys, self._bits + self._slice_bits)
        self._counts += np.bincount(places, minlength=len(self._counts))

    def units(self) -> Iterator[tuple[Bucket, int]]:
        """Ranges of hashes with their numbers of pages."""
        width = 1 << (_BITS - self._bits - self._slice_bits)
        for number, count in enumerate(self._counts.tolist()):
            if count:
                path = self._path(number >> self._slice_bits)
                yield Bucket(str(path), number * width, number * width + width - 1), count

    def _path(self, number: int) -> Path:
        return self.folder / f"bucket-{number:03d}"

    def add(self, table: pa.Table, numbers: npt.NDArray[Any]) -> None:
        """Spread pages over the files."""
        keys = order_of(numbers, self.seed)
        table = table.append_column(KEY, pa.array(keys))
        places = self._places(keys, self._bits)
        for place in np.unique(places).tolist():
            rows = table.filter(pa.array(places == place)).combine_chunks()
            with open(self._path(place), "ab") as file, pa.ipc.new_stream(file, rows.schema) as stream:
                stream.write_table(rows)


def _streams(path: Path) -> Iterator[pa.Table]:
    size = path.stat().st_size
    with pa.OSFile(str(path), "rb") as file:
        while file.tell() < size:
            yield pa.ipc.open_stream(file).read_all()
