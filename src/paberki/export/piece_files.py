"""Pieces of an export as files in a folder beside the target: made by several processes, found again after a kill.

A piece is whole when its JSON file is there, which is written last. The name of the folder holds a key of everything that
the bytes depend on; the folder of another export to the same target is removed.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import math
import multiprocessing
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa

from paberki.child_processes import end_with, without_main
from paberki.engine.workers.memory_limits import give_back
from paberki.errors import ConfigError, StoreError
from paberki.export.export_format import Counts, ExportHead, ExportPiece, Form
from paberki.export.format_list import form_of
from paberki.export.pages.exported_pages import ExportedPages, combine
from paberki.export.pages.survey import WorkPiece
from paberki.import_guard import leave_pandas_alone
from paberki.store.files import TEMPORARY, write_json

VERSION: Final = "4"
"""Part of the key of pieces: bump when a format writes other bytes."""
BATCH_BYTES: Final = 2 << 20
"""How much of a piece is rendered at a time, at least."""
MOST_BYTES: Final = 4 << 20
"""And at most, but for a single page: tokens take thirty times as much while they are put into lines."""
FEW: Final = 24
"""Up to so many pieces, starting processes takes longer than writing them."""


@dataclass(frozen=True, slots=True)
class ExportJob:
    """Everything that a process needs to write pieces."""

    form: str
    tokens: bool
    pages: ExportedPages
    about: ExportHead
    folder: Path

    def writer(self) -> Form:
        """The format."""
        return form_of(self.form, tokens=self.tokens)

    def data(self, number: int) -> Path:
        """The bytes of a piece."""
        return self.folder / f"{number:06d}.data"

    def side(self, number: int) -> Path:
        """What it leaves for files beside the export."""
        return self.folder / f"{number:06d}.side"

    def account(self, number: int) -> Path:
        """What was counted in it."""
        return self.folder / f"{number:06d}.json"

    def counts(self, number: int) -> Counts | None:
        """What was counted in a piece; None where it is not whole."""
        try:
            return Counter(json.loads(self.account(number).read_text("utf-8")))
        except (OSError, ValueError):
            return None

    def make(self, piece: WorkPiece) -> Counts:
        """Write a piece, unless it is there."""
        saved_counts = self.counts(piece.number)
        if saved_counts is not None:
            return saved_counts
        form, counts = self.writer(), Counter(pages=0)
        with open(self.data(piece.number), "wb") as data, open(self.side(piece.number), "wb") as side:
            for table in self._tables(piece, whole=form.whole or form.join is not None):
                rendering: ExportPiece = form.render(table, self.about)
                data.write(rendering.data)
                data.write(rendering.end)
                side.write(rendering.side)
                counts.update(rendering.counts)
            if not piece.cuts and form.join is not None:
                data.write(form.render(self.pages.schema.empty_table(), self.about).data)
            data.flush()
            os.fsync(data.fileno())
        write_json(self.account(piece.number), counts)
        give_back()
        return counts

    def _tables(self, piece: WorkPiece, *, whole: bool) -> Iterator[pa.Table]:
        """Its pages at once, or as many row groups as take little room: formats work on many rows at a time."""
        waiting: list[pa.Table] = []
        for cut in piece.cuts:
            waiting.append(cut.unit.read(self.pages).slice(cut.first, cut.last - cut.first))
            if not whole and sum(table.nbytes for table in waiting) > BATCH_BYTES:
                yield from _slices(combine(waiting, repeats=True))
                waiting = []
        if waiting:
            table = combine(waiting, repeats=not whole)
            yield from [table] if whole else _slices(table)


def _slices(table: pa.Table) -> Iterator[pa.Table]:
    """A table in parts that take little room each."""
    rows = max(1, math.ceil(table.num_rows / max(1, math.ceil(table.nbytes / MOST_BYTES))))
    for first in range(0, table.num_rows, rows):
        yield table.slice(first, rows)


def made_pieces(job: ExportJob, work: Sequence[WorkPiece], jobs: int | None) -> Iterator[tuple[WorkPiece, Counts]]:
    """Pieces in their order, each as soon as it is whole."""
    processes = jobs or (1 if len(work) <= FEW else min(os.cpu_count() or 1, 4))
    if processes == 1 or len(work) == 1:
        _free_early()
        for piece in work:
            yield piece, job.make(piece)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(processes, len(work)), context, _save_memory)
    try:
        with without_main():
            counts = pool.map(job.make, work)
        yield from zip(work, counts, strict=True)
    except BrokenExecutor as error:
        raise StoreError(
            "a process that was writing was killed, perhaps for want of memory; run the command again, with --jobs 1 if it is"
        ) from error
    except BaseException:
        pool.shutdown(wait=True, cancel_futures=True)
        raise
    pool.shutdown()


def _save_memory() -> None:
    """What a process does first that only writes pieces. It would wait for the others, not for a parent that was killed."""
    if parent := multiprocessing.parent_process():
        end_with(parent.pid or 0)
    leave_pandas_alone()
    _free_early()


def _free_early() -> None:
    """Take Arrow's memory from the allocator that keeps least of what was freed: a tenth less, as quickly."""
    if "jemalloc" in pa.supported_memory_backends() and pa.default_memory_pool().backend_name != "jemalloc":
        pa.set_memory_pool(pa.jemalloc_memory_pool())


@contextmanager
def work_folder(out: Path, key: str) -> Iterator[Path]:
    """The folder of an export beside its target; removed when the export is finished or fails, kept when it is killed."""
    prefix = f"{TEMPORARY}{out.name}."
    folder = out.parent / f"{prefix}{key}"
    for other in out.parent.glob(f"{_literal(prefix)}*"):
        if other != folder and other.is_dir() and not _is_locked(other):
            shutil.rmtree(other, ignore_errors=True)
    folder.mkdir(exist_ok=True)
    with open(folder / "lock", "wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ConfigError(f"{out}: another export is writing it; wait for it, or stop it") from None
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _literal(text: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in text)


def _is_locked(folder: Path) -> bool:
    try:
        with open(folder / "lock", "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def key_of(form: str, tokens: bool, pages: ExportedPages, about: ExportHead, more: str) -> str:
    """A digest of what the bytes of an export depend on: settings, and the layer files as they are."""
    digest = hashlib.blake2b(digest_size=8)
    settings = (
        VERSION,
        form,
        tokens,
        pages.selection,
        pages.names,
        sorted(pages.shown_columns),
        pages.mask,
        pages.paragraph_seed,
    )
    digest.update(repr((settings, about.name, about.schemes, about.seed, about.ending, about.extra, more)).encode())
    digest.update("\n".join(sorted(pages.table.tombstones)).encode())
    directory = pages.table.directory
    for layer in sorted({column.layer for column in pages.table.columns.values()}):
        for shard in range(pages.table.shards):
            try:
                about_file = directory.layer(layer, shard).stat()
            except OSError as error:
                raise StoreError(f"{error.filename} is missing; run: paberki build {directory.root}") from error
            digest.update(f"{layer} {shard} {about_file.st_size} {about_file.st_mtime_ns}\n".encode())
    return digest.hexdigest()
