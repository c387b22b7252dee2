"""Unforeseen exceptions: each costs the page that caused it, not the crawl."""

from __future__ import annotations

import logging
import sqlite3
import traceback
from pathlib import Path

from paberki.crawl.clock import stamp
from paberki.crawl.fetching.fetch_errors import PageError
from paberki.errors import FetchError, StoreError

log = logging.getLogger(__name__)

MOST_IN_A_ROW = 20
"""Consecutive unforeseen errors after which the crawl ends, since the pages cannot be the cause."""
_LONGEST_LOG = 10 << 20
_OF_PAGES = sqlite3.DataError | sqlite3.InterfaceError | sqlite3.ProgrammingError | sqlite3.IntegrityError


class Mishaps:
    """Counts and logs unforeseen errors, with their tracebacks in ``internal.log``."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / "internal.log"
        self._in_a_row = 0

    def note(self, url: str, error: Exception, now: float) -> None:
        """Log an error that a page caused; raise any other error, and FetchError after too many in a row."""
        if not _of_a_page(error):
            raise error
        log.error("Internal error at %s: %r", url, error)
        self._write(f"{stamp(now)} {url}\n{''.join(traceback.format_exception(error))}\n")
        self._in_a_row += 1
        if self._in_a_row >= MOST_IN_A_ROW:
            raise FetchError(
                f"{self._in_a_row} turns in a row ended in an internal error, the last one at {url} ({error!r});"
                f" see {self._path}, and run 'paberki doctor'"
            ) from error

    def none(self) -> None:
        """Note a turn without an error."""
        self._in_a_row = 0

    def _write(self, text: str) -> None:
        with self._path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            if file.tell() < _LONGEST_LOG:
                file.write(text)


def _of_a_page(error: Exception) -> bool:
    """Whether the content of a page can have caused an error, rather than the disk, the memory or the frontier."""
    if isinstance(error, PageError | UnicodeError | _OF_PAGES):
        return True
    if isinstance(error, OSError):
        return error.errno is None
    return not isinstance(error, sqlite3.Error | MemoryError | StoreError)
