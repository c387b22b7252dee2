"""What a walk over all pages stores for the next one, so that a corpus that grows is not walked over from the beginning.

A run of words belongs to the first block that has it. So the table of all runs also shows the state of the walk at any
earlier page: the runs that belong to blocks before it. The next walk starts at the first chunk that has changed, which is
usually that of the first new page. Old pages that are no longer kept, because a longer copy has come, are removed from the
stored walk (:mod:`paberki.dedup.repeats.walk_mending`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa

from paberki.dedup.repeats.walk_file import Part, StoredWalk
from paberki.dedup.repeats.walk_mending import mend
from paberki.dedup.repeats.word_runs import RunIndex
from paberki.dedup.signatures.shingles import Ints
from paberki.errors import StoreError
from paberki.store.files import read_json, write_json
from paberki.store.layer import CHUNK, SHARD

STATE: Final = "walk.json"
FAR: Final = 0.1
"""Share of the pages: if the walk has more than this still ahead, it reads the stored runs into memory."""


@dataclass(frozen=True, slots=True)
class EarlierDecisions:
    """The decisions of an earlier walk that still hold."""

    blocks: Ints
    """The number of the first block of each page."""
    first: int
    """The page to go on with."""
    walk: StoredWalk | None

    def parts(self) -> Iterator[Part]:
        """The decisions, some pages at a time."""
        return self.walk.until(self.first) if self.walk else iter(())


NOTHING: Final = EarlierDecisions(np.empty(0, np.int64), 0, None)


@dataclass(frozen=True, slots=True)
class WalkMemory:
    """The stored walk: its folder, and the keys that the chunks of every shard have now, whichever pages are kept."""

    folder: Path
    chunks: tuple[tuple[str, ...], ...]
    first: int = 0
    """Number of the first block of a walk from the beginning."""

    def resume(self, index: RunIndex, pages: Ints) -> EarlierDecisions:
        """Resume the earlier walk as far as it holds: its decisions, and the page to continue with."""
        with contextlib.suppress(OSError, KeyError, StoreError, pa.ArrowInvalid):
            state = read_json(self.folder / STATE)
            walk, first = self._holding(StoredWalk.left_in(self.folder, state), state["chunks"], index, pages)
            good = int(np.searchsorted(walk.pages, first))
            begin = int(walk.first[good]) if good < len(walk.first) else walk.blocks
            index.go_on(self.folder, walk.runs, begin, far=len(pages) - good > FAR * len(pages))
            return EarlierDecisions(walk.first[:good], first, walk)
        index.go_on(self.folder, [], self.first, far=False)
        return NOTHING

    def _holding(
        self, walk: StoredWalk, before: list[list[str]], index: RunIndex, pages: Ints
    ) -> tuple[StoredWalk, int]:
        """The walk without old pages that are no longer kept, and the first page that it does not hold for."""
        first = self._first_change(before)
        back = np.setdiff1d(pages[pages < first], walk.pages, assume_unique=True)
        first = int(back[0]) if len(back) else first
        removed_pages = (walk.pages < first) & ~np.isin(walk.pages, pages, assume_unique=True)
        if not removed_pages.any():
            return walk, first
        without = mend(walk, removed_pages, index)
        return (without, first) if without else (walk, int(walk.pages[removed_pages][0]))

    def _first_change(self, before: list[list[str]]) -> int:
        for shard, (old, new) in enumerate(zip(before, self.chunks, strict=False)):
            for chunk, (one, other) in enumerate(zip(old, new, strict=False)):
                if one != other:
                    return shard * SHARD + chunk * CHUNK
            if len(old) != len(new):
                return shard * SHARD + min(len(old), len(new)) * CHUNK
        return min(len(before), len(self.chunks)) * SHARD

    def save(self, index: RunIndex, name: str) -> None:
        """Store everything for the next walk.

        The files are in force when ``walk.json`` names them. Files of earlier walks stay, since another copy of this task
        may be reading them; the engine removes them later.
        """
        runs = index.keep()
        state = {
            "chunks": self.chunks,
            "blocks": index.blocks,
            "walked": name,
            "words": (self.folder / f"{name}.tuples").stat().st_size // 8,
            "runs": [(run.name, run.count) for run in runs],
        }
        write_json(self.folder / STATE, state)
