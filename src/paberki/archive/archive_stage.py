"""The archive's stages of a build: payloads of pages by their position in warc/, and captures of one URL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.archive.payload import Payload, payload
from paberki.archive.reading.warc import Archive
from paberki.errors import InputError, StoreError
from paberki.stage import Columns, ephemeral, join_stage
from paberki.store.batch import Batch
from paberki.store.columns import TIME, builtin
from paberki.store.group_hashes import hashes

Fields = tuple[tuple[str, str], ...]
"""Names in lower case with their values."""
_COMPANIONS: Final = 3
"""Most records after a page that may belong to it: its request and its metadata."""
_MOST_METADATA: Final = 1 << 16
_TYPE: Final = re.compile(rb"(?i)^WARC/[\d.]+\r?\n(?:[\w-]+:[^\n]*\n)*?WARC-Type:[ \t]*([\w-]+)")


@lru_cache(maxsize=64)
def _open(path: Path) -> Archive:
    if not path.exists():
        # A StoreError, not an error of the pages: they are fine once the file is back.
        raise StoreError(f"{path}: the archive file is missing; put it back or import it again")
    return Archive(path)


@ephemeral("responses", needs=("archive.warc_file", "archive.warc_offset", "archive.warc_length"))
def read_responses(batch: Batch) -> Sequence[Payload]:
    """What each record holds: the bytes of the page, content encoding undone, and what HTTP said about them."""
    if batch.warc is None:
        raise InputError("the pages are not in an archive")
    payloads = []
    places = zip(batch["archive.warc_file"], batch["archive.warc_offset"], batch["archive.warc_length"], strict=True)
    for file, offset, length in places:
        record = _open(batch.warc / file).read(offset, length)
        content = payload(record)
        if problem := record.error or content.error:
            raise InputError(f"{file} at {offset}: {problem[0]} ({problem[1]})")
        payloads.append(content)
    return payloads


@ephemeral("payload", needs=("responses",))
def read_payloads(batch: Batch) -> Sequence[bytes]:
    """The bytes of each page."""
    return [response.data for response in batch["responses"]]


@ephemeral("metadata", needs=("archive.url", "archive.warc_file", "archive.warc_offset", "archive.warc_length"))
def read_metadata(batch: Batch) -> Sequence[Fields]:
    """What the metadata records between a page and the next one say about it (WARC 1.1 §6.6)."""
    if batch.warc is None:
        return [()] * len(batch)
    names = ("archive.url", "archive.warc_file", "archive.warc_offset", "archive.warc_length")
    rows = zip(*(batch[name] for name in names), strict=True)
    return [_metadata(_open(batch.warc / file), url, offset + length) for url, file, offset, length in rows]


def _is_a_page(first: bytes) -> bool:
    """Whether the first bytes of a record name a type other than request and metadata."""
    kind = _TYPE.search(first)
    return kind is not None and kind[1].lower() not in (b"request", b"metadata")


def _metadata(archive: Archive, url: str, at: int) -> Fields:
    fields: list[tuple[str, str]] = []
    for _ in range(_COMPANIONS):
        if at >= archive.size or _is_a_page(archive.first_bytes(at)):
            break
        record = archive.read(at)
        if record.error or record.type not in ("request", "metadata"):
            break
        if record.type == "metadata" and record.url == url:
            lines = record.body[:_MOST_METADATA].decode("utf-8", "replace").splitlines()
            pairs = (line.partition(":") for line in lines)
            fields += [(name.strip().lower(), value.strip()) for name, colon, value in pairs if colon]
        at += record.length
    return tuple(fields)


@join_stage(
    "captures.v1",
    layer="captures",
    needs=("archive.url", "archive.date", "archive.status", "archive.error"),
    adds=builtin("captures"),
    revisits=True,
)
class Captures:
    """Which capture of its URL a page is, whether a later one exists, and when it was last seen unchanged.

    Only successful captures count: a page is not superseded by a later 404. Revisit records extend ``last_seen`` of
    the capture that they refer to. Pages without a date come in the order of the archive. Revisit records are those
    of WARC 1.1 (ISO 28500 §6.7); the papers crawled once, so no paper treats captures.
    """

    @staticmethod
    def emit(batch: Batch, config: object) -> pa.Table:
        """Group captures by URL; failed requests and damaged records take no part."""
        status = batch.arrow("archive.status")
        fine = pc.and_(
            pc.or_kleene(pc.is_null(status), pc.equal(status, 200)), pc.is_null(batch.arrow("archive.error"))
        ).fill_null(False)
        url = batch.arrow("archive.url")
        fine = pc.and_(fine, pc.not_equal(url, ""))
        date = batch.arrow("archive.date").cast(pa.int64()).fill_null(0)
        table = pa.table(
            {
                "group": hashes(url),
                "page": pa.array(batch.pages, pa.int64()),
                "date": date,
                "since": pa.nulls(len(batch), pa.int64()),
            }
        )
        return table.filter(fine)

    @staticmethod
    def resolve(rows: pa.Table, config: object) -> pa.Table:
        """Order the captures of each URL by date, then page; revisits have page −1."""
        rows = rows.sort_by([("group", "ascending"), ("date", "ascending"), ("page", "ascending")])
        group, page, date = (rows.column(name).to_numpy() for name in ("group", "page", "date"))
        since = rows.column("since").fill_null(-1).to_numpy()
        captures = np.flatnonzero(page >= 0)
        group_c, page_c, date_c = group[captures], page[captures], date[captures]
        if len(captures):
            starts = np.r_[True, group_c[1:] != group_c[:-1]]
            first = np.maximum.accumulate(np.where(starts, np.arange(len(captures)), 0))
            number = np.arange(len(captures)) - first + 1
            latest = np.r_[group_c[1:] != group_c[:-1], True]
        else:
            number, latest = np.zeros(0, np.int64), np.zeros(0, bool)
        last_seen = date_c.copy()
        for revisit in np.flatnonzero(page < 0):
            low, high = (
                np.searchsorted(group_c, group[revisit]),
                np.searchsorted(group_c, group[revisit], "right"),
            )
            limit = since[revisit] if since[revisit] >= 0 else date[revisit]
            at = low + np.searchsorted(date_c[low:high], limit, "right") - 1
            if at >= low:
                last_seen[at] = max(last_seen[at], date[revisit])
        return pa.table(
            {
                "page": pa.array(page_c, pa.int64()),
                "capture": pa.array(number, pa.int32()),
                "latest": pa.array(latest, pa.bool_()),
                "last_seen": pa.array(last_seen, pa.int64(), mask=last_seen == 0).cast(TIME),
            }
        )

    @staticmethod
    def apply(batch: Batch, decisions: pa.Table, config: object) -> Columns:
        """The decisions are the columns."""
        return {name: decisions.column(name) for name in ("capture", "latest", "last_seen")}
