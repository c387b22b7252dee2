"""One spelling per URL, and the parts of it the crawler goes by.

Parsing and joining follow the WHATWG URL standard, as browsers do, so that odd spellings of a host
(``0x7f.1``, full-width digits) are already plain when the address gate sees them.
"""

from __future__ import annotations

import re

import ada_url

MAX_LENGTH = 2000
_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_NOT_TEXT = re.compile(
    r"[^/]\.(?:"
    r"7z|aac|apk|avi|avif|bmp|bz2|css|deb|djvu|dmg|doc|docx|eot|epub|exe|flv|gif|gz|ico|iso|jar|jpeg|"
    r"jpg|js|json|m4a|m4v|mid|mkv|mov|mp3|mp4|mpeg|mpg|msi|odp|ods|odt|ogg|ogv|otf|pdf|png|ppt|pptx|"
    r"ps|psd|rar|rpm|rss|rtf|svg|swf|tar|tgz|tif|tiff|ttf|wav|webm|webp|wma|wmv|woff|woff2|xls|xlsx|"
    r"xz|zip"
    r")$",
    re.I,
)


def normalise(link: str, base: str | None = None) -> str | None:
    """Absolute, normalised http(s) URL without fragment, user and default port; None if there is none."""
    if len(link) > 2 * MAX_LENGTH:
        return None
    try:
        url = ada_url.join_url(base, link) if base is not None else ada_url.normalize_url(link)
    except ValueError:
        return None
    url = url.partition("#")[0]
    if not url.startswith(("http://", "https://")) or len(url) > MAX_LENGTH:
        return None
    scheme, _, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    authority = authority.rpartition("@")[2]
    host, colon, port = _split_port(authority)
    host = host.rstrip(".")
    if "%" in path:
        path = _PERCENT.sub(_plain, path)
    if not host:
        return None
    return f"{scheme}://{host}{colon}{port}{slash}{path}".removesuffix("?")


def seed_url(seed: str) -> str | None:
    """URL of a seed, which may be a bare host name."""
    return normalise(seed if "://" in seed else f"http://{seed.strip()}")


def origin_of(url: str) -> str:
    """``scheme://host[:port]`` of a normalised URL: the unit that has one robots.txt (RFC 9309 §2.3)."""
    return url[: url.index("/", 8)]


def host_of(url: str) -> str:
    """Host name of a normalised URL, an IPv6 address without brackets: the unit of politeness."""
    authority = url.partition("://")[2].partition("/")[0]
    return _split_port(authority)[0].strip("[]")


def path_of(url: str) -> str:
    """Path and query of a normalised URL."""
    return url[url.index("/", 8) :]


def looks_binary(url: str) -> bool:
    """Whether the path ends like an image, archive, script …: such links are not worth a polite request."""
    return _NOT_TEXT.search(path_of(url).partition("?")[0]) is not None


def repeats_segments(url: str, limit: int = 3) -> bool:
    """Whether one path segment occurs more than ``limit`` times: a relative link that grows for ever."""
    segments = [segment for segment in path_of(url).partition("?")[0].split("/") if segment]
    return len(segments) > limit and max(map(segments.count, set(segments))) > limit


def template_of(url: str) -> str | None:
    """The URL with the values of its parameters taken out; None for a URL without parameters."""
    path, _, query = url.partition("?")
    if not query:
        return None
    names = {part.partition("=")[0] for part in re.split("[&;]", query)}
    return f"{path}?{'&'.join(sorted(names))}"


def _split_port(authority: str) -> tuple[str, str, str]:
    if authority.startswith("["):
        host, bracket, rest = authority.partition("]")
        return host + bracket, rest[:1], rest[1:]
    return authority.partition(":")


def _plain(match: re.Match[str]) -> str:
    """Decode a percent code that needs no encoding, upper-case the others (RFC 3986 §6.2.2)."""
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()
