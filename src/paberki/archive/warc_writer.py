"""Appends WARC 1.1 records, each as its own gzip member, so that every record can be read by its position.

The same records give the same bytes: no clock, no random identifiers, no time in the gzip header. (The deflate stream
depends on the version of the compressor.)
"""

from __future__ import annotations

import hashlib
import os
import re
import uuid
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from isal import isal_zlib

from paberki.archive.reading.archived_record import UNKNOWN_DATE, clean_url, normal_date

_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://paberki.invalid/record")
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


class WarcWriter:
    """Appends to one file. A new file begins with a ``warcinfo`` record that names the software."""

    def __init__(
        self, path: Path | str, *, software: str = "paberki", compress_level: int = 2, date: str | None = None
    ) -> None:
        self._level = compress_level
        self._file = open(path, "ab")  # noqa: SIM115 (closed by close)
        self._position = self._file.seek(0, os.SEEK_END)
        if self._position == 0:
            block = f"software: {software}\r\nformat: WARC File Format 1.1\r\n".encode()
            self.write("warcinfo", date=date, content_type="application/warc-fields", block=block)

    @property
    def position(self) -> int:
        """Offset of the next record."""
        return self._position

    def write(
        self,
        type: str,  # noqa: A002 (the format's word)
        *,
        url: str | None = None,
        date: str | None,
        content_type: str | None = None,
        block: bytes,
        payload: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        record_id: str | None = None,
    ) -> tuple[int, int]:
        """Append one record and return its offset and length; ``date`` is ``None`` if unknown."""
        head = record_head(
            type,
            url=url,
            date=date,
            content_type=content_type,
            block=block,
            payload=payload,
            headers=headers or {},
            record_id=record_id,
        )
        return self.append(head, block)

    def append(self, head: bytes, block: bytes) -> tuple[int, int]:
        """Append a record with a prepared head; return its offset and length."""
        member = isal_zlib.compress(head + block + b"\r\n\r\n", self._level, wbits=31)
        self._file.write(member)
        offset = self._position
        self._position += len(member)
        return offset, len(member)

    def flush(self, *, fsync: bool = False) -> None:
        """Flush to the operating system; with ``fsync``, wait until the disk has the data."""
        self._file.flush()
        if fsync:
            os.fsync(self._file.fileno())

    def fileno(self) -> int:
        """Number of the open file."""
        return self._file.fileno()

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> WarcWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def record_head(
    kind: str,
    *,
    url: str | None,
    date: str | None,
    content_type: str | None,
    block: bytes,
    payload: bytes | None,
    headers: Mapping[str, str],
    record_id: str | None,
) -> bytes:
    """The header block with its blank line; control characters in values are replaced, so no value can add a line."""
    digest = _digest(block)
    moment = normal_date(date or "") or UNKNOWN_DATE
    address = clean_url(url) if url else None
    lines = {
        "WARC-Type": kind,
        "WARC-Record-ID": f"<{record_id or _record_id(address, moment, digest)}>",
        "WARC-Date": moment,
        "WARC-Target-URI": address,
        "Content-Type": content_type,
        "WARC-Block-Digest": digest,
        "WARC-Payload-Digest": None if payload is None else _digest(payload),
        **headers,
        "Content-Length": str(len(block)),
    }
    fields = [f"{_name(name)}: {_CONTROL.sub(' ', value).strip()}" for name, value in lines.items() if value]
    return ("WARC/1.1\r\n" + "\r\n".join(fields) + "\r\n\r\n").encode("utf-8", "replace")


def truncate(path: Path | str, size: int) -> None:
    """Cut a file back to ``size`` bytes, to remove what a killed writer left behind the last committed record."""
    with open(path, "r+b") as file:
        if file.seek(0, os.SEEK_END) < size:
            raise ValueError(f"cannot truncate to {size} bytes: the file is shorter")
        file.truncate(size)
        file.flush()
        os.fsync(file.fileno())


_PAIRS = [a + b for a in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" for b in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"]


def base32(digest: bytes) -> str:
    """A SHA-1 digest in base 32, ten bits at a time; the standard library takes six times as long."""
    number, pairs = int.from_bytes(digest, "big"), _PAIRS
    return "".join([pairs[number >> shift & 1023] for shift in range(150, -10, -10)])


def _digest(data: bytes) -> str:
    """SHA-1 in base 32, the format that other archive tools compare; not for security."""
    return "sha1:" + base32(hashlib.sha1(data, usedforsecurity=False).digest())


def _record_id(url: str | None, date: str, digest: str) -> str:
    name = f"{url or ''} {date} {digest}"
    return f"urn:uuid:{uuid.uuid5(_NAMESPACE, name)}"


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"not a header name: {name!r}")
    return name
