"""Mends a walk after pages have gone: the result is that of a walk without them, and most pages are not read again.

Runs of words that belonged to a block that is gone belong to the next block that has them and is not marked. The pages
up to that one see something new, so they are looked at again; so are pages with marked blocks that have such a run, since
these name the block that they repeat. Where that marks a block, or one no longer, its runs are followed in the same way,
until nothing changes. Pages are found by going over the runs of words of all pages, which lie on disk, eight bytes for each
word: that takes a small part of the time of a walk.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.dedup.repeats.walk_file import WALKED, Part, StoredWalk, places_of
from paberki.dedup.repeats.word_runs import SPAN, Marks, Owners, RunIndex, SortedRun, kernel, owners_in
from paberki.dedup.signatures.shingles import Hashes, Ints
from paberki.store.blocks import lengths_of

MOST_WORDS: Final = 3_000_000
"""Words of the pages that are looked at again, and places that are found; where there are more, to walk again costs less."""
ROUNDS: Final = 20
_SIEVE: Final = 21
_PORTION: Final = 1 << 20
Flags = npt.NDArray[np.bool_]


class TooMuch(Exception):
    """Mending would touch more than a new walk."""


def mend(walk: StoredWalk, removed_pages: Flags, rule: RunIndex) -> StoredWalk | None:
    """The walk as it would be without some of its pages; None if a new walk costs less. ``rule`` decides what is marked."""
    if walk.blocks - int(walk.first[0]) >= SPAN:
        return None
    mending = _Mending(walk, removed_pages, rule)
    try:
        mending.settle()
    except TooMuch:
        return None
    return mending.result()


@dataclass(frozen=True, slots=True)
class _MendedWalk(StoredWalk):
    """A walk that is read as it would be; what it is made from lies where it lay."""

    mending: _Mending

    def parts(self) -> Iterator[Part]:
        """The pages with their runs of words, some at a time."""
        return self.mending.parts()


def _without(values: Hashes, begins: Ints, removed_pages: Ints) -> Hashes:
    """All values but those of some pages, given by the place where each begins."""
    edges = np.r_[
        0, np.column_stack([begins[removed_pages], begins[removed_pages + 1]]).reshape(-1), len(values)
    ].reshape(-1, 2)
    return np.concatenate([values[low:high] for low, high in edges.tolist()])


def _blocks_of(walk: StoredWalk) -> tuple[Ints, Ints, Flags]:
    """Where the blocks of each page begin, if all are counted without gaps, where the words of each block do, and whether
    each is marked."""
    blocks, words, mark_places = [np.empty(0, np.int64)], [np.zeros(1, np.int64)], [np.empty(0, np.int64)]
    word_count = 0
    for table in walk.tables(("words", "marked")):
        lists, marks = (table.column(name).combine_chunks() for name in ("words", "marked"))
        counts = lengths_of(lists)
        begins = word_count + np.r_[0, np.cumsum(counts)]
        mark_places.append(np.repeat(begins[:-1], lengths_of(marks)) + marks.flatten().to_numpy(zero_copy_only=False))
        blocks.append(counts)
        words.append(lists.flatten().to_numpy(zero_copy_only=False).astype(np.int64))
        word_count = int(begins[-1])
    is_marked = np.zeros(word_count, bool)
    is_marked[np.concatenate(mark_places)] = True
    return np.r_[0, np.cumsum(np.concatenate(blocks))].astype(np.int64), np.cumsum(np.concatenate(words)), is_marked


class _Mending:
    """A walk, the pages that are gone, and those that are looked at again."""

    def __init__(self, walk: StoredWalk, removed_pages: Flags, rule: RunIndex) -> None:
        self.walk, self.removed_pages, self.rule = walk, removed_pages, rule
        self.begin = int(walk.first[0]) if len(walk.first) else 0
        self.edges, self.words, self.was_marked = _blocks_of(walk)
        self.is_marked = self.was_marked.copy()
        self.again = np.zeros(len(removed_pages), bool)
        """Pages that are looked at again."""
        self.marks: dict[int, Marks] = {}
        self._page_runs: dict[int, tuple[Hashes, Owners]] = {}
        self.seen_runs = self._nothing_seen()

    def settle(self) -> None:
        """Walk over affected pages again until nothing changes."""
        keys, owners = self._owned_runs(self.removed_pages)
        for _ in range(ROUNDS):
            more = self._affected_pages(keys, owners) & ~self.again
            self.again |= more
            self._hold(np.flatnonzero(more))
            before = self.is_marked.copy()
            self._look_again()
            new = np.setdiff1d(self._tuples_of_blocks(np.flatnonzero(self.is_marked != self.was_marked)), keys)
            if not len(new) and (before == self.is_marked).all():
                return
            keys, owners = np.r_[keys, new], np.r_[owners, owners_in(self.walk.runs, new)]
            order = np.argsort(keys)
            keys, owners = keys[order], owners[order]
        raise TooMuch

    def _owned_runs(self, pages: Flags) -> tuple[Hashes, Owners]:
        """The runs of words that belong to some pages, in order, and to which block each does."""
        block_flags, owned_runs = self._numbers(pages), [(np.empty(0, np.uint64), np.empty(0, np.uint64))]
        for run in self.walk.runs:
            for keys, owners in run.pieces():
                mine = self._flags(block_flags, owners)
                owned_runs.append((keys[mine], owners[mine]))
        keys, owners = (np.concatenate(some) for some in zip(*owned_runs, strict=True))
        order = np.argsort(keys)
        return keys[order], owners[order]

    def _numbers(self, pages: Flags) -> Flags:
        """Whether each block is of one of some pages, from the first block of the walk on; the first flag is for none."""
        block_flags = np.zeros(self.walk.blocks - self.begin + 2, np.int8)
        first, counts = self.walk.first - self.begin, np.diff(self.edges)
        np.add.at(block_flags, first[pages] + 1, 1)
        np.add.at(block_flags, (first + counts)[pages] + 1, -1)
        return np.cumsum(block_flags, dtype=np.int8).astype(bool)

    def _flags(self, block_flags: Flags, owners: Owners) -> Flags:
        """The flags of some owners."""
        numbers = owners.astype(np.int64)
        return block_flags[np.where(numbers > 0, numbers - self.begin, 0)]

    def _affected_pages(self, keys: Hashes, owners: Owners) -> Flags:
        """Pages whose verdict may change when some runs of words get another owner."""
        places, which = self._occurrences(keys)
        block = np.searchsorted(self.words, places, side="right") - 1
        page = np.searchsorted(self.edges, block, side="right") - 1
        there = ~self.removed_pages[page]
        block, page, which = block[there], page[there], which[there]
        new = np.full(len(keys), len(self.is_marked), np.int64)
        free = ~self.is_marked[block]
        np.minimum.at(new, which[free], block[free])
        old = self._block_of(owners)
        until, has_new_owner = np.maximum(new, old)[which], (new != old)[which]
        affected_pages = np.zeros(len(self.removed_pages), bool)
        affected_pages[page[has_new_owner & ((block <= until) | self.is_marked[block] | self.was_marked[block])]] = True
        return affected_pages

    def _block_of(self, owners: Owners) -> Ints:
        """Blocks, counted without gaps, of numbers plus one; -1 for 0."""
        numbers = owners.astype(np.int64) - 1
        page = np.maximum(np.searchsorted(self.walk.first, numbers, side="right") - 1, 0)
        return np.where(numbers >= 0, self.edges[page] + numbers - self.walk.first[page], -1)

    def _occurrences(self, keys: Hashes) -> tuple[Ints, Ints]:
        """All places where these runs of words stand, and which each is."""
        sieve = np.zeros(1 << _SIEVE, bool)
        sieve[(keys >> np.uint64(64 - _SIEVE)).astype(np.int64)] = True
        places, which = np.empty(_PORTION, np.int64), np.empty(_PORTION, np.int64)
        occurrences = [(np.empty(0, np.int64), np.empty(0, np.int64))]
        total = 0
        for begin, values in self._portions():
            count = kernel().occurrences(values, keys, sieve, places, which)
            occurrences.append((places[:count] + begin, which[:count].copy()))
            total += count
            if total > MOST_WORDS:
                raise TooMuch
        one, other = (np.concatenate(some) for some in zip(*occurrences, strict=True))
        return one, other

    def _portions(self) -> Iterator[tuple[int, Hashes]]:
        with open(self.walk.tuples, "rb") as file:
            for begin in range(0, int(self.words[-1]), _PORTION):
                yield begin, np.fromfile(file, np.uint64, _PORTION)

    def _hold(self, pages: Ints) -> None:
        """Read the runs of words of some pages, and whom each belongs to."""
        begins, ends = self.words[self.edges[pages]], self.words[self.edges[pages + 1]]
        run_count = sum(len(tuples) for tuples, _ in self._page_runs.values())
        if run_count + int((ends - begins).sum()) > MOST_WORDS:
            raise TooMuch
        with open(self.walk.tuples, "rb", buffering=0) as file:
            parts = [
                np.frombuffer(os.pread(file.fileno(), 8 * (end - begin), 8 * begin), np.uint64)
                for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)
            ]
        owners = owners_in(self.walk.runs, np.concatenate([*parts, np.empty(0, np.uint64)]))
        edges = np.r_[0, np.cumsum(ends - begins)]
        for at, (page, tuples) in enumerate(zip(pages.tolist(), parts, strict=True)):
            self._page_runs[page] = tuples, owners[edges[at] : edges[at + 1]]

    def _nothing_seen(self) -> RunIndex:
        run_count = sum(len(tuples) for tuples, _ in self._page_runs.values())
        return RunIndex(self.rule.width, self.rule.threshold, self.rule.stub, run_count + 1, self.begin)

    def _look_again(self) -> None:
        """Walk over the affected pages again, as if neither they nor the removed pages had been seen."""
        unsaid, self.seen_runs = self._numbers(self.removed_pages | self.again), self._nothing_seen()
        for page in np.flatnonzero(self.again).tolist():
            tuples, owners = self._page_runs[page]
            first, low, high = int(self.walk.first[page]), self.edges[page], self.edges[page + 1]
            before = np.where(self._flags(unsaid, owners) | (owners > first), np.uint64(0), owners)
            ends = self.words[low + 1 : high + 1] - self.words[low]
            self.marks[page] = self.seen_runs.walk_page(tuples, ends, first, before)
            self.is_marked[low:high] = self.marks[page].flags > 0

    def _tuples_of_blocks(self, blocks: Ints) -> Hashes:
        """All runs of words of some blocks of pages that are held."""
        pages = np.searchsorted(self.edges, blocks, side="right") - 1
        parts = [np.empty(0, np.uint64)]
        for block, page in zip(blocks.tolist(), pages.tolist(), strict=True):
            begin = self.words[self.edges[page]]
            parts.append(self._page_runs[page][0][self.words[block] - begin : self.words[block + 1] - begin])
        tuples = np.unique(np.concatenate(parts))
        return tuples[tuples > 0]

    def result(self) -> StoredWalk:
        """The walk, with runs of its own."""
        walk, stays = self.walk, ~self.removed_pages
        unchanged = ~self._numbers(self.removed_pages | self.again)
        runs = [
            run.select(walk.folder, self.rule.next_name("run"), lambda owners: self._flags(unchanged, owners))
            for run in walk.runs
        ]
        runs.append(SortedRun.write(walk.folder, self.rule.next_name("run"), self.seen_runs.in_order()))
        return _MendedWalk(walk.folder, walk.name, walk.pages[stays], walk.first[stays], walk.blocks, runs, self)

    def parts(self) -> Iterator[Part]:
        """All pages that remain, with their new decisions."""
        first_row = 0
        for table, tuples in self.walk.parts():
            mine = slice(first_row, first_row + len(table))
            first_row += len(table)
            stays, same = ~self.removed_pages[mine], ~(self.removed_pages | self.again)[mine]
            begins = self.words[self.edges[mine.start : mine.stop + 1]]
            again = [self._page_walked_again(mine.start + at) for at in np.flatnonzero(stays & ~same).tolist()]
            rows = pa.concat_tables([table.filter(pa.array(same)), pa.Table.from_pylist(again, WALKED)])
            yield rows.sort_by("page").combine_chunks(), _without(tuples, begins - begins[0], np.flatnonzero(~stays))

    def _page_walked_again(self, page: int) -> dict[str, object]:
        """The row of a page that was walked over again."""
        marks, walk = self.marks[page], self.walk
        hit = np.flatnonzero(marks.flags)
        repeats = places_of(marks.repeats[hit], walk.pages, walk.first)
        return {
            "page": int(walk.pages[page]),
            "block": int(walk.first[page]),
            "words": marks.lengths.tolist(),
            "marked": hit.tolist() if len(hit) else None,
            "repeats": repeats.tolist() if len(hit) else None,
        }
