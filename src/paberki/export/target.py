"""Where an export goes: standard output, one file, or a directory of files; whole or not at all."""

from __future__ import annotations

import gzip
import os
import secrets
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import pyarrow as pa
import zstandard

from paberki.errors import ConfigError
from paberki.export.export_format import About, Form
from paberki.store.files import TEMPORARY, explain, local, replacing

STANDARD_OUTPUT = Path("-")
ENDINGS = (".gz", ".zst")
UNKNOWN_ENDINGS = frozenset((".bz2", ".xz", ".lzma", ".lz4", ".7z", ".zip", ".br", ".z", ".sz", ".rar", ".tar", ".tgz"))
"""Compressions and archives that others write."""


def write_files(form: Form, chunks: Iterable[pa.Table], out: Path, about: About, shard_pages: int | None) -> None:
    """Write all chunks to their place."""
    _check_name(form, out)
    try:
        if shard_pages is not None:
            _write_directory(form, chunks, out, about, shard_pages)
        elif out == STANDARD_OUTPUT:
            form.write(chunks, sys.stdout.buffer, about)
            sys.stdout.buffer.flush()
        else:
            _write_file(form, chunks, out, about)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise explain(error, f"writing {out}") from error


def _check_name(form: Form, out: Path) -> None:
    """Refuse targets that do not exist and endings that do not fit the format."""
    if out == STANDARD_OUTPUT:
        return
    if not local(out).parent.is_dir():
        raise ConfigError(f"{out}: there is no directory {out.parent}; make it with: mkdir -p {out.parent}")
    ending = out.suffix.lower()
    if ending in UNKNOWN_ENDINGS or (form.compressed and ending in ENDINGS):
        endings = "none: the format compresses itself" if form.compressed else ", ".join(ENDINGS)
        raise ConfigError(f"{out}: files cannot be written as {ending}; known endings for compression: {endings}")


def _write_file(form: Form, chunks: Iterable[pa.Table], out: Path, about: About) -> None:
    if out.is_dir():
        raise ConfigError(f"{out}: is a directory; name a file, or say how many pages each file in it should have")
    if out.exists() and not out.is_file():
        # A pipe or device cannot be replaced by a file, and must not be.
        with open(out, "wb") as file, _compress(file, form, out.name) as sink:
            form.write(chunks, sink, about)
        return
    with replacing(out) as beside, open(beside, "wb") as file, _compress(file, form, out.name) as sink:
        form.write(chunks, sink, about)


@contextmanager
def _compress(file: BinaryIO, form: Form, name: str) -> Iterator[BinaryIO]:
    """Compress as the name says; no time and no name inside, so that bytes depend on the corpus alone."""
    if form.compressed or not name.endswith(ENDINGS):
        yield file
    elif name.endswith(".gz"):
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0, compresslevel=6) as stream:
            yield cast("BinaryIO", stream)
    else:
        with zstandard.ZstdCompressor(level=6).stream_writer(file, closefd=False) as stream:
            yield cast("BinaryIO", stream)


def _write_directory(form: Form, chunks: Iterable[pa.Table], out: Path, about: About, shard_pages: int) -> None:
    """Files ``part-00000`` and so on; the directory appears when all of them are whole."""
    _check_directory(out, form)
    out.parent.mkdir(parents=True, exist_ok=True)
    beside = out.parent / f"{TEMPORARY}{out.name}-{secrets.token_hex(4)}"
    beside.mkdir()
    try:
        for number, part in enumerate(split(chunks, shard_pages)):
            with replacing(beside / f"part-{number:05d}{form.suffix}") as path, open(path, "wb") as file:
                form.write(part, file, about)
        _swap(beside, out)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise


def _check_directory(out: Path, form: Form) -> None:
    if out == STANDARD_OUTPUT:
        raise ConfigError("several files cannot go to standard output; name a directory")
    if not out.exists():
        return
    if not out.is_dir():
        raise ConfigError(f"{out}: is a file; name a directory for several files")
    others = [one.name for one in out.iterdir() if not one.match(f"part-*{form.suffix}")]
    if others:
        raise ConfigError(f"{out}: holds other things ({sorted(others)[0]}); name a new directory")


def _swap(new: Path, out: Path) -> None:
    old = new.with_name(f"{new.name}-old")
    if out.exists():
        os.rename(out, old)
    os.rename(new, out)
    shutil.rmtree(old, ignore_errors=True)


def split(chunks: Iterable[pa.Table], pages: int) -> Iterator[Iterable[pa.Table]]:
    """Cut a stream of chunks into streams of this many pages; at least one, so that an empty corpus gives an empty file.

    Each stream is to be read to its end before the next is asked for.
    """
    rest = iter(chunks)
    waiting: list[pa.Table] = []

    def part() -> Iterator[pa.Table]:
        room = pages
        while room and (chunk := waiting.pop() if waiting else next(rest, None)) is not None:
            if chunk.num_rows > room:
                waiting.append(chunk.slice(room))
                chunk = chunk.slice(0, room)
            room -= chunk.num_rows
            yield chunk

    yield part()
    while waiting or (following := next(rest, None)) is not None:
        if not waiting:
            assert following is not None
            waiting.append(following)
        yield part()
