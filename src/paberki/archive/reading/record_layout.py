"""The ways records lie in a file: one compressed member each, or one after the other as plain text.

A layout answers three questions: does a record begin here, where does the next one begin, and what is the
record here. The first two decide how reading goes on after damage and where a range of a file begins; both
use the same test, so that scanning ranges finds the records that scanning the whole file finds.
"""

from __future__ import annotations

import re
from typing import Protocol

from paberki.archive.reading.record import Record, RecordLimits
from paberki.archive.reading.source import WindowedFile

NEWLINES = 64
"""Line ends after a record that are taken as part of it; the format says four bytes, writers vary."""
_PATIENCE = 1 << 12
_STRIDE = 1 << 16
"""After so many false starts in one search we look once in so many bytes: such a file is hostile."""


class RecordLayout(Protocol):
    """How to find and read the records of one file."""

    def is_start(self, offset: int) -> bool: ...

    def next_start(self, offset: int, reach: int | None = None, end: int | None = None) -> int:
        """First record start at or after ``offset``, the file's size when there is none (looked for up to end)."""

    def record(self, offset: int, *, body: bool = True) -> Record:
        """The record, or the damaged stretch, that begins at ``offset``."""


class SearchableLayout:
    """The search for a next start, the same for every layout: candidates by pattern, each one tested."""

    pattern: re.Pattern[bytes]
    lead = 0
    """Bytes of the pattern before the record itself."""

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
