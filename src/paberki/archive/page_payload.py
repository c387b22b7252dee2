"""The bytes of one page, by its place in the archive."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paberki.archive.payload import Payload, payload
from paberki.archive.reading.warc import Archive
from paberki.errors import StoreError


def page_payload(warc: Path, page: Mapping[str, Any]) -> Payload:
    """What the record of a page holds: its bytes, transfer and content coding undone, and what HTTP said about them."""
    path = warc / page["warc_file"]
    if not path.is_file():
        raise StoreError(f"{path}: the archive file is missing; put it back or import it again")
    with Archive(path) as archive:
        record = archive.read(page["warc_offset"], page["warc_length"])
    content = payload(record)
    if problem := record.error or content.error:
        raise StoreError(f"{path.name} at {page['warc_offset']}: {problem[0]} ({problem[1]})")
    return content
