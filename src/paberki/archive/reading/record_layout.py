"""How records are laid out in a file: each as a compressed member, or one after the other without compression.

A layout answers three questions: does a record begin here, where does the next one begin, and what is the record here?
The first two decide how reading continues after damage and where a range of a file begins. Both use the same test, so
that scanning in ranges finds the same records as scanning the whole file.
"""

from __future__ import annotations

import re
from typing import Protocol

from paberki.archive.reading.archived_record import ArchiveRecord, RecordLimits
from paberki.archive.reading.source import WindowedFile

NEWLINES = 64
"""Most bytes of line ends after a record that count as part of it; the format requires four bytes, writers vary."""
_PATIENCE = 1 << 12
_STRIDE = 1 << 16
"""After ``_PATIENCE`` false starts, a search tests only once per ``_STRIDE`` bytes: such a file is hostile."""


class RecordLayout(Protocol):
    """How to find and read the records of one file."""

    def is_start(self, offset: int) -> bool: ...

    def next_start(self, offset: int, reach: int | None = None, end: int | None = None) -> int:
        """First record start at or after ``offset``, searched up to ``end``; the file's size if there is none."""

    def record(self, offset: int, *, body: bool = True) -> ArchiveRecord:
        """The record, or the damaged stretch, that begins at ``offset``."""


class SearchableLayout:
    """The search for the next record, shared by all layouts: a pattern finds candidates, and each is tested."""

    pattern: re.Pattern[bytes]
    lead = 0
    """Bytes that the pattern matches before the record."""

    def __init__(self, source: WindowedFile, limits: RecordLimits) -> None:
        self.source = source
        self.limits = limits

    def is_start(self, offset: int) -> bool:
        raise NotImplementedError

    def next_start(self, offset: int, reach: int | None = None, end: int | None = None) -> int:
        at, failures = max(0, offset - self.lead), 0
        while (at := self.source.search(self.pattern, at, end)) >= 0:
            if self.is_start(at + self.lead):
                return at + self.lead
            if reach is not None and at > offset + reach:
                break
            failures += 1
            at += 1 if failures < _PATIENCE else _STRIDE
        return self.source.size
