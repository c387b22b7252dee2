"""What a walk over all pages leaves for the next one, so that a corpus that grows is not walked over from the beginning.

A run of words belongs to the first block that has it. So the table of all runs also tells what was known when the walk was
at any earlier page: those that belong to blocks before it. The next walk goes on from the first chunk that is not what
it was, which is the first new page unless an old one was left out or taken in again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from paberki.dedup.shingles import Ints
from paberki.dedup.tuples import Run, Seen
from paberki.errors import StoreError
from paberki.store.files import read_json, replacing, write_json
from paberki.store.layer import CHUNK, SHARD

FAR: Final = 0.1
"""Share of the pages; when more are to come, what was seen is read into memory."""
WALKED: Final = pa.schema(
    [("page", pa.int64()), ("block", pa.int64()), ("marked", pa.list_(pa.int64())), ("repeats", pa.list_(pa.int64()))]
)
"""Pages in order, the number of the first block of each, and what was decided about it."""


@dataclass(frozen=True, slots=True)
class Walked:
    """What a walk of before has decided, as far as it still holds."""

    blocks: Ints
    """The number of the first block of each page."""
    first: int
    """The page to go on with."""
    path: Path | None

    def tables(self) -> Iterator[pa.Table]:
        """The decisions, some pages at a time."""
        for table in _groups(self.path) if self.path else ():
            yield table.filter(pc.less(table.column("page"), self.first))


NOTHING: Final = Walked(np.empty(0, np.int64), 0, None)


def _groups(path: Path) -> Iterator[pa.Table]:
    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            yield file.read_row_group(group, use_threads=False).cast(WALKED)


@dataclass(frozen=True, slots=True)
class WalkMemory:
    """A folder that stays between builds, and keys of what every chunk of every shard is now."""

    folder: Path
    chunks: tuple[tuple[str, ...], ...]

    def resume(self, seen: Seen, pages: Ints) -> Walked:
        """Take up the walk of before where it can be: what it has decided, and the page to go on with."""
        with contextlib.suppress(OSError, StoreError, pa.ArrowInvalid):
            said = read_json(self.folder / "walk.json")
            path = self.folder / said["walked"]
            columns = [(table.column("page").to_numpy(), table.column("block").to_numpy()) for table in _groups(path)]
            page, block = (np.concatenate([*some, np.empty(0, np.int64)]) for some in zip(*columns, strict=True))
            runs = [Run.at(self.folder, name, count) for name, count in said["runs"]]
            first = self._first_change(said["chunks"])
            good = int(np.searchsorted(page, first))
            begin = int(block[good]) if good < len(block) else said["blocks"]
            seen.go_on(self.folder, runs, begin, far=len(pages) - good > FAR * len(pages))
            return Walked(block[:good], first, path)
        seen.go_on(self.folder, [], 0, far=False)
        return NOTHING

    def _first_change(self, before: list[list[str]]) -> int:
        for shard, (old, new) in enumerate(zip(before, self.chunks, strict=False)):
            for chunk, (one, other) in enumerate(zip(old, new, strict=False)):
                if one != other:
                    return shard * SHARD + chunk * CHUNK
            if len(old) != len(new):
                return shard * SHARD + min(len(old), len(new)) * CHUNK
        return min(len(before), len(self.chunks)) * SHARD

    @contextlib.contextmanager
    def writing(self, name: str) -> Iterator[Callable[[pa.Table], None]]:
        """Put down what is decided, in a file of this name that the next walk may read."""
        with replacing(self.folder / name) as beside, pq.ParquetWriter(beside, WALKED, compression="zstd") as writer:
            yield writer.write_table

    def save(self, seen: Seen, name: str) -> None:
        """Leave everything for the next walk; what the one before left goes when the new state is in force."""
        runs = seen.keep()
        said = {
            "chunks": self.chunks,
            "blocks": seen.blocks,
            "walked": name,
            "runs": [(run.name, run.count) for run in runs],
        }
        write_json(self.folder / "walk.json", said)
        mine = {"walk.json", name, *(file.name for run in runs for file in (run.keys, run.owners))}
        for path in self.folder.iterdir():
            if path.name not in mine:
                path.unlink(missing_ok=True)
