"""WET: the text of each page as a WARC record of the type ``conversion``, as Common Crawl publishes texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pyarrow as pa
import zstandard
from isal import isal_zlib

from paberki.archive.warc_writer import record_head
from paberki.export.export_format import Counts, ExportHead, ExportPiece, Form
from paberki.export.words.markup_text import moment
from paberki.store.reading import TEXT

_LEVEL = 2


def _packer(ending: str) -> Callable[[bytes], bytes]:
    """Every record is compressed on its own, so that it can be read by its position."""
    if ending == ".gz":
        return lambda record: isal_zlib.compress(record, _LEVEL, wbits=31)
    if ending == ".zst":
        return zstandard.ZstdCompressor(level=4).compress
    return bytes


def _record(
    kind: str, about: ExportHead, url: str | None, date: str | None, media: str, block: bytes, more: dict[str, str]
) -> bytes:
    head = record_head(
        kind, url=url, date=date, content_type=media, block=block, payload=None, headers=more, record_id=None
    )
    return _packer(about.ending)(head + block + b"\r\n\r\n")


def head(about: ExportHead, counts: Counts) -> bytes:
    """The record that names the software."""
    del counts
    block = b"software: paberki\r\nformat: WARC File Format 1.1\r\n"
    return _record("warcinfo", about, None, None, "application/warc-fields", block, {})


def render(pages: pa.Table, about: ExportHead) -> ExportPiece:
    """A record for each page; its id and language are in headers."""
    records = []
    for page in pages.to_pylist():
        lang = {"WARC-Identified-Content-Language": page["lang"]} if page.get("lang") else {}
        more = {"WARC-Paberki-Id": page["id"], **lang}
        date = moment(page["date"]) if page.get("date") else None
        block = (page[TEXT] or "").encode("utf-8", "replace")
        records.append(_record("conversion", about, page["url"], date, "text/plain", block, more))
    return ExportPiece(b"".join(records), Counter(pages=pages.num_rows))


FORM = Form(
    render, ("id", "url", "date", "lang", TEXT), ".warc.wet", head=head, own_endings=(".gz", ".zst"), attributes=False
)  # fmt: skip
