"""What a page says about its own encoding: byte order mark, HTTP header, meta element, XML declaration."""

from __future__ import annotations

import re
from typing import Final

from paberki.decoding.decoded import Evidence
from paberki.decoding.encoding_labels import resolve

# Longest first: the mark of UTF-32-LE starts with the one of UTF-16-LE.
BOMS: Final[tuple[tuple[bytes, str], ...]] = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)

_SELF_EVIDENT: Final = ("utf-16-le", "utf-16-be")

HEAD_BYTES: Final = 4096
"""How far into a page a declaration is looked for."""

_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_XML = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']\s*([A-Za-z0-9._:\-]{2,40})")
_META = re.compile(rb"<meta[\s/]([^>]{0,600})", re.IGNORECASE)
_CHARSET = re.compile(rb"charset\s*+=\s*+[\"']?+\s*+([A-Za-z0-9._:\-]{2,40})", re.IGNORECASE)
_HTTP = re.compile(r"charset\s*+=\s*+[\"']?+\s*+([A-Za-z0-9._:\-]{2,40})", re.IGNORECASE)


def byte_order_mark(data: bytes) -> tuple[str, int] | None:
    """Codec and length of the byte order mark a page starts with."""
    if data[:1] not in (b"\xff", b"\xfe", b"\xef", b"\x00"):
        return None
    for mark, codec in BOMS:
        if data.startswith(mark):
            return codec, len(mark)
    return None


def http_label(value: str | None) -> str | None:
    """The label in a charset parameter: takes the bare label as well as a whole Content-Type value."""
    if not value:
        return None
    match = _HTTP.search(value)
    if match:
        return match.group(1)
    return None if "/" in value else value.strip()


def meta_label(data: bytes) -> str | None:
    """The label in the first meta element (or XML declaration) naming a charset; comments do not count."""
    head = data[:HEAD_BYTES]
    if b"charset" not in head:
        lower = head.lower()
        if b"charset" not in lower and b"encoding" not in lower:
            return None
    if b"<!--" in head:
        head = _COMMENT.sub(b"", head)
    for meta in _META.finditer(head):
        charset = _CHARSET.search(meta.group(1))
        if charset:
            return charset.group(1).decode("ascii")
    xml = _XML.match(head)
    return xml.group(1).decode("ascii") if xml else None


def declarations(data: bytes, http_charset: str | None) -> list[Evidence]:
    """What HTTP header and page declare, in that order."""
    evidence = []
    for source, label in (("http", http_label(http_charset)), ("meta", meta_label(data))):
        if label:
            codec = resolve(label)
            if source == "meta" and codec in _SELF_EVIDENT:
                codec = "utf-8"  # the declaration itself was read as ASCII
            evidence.append(Evidence(source, codec, f"declares {label[:40]}"))
    return evidence
