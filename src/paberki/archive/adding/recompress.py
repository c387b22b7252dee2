"""Recompresses an archive that was compressed as a whole, so that every record is its own gzip member.

In the output of ``gzip file.warc`` no record has a position. The archive is inflated to a plain file beside the target
and split there: this allows skipping a damaged stretch, which a stream would not.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import zstandard
from isal import isal_zlib

from paberki.archive.reading.archived_record import RecordLimits
from paberki.archive.reading.gzipped import MAGIC, PIECE, InflateError
from paberki.archive.reading.source import WINDOW, WindowedFile
from paberki.archive.reading.uncompressed import PlainLayout
from paberki.archive.reading.warc import Scan, format_of
from paberki.archive.reading.zstd import decompressor
from paberki.errors import InputError

_DEFAULT = RecordLimits()
_FREE_BYTES = 1 << 30
"""Inflated size that is allowed whatever the ratio."""


def recompress(source: Path | str, target: Path | str, *, limits: RecordLimits = _DEFAULT) -> int:
    """Write every record, damaged ones included, as a member of ``target``; return their number."""
    form, target = format_of(source), Path(target)
    plain, part = (target.with_name(f".{target.name}.{end}") for end in ("plain", "part"))
    try:
        if form.endswith((".gz", ".zst")):
            _inflate_to(plain, source, limits, zstd=form.endswith(".zst"))
            count = _cut_up(plain, part, limits, arc=form.startswith("arc"))
        else:
            count = _cut_up(Path(source), part, limits, arc=form == "arc")
        os.replace(part, target)
    finally:
        plain.unlink(missing_ok=True)
        part.unlink(missing_ok=True)
    return count


def _inflate_to(plain: Path, path: Path | str, limits: RecordLimits, *, zstd: bool) -> None:
    with WindowedFile(path) as source, open(plain, "wb") as out:
        remaining_bytes = max(_FREE_BYTES, limits.ratio * source.size)
        for piece in _unzstd(path, source) if zstd else _gunzip(source):
            remaining_bytes -= len(piece)
            if remaining_bytes < 0:
                raise InputError(f"{source.name}: inflates more than {limits.ratio} to 1, so it is no archive of pages")
            out.write(piece)


def _cut_up(plain: Path, part: Path, limits: RecordLimits, *, arc: bool) -> int:
    count = 0
    with WindowedFile(plain) as source, open(part, "wb") as out:
        for record in Scan(PlainLayout(source, limits, arc=arc), 0, source.size, bodies=False, exact=True):
            count += 1
            for piece in _member(source, record.offset, record.length):
                out.write(piece)
        out.flush()
        os.fsync(out.fileno())
    return count


def _member(source: WindowedFile, offset: int, length: int) -> Iterator[bytes]:
    packer = isal_zlib.compressobj(2, wbits=31)
    for at in range(offset, offset + length, WINDOW):
        yield packer.compress(source.view(at, min(WINDOW, offset + length - at)))
    yield packer.flush()


def _gunzip(source: WindowedFile) -> Iterator[bytes]:
    """Inflate member after member; after damage, continue with the next member."""
    start = source.search(MAGIC, 0)
    while start >= 0:
        inflater, position = isal_zlib.decompressobj(wbits=31), start
        try:
            while not inflater.eof and (piece := source.view(position, PIECE)):
                position += len(piece)
                out = inflater.decompress(piece, WINDOW)
                yield out
                while not inflater.eof and (len(out) == WINDOW or inflater.unconsumed_tail):
                    out = inflater.decompress(inflater.unconsumed_tail, WINDOW)
                    yield out
            start = source.search(MAGIC, max(position - len(inflater.unused_data), start + 1))
        except InflateError:
            start = source.search(MAGIC, start + 1)


def _unzstd(path: Path | str, source: WindowedFile) -> Iterator[bytes]:
    """Decompress all frames up to the first damaged one."""
    with (
        open(path, "rb") as file,
        decompressor(source).stream_reader(file, read_across_frames=True) as stream,
    ):
        try:
            while piece := stream.read(WINDOW):
                yield piece
        except zstandard.ZstdError:
            return
