"""The page as the server sent it: bytes from the archive, transfer and content coding undone."""

from __future__ import annotations

from dataclasses import dataclass

from paberki.archive.payload import payload
from paberki.archive.reading.warc import Archive
from paberki.errors import StoreError
from paberki.report.one_page.row import Row
from paberki.store.directory import Directory

__all__ = ["Original", "read_original"]


@dataclass(frozen=True, slots=True)
class Original:
    """The bytes of a page, and what they are."""

    data: bytes
    mime: str
    encoding: str | None
    """The encoding that the corpus read them in."""


def read_original(directory: Directory, row: Row) -> Original:
    """The bytes of the page in this row; the row must not be of a page that was taken down."""
    path = directory.warc / str(row["warc_file"])
    if not path.exists():
        raise StoreError(f"{path}: the archive file is missing; put it back or import it again")
    record = Archive(path).read(row["warc_offset"], row["warc_length"])
    content = payload(record)
    if problem := record.error or content.error:
        raise StoreError(f"{path} at {row['warc_offset']}: {problem[0]} ({problem[1]})")
    return Original(bytes(content.data), str(row["mime"] or "application/octet-stream"), row["encoding"])
