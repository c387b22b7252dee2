"""Where an export goes: standard output, one file, or a directory of files; whole or not at all."""

from __future__ import annotations

import contextlib
import io
import lzma
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, cast

import zstandard
from isal import igzip

from paberki.engine.workers.memory_limits import give_back
from paberki.errors import ConfigError
from paberki.export.export_format import Counts, ExportedFile, Form, no_frame
from paberki.export.pages.survey import WorkPiece, by_file
from paberki.export.piece_files import ExportJob, made_pieces
from paberki.store.files import local, replacing

STANDARD_OUTPUT: Final = Path("-")
ENDINGS: Final = (".gz", ".zst", ".xz")
UNKNOWN_ENDINGS: Final = frozenset((".bz2", ".lzma", ".lz4", ".7z", ".zip", ".br", ".z", ".sz", ".rar", ".tar", ".tgz"))
"""Compressions and archives that others write."""
_COPY_BYTES: Final = 1 << 20
_AT_ONCE: Final = 1 << 30
"""Bytes that the system is asked to copy from file to file."""


def ending_of(form: Form, out: Path) -> str:
    """The compression that a name asks for; targets that do not exist and endings that do not fit are refused."""
    if out == STANDARD_OUTPUT:
        return ""
    if not local(out).parent.is_dir():
        raise ConfigError(f"{out}: there is no directory {out.parent}; make it with: mkdir -p {out.parent}")
    ending = out.suffix.lower()
    if ending in UNKNOWN_ENDINGS or (form.compressed and ending in ENDINGS):
        endings = "none: the format compresses itself" if form.compressed else ", ".join(ENDINGS)
        raise ConfigError(f"{out}: files cannot be written as {ending}; known endings for compression: {endings}")
    return ending if ending in ENDINGS else ""


def check_place(out: Path, form: Form, shard_pages: int | None) -> None:
    """Refuse places that cannot hold the export."""
    if shard_pages is not None:
        _check_directory(out, form)
    elif out != STANDARD_OUTPUT and out.is_dir():
        raise ConfigError(f"{out}: is a directory; name a file, or say how many pages each file in it should have")
    if out != STANDARD_OUTPUT and (not out.exists() or out.is_file()) and not os.access(out.parent, os.W_OK):
        is_fixed = bool(os.statvfs(out.parent).f_flag & os.ST_RDONLY)
        problem = "is on a read-only disk" if is_fixed else "may not be written to (no permission)"
        raise ConfigError(f"{out}: the directory {out.parent} {problem}; name another place")


def is_stream(out: Path) -> bool:
    """A pipe or device, which cannot be replaced by a file and must not be."""
    return out == STANDARD_OUTPUT or (out.exists() and not out.is_file() and not out.is_dir())


@dataclass(slots=True)
class Assembly:
    """Puts pieces together."""

    job: ExportJob
    form: Form
    work: Sequence[WorkPiece]
    jobs: int | None = None
    progress: Callable[[int, int], None] | None = None

    def pieces(self) -> Iterator[tuple[WorkPiece, Counts]]:
        """Pieces as they are ready, with progress."""
        page_count, all_pages = 0, sum(piece.pages for piece in self.work)
        for piece, counts in made_pieces(self.job, self.work, self.jobs):
            page_count += counts["pages"]
            if self.progress:
                self.progress(page_count, all_pages)
            yield piece, counts

    def to_stream(self, out: Path) -> Counts:
        """Write to standard output, a pipe or a device; pieces go as they come unless the head must know all of them."""
        if out == STANDARD_OUTPUT:
            counts = self._stream(sys.stdout.buffer)
            sys.stdout.buffer.flush()
            return counts
        with open(out, "wb") as file, compress(file, self.form, self.job.about.ending) as sink:
            return self._stream(sink)

    def _stream(self, sink: BinaryIO) -> Counts:
        if self.form.join is None:
            return self._write(sink, self.pieces(), drop=True)
        part = self._part("", list(self.work), self.pieces(), is_compressed=False)
        with open(part.path, "rb") as whole:
            shutil.copyfileobj(whole, sink, _COPY_BYTES)
        return part.counts

    def to_file(self, out: Path) -> Counts:
        """One file, and those beside it."""
        part = self._part(out.name, list(self.work), self.pieces())
        for suffix, data in self._beside(part).items():
            _put(out.with_name(out.name + suffix), data)
        os.replace(part.path, out)
        return part.counts

    def to_directory(self, out: Path) -> Counts:
        """Files ``part-00000`` and so on; the directory appears when all of them are whole."""
        new = self.job.folder / "files"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        ready = self.pieces()
        parts = []
        for number, own in enumerate(by_file(self.work)):
            name = f"part-{number:05d}{self.form.suffix}{self.job.about.ending}"
            part = self._part(name, own, ready)
            for suffix, data in self.form.index(self.job.about, part).items():
                _put(new / f"{name}{suffix}", data)
            os.replace(part.path, new / name)
            parts.append(part)
        total = sum((part.counts for part in parts), Counter[str]())
        give_back()
        for name, data in self.form.inside(self.job.about, parts).items():
            _put(new / name, data)
        sides = (self.job.side(piece.number).read_bytes() for piece in self.work)
        for suffix, data in self.form.beside(self.job.about, ExportedFile(out.name, total, sides)).items():
            _put(out.with_name(out.name + suffix), data)
        _swap(new, out, self.job.folder / "old")
        return total

    def _beside(self, part: ExportedFile) -> dict[str, bytes]:
        return {**self.form.beside(self.job.about, part), **self.form.index(self.job.about, part)}

    def _compress(self, path: Path) -> Path:
        """A file compressed as the name of the export says."""
        if self.form.compressed or not self.job.about.ending:
            return path
        packed_file = path.with_name("packed")
        with open(path, "rb") as source, open(packed_file, "wb") as file:
            with compress(file, self.form, self.job.about.ending) as sink:
                shutil.copyfileobj(source, sink, _COPY_BYTES)
            file.flush()
            os.fsync(file.fileno())
        return packed_file

    def _part(
        self,
        name: str,
        own: Sequence[WorkPiece],
        ready: Iterator[tuple[WorkPiece, Counts]],
        *,
        is_compressed: bool = True,
    ) -> ExportedFile:
        """A file of some pieces, in the folder of pieces."""
        path = self.job.folder / "out"
        mine = (next(ready) for _ in own)
        if self.form.join is not None:
            counts = sum((counts for _, counts in mine), Counter[str]())
            self.form.join([self.job.data(piece.number) for piece in own], path, self.job.about)
            if is_compressed:
                path = self._compress(path)
        else:
            with open(path, "wb") as file:
                with compress(file, self.form, self.job.about.ending) as sink:
                    counts = self._write(sink, mine)
                file.flush()
                os.fsync(file.fileno())
        sides = (self.job.side(piece.number).read_bytes() for piece in own)
        return ExportedFile(name, counts, sides, path)

    def _write(self, sink: BinaryIO, ready: Iterator[tuple[WorkPiece, Counts]], *, drop: bool = False) -> Counts:
        total = Counter[str]()
        if self.form.head is not no_frame:
            everything = list(ready)
            total = sum((counts for _, counts in everything), total)
            ready = iter(everything)
            sink.write(self.form.head(self.job.about, total))
        page_counts = Counter[str]()
        for piece, counts in ready:
            page_counts.update(counts)
            with open(self.job.data(piece.number), "rb") as data:
                _copy(data, sink)
            if drop:
                self.job.data(piece.number).unlink()
        sink.write(self.form.foot(self.job.about, total))
        return page_counts


def _copy(source: BinaryIO, sink: BinaryIO) -> None:
    """Copy a file; from file to file the system does it."""
    if isinstance(sink, io.BufferedWriter) and sink.seekable():
        sink.flush()
        with contextlib.suppress(OSError):  # not on every file system; the rest is copied below
            while os.copy_file_range(source.fileno(), sink.fileno(), _AT_ONCE):
                pass
        for file in (source, sink):
            file.seek(os.lseek(file.fileno(), 0, os.SEEK_CUR))
    shutil.copyfileobj(source, sink, _COPY_BYTES)


@contextmanager
def compress(file: BinaryIO, form: Form, ending: str) -> Iterator[BinaryIO]:
    """Compress as the name says; no time and no name inside, so that bytes depend on the corpus alone."""
    if form.compressed or not ending or ending in form.own_endings:
        yield file
    elif ending == ".gz":
        with igzip.IGzipFile("", "wb", 2, file, mtime=0) as stream:  # type: ignore[no-untyped-call]
            yield cast("BinaryIO", stream)
    elif ending == ".xz":
        with lzma.open(file, "wb", preset=4) as xz:
            yield cast("BinaryIO", xz)
    else:
        with zstandard.ZstdCompressor(level=4).stream_writer(file, closefd=False) as zst:
            yield cast("BinaryIO", zst)


def _put(path: Path, data: bytes) -> None:
    with replacing(path) as beside:
        beside.write_bytes(data)


def _check_directory(out: Path, form: Form) -> None:
    if out == STANDARD_OUTPUT:
        raise ConfigError("several files cannot go to standard output; name a directory")
    if not out.exists():
        return
    if not out.is_dir():
        raise ConfigError(f"{out}: is a file; name a directory for several files")
    side_files = ("README.md", "croissant.json")
    others = [
        one.name for one in out.iterdir() if not one.match(f"part-*{form.suffix}*") and one.name not in side_files
    ]
    if others:
        raise ConfigError(f"{out}: holds other things ({sorted(others)[0]}); name a new directory")


def _swap(new: Path, out: Path, old: Path) -> None:
    if out.exists():
        os.rename(out, old)
    os.rename(new, out)
