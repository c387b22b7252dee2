"""Reads the records of WARC and ARC files: all, in ranges, or one by its position.

A corpus refers to records by position and must cope with damaged archives, hence our own reader: every record has its
exact offset and length, inflating is bounded, reading continues at the next record after damage, and ranges of a file
can be read side by side. FastWARC 1.1, which our tests compare with, raises an exception at the first damaged byte and
returns the last record of a cut file as complete.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from paberki.archive.reading.archived_record import ArchiveRecord, Problem, RecordLimits, clean_url, normal_date
from paberki.archive.reading.compressed import CompressedLayout
from paberki.archive.reading.gzipped import MAGIC as GZIP_MAGIC
from paberki.archive.reading.heads import arc_line, parse_head
from paberki.archive.reading.record_layout import RecordLayout
from paberki.archive.reading.source import WindowedFile
from paberki.archive.reading.uncompressed import PlainLayout
from paberki.errors import InputError

__all__ = [
    "Archive",
    "ArchiveRecord",
    "Problem",
    "RecordLimits",
    "Scan",
    "clean_url",
    "format_of",
    "is_single_member",
    "normal_date",
    "read",
    "scan",
    "split",
]  # fmt: skip

_DEFAULT = RecordLimits()
_ZSTD_MAGICS = (b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18")
_FIRST_START = 64 << 20
"""How far into a compressed file the first sound record may begin; beyond that, it is not an archive."""


_BEYOND = 1 << 20
"""How far beyond its range a scan searches for a record: many ranges inside one huge record must not all read it."""


_FIRST_BYTES = 4096


class Archive:
    """An archive file that stays open, which makes many random reads cheap."""

    def __init__(self, path: Path | str, limits: RecordLimits = _DEFAULT) -> None:
        self.limits = limits
        self._source = WindowedFile(path)
        try:
            self.format = _format(self._source, limits)
        except BaseException:
            self._source.close()
            raise
        self.size = self._source.size
        self._layout = _layout(self._source, limits, self.format)

    def scan(self, start: int = 0, end: int | None = None, *, bodies: bool = True, exact: bool = False) -> Scan:
        """See :func:`scan`."""
        return Scan(self._layout, start, self.size if end is None else min(end, self.size), bodies, exact)

    def read(self, offset: int, length: int | None = None) -> ArchiveRecord:
        """See :func:`read`."""
        if not 0 <= offset < self.size:
            raise InputError(f"{self._source.name}: has no record at {offset}, it has {self.size} bytes")
        record = self._layout.record(offset)
        if length is not None and record.length != length:
            detail = f"the record has {record.length} bytes, not {length}"
            return ArchiveRecord(offset, record.length, record.type, record.headers, error=("wrong-length", detail))
        return record

    def first_bytes(self, offset: int) -> bytes:
        """The beginning of the record at ``offset``, a few kilobytes at most, without reading all of it."""
        if isinstance(self._layout, CompressedLayout):
            return self._layout.head(offset)
        return bytes(self._source.view(offset, _FIRST_BYTES))

    def close(self) -> None:
        self._source.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Scan(Iterator[ArchiveRecord]):
    """The records that start in a range, in file order, damaged stretches included.

    ``begin`` is where the range's first record starts, ``stop`` where the first record after the range starts; ``stop``
    is final when the iteration has ended. Content can look like a record start. Callers that scan ranges side by side
    therefore check that ``stop`` of one range equals ``begin`` of the next. If not, they scan the next range again
    with ``start=stop, exact=True``.
    """

    def __init__(self, layout: RecordLayout, start: int, end: int, bodies: bool, exact: bool) -> None:
        self._layout, self._end, self._bodies = layout, end, bodies
        self.begin = start if exact or start <= 0 else layout.next_start(start, end=max(end, start) + _BEYOND)
        self.stop = self.begin

    def __next__(self) -> ArchiveRecord:
        while self.stop < self._end:
            record = self._layout.record(self.stop, body=self._bodies)
            self.stop += record.length
            if record.type or record.error:
                return record
        raise StopIteration


def scan(
    path: Path | str,
    *,
    start: int = 0,
    end: int | None = None,
    limits: RecordLimits = _DEFAULT,
    bodies: bool = True,
    exact: bool = False,
) -> Scan:
    """Records that start in ``[start, end)``; ``exact`` says that a record is known to start at ``start``.

    The file is closed when the iterator is dropped.
    """
    return Archive(path, limits).scan(start, end, bodies=bodies, exact=exact)


def read(path: Path | str, offset: int, length: int | None = None, limits: RecordLimits = _DEFAULT) -> ArchiveRecord:
    """The record at ``offset``; a length that differs from ``length`` is noted as the record's error."""
    with Archive(path, limits) as archive:
        return archive.read(offset, length)


def format_of(path: Path | str) -> str:
    """``warc``, ``warc.gz``, ``warc.zst``, ``arc``, ``arc.gz`` or ``arc.zst``, by content, not by name."""
    with WindowedFile(path) as source:
        return _format(source, _DEFAULT)


def split(path: Path | str, size: int) -> list[tuple[int, int]]:
    """Ranges of about ``size`` bytes that cover the file, to be scanned side by side."""
    if size < 1:
        raise ValueError("a range has at least one byte")
    with WindowedFile(path) as source:
        total = source.size
    return list(itertools.pairwise([*range(0, total, size), total]))


def is_single_member(path: Path | str, limits: RecordLimits = _DEFAULT) -> bool:
    """Whether the file was compressed as a whole, as by ``gzip file.warc``; it must then be recompressed, since its
    records have no positions."""
    with Archive(path, limits) as archive:
        layout = archive._layout
        if not isinstance(layout, CompressedLayout):
            return False
        return layout.is_unaligned()


def _layout(source: WindowedFile, limits: RecordLimits, form: str) -> RecordLayout:
    if form.endswith((".gz", ".zst")):
        return CompressedLayout(source, limits, zstd=form.endswith(".zst"))
    return PlainLayout(source, limits, arc=form == "arc")


def _format(source: WindowedFile, limits: RecordLimits) -> str:
    if source.size == 0:
        raise InputError(f"{source.name}: is empty")
    first = bytes(source.view(0, limits.header_bytes))
    if GZIP_MAGIC.match(first) or first.startswith(_ZSTD_MAGICS):
        suffix = ".gz" if GZIP_MAGIC.match(first) else ".zst"
        head = CompressedLayout(source, limits, zstd=suffix == ".zst").first_head(_FIRST_START)
        if head:
            return ("warc" if head.startswith(b"WARC/") else "arc") + suffix
    elif first.startswith(b"WARC/") and (parse_head(first, limits).error or ("no-url", ""))[0] == "no-url":
        return "warc"
    elif arc_line(first) is not None:
        return "arc"
    raise InputError(f"{source.name}: is not a WARC or ARC file, compressed or not")
