"""The checksums of a release: one line for each file, in the form that ``sha256sum --check`` reads."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from paberki.errors import StoreError
from paberki.store.files import write_text

FILE: Final = "SHA256SUMS"
_PRIVATE: Final = frozenset((".paberki", "cache", "report"))
"""Folders that reading may write to."""


def write_checksums(folder: Path) -> int:
    """Write the checksums of all files of a folder; their number."""
    lines = [f"{digest_of(path)}  {path.relative_to(folder).as_posix()}\n" for path in _files(folder)]
    write_text(folder / FILE, "".join(lines))
    return len(lines)


def faults(folder: Path) -> Iterator[tuple[str, str]]:
    """Files that are not as they were released, each with what is wrong."""
    digests = read_checksums(folder)
    for name, digest in digests.items():
        path = folder / name
        if not path.is_file():
            yield name, "is missing"
        elif digest_of(path) != digest:
            yield name, "has changed"
    for path in _files(folder):
        if path.relative_to(folder).as_posix() not in digests:
            yield path.relative_to(folder).as_posix(), "was added"


def read_checksums(folder: Path) -> dict[str, str]:
    """Digests by the names of the files."""
    path = folder / FILE
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path}: cannot be read ({error}); the release cannot be checked without it") from error
    digests = {}
    for number, line in enumerate(lines, 1):
        digest, _, name = line.partition("  ")
        if len(digest) != 64 or not name or Path(name).is_absolute() or ".." in Path(name).parts:
            raise StoreError(f"{path}, line {number}: not a checksum and the name of a file in the release")
        digests[name] = digest
    return digests


def digest_of(path: Path) -> str:
    """SHA-256 of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and parts != (FILE,) and not _PRIVATE.intersection(parts[:-1]):
            yield path
