"""Reads archives in which every record is its own compressed member."""

from __future__ import annotations

from paberki.archive.reading.archived_record import ArchiveRecord, Problem, RecordLimits
from paberki.archive.reading.gzipped import MAGIC as GZIP_MAGIC
from paberki.archive.reading.gzipped import Member, gzip_head, gzip_member
from paberki.archive.reading.heads import ARC_LINE_BYTES, RecordHead, is_head, parse_head
from paberki.archive.reading.record_layout import NEWLINES, SearchableLayout
from paberki.archive.reading.source import WindowedFile
from paberki.archive.reading.zstd import MAGIC as ZSTD_MAGIC
from paberki.archive.reading.zstd import FrameReader


class CompressedLayout(SearchableLayout):
    """A layout in which every record is its own gzip member or Zstandard frame."""

    def __init__(self, source: WindowedFile, limits: RecordLimits, *, zstd: bool = False) -> None:
        super().__init__(source, limits)
        self.pattern = ZSTD_MAGIC if zstd else GZIP_MAGIC
        self._frames = FrameReader(source) if zstd else None

    def is_start(self, offset: int) -> bool:
        if not self.pattern.match(self.source.view(offset, 4)):
            return False
        return is_head(self.head(offset))

    def head(self, offset: int) -> bytes:
        return self._frames.head(offset) if self._frames else gzip_head(self.source, offset)

    def member(self, offset: int) -> Member:
        if self._frames:
            return self._frames.member(offset, self.limits)
        return gzip_member(self.source, offset, self.limits)

    def record(self, offset: int, *, body: bool = True) -> ArchiveRecord:
        member = self.member(offset)
        if member.error:
            return ArchiveRecord(offset, self._damage(offset, member), error=member.error)
        assert member.length is not None
        if not member.data:
            return ArchiveRecord(offset, member.length)
        head = parse_head(member.data, self.limits)
        error = head.error or misfit(member.data, head)
        content = member.data[head.at : head.at + head.length] if body and not error else b""
        return ArchiveRecord(offset, member.length, head.type, head.headers, content, error)

    def first_head(self, reach: int) -> bytes:
        """First bytes of the first sound record that begins within ``reach`` bytes; empty if there is none."""
        at = self.next_start(0, reach)
        return self.head(at) if at < self.source.size else b""

    def is_unaligned(self) -> bool:
        """Whether the first record and the first member end at different positions."""
        start = 0 if self.is_start(0) else self.next_start(0)
        member = self.member(start)
        head = parse_head(member.data, self.limits)
        if head.error and head.error[0] != "no-url":
            return False
        problem = misfit(member.data, head)
        if problem is None or problem[0] == "many-records":
            return problem is not None
        short = member.error is None and len(member.data) < head.at + head.length
        after = start + (member.length or 0)
        return short and after < self.source.size and not self.is_start(after)

    def _damage(self, offset: int, member: Member) -> int:
        """Length of the damage: to the member's end if a record or nothing follows, else to the next record."""
        if member.length is not None:
            end = offset + member.length
            if end == self.source.size or self.is_start(end):
                return member.length
        return self.next_start(offset + member.least) - offset


def misfit(data: bytes, head: RecordHead) -> Problem | None:
    """The problem of a member that does not hold exactly one record of the declared length; ``None`` if it does."""
    end = head.at + head.length
    rest = len(data) - end
    if rest < 0:
        return "wrong-length", f"Content-Length is {head.length}, the block has {len(data) - head.at} bytes"
    if rest <= NEWLINES and not data[end:].strip(b"\r\n"):
        return None
    if is_head(data[end : end + NEWLINES + ARC_LINE_BYTES].lstrip(b"\r\n")):
        return (
            "many-records",
            "the compressed member holds more than one record; the file must be recompressed",
        )
    return "wrong-length", f"Content-Length is {head.length}, the block has {len(data) - head.at} bytes"
