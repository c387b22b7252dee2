"""Normalises URLs to one spelling, and extracts the parts that the crawler uses.

Parsing and joining follow the WHATWG URL standard, as in browsers, so that odd spellings of a host (``0x7f.1``,
full-width digits) are resolved before addresses are checked. In addition, equivalent spellings are unified (RFC 3986
§6.2.2), and session ids and tracking parameters are removed (:mod:`paberki.web.url_parameters`). URLs that may be
different pages stay different: parameters keep their order and empty values, paths their last slash.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import ada_url
from xxhash import xxh3_64_intdigest

from paberki.web.url_parameters import without_bookkeeping
from paberki.web.url_templates import template

__all__ = [
    "MAX_LENGTH",
    "home_page",
    "host_of",
    "hostname_of",
    "looks_binary",
    "normalise",
    "origin_of",
    "path_of",
    "repeats_segments",
    "seed_url",
    "spell",
    "template",
    "url_key",
    "url_keys",
]

MAX_LENGTH = 2000
_LONGEST_LINK = 4 * MAX_LENGTH
_PASSES = 4

# Ordinary links: lower-case host, legal characters; percent codes and dots are checked separately.
_PATH = r"[A-Za-z0-9\-._~!$&'()*+,=:@/%]"
_QUERY = r"[A-Za-z0-9\-._~!$()*+,=:@/%?&]"
_PLAIN = re.compile(rf"(https?://[a-z0-9.\-]++(?::[0-9]++)?+)(/{_PATH}*+)?+(\?{_QUERY}++)?+(?:#.*)?\Z", re.S)
_PLAIN_LOCAL = re.compile(rf"({_PATH}*+)(\?{_QUERY}++)?+(?:#.*)?\Z", re.S)
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_PLAIN_HOST = re.compile(rf"(?:(?!xn--){_LABEL}\.){{1,8}}(?!xn--)[a-z]{{2,20}}\Z")
_OTHER_SCHEME = re.compile(r"(?!https?:)[a-z][a-z0-9+.\-]*+:", re.I)
_PARTS = re.compile(r"(https?)://(?:[^/@]*@)*([^/?#@]*)([^?#]*)(?:\?([^#]*))?", re.S)

_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_DECODED_OCTETS = {
    f"{high}{low}": chr(int(high + low, 16)) if chr(int(high + low, 16)) in _UNRESERVED else f"%{high}{low}".upper()
    for high in "0123456789abcdefABCDEF"
    for low in "0123456789abcdefABCDEF"
}
_ILLEGAL = re.compile(r"[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_DEFAULT_PORT = {"http": ":80", "https": ":443"}

_NOT_TEXT = re.compile(
    r"[^/]\.(?:"
    r"7z|aac|apk|avi|avif|bmp|bz2|css|deb|djvu|dmg|doc|docx|eot|epub|exe|flv|gif|gz|ico|iso|jar|jpeg|"
    r"jpg|js|json|m4a|m4v|mid|mkv|mov|mp3|mp4|mpeg|mpg|msi|odp|ods|odt|ogg|ogv|otf|pdf|png|ppt|pptx|"
    r"ps|psd|rar|rpm|rtf|svg|swf|tar|tgz|tif|tiff|ttf|wav|webm|webp|wma|wmv|woff|woff2|xls|xlsx|"
    r"xz|zip"
    r")$",
    re.I,
)


def normalise(url: str, base: str | None = None, *, encoding: str = "utf-8") -> str | None:
    """Normalise to an absolute http(s) URL without fragment, user and default port; None if that is impossible.

    ``base`` is a normalised URL. Letters beyond ASCII in the query are sent in the ``encoding`` of the page that
    the link stands on, as browsers do; everywhere else in UTF-8.
    """
    plain = _PLAIN.match(url)
    if plain is not None:
        start, path, query = plain.groups()
        if _is_canonical(start) and (canonical := _assemble(start, path or "/", query)):
            return canonical
    elif base is not None and ":" not in url and (canonical := _quick(url, base)):
        return canonical
    if len(url) > _LONGEST_LINK or _OTHER_SCHEME.match(url):
        return None
    return _by_the_standard(url, base, encoding)


def _quick(url: str, base: str) -> str | None:
    """Normalise an ordinary relative link, as nearly all are; None for the others."""
    if url.startswith("//"):
        return normalise(base[: base.index("/")] + url)
    plain = _PLAIN_LOCAL.match(url)
    if plain is None or not url:
        return None
    path, query = plain.groups()
    start = base[: base.index("/", 8)]
    if path[:1] != "/":
        if path[:1] == "." or not (path or query):
            return None
        path = _directory(base)[len(start) :] + path if path else base.partition("?")[0][len(start) :]
    return _assemble(start, path, query)


def _assemble(start: str, path: str, query: str | None) -> str | None:
    if "%" in path:
        path = spell(path)
    if "/." in path or len(path) > MAX_LENGTH // 3:
        return None
    if query is None:
        return start + path if "/(" not in path else without_bookkeeping(start + path)
    if len(query) > MAX_LENGTH // 3:
        return None
    return without_bookkeeping(start + path + (spell(query) if "%" in query else query))


@lru_cache(maxsize=4096)
def _is_canonical(start: str) -> bool:
    """Whether scheme, host and port are already normalised."""
    host = start.partition("://")[2]
    if len(host) <= 253 and _PLAIN_HOST.match(host):
        return True
    return _by_the_standard(f"{start}/", None, "utf-8") == f"{start}/"


@lru_cache(maxsize=16)
def _directory(base: str) -> str:
    """The directory of a URL, with which relative links are joined."""
    return base[: base.partition("?")[0].rindex("/") + 1]


def _by_the_standard(url: str, base: str | None, encoding: str) -> str | None:
    if encoding != "utf-8" and not url.isascii():
        url = _legacy_query(url, encoding)
    try:
        url = ada_url.join_url(base, url) if base is not None else ada_url.normalize_url(url)
        for _ in range(_PASSES):
            clean_url = _clean(url)
            if clean_url is None or clean_url == url:
                return clean_url
            # Removing parameters can leave a dot segment, so normalise again; this is rare.
            url = clean_url
            if "/." not in url:
                return url
            url = ada_url.normalize_url(url)
    except (ValueError, UnicodeError):
        pass
    return None


def _clean(url: str) -> str | None:
    parts = _PARTS.match(url)
    if parts is None or parts.start() or len(url) > _LONGEST_LINK:
        return None
    scheme, authority, path, query = parts.groups()
    host, colon, port = _split_port(authority)
    host = host.rstrip(".")
    if not _may_exist(host):
        return None
    port = "" if colon + port == _DEFAULT_PORT[scheme] else colon + port
    url = f"{scheme}://{host}{port}{spell(path) or '/'}"
    url = without_bookkeeping(f"{url}?{spell(query)}" if query else url)
    return url if len(url) <= MAX_LENGTH else None


def spell(part: str) -> str:
    """Canonical percent-coding: letters, digits and ``-._~`` plain, codes in capitals, illegal characters coded."""
    if "%" in part:
        part = _PERCENT.sub(_decode, part)
    return _ILLEGAL.sub(_encode, part)


def _decode(match: re.Match[str]) -> str:
    return _DECODED_OCTETS[match[1]]


def _encode(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))


def _legacy_query(url: str, encoding: str) -> str:
    """Percent-code the non-ASCII letters of a query; letters missing in the encoding become character references."""
    address, fragment_mark, fragment = url.partition("#")
    address, mark, query = address.partition("?")

    def code(match: re.Match[str]) -> str:
        try:
            octets = match[0].encode(encoding, "xmlcharrefreplace")
        except (LookupError, UnicodeError):
            return match[0]
        return "".join(f"%{byte:02X}" for byte in octets)

    return address + mark + _NOT_ASCII.sub(code, query) + fragment_mark + fragment


def _may_exist(host: str) -> bool:
    """Whether a host name can be in the DNS: no empty and no overlong label."""
    if host.startswith("["):
        return True
    return 0 < len(host) <= 253 and all(0 < len(label) <= 63 for label in host.split("."))


def seed_url(seed: str) -> str | None:
    """URL of a seed, which may be a bare host name."""
    return normalise(seed if "://" in seed else f"http://{seed.strip()}")


def origin_of(url: str) -> str:
    """``scheme://host[:port]`` of a normalised URL: the unit that has one robots.txt (RFC 9309 §2.3)."""
    return url[: url.index("/", 8)]


def host_of(url: str) -> str:
    """Host of a normalised URL or origin, with the port unless it is the default: ``a.hr``, ``[::1]:8080``."""
    return url.split("/", 3)[2]


def hostname_of(url: str) -> str:
    """Host name of a normalised URL for the DNS: without port, an IPv6 address without brackets."""
    return _split_port(host_of(url))[0].strip("[]")


def home_page(url: str) -> str:
    """The home page of a normalised URL's host (P1 §2.1: seeds are reduced to it)."""
    return url[: url.index("/", 8) + 1]


def path_of(url: str) -> str:
    """Path and query of a normalised URL."""
    return url[url.index("/", 8) :]


_REST = (1 << 40) - 1


def url_key(url: str) -> int:
    """A 64-bit key of a normalised URL: 24 bits of the host, so that its keys are neighbours, 40 of the whole URL."""
    return zlib.crc32(host_of(url).encode()) >> 8 << 40 | xxh3_64_intdigest(url) & _REST


def url_keys(urls: Iterable[str]) -> dict[int, str]:
    """Normalised URLs by their keys; equal to :func:`url_key` for each, in half the time."""
    crc32, digest = zlib.crc32, xxh3_64_intdigest
    return {
        crc32(url[8 if url[4] == "s" else 7 : url.index("/", 8)].encode()) >> 8 << 40 | digest(url) & _REST: url
        for url in urls
    }


def looks_binary(url: str) -> bool:
    """Whether the path ends like an image, archive, script or other non-text; such links are not requested."""
    return _NOT_TEXT.search(path_of(url).partition("?")[0]) is not None


def repeats_segments(url: str, limit: int = 3) -> bool:
    """Whether a path segment occurs more than ``limit`` times, as when a relative link grows for ever."""
    segments = [segment for segment in path_of(url).partition("?")[0].split("/") if segment]
    return len(segments) > limit and max(Counter(segments).values()) > limit


def _split_port(authority: str) -> tuple[str, str, str]:
    if authority.startswith("["):
        host, bracket, rest = authority.partition("]")
        return host + bracket, rest[:1], rest[1:]
    return authority.partition(":")
