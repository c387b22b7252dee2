"""A walk over pages as stored on disk: the decision about each page, and all its runs of words."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from paberki.dedup.repeats.word_runs import SortedRun
from paberki.dedup.signatures.shingles import Hashes, Ints
from paberki.store.files import replacing

WALKED: Final = pa.schema(
    [
        ("page", pa.int64()),
        ("block", pa.int64()),
        ("words", pa.list_(pa.int32())),
        ("marked", pa.list_(pa.int64())),
        ("repeats", pa.list_(pa.int64())),
    ]
)
"""Pages in order, the number of the first block of each, the words of its blocks, and what was decided about it."""
Part = tuple[pa.Table, Hashes]
"""Some pages, and all their runs of words."""
Put = Callable[[pa.Table, Hashes], None]


@dataclass(frozen=True, slots=True)
class StoredWalk:
    """An earlier walk, as its files store it."""

    folder: Path
    name: str
    pages: Ints
    first: Ints
    """The number of the first block of each page."""
    blocks: int
    """All numbers are less than this."""
    runs: list[SortedRun]

    @classmethod
    def left_in(cls, folder: Path, state: dict[str, Any]) -> StoredWalk:
        """The walk that was saved last."""
        runs = [SortedRun.at(folder, name, count) for name, count in state["runs"]]
        bare = cls(folder, state["walked"], np.empty(0, np.int64), np.empty(0, np.int64), state["blocks"], runs)
        columns = [
            [table.column(name).to_numpy() for table in bare.tables(("page", "block"))] for name in ("page", "block")
        ]
        if bare.tuples.stat().st_size != 8 * state["words"]:
            raise OSError(f"{bare.tuples} is not whole")
        pages, first = (np.concatenate([*some, np.empty(0, np.int64)]) for some in columns)
        return cls(folder, bare.name, pages, first, bare.blocks, runs)

    @property
    def tuples(self) -> Path:
        """The file of the runs of words of all pages, eight bytes for each word."""
        return self.folder / f"{self.name}.tuples"

    def tables(self, columns: tuple[str, ...] = ()) -> Iterator[pa.Table]:
        """The pages, some at a time."""
        with pq.ParquetFile(self.folder / f"{self.name}.parquet") as file:
            if file.schema_arrow.names != WALKED.names:
                raise OSError(f"{self.name} is of an earlier version")
            for group in range(file.num_row_groups):
                yield file.read_row_group(group, columns=list(columns) or None, use_threads=False)

    def parts(self) -> Iterator[Part]:
        """The pages with their runs of words, some at a time."""
        with open(self.tuples, "rb") as file:
            for table in self.tables():
                words = pc.sum(table.column("words").combine_chunks().flatten()).as_py() or 0
                yield table.cast(WALKED), np.fromfile(file, np.uint64, words)

    def until(self, page: int) -> Iterator[Part]:
        """The parts as far as the pages before this one."""
        for table, tuples in self.parts():
            mine = table.filter(pc.less(table.column("page"), page))
            words = pc.sum(mine.column("words").combine_chunks().flatten()).as_py() or 0
            yield mine, tuples[:words]
            if len(mine) < len(table):
                return


def places_of(blocks: Ints, pages: Ints, first: Ints) -> Ints:
    """Blocks as page × 2²⁰ + the number on the page, from their numbers in the walk; -1 stays."""
    at = np.maximum(np.searchsorted(first, blocks, side="right") - 1, 0)
    return np.where(blocks >= 0, (pages[at] << 20) | (blocks - first[at]), -1)


@contextlib.contextmanager
def writing(folder: Path, name: str) -> Iterator[Put]:
    """Write pages with their runs of words to files of this name, for the next walk."""
    with (
        replacing(folder / f"{name}.tuples") as words,
        replacing(folder / f"{name}.parquet") as beside,
        open(words, "wb") as tuples,
        pq.ParquetWriter(beside, WALKED, compression="zstd") as writer,
    ):

        def put(table: pa.Table, of_words: Hashes) -> None:
            writer.write_table(table)
            tuples.write(np.ascontiguousarray(of_words).tobytes())

        yield put
