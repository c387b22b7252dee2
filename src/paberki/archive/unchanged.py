"""Archive files that were imported as links may be changed in place by whoever owns them: then nothing fits any more.

The sidecar of an imported file holds its size, time and digest. Size and time are looked at before every build; a file
with another time is read once more, and so is every file when asked.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path

from paberki.errors import StoreError
from paberki.store.directory import Directory, Source
from paberki.store.files import read_json, write_json


def digest_of(path: Path) -> str:
    """SHA-256 of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def changed_files(directory: Directory, *, deep: bool = False) -> Iterator[tuple[Source, str]]:
    """Archive files that are not what was imported, and what is wrong with each; ``deep`` reads all of them."""
    for source in directory.sources():
        fault = _fault(directory, source, deep=deep)
        if fault:
            yield source, fault


def check_unchanged(directory: Directory) -> None:
    """An error for the first archive file that has changed in place."""
    for source, fault in changed_files(directory):
        if "missing" not in fault:  # pages of a missing file fail one by one, and are fine when it is back
            raise StoreError(f"{source.path}: {fault}")


def _fault(directory: Directory, source: Source, *, deep: bool) -> str:
    if not source.path.exists():
        return "is missing; put the file back or import it again"
    about = source.path.stat()
    if about.st_size < source.committed:
        return "is shorter than when it was imported; restore it"
    if not source.sha256 or source.modified is None:
        return ""  # made by our own crawl, or imported by an earlier version
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
