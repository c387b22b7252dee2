"""What a walk over all pages leaves for the next one, so that a corpus that grows is not walked over from the beginning.

A run of words belongs to the first block that has it. So the table of all runs also tells what was known when the walk was
at any earlier page: those that belong to blocks before it. The next walk goes on from the first chunk that is not what
it was, which is the first new page. Old pages that are kept no longer, as a longer copy has come, are taken out of what
the walk has left (:mod:`paberki.dedup.walk_mending`).
"""

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

from paberki.dedup.shingles import Hashes, Ints
from paberki.dedup.tuples import Run, Seen
from paberki.errors import StoreError
from paberki.store.files import read_json, replacing, write_json
from paberki.store.layer import CHUNK, SHARD

FAR: Final = 0.1
"""Share of the pages; when more are to come, what was seen is read into memory."""
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
class Walk:
    """A walk of before, as it lies in a folder."""

    folder: Path
    name: str
    pages: Ints
    first: Ints
    """The number of the first block of each page."""
    blocks: int
    """All numbers are less than this."""
    runs: list[Run]

    @classmethod
    def left_in(cls, folder: Path, said: dict[str, Any]) -> Walk:
        """The walk that was saved last."""
        runs = [Run.at(folder, name, count) for name, count in said["runs"]]
        bare = cls(folder, said["walked"], np.empty(0, np.int64), np.empty(0, np.int64), said["blocks"], runs)
        columns = [
            [table.column(name).to_numpy() for table in bare.tables(("page", "block"))] for name in ("page", "block")
        ]
        if bare.tuples.stat().st_size != 8 * said["words"]:
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


@dataclass(frozen=True, slots=True)
class Walked:
    """What a walk of before has decided, as far as it still holds."""

    blocks: Ints
    """The number of the first block of each page."""
    first: int
    """The page to go on with."""
    walk: Walk | None

    def parts(self) -> Iterator[Part]:
        """The decisions, some pages at a time."""
        return self.walk.until(self.first) if self.walk else iter(())


NOTHING: Final = Walked(np.empty(0, np.int64), 0, None)


@dataclass(frozen=True, slots=True)
class WalkMemory:
    """A folder that stays between builds, and keys of what every chunk of every shard is now, whoever is kept."""

    folder: Path
    chunks: tuple[tuple[str, ...], ...]

    def resume(self, seen: Seen, pages: Ints) -> Walked:
        """Take up the walk of before where it can be: what it has decided, and the page to go on with."""
        with contextlib.suppress(OSError, KeyError, StoreError, pa.ArrowInvalid):
            said = read_json(self.folder / "walk.json")
            walk, first = self._holding(Walk.left_in(self.folder, said), said["chunks"], seen, pages)
            good = int(np.searchsorted(walk.pages, first))
            begin = int(walk.first[good]) if good < len(walk.first) else walk.blocks
            seen.go_on(self.folder, walk.runs, begin, far=len(pages) - good > FAR * len(pages))
            return Walked(walk.first[:good], first, walk)
        seen.go_on(self.folder, [], 0, far=False)
        return NOTHING

    def _holding(self, walk: Walk, before: list[list[str]], seen: Seen, pages: Ints) -> tuple[Walk, int]:
        """The walk without old pages that are gone, and the first page that it does not hold for."""
        from paberki.dedup.walk_mending import mended

        first = self._first_change(before)
        back = np.setdiff1d(pages[pages < first], walk.pages, assume_unique=True)
        first = int(back[0]) if len(back) else first
        gone = (walk.pages < first) & ~np.isin(walk.pages, pages, assume_unique=True)
        if not gone.any():
            return walk, first
        without = mended(walk, gone, seen)
        return (without, first) if without else (walk, int(walk.pages[gone][0]))

    def _first_change(self, before: list[list[str]]) -> int:
        for shard, (old, new) in enumerate(zip(before, self.chunks, strict=False)):
            for chunk, (one, other) in enumerate(zip(old, new, strict=False)):
                if one != other:
                    return shard * SHARD + chunk * CHUNK
            if len(old) != len(new):
                return shard * SHARD + min(len(old), len(new)) * CHUNK
        return min(len(before), len(self.chunks)) * SHARD

    def save(self, seen: Seen, name: str) -> None:
        """Leave everything for the next walk; what the one before left goes when the new state is in force."""
        runs = seen.keep()
        said = {
            "chunks": self.chunks,
            "blocks": seen.blocks,
            "walked": name,
            "words": (self.folder / f"{name}.tuples").stat().st_size // 8,
            "runs": [(run.name, run.count) for run in runs],
        }
        write_json(self.folder / "walk.json", said)
        mine = {f"{name}.parquet", f"{name}.tuples", *(file.name for run in runs for file in (run.keys, run.owners))}
        for path in self.folder.iterdir():
            if path.name not in mine | {"walk.json"}:
                path.unlink(missing_ok=True)


def places_of(blocks: Ints, pages: Ints, first: Ints) -> Ints:
    """Blocks as page × 2²⁰ + the number on the page, from their numbers in the walk; -1 stays."""
    at = np.maximum(np.searchsorted(first, blocks, side="right") - 1, 0)
    return np.where(blocks >= 0, (pages[at] << 20) | (blocks - first[at]), -1)


@contextlib.contextmanager
def writing(folder: Path, name: str) -> Iterator[Put]:
    """Put down pages with their runs of words, in files of this name that the next walk may read."""
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
