"""Finds the links and statements of a page with patterns, without an HTML parser.

A parser costs several times as much. All patterns are possessive and bounded, so that a hostile page (millions of
unclosed tags, quotes and comments) takes time proportional to its length. ``rel=nofollow`` concerns ranking, not
crawling, and is ignored.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from itertools import islice, product

from paberki.web.rights import meta_signals
from paberki.web.rights_signals import Signal
from paberki.web.urls import normalise

LINKS_LIMIT = 3000
"""Most links taken from one page."""
_TAGS_LIMIT = 4 * LINKS_LIMIT
"""Most link tags examined; a page may hold many ``<a>`` without an address."""

MOST_TAGS = 100_000
"""Most tags, comments and scripts examined; a hostile page may have millions."""
_RAW = ("script", "style", "textarea", "template", "title", "xmp", "noembed")
"""Elements whose content is not markup, or is not visible."""
_HIDDEN = re.compile(rf"!--|!\[CDATA\[|(?i:({'|'.join(_RAW)}))(?=[\s/>])")
_END = {name: re.compile(rf"/(?i:{name})(?=[\s/>])") for name in _RAW}


def _spellings(*names: str) -> frozenset[str]:
    """The first three letters of tags in upper and lower case, for quick look-up."""
    return frozenset(
        "".join(letters) for name in names for letters in product(*({letter, letter.upper()} for letter in name[:3]))
    )


_HIDES = _spellings("!--", "![c", *_RAW)
_ANCHORS = frozenset(f"{letter}{after}" for letter in "aA" for after in " \n\t\r\f/")
_OTHERS = _spellings("area", "link", "meta", "base", "frame", "iframe")
_FIRST = frozenset("aAlLmMbBfFiI")
_PLAIN_ANCHOR = re.compile(
    r"""[aA](?:\s++(?!(?i:href))[a-zA-Z-]++(?:=(?:"[^">]*+"|'[^'>]*+'|[^\s"'<>]++))?+)*+"""
    r"""\s++(?:href|HREF)=(?:"([^">]++)"|'([^'>]++)')"""
)
_TAG = re.compile(r"""(?i:(a|area|link|meta|base|i?frame)(?=[\s/]))((?:[^>"']++|"[^"]{0,8192}+"|'[^']{0,8192}+')*+)""")
_LONGEST_TAG = 1 << 16
_REACH = 6
"""Most chunks that one tag may span, since attributes may contain ``<``."""
_TELLING_META = ("robots", "refresh", "tdm-", "content-usage", "content-signal")
_TELLING_LINK = ("canonical", "alternate", "next", "prev")
_PAGES = frozenset(("canonical", "alternate", "next", "prev", "previous"))
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]++)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'<>]++))?+""")
# "&copy" without a semicolon, followed by a letter, digit or "=", is a parameter named "copy".
_REFERENCE = re.compile(
    r"&(?:#[0-9]{1,9}+;?|#[xX][0-9a-fA-F]{1,9}+;?|[A-Za-z][A-Za-z0-9]{0,31}+(?:;|(?![A-Za-z0-9=])))"
)
_REFRESH = re.compile(r"\s*+[\d.]*+\s*+[;,]\s*+(?:url\s*+=\s*+)?+['\"]?+\s*+([^'\"]++)", re.I)
_LINK_FIELD = re.compile(r"""<([^<>]*+)>((?:[^<>",]++|"[^"]*+")*+)""")
_PARAMETER = re.compile(r"""(?<![a-z*])([a-z*]++)\s*+=\s*+(?:"([^"]*+)"|([^\s;,"]++))""", re.I)
_LONGEST_FIELD = 8192
_MOST_SIGNALS = 200
"""Most statements; further meta elements are ignored."""
_FEED = re.compile(r"application/(?:rss|atom|rdf)\+xml|text/xml|application/xml", re.I)


@dataclass(slots=True)
class PageLinks:
    """The links of a page and the statements of its meta elements."""

    links: list[str] = field(default_factory=list)
    canonical: str | None = None
    feeds: list[str] = field(default_factory=list)
    signals: tuple[Signal, ...] = ()


def chunks_of(page: str) -> list[str]:
    """The visible markup of a page, cut at ``<``: each chunk is a tag and the text after it.

    Comments, CDATA, scripts and the like are removed; an unclosed one extends to the end, as in browsers. After
    :data:`MOST_TAGS` tags, the rest of the page is one chunk.
    """
    chunks = page.split("<", MOST_TAGS)
    hidden_starts = [at for at, chunk in enumerate(chunks) if chunk[:3] in _HIDES and at and _HIDDEN.match(chunk)]
    if not hidden_starts:
        return chunks
    visible, position = chunks[: hidden_starts[0]], hidden_starts[0]
    after: list[str] = []
    last_cdata = (
        max((at for at, chunk in enumerate(chunks) if "]]>" in chunk), default=-1) if "<![CDATA[" in page else -1
    )
    for at in hidden_starts:
        if at < position:
            continue
        if at > position:
            _append(visible, after)
            visible += chunks[position:at]
        position, rest = _end_of_hidden(chunks, at, last_cdata)
        after.append(rest)
    _append(visible, after)
    visible += chunks[position:]
    return visible


def _append(visible: list[str], after: list[str]) -> None:
    """Append the text after hidden elements to the chunk before them."""
    if after:
        visible[-1] = " ".join([visible[-1], *after])
        after.clear()


def _end_of_hidden(chunks: list[str], at: int, last_cdata: int) -> tuple[int, str]:
    """The first chunk after a hidden element, and the visible text between the element and that chunk."""
    name = _HIDDEN.match(chunks[at])[1]  # type: ignore[index] # known to match
    if name:
        match_end = _END[name.lower()].match
        return next((end for end in range(at + 1, len(chunks)) if match_end(chunks[end])), len(chunks)), ""
    mark, start = "-->", 1  # "<!-->" is a whole comment: its end may overlap its beginning by two dashes
    if chunks[at][1] == "[":
        # Search only if an end exists: otherwise a page full of openings would be searched once for each.
        mark = "]]>" if last_cdata >= at else ">"
    for end in range(at, len(chunks)):
        place = chunks[end].find(mark, start)
        if place >= 0:
            return end + 1, chunks[end][place + len(mark) :]
        start = 0
    return len(chunks), ""


def find_links(chunks: list[str], *, url: str, encoding: str, agent: str) -> PageLinks:
    """Links and statements of a page; ``encoding`` is the codec of its bytes.

    ``chunks`` are those of :func:`chunks_of`.
    """
    collector = _LinkCollector(agent)
    targets = collector.targets
    tag_starts = [
        at for at, chunk in enumerate(chunks) if chunk[:1] in _FIRST and (chunk[:2] in _ANCHORS or chunk[:3] in _OTHERS)
    ]
    for at in islice(tag_starts, _TAGS_LIMIT):
        chunk = chunks[at]
        plain = _PLAIN_ANCHOR.match(chunk)
        if plain is None:
            collector.take(chunk if ">" in chunk else "<".join(chunks[at : at + _REACH]))
        else:
            href = plain[1] or plain[2]
            if href[0] != "#":
                targets.append(href)
        if len(targets) >= LINKS_LIMIT:
            break
    return collector.page_links(url, encoding)


def refresh_target(content: str) -> str:
    """Target of a Refresh header or meta element; empty if it only reloads the page."""
    match = _REFRESH.match(content[:8192])
    return match[1].strip() if match else ""


def header_links(field: str, url: str) -> PageLinks:
    """Links to other pages in a Link header (RFC 8288); relations mean the same as in link elements."""
    collector = _LinkCollector("")
    for target, rest in islice(_LINK_FIELD.findall(field[:_LONGEST_FIELD]), LINKS_LIMIT):
        attributes = {"href": target.strip()}
        for name, string, bare in _PARAMETER.findall(rest):
            attributes.setdefault(name.lower(), string or bare)
        collector.relation(attributes)
    return collector.page_links(url, "utf-8")


class _LinkCollector:
    """Collects link targets as written; resolves them at the end, since a base element holds for all links."""

    def __init__(self, agent: str) -> None:
        self.targets: list[str] = []
        self._agent = agent.lower()
        self._base: str | None = None
        self._canonical: str | None = None
        self._feeds: list[str] = []
        self._signals: dict[Signal, None] = {}

    def take(self, markup: str) -> None:
        """Note the first tag of a piece of markup."""
        match = _TAG.match(markup)
        if match is None:
            return
        tag, inside = match[1].lower(), match[2]
        if tag == "meta":
            lower = inside.lower()
            if self._agent in lower or any(name in lower for name in _TELLING_META):
                self._meta(_attributes(inside))
        elif tag == "link":
            lower = inside.lower()
            if any(relation in lower for relation in _TELLING_LINK):
                self.relation(_attributes(inside))
        elif tag == "base":
            self._base = _attributes(inside).get("href") if self._base is None else self._base
        else:
            self._target(_attributes(inside).get("href" if tag in ("a", "area") else "src", ""))

    def _target(self, href: str) -> None:
        if href and href[0] != "#":
            self.targets.append(href)

    def _meta(self, attributes: dict[str, str]) -> None:
        content = attributes.get("content", "")
        name = attributes.get("name") or attributes.get("property") or ""
        if name and len(self._signals) < _MOST_SIGNALS:
            self._signals |= dict.fromkeys(meta_signals(_unescape(name), _unescape(content), self._agent))
        if attributes.get("http-equiv", "").lower() == "refresh":
            self._target(refresh_target(content))

    def relation(self, attributes: dict[str, str]) -> None:
        """Note a relation to another page, from a link element or a Link header."""
        relations = set(attributes.get("rel", "").lower().split())
        kind, href = attributes.get("type", "").lower(), attributes.get("href", "")
        if not relations & _PAGES or "stylesheet" in relations or not href:
            return
        if _FEED.match(kind):
            self._feeds.append(href)
        elif kind and "html" not in kind:
            return
        if "canonical" in relations and self._canonical is None:
            self._canonical = href
        self._target(href)

    def page_links(self, url: str, encoding: str) -> PageLinks:
        """Everything collected, as normalised URLs."""
        base = (normalise(_unescape(self._base).strip(), url) if self._base else None) or url
        urls: dict[str, None] = {}
        addresses: dict[str, str | None] = {}
        for href in self.targets:
            if href in addresses:
                continue
            address = addresses[href] = normalise(_unescape(href), base, encoding=encoding)
            if address is not None:
                urls[address] = None
        return PageLinks(
            list(urls),
            addresses.get(self._canonical) if self._canonical else None,
            list(dict.fromkeys(feed for href in self._feeds if (feed := addresses.get(href)))),
            tuple(self._signals),
        )


def _attributes(inside: str) -> dict[str, str]:
    """Attributes: names in lower case, values as written without quotes; the first of equal names counts."""
    attributes: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(inside, 0, _LONGEST_TAG):
        attributes.setdefault(name.lower(), value[1:-1] if value[:1] in ("'", '"') else value)
    return attributes


def _unescape(value: str) -> str:
    """An attribute's value with its character references resolved as in browsers."""
    if "&" not in value:
        return value
    if value.count(";") == value.count("&amp;"):
        return value.replace("&amp;", "&")
    return _REFERENCE.sub(_resolve_reference, value)


def _resolve_reference(match: re.Match[str]) -> str:
    return html.unescape(match[0])
