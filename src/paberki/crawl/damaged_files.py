"""Files of a crawl that cannot be read: one sentence that says which, and what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from paberki.errors import StoreError

_OF_FILES = (sqlite3.DatabaseError, ValueError, TypeError, LookupError, OverflowError, FileNotFoundError)


@contextmanager
def opening(state: Path, warc: Path) -> Iterator[None]:
    """Whatever goes wrong while the files in ``state`` are opened is their fault."""
    try:
        yield
    except _OF_FILES as error:
        raise _explain(state, warc, error) from error


@contextmanager
def reading(state: Path, warc: Path) -> Iterator[None]:
    """A database that turns out to be damaged in the middle of a crawl."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise _explain(state, warc, error) from error


def _explain(state: Path, warc: Path, error: BaseException) -> StoreError:
    if isinstance(error, sqlite3.OperationalError):  # of the disk or another process, not of the file
        return StoreError(
            f"{state}: the frontier cannot be used ({error}); mend that and run the same command to go on"
        )
    return StoreError(
        f"{state}: the frontier cannot be read ({error}); move that directory away to crawl anew, pages in {warc} stay"
    )
