"""An archived record, and how its address and date are read.

Archives come from strangers: an address may hold control characters, a date may be any text. Addresses are cleaned so
that they can be keys and table cells; an invalid date becomes ``None``, never a guess.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

UNKNOWN_DATE = "1970-01-01T00:00:00Z"
"""Written where the date is unknown, because the format requires one; read as ``None``."""

_DATE = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[Tt ](\d\d)(?::(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?)?)?)?)?"
    r"(?:[Zz]|([+-])(\d\d):?(\d\d))?",
    re.ASCII,
)
_USUAL_DATE = re.compile(r"20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ", re.ASCII)
"""The usual format, accepted without parsing; days after the 28th and other formats are parsed."""
_ARC_DATE = re.compile(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?", re.ASCII)
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff\ud800-\udfff]")

Problem = tuple[str, str]
"""(code, detail); the detail depends only on the file's bytes, so that every run reports the same."""


@dataclass(frozen=True, slots=True)
class RecordLimits:
    """Limits for one record. Peak memory of a reader is about twice ``record_bytes``."""

    record_bytes: int = 64 << 20
    """Inflated bytes of one record that are kept; a longer record is the error ``too-large``."""
    header_bytes: int = 64 << 10
    """Longest record header."""
    skip_bytes: int = 4 << 30
    """Inflated bytes of a too large record that are read to find its end, before searching for the next record."""
    ratio: int = 200
    """A too large record that inflates by more than this is the error ``bomb`` and is not read to its end."""


@dataclass(slots=True)
class ArchiveRecord:
    """One record, or one damaged stretch of the file; its bytes are exactly ``file[offset:offset+length]``."""

    offset: int
    length: int
    type: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    error: Problem | None = None

    @property
    def url(self) -> str | None:
        """The cleaned address; ``None`` if there is none."""
        return clean_url(self.headers.get("warc-target-uri", "")) or None

    @property
    def date(self) -> str | None:
        """``YYYY-MM-DDThh:mm:ssZ``, or ``None`` when missing, invalid or written as unknown."""
        return normal_date(self.headers.get("warc-date", ""))

    @property
    def id(self) -> str | None:
        """The record's own identifier without angle brackets."""
        return self.headers.get("warc-record-id", "").strip("<> ") or None


def clean_url(url: str) -> str:
    """Strip white space and ``<...>``; percent-encode control characters and spaces."""
    url = url.strip()
    if url.startswith("<"):
        url = url.removeprefix("<").removesuffix(">").strip()
    if _UNSAFE.search(url):
        url = _UNSAFE.sub(lambda match: quote(match.group(), safe="", errors="replace"), url)
    return url


def normal_date(text: str) -> str | None:
    """Normalise a date to UTC seconds: ISO 8601 (reduced precision, fractions, zones allowed) or ARC's 14 digits."""
    text = text.strip()
    if _USUAL_DATE.fullmatch(text):
        return text
    match = _ARC_DATE.fullmatch(text) or _DATE.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second, *zone = match.groups()
    try:
        moment = datetime(
            int(year),
            int(month or 1),
            int(day or 1),
            int(hour or 0),
            int(minute or 0),
            int(second or 0),
            tzinfo=UTC,
        )
        if zone and zone[0]:
            shift = timedelta(hours=int(zone[1]), minutes=int(zone[2]))
            moment = moment - shift if zone[0] == "+" else moment + shift
    except (ValueError, OverflowError):
        return None
    date = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    return None if date == UNKNOWN_DATE or moment.year < 1000 else date
