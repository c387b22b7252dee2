"""Detects archive files that were changed after their import, which invalidates all positions in them.

Archive files may be imported as links, and their owners may change them in place. The sidecar of an imported file holds
its size, modification time and digest. Size and time are checked before every build; a file with another time is read
and compared by digest, and so is every file on request.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path

from paberki.errors import StoreError
from paberki.store.directory import ArchiveSource, Directory
from paberki.store.files import read_json, write_json


def digest_of(path: Path) -> str:
    """SHA-256 of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def changed_files(directory: Directory, *, deep: bool = False) -> Iterator[tuple[ArchiveSource, str]]:
    """Archive files that have changed since they were imported, each with the fault; ``deep`` reads all of them."""
    for source in directory.sources():
        fault = _fault(directory, source, deep=deep)
        if fault:
            yield source, fault


def check_unchanged(directory: Directory) -> None:
    """Raise StoreError for the first archive file that has changed in place."""
    for source, fault in changed_files(directory):
        if "missing" not in fault:  # pages of a missing file fail one by one, and are fine once it is back
            raise StoreError(f"{source.path}: {fault}")


def _fault(directory: Directory, source: ArchiveSource, *, deep: bool) -> str:
    if not source.path.exists():
        return "is missing; put the file back or import it again"
    about = source.path.stat()
    if about.st_size < source.committed:
        return "is shorter than when it was imported; restore it"
    if not source.sha256 or source.modified is None:
        return ""  # written by our own crawl, or imported by an earlier version
    if about.st_size != source.committed:
        return _CHANGED_MESSAGE
    if about.st_mtime_ns == source.modified and not deep:
        return ""
    if digest_of(source.path) != source.sha256:
        return _CHANGED_MESSAGE
    if about.st_mtime_ns != source.modified:
        with contextlib.suppress(OSError):
            path = directory.warc / f"{source.name}.json"
            write_json(path, {**read_json(path), "modified": about.st_mtime_ns})
    return ""


_CHANGED_MESSAGE = (
    "has changed since it was imported; restore it, or take the corpus as it is now by importing the new file under "
    "another name"
)
