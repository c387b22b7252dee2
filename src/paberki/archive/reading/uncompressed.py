"""Reads archives without compression: records one after the other, whose declared lengths may be wrong."""

from __future__ import annotations

import re

from paberki.archive.reading.archived_record import ArchiveRecord, Problem, RecordLimits
from paberki.archive.reading.gzipped import TRUNCATED
from paberki.archive.reading.heads import WARC_START, RecordHead, parse_head
from paberki.archive.reading.record_layout import NEWLINES, SearchableLayout
from paberki.archive.reading.source import WindowedFile

_WARC_LINE = re.compile(rb"\nWARC/[01]\.\d{1,2}[ \t]{0,8}\r?\n")
_ARC_LINE = re.compile(rb"\n[A-Za-z][A-Za-z0-9+.-]{0,30}:[^\n]{1,900} \d{12,14} ")


_SHORT_HEAD = 1 << 12
"""Longest header of a candidate in a search; where a record is known to begin, the header may be longer."""


class PlainLayout(SearchableLayout):
    """A layout of uncompressed records; a record is skipped without reading it if its length is plausible."""

    lead = 1

    def __init__(self, source: WindowedFile, limits: RecordLimits, *, arc: bool = False) -> None:
        super().__init__(source, limits)
        self.pattern = _ARC_LINE if arc else _WARC_LINE
        self._arc = arc

    def is_start(self, offset: int) -> bool:
        if not self._arc and not WARC_START.match(self.source.view(offset, 32)):
            return False
        return _is_framed(parse_head(bytes(self.source.view(offset, _SHORT_HEAD)), self.limits))

    def record(self, offset: int, *, body: bool = True) -> ArchiveRecord:
        head = self._head(offset)
        if not _is_framed(head):
            end = self.next_start(offset + 1)
            is_cut = end == self.source.size and end - offset < self.limits.header_bytes and head.error
            return ArchiveRecord(
                offset, end - offset, head.type, head.headers, error=TRUNCATED if is_cut else head.error
            )
        end, error = self._end(offset, head)
        error = error or head.error
        if not error and head.length > self.limits.record_bytes:
            error = (
                "too-large",
                f"Content-Length is {head.length}, more than {self.limits.record_bytes} bytes",
            )
        content = self.source.bytes_at(offset + head.at, head.length) if body and not error else b""
        return ArchiveRecord(offset, end - offset, head.type, head.headers, content, error)

    def _head(self, offset: int) -> RecordHead:
        short = parse_head(bytes(self.source.view(offset, _SHORT_HEAD)), self.limits)
        if _is_framed(short):
            return short
        return parse_head(bytes(self.source.view(offset, self.limits.header_bytes)), self.limits)

    def _end(self, offset: int, head: RecordHead) -> tuple[int, Problem | None]:
        """Where the record ends, and the problem of its declared length, if any.

        The length is accepted when a record or the end of the file follows, or when the end mark is in its place: then
        the damage is in what follows.
        """
        block, size = offset + head.at, self.source.size
        end = block + head.length
        if end <= size:
            tail = bytes(self.source.view(end, NEWLINES))
            after = end + len(tail) - len(tail.lstrip(b"\r\n"))
            marks = (b"\n",) if self._arc else (b"\r\n\r\n", b"\n\n")
            if after == size or self.is_start(after) or tail.startswith(marks):
                return after, None
        following = self.next_start(block)
        if end > size and following == size:
            return size, TRUNCATED
        return following, ("wrong-length", f"Content-Length is {head.length}, the next record begins elsewhere")


def _is_framed(head: RecordHead) -> bool:
    """Whether the header gives the end of the record, whatever else is wrong with it."""
    return head.error is None or head.error[0] == "no-url"
