"""Extracts the bytes of a page from an archived record: removes the HTTP head, decodes transfer and content codings.

Servers and crawlers make mistakes in all of this, so every step returns its input unchanged when a claim about it is
false: a body that is declared as chunked or gzipped but is not stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from paberki.archive.codings import dechunk, decode_content
from paberki.archive.reading.archived_record import ArchiveRecord, Problem
from paberki.archive.reading.heads import decode, head_end, header_lines

MAX_BYTES = 64 << 20

_STATUS = re.compile(rb"[\r\n]{0,8}(?:HTTP/\d{1,2}(?:\.\d{1,2})?|ICY)[ \t]+(\d{3})(?!\d)[^\n]*(?:\n|\Z)", re.I)
_HEADER = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}[ \t]*:[^\n]*\n|[ \t][^\n]*\n")
_HEAD_BYTES = 256 << 10
_LONGEST_NUMBER = 18
_MIME = re.compile(r"[a-z0-9!#$&^_.+-]{1,127}/[a-z0-9!#$&^_.+-]{1,127}")
_CHARSET = re.compile(r";\s*charset\s*=\s*[\"']?\s*([^\s\"';,]{1,64})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Payload:
    """The bytes of a record's page, with what the HTTP head says about them."""

    data: bytes = b""
    status: int | None = None
    """HTTP status; ``None`` where there was no HTTP."""
    mime: str | None = None
    """Lower case, without parameters."""
    http_charset: str | None = None
    """Lower case, unquoted; a claim of the server, not a fact."""
    http_headers: dict[str, str] = field(default_factory=dict)
    """Lower-cased names; the last of equal names wins."""
    error: Problem | None = None
    truncated: bool = False
    """Whether the data is only the beginning of what the server meant to send."""


def payload(record: ArchiveRecord, *, max_bytes: int = MAX_BYTES) -> Payload:
    """The payload of any record; for a record with an error, an empty payload with the same error."""
    if record.error:
        return Payload(b"", error=record.error)
    truncated = "warc-truncated" in record.headers
    if record.type == "conversion":
        return _limit_size(Payload(record.body, None, "text/plain", "utf-8", truncated=truncated), max_bytes)
    if record.type in ("response", "revisit"):
        status, headers, at = http_head(record.body)
        if status is not None:
            return _response(record.body[at:], status, headers, truncated, max_bytes)
    claim = record.headers.get("content-type") or record.headers.get("arc-content-type", "")
    mime, charset = content_type(claim)
    return _limit_size(Payload(record.body, None, mime, charset, truncated=truncated), max_bytes)


def http_head(block: bytes) -> tuple[int | None, dict[str, str], int]:
    """Return (status, headers, offset of the body); (``None``, {}, 0) when there is no status line.

    A head without the blank line ends before the first line that cannot be a header.
    """
    status = _STATUS.match(block)
    if status is None:
        return None, {}, 0
    start = status.end()
    end = _blank_line(block, start)
    if end < 0:
        end = start
        while (line := _HEADER.match(block, end)) and end - start < _HEAD_BYTES:
            end = line.end()
    return int(status.group(1)), header_lines(decode(block[start:end])), end


def content_type(value: str) -> tuple[str | None, str | None]:
    """Return (mime, charset) of a Content-Type; each is ``None`` if it is missing or invalid."""
    mime = value.partition(";")[0].partition(",")[0].strip().lower()
    charset = _CHARSET.search(value)
    return (mime if _MIME.fullmatch(mime) else None), (charset.group(1).lower() if charset else None)


def _blank_line(block: bytes, start: int) -> int:
    """End of the head that begins at ``start`` and may be empty; -1 when no blank line ends it."""
    for empty in (b"\r\n", b"\n"):
        if block.startswith(empty, start):
            return start + len(empty)
    end = head_end(block[start : start + _HEAD_BYTES], _HEAD_BYTES)
    return end if end < 0 else start + end


def _response(body: bytes, status: int, headers: dict[str, str], truncated: bool, max_bytes: int) -> Payload:
    mime, charset = content_type(headers.get("content-type", ""))
    truncated = truncated or _is_short(body, headers)
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body, short = dechunk(body)
        truncated = truncated or short
    body, short, error = decode_content(body, headers.get("content-encoding", ""), max_bytes)
    return _limit_size(Payload(body, status, mime, charset, headers, error, truncated or short), max_bytes)


def _is_short(body: bytes, headers: dict[str, str]) -> bool:
    """Whether the archived body is shorter than declared; not for empty ones: some archives store no bodies."""
    declared_length = headers.get("content-length", "").strip()
    if not body or not declared_length.isascii() or not declared_length.isdigit() or "transfer-encoding" in headers:
        return False
    return len(declared_length) > _LONGEST_NUMBER or int(declared_length) > len(body)


def _limit_size(page: Payload, max_bytes: int) -> Payload:
    if len(page.data) <= max_bytes:
        return page
    error = ("too-large", f"the payload has more than {max_bytes} bytes")
    return Payload(b"", page.status, page.mime, page.http_charset, page.http_headers, error)
