"""Runs of words seen before, in page order: onion's rule (Pomikálek 2011), which P3 used for documents and paragraphs.

A block is a near-duplicate when more than half of its words lie in runs of ``width`` words that stand in blocks before
it that are not duplicates themselves. That depends on everything before, so it is one walk over all pages in order; what
was seen is a table in memory of twelve bytes per slot. When it has reached its limit it goes to disk as a sorted run of
hashes, and later pages look their own up there, a batch at a time: memory has a bound, whatever the corpus.
"""

from __future__ import annotations

import itertools
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.dedup.signatures.shingles import Hashes, Ints, classes, small, utf8_bytes
from paberki.kernels import load
from paberki.store.scratch import Scratch

LIMIT: Final = 8_000_000
"""Runs of words that the table in memory may hold, some 150 MB, before it is put on disk, where looking up takes longer."""
_PIECES: Final = 8
_MOST_RUNS: Final = 8
_AT_ONCE: Final = 1 << 18
_BLOCK: Final = 512
_BLOCKS_AT_ONCE: Final = 2_048
_FULL: Final = 0.75
_ROOMY: Final = 0.62
_START: Final = 1 << 16
_BEHIND: Final = 4_096
"""Slots after the end of the table, for what finds none before it."""
SPAN: Final = 0xFFFFFFFF
"""Numbers of blocks that the table in memory can tell apart: it counts from the block that it began with."""
_SOME: Final = 100_000
_MANY: Final = 2_000_000
Owners = npt.NDArray[np.uint64]
"""Numbers of blocks plus one; 0 stands for none. A large corpus has more than 2³² blocks."""
Places = npt.NDArray[np.uint32]
"""Numbers within a batch or a table, which are small."""


@lru_cache(maxsize=1)
def kernel() -> Any:
    """The compiled part, loaded when it is first needed."""
    return load("paberki.dedup.repeats.word_runs_kernel")


@dataclass(frozen=True, slots=True)
class WordHashes:
    """Hashes of the words of some texts, one text after the other, and where those of each end."""

    values: Hashes
    ends: Ints


def tokens_of(texts: list[str] | pa.StringArray) -> WordHashes:
    """Words of texts, as :mod:`paberki.dedup.signatures.shingles` takes them."""
    data, offsets = utf8_bytes(texts)
    values = np.empty(int(offsets[-1] - offsets[0]) // 2 + len(offsets) + 2, np.uint64)
    ends = np.empty(len(offsets) - 1, np.int64)
    count = kernel().token_hashes(data, offsets, small(), classes(), values, ends)
    return WordHashes(values[:count], ends)


def tuples_of(tokens: Hashes, page_ends: Ints, width: int) -> Hashes:
    """For each word the hash of the run of ``width`` words that ends with it; 0 where the page has not so many before."""
    values = np.empty(len(tokens), np.uint64)
    kernel().tuple_hashes(tokens, page_ends, width, values)
    return values


@dataclass(frozen=True, slots=True)
class Marks:
    """The verdict on each block of a batch."""

    flags: npt.NDArray[np.uint8]
    """1: mostly seen before; 2: a short piece between such blocks; 0: new."""
    covered_words: npt.NDArray[np.int32]
    """Words in runs that were seen before."""
    lengths: Ints
    """Words."""
    repeats: Ints
    """Number of the block that most of it repeats; -1 where nothing is repeated."""
    tuples: Hashes
    """The runs of words themselves, by the word that each ends with."""


class RunIndex:
    """All runs of words of the pages so far, and the walk that looks up and adds those of the next pages. Close it, or use it in a with statement."""

    def __init__(
        self, width: int = 5, threshold: float = 0.5, stub: int = 20, limit: int = LIMIT, first: int = 0
    ) -> None:
        """``stub``: so many words between two duplicate blocks of a page, or at its edge beside one, go with them.

        ``first`` is the number of the first block.
        """
        self.width, self.threshold, self.stub, self.limit = width, threshold, stub, limit
        self.blocks = first
        self.run_count = 0
        """Different runs of words that were kept."""
        self._new_table()
        self._runs: list[SortedRun] = []
        self._file_count = 0
        self._attempt = secrets.token_hex(8)
        """Part of the name of every file that this walk writes: another copy of the same task may run beside it."""
        self._temporary: Scratch | None = None
        self._place: Path | None = None
        self._old: list[SortedRun] = []
        self._old_blocks = 0

    def __enter__(self) -> RunIndex:
        return self

    def __exit__(self, *_: object) -> None:
        if self._temporary is not None:
            self._temporary.close()

    def go_on(self, folder: Path, runs: list[SortedRun], blocks: int, *, far: bool) -> None:
        """Take up a walk whose runs lie in a folder, at the block with this number: what belongs to later ones is new.

        ``far``: there is much to come, so that to look things up on disk would take longer than to read all of it.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._place, self._old_blocks, self.blocks = folder, blocks, blocks
        self._base = min((run.first - 1 for run in runs if run.count), default=blocks)
        if not far:
            self._old, self._base = runs, blocks
        elif sum(run.count for run in runs) <= self.limit and blocks - self._base < SPAN:
            for run in runs:
                self._take_in(run)
        else:
            self._old = [run.until(folder, self.next_name("run"), blocks) for run in runs]
            self._base = blocks

    def _take_in(self, run: SortedRun) -> None:
        """Put what of a run belongs to blocks before this one into memory."""
        for keys, owners in run.pieces():
            mine = owners <= self._old_blocks
            self._make_room(int(mine.sum()))
            near = (owners[mine] - np.uint64(self._base)).astype(np.uint32)
            kernel().put_in(keys[mine], near, self._keys, self._owners, self._size)
            self._filled_slots += int(mine.sum())

    def keep(self) -> list[SortedRun]:
        """Store everything in the folder, for a walk that continues from here."""
        if self._filled_slots:
            self._put_on_disk()
        stale = any(run.last > self._old_blocks for run in self._old)
        runs = [*self._old, *self._runs]
        if stale or len(runs) > _MOST_RUNS:
            old = [run.until(self._folder(), self.next_name("run"), self._old_blocks) for run in self._old]
            runs = [*old, *self._runs]
            while len(runs) > 1:
                last = runs.pop()
                runs.append(SortedRun.merge(self._folder(), self.next_name("run"), runs.pop(), last))
        return runs

    def _folder(self) -> Path:
        if self._place is None:
            self._temporary = Scratch()
            self._place = self._temporary.path
        return self._place

    @property
    def memory(self) -> int:
        """Bytes of the table."""
        return (self._size + _BEHIND) * (self._keys.itemsize + self._owners.itemsize)

    def _new_table(self) -> None:
        """Reserve room for the largest table at once; the system provides memory as the table grows."""
        room = int(self.limit / _ROOMY) + _START + _BEHIND
        self._keys, self._owners = np.zeros(room, np.uint64), np.zeros(room, np.uint32)
        self._size, self._filled_slots, self._base = _START, 0, self.blocks

    def walk(self, texts: list[str] | pa.StringArray, page_blocks: Ints) -> Marks:
        """Look at the blocks of some pages; ``page_blocks`` says where those of each begin, and where the last end."""
        tokens = tokens_of(texts)
        ends = np.r_[0, tokens.ends]
        tuples = tuples_of(tokens.values, ends[page_blocks[1:]], self.width)
        count = len(tokens.ends)
        is_marked, covered_words = np.zeros(count, np.uint8), np.zeros(count, np.int32)
        repeats = np.zeros(count, np.uint64)
        page_ends = ends[page_blocks]
        page = 0
        while page < len(page_blocks) - 1:
            # As many pages as make the table a little larger at most: room for more would lie idle. Where things have to
            # be looked up on disk, more: the more are wanted, the more of them lie together.
            words = max(_MANY if self._runs or self._old else _SOME, self._filled_slots // 16)
            last = int(np.searchsorted(page_ends, page_ends[page] + words, side="right")) - 1
            last = max(last, page + 1)
            low, high = int(page_blocks[page]), int(page_blocks[last])
            some = slice(int(page_ends[page]), int(page_ends[last]))
            self._make_room(len(tuples[some]), high - low)
            self._mark(
                tuples[some], tokens.ends[low:high] - some.start, page_blocks[page : last + 1] - low,
                self._look_up(tuples[some]), is_marked[low:high], covered_words[low:high], repeats[low:high],
            )  # fmt: skip
            page = last
        return Marks(is_marked, covered_words, np.diff(ends), repeats.astype(np.int64) - 1, tuples)

    def walk_page(self, tuples: Hashes, block_ends: Ints, first: int, before: Owners) -> Marks:
        """Look at one page whose blocks have numbers from ``first`` on; ``before`` are owners known from elsewhere."""
        count = len(block_ends)
        is_marked, covered_words, repeats = (
            np.zeros(count, np.uint8),
            np.zeros(count, np.int32),
            np.zeros(count, np.uint64),
        )
        self.blocks = first
        self._make_room(len(tuples), count)
        self._mark(tuples, block_ends, np.array([0, count]), before, is_marked, covered_words, repeats)
        return Marks(is_marked, covered_words, np.diff(block_ends, prepend=0), repeats.astype(np.int64) - 1, tuples)

    def _mark(
        self,
        tuples: Hashes,
        block_ends: Ints,
        page_blocks: Ints,
        before: Owners,
        is_marked: Any,
        covered_words: Any,
        repeats: Any,
    ) -> None:
        page_words = int(np.diff(np.r_[0, block_ends][page_blocks]).max(initial=0))
        own = max(16, 1 << (2 * page_words + 1).bit_length())
        new = kernel().mark(
            tuples, block_ends, page_blocks, before, self.width, self.threshold, self.stub, self.blocks,
            self._base, *self._table(), np.empty(own, np.uint64), np.empty(own, np.uint64), np.empty(page_words, np.uint32), is_marked,
            covered_words, repeats,
        )  # fmt: skip
        self._filled_slots += new
        self.run_count += new
        self.blocks += len(block_ends)

    def _make_room(self, coming: int, blocks: int = 0) -> None:
        """Make sure that there is room for so many runs of words, of so many blocks."""
        if self.blocks + blocks - self._base >= SPAN and not self._filled_slots:
            self._base = self.blocks
        if self._filled_slots and (
            self._filled_slots + coming > self.limit or self.blocks + blocks - self._base >= SPAN
        ):
            self._put_on_disk()
        run_count = self._filled_slots + coming
        if run_count > _FULL * self._size:
            size = int(run_count / _ROOMY) + _START
            if size + _BEHIND > len(self._keys):  # a single page that is larger than the limit
                self._keys, self._owners = (np.r_[one, np.zeros(size, one.dtype)] for one in (self._keys, self._owners))
            old, self._size = self._size, size
            keys, owners, _ = self._table()
            kernel().grow(keys, owners, old, size, np.empty(_START, np.uint64), np.empty(_START, np.uint32))

    def _table(self) -> tuple[Hashes, Places, int]:
        """The part of the room that is used."""
        return self._keys[: self._size + _BEHIND], self._owners[: self._size + _BEHIND], self._size

    def _put_on_disk(self) -> None:
        """The table as a sorted run; runs of about the same size become one, so that there are few to look into."""
        run = SortedRun.write(self._folder(), self.next_name("run"), self.in_order())
        self._new_table()
        while self._runs and self._runs[-1].count <= 2 * run.count:
            parts = self._runs.pop(), run
            run = SortedRun.merge(self._folder(), self.next_name("run"), *parts)
            for part in parts:
                part.remove()
        self._runs.append(run)

    def in_order(self) -> Iterator[tuple[Hashes, Owners]]:
        """The content of the table, a range of hashes at a time."""
        keys, owners, _ = self._table()
        edges = [1, *((piece << 64) // _PIECES for piece in range(1, _PIECES)), (1 << 64) - 1]  # 0 is an empty slot
        for low, high in itertools.pairwise(edges):
            last = np.uint64(high - (high != edges[-1]))
            mine = np.flatnonzero((keys >= np.uint64(low)) & (keys <= last))
            mine = mine[np.argsort(keys[mine])]
            yield keys[mine], owners[mine] + np.uint64(self._base)

    def next_name(self, kind: str) -> str:
        """A name for the next file of this walk, which no other walk uses."""
        self._file_count += 1
        return f"{kind}-{self._file_count}-{self._attempt}"

    def _look_up(self, tuples: Hashes) -> Owners:
        """Owners of tuples that are on disk; nothing while all are in memory."""
        if not self._runs and not self._old:
            return np.empty(0, np.uint64)
        sorted_tuples, places = _sort_tuples(tuples)
        owners = np.zeros(len(tuples), np.uint64)
        for run in self._old:
            run.look_up(sorted_tuples, places, owners)
        owners[owners > self._old_blocks] = 0
        for run in self._runs:
            run.look_up(sorted_tuples, places, owners)
        return owners


def _sort_tuples(tuples: Hashes) -> tuple[Hashes, Places]:
    """Hashes in order, and where each was."""
    sorted_tuples, places = np.zeros(len(tuples), np.uint64), np.empty(len(tuples), np.uint32)
    kernel().sort_hashes(tuples, np.zeros((1 << 16) + 1, np.int64), sorted_tuples, places)
    return sorted_tuples, places


def owners_in(runs: Iterable[SortedRun], tuples: Hashes) -> Owners:
    """To which block each run of words belongs, plus one; 0 where it is not known."""
    sorted_tuples, places = _sort_tuples(tuples)
    owners = np.zeros(len(tuples), np.uint64)
    for run in runs:
        run.look_up(sorted_tuples, places, owners)
    return owners


@dataclass(frozen=True, slots=True)
class SortedRun:
    """Hashes in order, and their owners, in two files. These are read a piece at a time: mapped, they would count as
    memory. What stays in memory is one hash of every block."""

    keys: Path
    owners: Path
    count: int
    index: Hashes
    """The first hash of every block."""
    first: int
    last: int
    """The first and the last block of text, plus one, that anything in it belongs to."""

    @classmethod
    def at(cls, folder: Path, name: str, count: int) -> SortedRun:
        """An existing run; an error if its files are not complete."""
        keys, owners = folder / f"{name}.keys", folder / f"{name}.owners"
        if keys.stat().st_size != 8 * count or owners.stat().st_size != 8 * count:
            raise OSError(f"{keys} is not whole")
        return cls._describe(keys, owners, cls(keys, owners, count, np.empty(0, np.uint64), 1, 0).pieces())

    @classmethod
    def _describe(cls, keys: Path, owners: Path, pieces: Iterable[tuple[Hashes, Owners]]) -> SortedRun:
        """The run that these files hold."""
        count, first, last, index = 0, 1 << 62, 0, [np.empty(0, np.uint64)]
        for some, block_owners in pieces:
            index.append(some[-count % _BLOCK :: _BLOCK].copy())  # a view would keep all of it
            first, last = (
                min(first, int(block_owners.min(initial=1 << 62))),
                max(last, int(block_owners.max(initial=0))),
            )
            count += len(some)
        return cls(keys, owners, count, np.concatenate(index), first, last)

    @classmethod
    def write(cls, folder: Path, name: str, pieces: Iterable[tuple[Hashes, Owners]]) -> SortedRun:
        """Write a new run."""
        keys, owners = folder / f"{name}.keys", folder / f"{name}.owners"
        with open(keys, "wb") as keys_file, open(owners, "wb") as owners_file:

            def put(piece: tuple[Hashes, Owners]) -> tuple[Hashes, Owners]:
                keys_file.write(piece[0].tobytes())
                owners_file.write(piece[1].tobytes())
                return piece

            return cls._describe(keys, owners, map(put, pieces))

    @classmethod
    def merge(cls, folder: Path, name: str, one: SortedRun, other: SortedRun) -> SortedRun:
        """Merge two runs, a range of hashes at a time; no hash is in both."""

        def pieces() -> Iterator[tuple[Hashes, Owners]]:
            rest = [(np.empty(0, np.uint64), np.empty(0, np.uint64))] * 2
            coming = [one.pieces(), other.pieces()]
            while True:
                for at in range(2):
                    if not len(rest[at][0]):
                        rest[at] = next(coming[at], rest[at])
                ends = [keys[-1] for keys, _ in rest if len(keys)]
                if not ends:
                    return
                cuts = [int(np.searchsorted(keys, min(ends), side="right")) for keys, _ in rest]
                both = [
                    np.concatenate([part[which][:cut] for part, cut in zip(rest, cuts, strict=True)])
                    for which in (0, 1)
                ]
                rest = [(keys[cut:], owners[cut:]) for (keys, owners), cut in zip(rest, cuts, strict=True)]
                order = np.argsort(both[0], kind="stable")
                yield both[0][order], both[1][order]

        return cls.write(folder, name, pieces())

    def until(self, folder: Path, name: str, last: int) -> SortedRun:
        """A new run with the hashes that belong to blocks before this one."""
        return self.select(folder, name, lambda owners: owners <= last)

    def select(self, folder: Path, name: str, choose: Callable[[Owners], npt.NDArray[np.bool_]]) -> SortedRun:
        """A new run with the hashes whose owners are chosen."""
        pieces = ((keys, owners, choose(owners)) for keys, owners in self.pieces())
        return self.write(folder, name, ((keys[mine], owners[mine]) for keys, owners, mine in pieces))

    @property
    def name(self) -> str:
        """Name of its files, without ending."""
        return self.keys.stem

    def remove(self) -> None:
        """Remove both files."""
        self.keys.unlink()
        self.owners.unlink()

    def pieces(self) -> Iterator[tuple[Hashes, Owners]]:
        """All of it in order."""
        with open(self.keys, "rb") as keys, open(self.owners, "rb") as owners:
            for _ in range(0, self.count, _AT_ONCE):
                yield np.fromfile(keys, np.uint64, _AT_ONCE), np.fromfile(owners, np.uint64, _AT_ONCE)

    def look_up(self, sorted_tuples: Hashes, places: Places, answers: Owners) -> None:
        """Write the owners of the tuples that the run holds to their places; the tuples are sorted."""
        edges = np.full(len(self.index) + 1, len(sorted_tuples), np.int64)
        kernel().cut_at(sorted_tuples, self.index, edges)
        blocks = np.flatnonzero(np.diff(edges))
        with open(self.keys, "rb", buffering=0) as keys, open(self.owners, "rb", buffering=0) as owners:
            for at in range(0, len(blocks), _BLOCKS_AT_ONCE):
                some = blocks[at : at + _BLOCKS_AT_ONCE]
                kernel().look_up(
                    np.frombuffer(_blocks(keys, some, 8 * _BLOCK), np.uint64),
                    np.frombuffer(_blocks(owners, some, 8 * _BLOCK), np.uint64),
                    _BLOCK, edges[some], edges[some + 1], sorted_tuples, places, answers,
                )  # fmt: skip


def _blocks(file: BinaryIO, which: Ints, size: int) -> bytes:
    """Some blocks of a file, one after the other."""
    first = np.flatnonzero(np.diff(which, prepend=-2) != 1)  # neighbours are read in one go
    counts = np.diff(np.r_[first, len(which)])
    return b"".join(
        [
            os.pread(file.fileno(), count, at)
            for at, count in zip((which[first] * size).tolist(), (counts * size).tolist(), strict=True)
        ]
    )
