"""Reads the lists of pages that a site publishes: sitemaps (sitemaps.org) and feeds (RSS 0.9–2.0, Atom).

Patterns are used instead of an XML parser: broken XML is read as far as possible, and no entities besides character
references are expanded, so that external entities and entity bombs have no effect.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from paberki.decoding import decode
from paberki.web.character_references import resolve_references
from paberki.web.urls import normalise

MAX_BYTES = 50 << 20
"""Most bytes of a sitemap after inflating (sitemaps.org)."""
MAX_URLS = 50_000
"""Most entries taken from a sitemap (sitemaps.org)."""
_LONGEST = 8192
_LONGEST_ENTRY = 1 << 20

_HIDDEN = re.compile(
    r"<!--[^-]*+(?:-(?!->)[^-]*+)*+(?:-->)?+|<!(?i:DOCTYPE)[^\[>]*+(?:\[[^\]]*+\]?+)?+\s*+>?+"  # to the end if unclosed
)
_NAME = r"<(?:[\w.-]++:)?+"
_VALUE = r"(?:\s[^<>]*+)?+>\s*+(?:<!\[CDATA\[)?+\s*+([^<\]]{1,8192})"
_ROOT = re.compile(r"<(?![?!])(?:[\w.-]++:)?+([\w.-]++)")
_URL = re.compile(rf"{_NAME}(?:url|sitemap)(?=[\s>/])", re.I)
_LOC = re.compile(rf"{_NAME}loc{_VALUE}", re.I)
_LASTMOD = re.compile(rf"{_NAME}lastmod{_VALUE}", re.I)
_ENTRY = re.compile(rf"{_NAME}(?:item|entry)(?=[\s>/])", re.I)
_RSS_LINK = re.compile(rf"<(?:rss:)?+link{_VALUE}", re.I)
_ATOM_LINK = re.compile(rf"{_NAME}link\s([^<>]*+)>", re.I)
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")
_GUID = re.compile(rf"<guid{_VALUE}", re.I)
_ABOUT = re.compile(r"""\srdf:about\s*+=\s*+["'](https?://[^"'<>]{1,8192}+)["']""", re.I)
_DATE = re.compile(rf"{_NAME}(updated|pubDate|date|modified|published|issued){_VALUE}", re.I)
_DATES = ("updated", "modified", "pubdate", "date", "published", "issued")
_LONGEST_DATE = 64

Entries = list[tuple[str, str | None]]


@dataclass(slots=True)
class Sitemap:
    """What a sitemap lists."""

    pages: Entries = field(default_factory=list)
    """Normalised URLs with the date of the last change as written, each URL once."""
    sitemaps: list[str] = field(default_factory=list)
    """Normalised URLs of further sitemaps."""


def read_sitemap(body: bytes, *, url: str) -> Sitemap:
    """Read a sitemap, sitemap index, text sitemap or feed, plain or gzipped; any other file lists nothing."""
    text = _text(body)
    root = _ROOT.search(text)
    if root is None or "<" not in text[:_LONGEST]:
        return Sitemap(_lines(text, url))
    if root[1].lower() in ("rss", "feed", "rdf"):
        return Sitemap(_feed(text, url))
    if root[1].lower() not in ("urlset", "sitemapindex", "url", "sitemap"):
        return Sitemap()
    entries = _entries(text, url)
    if root[1].lower() in ("sitemapindex", "sitemap"):
        return Sitemap([], [address for address, _ in entries])
    return Sitemap(entries)


def read_feed(body: bytes, *, url: str) -> Entries:
    """Normalised URLs of a feed's entries with their dates as written, each URL once."""
    return _feed(_text(body), url)


def inflate(body: bytes, limit: int = MAX_BYTES) -> bytes:
    """The beginning of a body that may be gzipped; empty if it is damaged."""
    if body[:2] != b"\x1f\x8b":
        return body[:limit]
    inflater = zlib.decompressobj(31)
    try:
        return inflater.decompress(body, limit)
    except zlib.error:
        return b""


def _text(body: bytes) -> str:
    text = decode(inflate(body)).text
    return _HIDDEN.sub(" ", text) if "<!" in text else text


def _entries(text: str, url: str) -> Entries:
    entries: dict[str, str | None] = {}
    addresses = _AddressCache(url)
    for chunk in islice(_chunks(_URL, text), MAX_URLS):
        location = _LOC.search(chunk)
        address = addresses[location[1]] if location else None
        if address is not None and address not in entries:
            lastmod = _LASTMOD.search(chunk)
            entries[address] = lastmod[1].strip()[:_LONGEST_DATE] if lastmod else None
    return list(entries.items())


def _feed(text: str, url: str) -> Entries:
    entries: dict[str, str | None] = {}
    addresses = _AddressCache(url)
    for chunk in islice(_chunks(_ENTRY, text), MAX_URLS):
        raw_address = _entry_address(chunk)
        address = addresses[raw_address] if raw_address else None
        if address is not None and address not in entries:
            dates = {name.lower(): date.strip()[:_LONGEST_DATE] for name, date in _DATE.findall(chunk)}
            entries[address] = next((dates[name] for name in _DATES if name in dates), None)
    return list(entries.items())


class _AddressCache(dict[str, str | None]):
    """Cache of normalised addresses by their raw form, since a list may repeat an address many times."""

    def __init__(self, base: str) -> None:
        self._base = base

    def __missing__(self, raw_address: str) -> str | None:
        address = normalise(_unescape(raw_address), self._base)
        self[raw_address] = address
        return address


def _entry_address(chunk: str) -> str | None:
    """The address of an entry as written."""
    for match in _ATOM_LINK.finditer(chunk):
        attributes: dict[str, str] = {
            name.lower(): one or other for name, one, other in _ATTRIBUTE.findall(match[1][:_LONGEST])
        }
        if "href" in attributes and attributes.get("rel", "alternate") == "alternate":
            return attributes["href"]
    for pattern in (_RSS_LINK, _GUID, _ABOUT):
        # rdf:about is an attribute of the entry's own tag.
        match_or_none = pattern.search(chunk, 0, chunk.find(">") if pattern is _ABOUT else len(chunk))
        # A guid is an address only if it starts with http.
        if match_or_none is not None and (match_or_none[1].strip().startswith("http") or pattern is _RSS_LINK):
            return match_or_none[1]
    return None


def _chunks(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    """The text from each opening tag to the next one."""
    start = -1
    for match in pattern.finditer(text):
        if start >= 0:
            yield text[start : match.start()][:_LONGEST_ENTRY]
        start = match.start()
    if start >= 0:
        yield text[start : start + _LONGEST_ENTRY]


def _lines(text: str, url: str) -> Entries:
    entries: dict[str, str | None] = {}
    for line in text.split("\n", MAX_URLS)[:MAX_URLS]:
        if line[:8].lower().startswith(("http://", "https://")) and (address := normalise(line.strip(), url)):
            entries[address] = None
    return list(entries.items())


def _unescape(text: str) -> str:
    return resolve_references(text.strip()) if "&" in text else text.strip()
