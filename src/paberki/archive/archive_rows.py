"""Turns an archived record into a row of the archive layer: position, headers, content."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any

import numpy as np

from paberki.archive.annotated_page import MIME, archive_columns
from paberki.archive.payload import Payload, payload
from paberki.archive.reading.archived_record import ArchiveRecord, RecordLimits
from paberki.web.registered_domains import host_of, registered_domain

PAGE_TYPES = ("response", "resource", "conversion")
"""Records that are pages; requests, metadata and the like are not."""
FINGERPRINT_LENGTH = 128
STAGE = "archive.v1"
_SAMPLES = np.arange(FINGERPRINT_LENGTH)


def fingerprint(data: bytes) -> str:
    """P5 §3.4: 128 characters evenly spread over the document tell perfect duplicates.

    Deviation: the last sample is the last byte. texrex steps by ``len div n`` and so never sees the end of a document.
    We keep a hash of the samples instead of the samples.
    """
    if len(data) > FINGERPRINT_LENGTH:
        places = _SAMPLES * (len(data) - 1) // (FINGERPRINT_LENGTH - 1)
        data = np.frombuffer(data, np.uint8)[places].tobytes()
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def stable_key(url: str, date: str | None, sha224: str) -> str:
    """Permanent key of a page, used in tombstones, duplicates and published lists."""
    return hashlib.blake2b(f"{url}\0{date or ''}\0{sha224}".encode("utf-8", "replace"), digest_size=16).hexdigest()


def _moment(date: str | None) -> datetime | None:
    return datetime.fromisoformat(date.removesuffix("Z")) if date else None


def is_page(record: ArchiveRecord) -> bool:
    """Whether the record is numbered as a page; damaged stretches are too, so that they stay visible."""
    return record.error is not None or record.type in PAGE_TYPES


def page_row(record: ArchiveRecord, file: str, limits: RecordLimits) -> dict[str, Any]:
    """All columns of the archive layer except id; a damaged record has an error and no content."""
    body = Payload() if record.error else payload(record, max_bytes=limits.record_bytes)
    problem = record.error or body.error
    data = b"" if problem else body.data
    url, date, sha224 = record.url or "", record.date, hashlib.sha224(data).hexdigest()
    if problem:
        # Damaged records have no content, so their position distinguishes them.
        sha224 = hashlib.sha224(f"{file}\0{record.offset}".encode()).hexdigest()
    host = host_of(url)
    return {
        "key": stable_key(url, date, sha224),
        "url": url,
        "host": host,
        "domain": registered_domain(host),
        "date": _moment(date),
        "status": body.status,
        "mime": body.mime,
        "http_charset": body.http_charset,
        "ip": record.headers.get("warc-ip-address"),
        "record_type": record.type or None,
        "warc_file": file,
        "warc_offset": record.offset,
        "warc_length": record.length,
        "payload_bytes": len(data),
        "sha224": None if problem else sha224,
        "fingerprint": None if problem else fingerprint(data),
        "truncated": body.truncated or "warc-truncated" in record.headers,
        **_imported_columns(body, data),
        "error": {"stage": STAGE, "code": problem[0], "detail": problem[1]} if problem else None,
    }


def _imported_columns(body: Payload, data: bytes) -> dict[str, Any]:
    """Columns of pages that were imported with their annotation."""
    nothing = {"source_id": None, "attributes": None, "block_attributes": None}
    if body.mime != MIME or not data:
        return nothing
    try:
        return archive_columns(data)
    except (ValueError, TypeError, RecursionError):
        return nothing


def revisit_row(record: ArchiveRecord) -> dict[str, Any] | None:
    """The row of a revisit record: its URL was fetched again and had not changed; None for other records."""
    if record.type != "revisit" or record.error or not record.url or not record.date:
        return None
    from paberki.archive.reading.archived_record import clean_url, normal_date

    since = normal_date(record.headers.get("warc-refers-to-date", ""))
    url = clean_url(record.headers.get("warc-refers-to-target-uri", "")) or record.url
    return {"url": url, "date": _moment(record.date), "since": _moment(since)}
