"""Bodies: what kind they are and what is inside, never more of it than asked for."""

from __future__ import annotations

import re
import zlib

_HTML_TYPES = frozenset(("text/html", "application/xhtml+xml"))
PAGE_TYPES = _HTML_TYPES | {"text/plain"}
_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<!--|<\?xml|<(?:!doctype\s+html|html|head|title|meta|body|script|style|table|div|p|a|h1|br|b)"
    rb"[\s>/])",
    re.I,
)


def media_type(content_type: str) -> str:
    """``text/html`` of ``Text/HTML; charset=…``; empty if there is none."""
    essence = content_type.partition(";")[0].strip().lower()
    return essence if "/" in essence else ""


def charset_of(content_type: str) -> str | None:
    """Charset parameter of a Content-Type."""
    match = re.search(r"charset\s*=\s*[\"']?([\w-]+)", content_type[:500], re.I)
    return match[1] if match else None


def looks_like_html(start: bytes) -> bool:
    """Whether a body without a type begins like a page (the beginning of WHATWG's sniffing table)."""
    return _HTML_START.match(start[:1024]) is not None


def inflate(body: bytes, encoding: str, limit: int) -> bytes:
    """Content of a body sent with a Content-Encoding, up to ``limit`` bytes; damaged data up to the damage.

    An encoding that was not asked for gives nothing.
    """
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        return body[:limit]
    if encoding in ("gzip", "x-gzip"):
        return _inflate(body, zlib.MAX_WBITS | 32, limit)
    if encoding == "deflate":
        return _inflate(body, zlib.MAX_WBITS | 32, limit) or _inflate(body, -zlib.MAX_WBITS, limit)
    return b""


def _inflate(body: bytes, window: int, limit: int) -> bytes:
    content = bytearray()
    while body and len(content) < limit:
        stream = zlib.decompressobj(window)
        try:
            content += stream.decompress(body, limit - len(content))
        except zlib.error:
            break
        body = stream.unused_data if stream.eof else b""
    return bytes(content)
