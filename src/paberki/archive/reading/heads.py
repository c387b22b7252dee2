"""Parses record headers: the WARC header block and the ARC address line.

The fields of an ARC line get the header names of WARC, so that later code need not distinguish the formats.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from paberki.archive.reading.archived_record import Problem, RecordLimits

WARC_START = re.compile(rb"WARC/[01]\.\d{1,2}[ \t]*\r?\n")
ARC_LINE_BYTES = 8 << 10
"""Longest ARC address line."""

_ARC_SCHEME = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]{0,30}:")
_ARC_DATE = re.compile(rb"\d{12}(?:\d\d)?")
_LENGTH = re.compile(r"\d{1,18}", re.ASCII)
_WITH_URL = frozenset({"response", "resource", "conversion"})


@dataclass(slots=True)
class RecordHead:
    """A parsed header: ``at`` is the offset of the block, ``length`` its declared length."""

    type: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    at: int = 0
    length: int = 0
    error: Problem | None = None


def is_head(data: bytes | memoryview) -> bool:
    """Whether these bytes look like the beginning of a record; the header need not be complete."""
    return bool(WARC_START.match(data)) or arc_line(bytes(data[: ARC_LINE_BYTES + 1])) is not None


def parse_head(data: bytes, limits: RecordLimits) -> RecordHead:
    """Parse the header at the start of ``data``; a problem is noted in ``error``."""
    if data.startswith(b"WARC/"):
        return _warc_head(data, limits)
    line = arc_line(data[: ARC_LINE_BYTES + 1])
    if line is None:
        return RecordHead(error=("bad-header", "no WARC or ARC header where a record begins"))
    return _arc_head(line, data.index(b"\n") + 1)


def head_end(data: bytes, limit: int) -> int:
    """Offset after the first blank line, with CRLF or LF; -1 when there is none within the limit."""
    strict_end = data.find(b"\r\n\r\n", 0, limit)
    bare_end = data.find(b"\n\n", 0, strict_end if strict_end >= 0 else limit)
    if bare_end >= 0:
        return bare_end + 2
    mixed_end = data.find(b"\n\r\n", 0, strict_end + 1 if strict_end >= 0 else limit)
    if mixed_end >= 0:
        return mixed_end + 3
    return strict_end + 4 if strict_end >= 0 else -1


def header_lines(text: str) -> dict[str, str]:
    """Headers by lower-case name: the last of equal names wins, folded lines are joined, invalid lines ignored."""
    headers: dict[str, str] = {}
    name = ""
    for line in text.split("\n"):
        if line[:1] in (" ", "\t"):
            if name:
                headers[name] = f"{headers[name]} {line.strip()}"
            continue
        raw, colon, value = line.partition(":")
        name = raw.strip().lower() if colon else ""
        if name:
            headers[name] = value.strip()
    return headers


def decode(data: bytes) -> str:
    """Decode as UTF-8 if valid, else as Latin-1, which never fails."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def arc_line(data: bytes) -> list[bytes] | None:
    """Fields [address, ip, date, mime, length] of an ARC line, version 1 or 2; ``None`` if it is not one.

    Version 2 has five more fields before the length. Addresses may contain spaces, so the fields are found by the date.
    """
    if not _ARC_SCHEME.match(data):
        return None
    end = data.find(b"\n")
    if end < 0:
        return None
    fields = data[:end].rstrip(b"\r").split(b" ")
    for index in range(2, len(fields) - 2):
        if _ARC_DATE.fullmatch(fields[index]) and fields[-1].isdigit() and len(fields[-1]) <= 18:
            return [
                b" ".join(fields[: index - 1]),
                fields[index - 1],
                fields[index],
                fields[index + 1],
                fields[-1],
            ]
    return None


def _warc_head(data: bytes, limits: RecordLimits) -> RecordHead:
    end = head_end(data, limits.header_bytes)
    if end < 0:
        return RecordHead(error=("bad-header", f"the header does not end within {limits.header_bytes} bytes"))
    headers = header_lines(decode(data[:end]).partition("\n")[2])
    head = RecordHead(headers.get("warc-type", "").lower(), headers, end)
    length = headers.get("content-length", "")
    if not WARC_START.match(data):
        head.error = ("bad-header", "unknown WARC version")
    elif not head.type:
        head.error = ("bad-header", "no WARC-Type")
    elif not _LENGTH.fullmatch(length):
        head.error = ("bad-header", "no valid Content-Length")
    else:
        head.length = int(length)
        if head.type in _WITH_URL and not headers.get("warc-target-uri", "").strip("<> \t\r"):
            head.error = ("no-url", f"a {head.type} record without WARC-Target-URI")
    return head


def _arc_head(line: list[bytes], at: int) -> RecordHead:
    address, ip, date, mime, length = (decode(part) for part in line)
    headers = {
        "warc-target-uri": address,
        "warc-ip-address": ip,
        "warc-date": date,
        "arc-content-type": mime,
        "content-length": length,
    }
    kind = "warcinfo" if address.startswith("filedesc:") else "response"
    return RecordHead(kind, headers, at, int(length))
