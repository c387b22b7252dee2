"""What a walk over all pages leaves for the next one, so that a corpus that grows is not walked over from the beginning.

A run of words belongs to the first block that has it. So the table of all runs also tells what was known when the walk was
at any earlier page: those that belong to blocks before it. The next walk goes on from the first chunk that is not what
it was, which is the first new page unless an old one was left out or taken in again.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

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
class WalkMemory:
    """A folder that stays between builds, and keys of what every chunk of every shard is now."""

    folder: Path
    chunks: tuple[tuple[str, ...], ...]

    def resume(self, seen: Seen, pages: Ints) -> tuple[pa.Table, int]:
        """Take up the walk of before where it can be: what it has decided, and the page to go on with."""
        nothing = WALKED.empty_table()
        with contextlib.suppress(OSError, StoreError, pa.ArrowInvalid):
            said = read_json(self.folder / "walk.json")
            walked = pq.read_table(self.folder / said["walked"], use_threads=False).cast(WALKED)
            runs = [Run.at(self.folder, name, count) for name, count in said["runs"]]
            first = self._first_change(said["chunks"])
            good = walked.filter(pc.less(walked.column("page"), first))
            rest = walked.num_rows - good.num_rows
            block = walked.column("block")[good.num_rows].as_py() if rest else said["blocks"]
            seen.go_on(self.folder, runs, block, far=len(pages) - good.num_rows > FAR * len(pages))
            return good, first
        seen.go_on(self.folder, [], 0, far=False)
        return nothing, 0

    def _first_change(self, before: list[list[str]]) -> int:
        for shard, (old, new) in enumerate(zip(before, self.chunks, strict=False)):
            for chunk, (one, other) in enumerate(zip(old, new, strict=False)):
                if one != other:
                    return shard * SHARD + chunk * CHUNK
            if len(old) != len(new):
                return shard * SHARD + min(len(old), len(new)) * CHUNK
        return min(len(before), len(self.chunks)) * SHARD

    def save(self, seen: Seen, walked: pa.Table) -> None:
        """Leave everything for the next walk; what the one before left goes when the new state is in force."""
        runs = seen.keep()
        name = f"walked-{seen.numbered()}.parquet"
        with replacing(self.folder / name) as beside:
            pq.write_table(walked, beside, compression="zstd")
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
