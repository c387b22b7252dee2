"""Damaged files of a crawl become one error message that names the file and the next step."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from paberki.errors import StoreError

_OF_FILES = (sqlite3.DatabaseError, ValueError, TypeError, LookupError, OverflowError, FileNotFoundError)


@contextmanager
def opening(state: Path, warc: Path) -> Iterator[None]:
    """Turn any failure to open the files in ``state`` into a StoreError."""
    try:
        yield
    except _OF_FILES as error:
        raise _explain(state, warc, error) from error


@contextmanager
def reading(state: Path, warc: Path) -> Iterator[None]:
    """Turn a database error in the middle of a crawl into a StoreError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise _explain(state, warc, error) from error


def _explain(state: Path, warc: Path, error: BaseException) -> StoreError:
    if isinstance(error, sqlite3.OperationalError):  # the disk or another process is at fault, not the file
        return StoreError(
            f"{state}: the frontier cannot be used ({error}); mend that and run the same command to go on"
        )
    return StoreError(
        f"{state}: the frontier cannot be read ({error}); move that directory away to crawl anew, pages in {warc} stay"
    )
