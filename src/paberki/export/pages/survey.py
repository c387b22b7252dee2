"""A first look at the corpus: how many pages of each row group are written, and how they are cut into pieces of work.

A piece is some hundred pages that follow each other and go to the same file. Pieces are the same whoever makes them and in
whatever order, which makes parallel and resumed exports equal to undisturbed ones.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.export.pages.coverage import AnnotationCoverage
from paberki.export.pages.exported_pages import ExportedPages
from paberki.export.pages.shuffled_pages import Bucket, Buckets
from paberki.store.reading import ShardFiles

PIECE_PAGES: Final = 1000
PIECE_CHARS: Final = 8_000_000
"""A piece with so much text gets no further row group: some formats hold a piece in memory."""
CHARS: Final = "selected_char_count"


@dataclass(frozen=True, slots=True)
class RowGroupPages:
    """A row group: its chosen pages from the one numbered ``skip`` on, one of so many."""

    shard: int
    number: int
    skip: int
    every: int

    def rows(self, page_mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Chosen pages without those that are passed over."""
        if self.every == 1:
            return page_mask
        rows = np.zeros(len(page_mask), np.bool_)
        rows[np.flatnonzero(page_mask)[self.skip :: self.every]] = True
        return rows

    def read(self, pages: ExportedPages) -> pa.Table:
        """Its pages."""
        files = _open_shard(pages, self.shard)
        page_mask, _ = pages.selection.rows(files, self.number)
        return pages.read(files, self.number, self.rows(page_mask))


class _LastShard(threading.local):
    """The shard that a thread read last stays open: its row groups follow each other."""

    shard: tuple[ExportedPages, int, ShardFiles] | None = None


_last = _LastShard()


def _open_shard(pages: ExportedPages, shard: int) -> ShardFiles:
    if _last.shard is not None:
        own, number, files = _last.shard
        if own is pages and number == shard:
            return files
    close_shard()
    files = pages.open_shard(shard)
    _last.shard = (pages, shard, files)
    return files


def close_shard() -> None:
    """Close the files of the shard that was read last."""
    if _last.shard is not None:
        _last.shard[2].__exit__()
        _last.shard = None


@dataclass(frozen=True, slots=True)
class PageRange:
    """Pages ``first`` to before ``last`` of a row group or bucket."""

    unit: RowGroupPages | Bucket
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class WorkPiece:
    """Pages that one process writes at a time."""

    number: int
    file: int
    """Number of the file that they go to."""
    cuts: tuple[PageRange, ...]

    @property
    def pages(self) -> int:
        """How many they are."""
        return sum(cut.last - cut.first for cut in self.cuts)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of reading, with its number of pages and of characters in their texts, as far as they are known."""

    source: RowGroupPages | Bucket
    pages: int
    chars: int = 0


def survey(pages: ExportedPages, coverage: AnnotationCoverage, buckets: Buckets | None) -> Iterator[Unit]:
    """Units of reading; what is left out is counted."""
    units = _groups(pages, coverage, buckets)
    if buckets is None:
        yield from units
        return
    for _ in units:
        pass
    yield from (Unit(bucket, count) for bucket, count in buckets.units())


def _groups(pages: ExportedPages, coverage: AnnotationCoverage, buckets: Buckets | None) -> Iterator[Unit]:
    page_count, every = 0, pages.selection.every
    for shard in range(pages.table.shards):
        with pages.open_shard(shard) as files:
            for number in range(files.groups):
                page_mask, left_out = pages.selection.rows(files, number)
                if left_out.any():
                    coverage.count(files, number, left_out)
                group = RowGroupPages(shard, number, -page_count % every, every)
                rows = group.rows(page_mask)
                page_count += int(page_mask.sum())
                count = int(rows.sum())
                if count and buckets is not None:
                    buckets.count(shard, files.first(number), rows)
                if count:
                    yield Unit(group, count, _chars(files, number, rows))


def _chars(files: ShardFiles, group: int, rows: npt.NDArray[np.bool_]) -> int:
    if CHARS not in files.table.columns:
        return 0
    return pc.sum(files.read(group, [CHARS])[CHARS].filter(pa.array(rows))).as_py() or 0


def pieces(units: Iterable[Unit], shard_pages: int | None) -> list[WorkPiece]:
    """Cut units into pieces; none goes to two files. At least one piece, so that an empty corpus gives an empty file."""
    work_pieces: list[WorkPiece] = []
    cuts: list[PageRange] = []
    room, chars, file, in_file = PIECE_PAGES, 0, 0, shard_pages or -1
    for unit in units:
        first = 0
        while first < unit.pages:
            if room == 0 or in_file == 0 or chars >= PIECE_CHARS:
                work_pieces.append(WorkPiece(len(work_pieces), file, tuple(cuts)))
                cuts, room, chars = [], PIECE_PAGES, 0
                if in_file == 0:
                    file, in_file = file + 1, shard_pages or -1
            fits = min(unit.pages - first, room, in_file if in_file > 0 else unit.pages)
            cuts.append(PageRange(unit.source, first, first + fits))
            first += fits
            room -= fits
            chars += unit.chars * fits // unit.pages
            in_file -= fits if in_file > 0 else 0
    if cuts or not work_pieces:
        work_pieces.append(WorkPiece(len(work_pieces), file, tuple(cuts)))
    return work_pieces


def by_file(work: Sequence[WorkPiece]) -> list[list[WorkPiece]]:
    """Pieces of each file."""
    files: list[list[WorkPiece]] = [[] for _ in range(work[-1].file + 1)]
    for piece in work:
        files[piece.file].append(piece)
    return files
