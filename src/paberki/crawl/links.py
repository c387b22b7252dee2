"""The links of a page, by pattern rather than by parser.

A crawl needs nothing of a page but its links, and a parser costs several times as much. All patterns are
possessive and bounded, so that a page made to hurt (unclosed tags, quotes and comments by the million) takes
time proportional to its length: nothing is scanned more than a fixed number of times.
"""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterator

from paberki.crawl.urls import normalise

_SKIPPED = re.compile(r"<!--|<(script|style|textarea|template)\b", re.I)
_CLOSE = {name: re.compile(rf"</{name}\b", re.I) for name in ("script", "style", "textarea", "template")} | {
    "": re.compile("-->")
}
_TAG = re.compile(
    r"""<(a|area|frame|iframe|link|base|meta)(?=[\s/])((?:[^<>"']++|"[^"]{0,4096}+"|'[^']{0,4096}+')*+)""",
    re.I,
)
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]++)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'<>]++))?+""")
_REFRESH = re.compile(r"\s*\d*\s*[;,]\s*url\s*=\s*['\"]?([^'\"]+)", re.I)
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w-]+)", re.I)
_PAGE_RELATIONS = frozenset(
    (
        "alternate",
        "canonical",
        "chapter",
        "contents",
        "first",
        "home",
        "index",
        "last",
        "next",
        "prev",
        "start",
        "up",
    )
)

_TAGS_PER_LINK = 10
"""Tags looked at, in relation to the links wanted; a page of empty ``<a>`` is left after that many."""


def links(page: bytes, url: str, *, robot: str = "", charset: str | None = None, limit: int = 3000) -> list[str]:
    """Normalised targets of a page's links in order, each once.

    ``rel=nofollow`` is about ranking and is ignored; ``<meta name=robots content=nofollow>``, also under the
    name of ``robot``, is a wish about crawling and gives no links. ``charset`` is what the server said; it
    only matters for links with raw letters that are not UTF-8.
    """
    base = url
    found: dict[str, None] = {}
    hrefs: list[str] = []
    for tag, attributes in itertools.islice(_tags(page.decode("latin-1")), _TAGS_PER_LINK * limit):
        if tag == "base":
            if base is url and "href" in attributes:
                base = normalise(_text(attributes["href"], charset), url) or url
        elif tag == "meta":
            charset = charset or _declared(attributes)
            if _forbids(attributes, robot):
                return []
            hrefs += _refresh(attributes)
        elif href := _target(tag, attributes):
            hrefs.append(href)
        if len(hrefs) >= limit:
            break
    for href in hrefs[:limit]:
        target = normalise(_text(href, charset), base)
        if target is not None:
            found[target] = None
    return list(found)


def _tags(page: str) -> Iterator[tuple[str, dict[str, str]]]:
    for start, end in _markup(page):
        for match in _TAG.finditer(page, start, end):
            attributes: dict[str, str] = {}
            for name, value in _ATTRIBUTE.findall(match[2]):
                attributes.setdefault(name.lower(), value.strip("\"'"))
            yield match[1].lower(), attributes


def _markup(page: str) -> Iterator[tuple[int, int]]:
    """Stretches of the page outside comments and scripts; an unclosed one runs to the end, as in browsers."""
    position = 0
    while opened := _SKIPPED.search(page, position):
        yield position, opened.start()
        # "<!-->" is a whole comment: its end may overlap its beginning by two dashes.
        closed = _CLOSE[(opened[1] or "").lower()].search(page, opened.start() + 2)
        if closed is None:
            return
        position = closed.end()
    yield position, len(page)


def _target(tag: str, attributes: dict[str, str]) -> str | None:
    if tag in ("frame", "iframe"):
        return attributes.get("src")
    if tag == "link" and not _leads_to_page(attributes):
        return None
    return attributes.get("href")


def _leads_to_page(attributes: dict[str, str]) -> bool:
    relations = set(attributes.get("rel", "").lower().split())
    return bool(relations & _PAGE_RELATIONS) and "html" in attributes.get("type", "text/html").lower()


def _forbids(attributes: dict[str, str], robot: str) -> bool:
    if attributes.get("name", "").lower() not in ("robots", robot.lower() or "robots"):
        return False
    wishes = {wish.strip() for wish in attributes.get("content", "").lower().split(",")}
    return bool(wishes & {"nofollow", "none"})


def _refresh(attributes: dict[str, str]) -> list[str]:
    if attributes.get("http-equiv", "").lower() != "refresh":
        return []
    match = _REFRESH.match(attributes.get("content", "")[:4096])
    return [match[1]] if match else []


def _declared(attributes: dict[str, str]) -> str | None:
    if "charset" in attributes:
        return attributes["charset"]
    match = _CHARSET.search(attributes.get("content", "")[:200])
    return match[1] if match else None


def _text(value: str, charset: str | None) -> str:
    """Letters of an attribute that was read as Latin-1, entities resolved."""
    if not value.isascii():
        raw = value.encode("latin-1")
        try:
            value = raw.decode("utf-8")
        except UnicodeDecodeError:
            value = _decoded(raw, charset or "windows-1252")
    return html.unescape(value) if "&" in value else value


def _decoded(raw: bytes, charset: str) -> str:
    try:
        return raw.decode(charset, errors="replace")
    except (LookupError, ValueError):
        return raw.decode("windows-1252", errors="replace")
