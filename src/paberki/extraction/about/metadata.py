"""Who wrote a page, when, for which site, under which licence: from JSON-LD, meta tags, markup, the URL and the text.

No tree is built and no regular expression runs over the whole page: plain strings mark the places
that are read. Sources come in the order of their accuracy. A page can be read by
:func:`metadata` on its own; as the stage ``metadata.page.v1`` it fills the layer ``metadata``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from html import unescape
from itertools import islice
from typing import Any, Final

from paberki.extraction.about import jsonld
from paberki.extraction.about.dates import find_dates, machine_date, short_date
from paberki.web.registered_domains import split_url

META_TAGS: Final = 300
HEAD_CHARS: Final = 500_000
"""Characters in which meta tags are looked for."""
MARKS: Final = 60
"""Places looked at per mark."""
VALUE_CHARS: Final = 500
BODY_CHARS: Final = 60_000
"""Characters of the body in which a date is looked for when nothing marks one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What a page says about itself; dates are ``YYYY-MM-DD`` as the page wrote them."""

    published: str | None = None
    modified: str | None = None
    date_source: str | None = None
    """Where the date came from: json-ld, meta, microdata, url, time, text (beside the title, or marked by its class) or
    body (the first date in the text, which is wrong as often as not)."""
    author: str | None = None
    site: str | None = None
    licence: str | None = None
    categories: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    doctype: str | None = None
    canonical: str | None = None
    """Address that the page gives as its own, as written."""
    base: str | None = None
    """Address that relative links start from, as written."""
    server_date: str | None = None
    """Day of the HTTP header Last-Modified."""

    @property
    def date(self) -> str | None:
        """When the page was published, else when it was last changed."""
        return self.published or self.modified


_ATTRIBUTE: Final = re.compile(r"""([A-Za-z_:][\w:.-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?\s*""")
_TAG_CHARS: Final = 4_000
_TAGS: Final = re.compile(r"<[^<>]{0,2000}>")
_DC_DATES: Final = ('date"', "date.i", "issued", "create")
_NAME: Final = re.compile(r"<\w{1,20}")
_DOCTYPE: Final = re.compile(r"\s{0,200}<!doctype\s+([^>]{1,300})>", re.IGNORECASE)
_PUBLISHED: Final = (
    "article:published_time", "article:published", "og:published_time", "og:article:published_time", "datepublished",
    "dc.date.issued", "dcterms.issued", "dcterms.date", "dcterms.created", "dc.date.created", "dc.date.published",
    "dc.date.x-metadatadate", "pubdate", "publishdate", "publish-date", "publish_date",
    "publication_date", "publicationdate", "publicationtime", "published_time", "published-date", "published_date",
    "published", "date_published", "parsely-pub-date", "sailthru.date", "article.published", "article_date_original",
    "article-date", "article.created", "articledate", "bt:pubdate", "cxenseparse:recs:publishtime",
    "citation_publication_date", "citation_date", "citation_online_date", "dcsext.articlefirstpublished",
    "displaydate", "gentime", "ptime", "cxenseparse:pubdate", "rbpubdate", "og:pubdate", "og:release_date",
    "originalpublicationdate", "pub_date", "video:release_date", "vr:published_time", "shareaholic:article_published_time",
    "created", "datecreated", "created_at", "issued", "weibo:article:create_at",
)  # fmt: skip
_DATED: Final = ("date", "dc.date", "dc:date", "timestamp", "doc_date", "release_date")
"""Names that are also used for other dates than that of publication."""
_MODIFIED: Final = (
    "article:modified_time", "og:updated_time", "og:modified_time", "dcterms.modified", "dc.date.modified",
    "datemodified", "modified_time", "last-modified", "lastmodified", "last_modified", "lastmod", "revised", "updated_time",
    "modificationdate", "modified", "updated", "dateupdated", "last_updated_date", "weibo:article:update_at",
)  # fmt: skip
_AUTHORS: Final = (
    "author", "article:author", "dc.creator", "dcterms.creator", "dc.contributor", "parsely-author", "sailthru.author",
    "citation_author", "article:author_name", "byl", "authors", "og:author", "cxenseparse:author", "shareaholic:article_author_name",
)  # fmt: skip
_SITES: Final = (
    "og:site_name", "application-name", "apple-mobile-web-app-title", "dc.publisher", "publisher", "citation_journal_title",
    "al:android:app_name", "twitter:app:name:iphone", "shareaholic:site_name",
)  # fmt: skip
_LICENCES: Final = ("dcterms.license", "dc.rights.license", "dcterms.rights", "dc.rights", "license", "licence")
_CATEGORIES: Final = (
    "article:section",
    "category",
    "categories",
    "section",
    "parsely-section",
    "dc.subject",
    "og:section",
)
_KEYWORDS: Final = ("keywords", "news_keywords", "article:tag", "parsely-tags", "sailthru.tags", "og:article:tag")
_WANTED: Final = frozenset(
    _PUBLISHED + _DATED + _MODIFIED + _AUTHORS + _SITES + _LICENCES + _CATEGORIES + _KEYWORDS + ("og:url",)
)
_META_NAME: Final = re.compile(r"""(?:name|property|itemprop|http-equiv)\s*=\s*["']?([\w:.-]+)""", re.IGNORECASE)
_URL_DATE: Final = re.compile(
    r"(?:^|[/_.=-])((?:19|20)\d\d)(?:([/_.-])(0?[1-9]|1[0-2])\2(3[01]|[12]\d|0?[1-9])|(0[1-9]|1[0-2])(3[01]|[12]\d|0[1-9]))"
    r"(?=[/_.\-?&#]|$)"
)
_PUBLISHED_CLASS: Final = re.compile(
    r"publi[sc]|post(?:ed|[-_]?date|[-_]?meta|[-_]?time)|entry-(?:date|meta)|(?:article|news|story|content)[-_]{0,2}"
    r"(?:date|time|meta|info)|date|datum|fecha|data|time|byline|meta|objav|veröffentlich|posted",
    re.IGNORECASE,
)
_TITLE_PARTS: Final = re.compile(r"\s[|–—:»«>·-]{1,2}\s|\|")
_YEAR_SOMEWHERE: Final = re.compile(r"[12][09]\d\d(?!\w)")
_UPDATED: Final = re.compile(r"updat|modif|ažurir|aktualis|geändert|обновл|izmijenj|uprav", re.IGNORECASE)
_NO_NAME: Final = re.compile(
    r"https?:|@|^\W*$|[{}<>]|^(?:admin|administrator|redakcija|unknown|null|undefined|none)$", re.IGNORECASE
)


def metadata(
    html: str,
    url: str | None = None,
    *,
    lang: str = "",
    server_date: str | None = None,
    captured: date | None = None,
) -> Metadata:
    """Metadata of a page.

    ``server_date`` is the HTTP header Last-Modified, ``captured`` the day of the capture: no page is younger.
    """
    meta = _meta_tags(html)
    things = jsonld.about_the_page(jsonld.objects(html))
    reader = _Dates(html, url or next(iter(meta.get("og:url", ())), None), lang or _language(html), captured)
    published, modified, source = reader.read(meta, things)
    server = machine_date(server_date) if server_date else None
    doctype = _DOCTYPE.match(html, 1 if html.startswith("\ufeff") else 0)
    return Metadata(
        published=_iso(published),
        modified=_iso(modified),
        date_source=source,
        author=_author(html, meta, things),
        site=_site(meta, things),
        licence=_licence(html, meta, things),
        categories=_categories(meta, things),
        keywords=_keywords(html, meta, things),
        doctype=" ".join(doctype.group(1).split()) if doctype else None,
        canonical=_canonical(html),
        base=_base(html),
        server_date=_iso(server),
    )


class _Dates:
    """Asks one source after the other for the dates of a page."""

    __slots__ = ("captured", "html", "lang", "month_first", "url")

    def __init__(self, html: str, url: str | None, lang: str, captured: date | None) -> None:
        self.html, self.url, self.lang = html, url, lang
        self.captured = captured + timedelta(days=1) if captured else None
        self.month_first = _month_first(lang, url)

    def read(
        self, meta: Mapping[str, list[str]], things: list[Mapping[str, Any]]
    ) -> tuple[date | None, date | None, str | None]:
        """Published, modified, and the source of the first that was found."""
        modified = self._first(jsonld.text_of(thing.get("dateModified")) for thing in things[:20])
        modified = modified or self._first(_values(meta, _MODIFIED))
        for source, values in self._publication(meta, things):
            best = self._first(values)
            if best is not None:
                best = self._local(best, source)
                return best, modified if modified is None or modified >= best else None, source
        for source, ask in (
            ("url", self._from_url),
            ("meta", lambda: self._first(_values(meta, _DATED))),
            ("time", self._from_time),
            ("text", self._from_text),
            ("body", self._anywhere),
        ):
            day = ask()
            if day is not None and self._possible(day):
                return day, modified if modified is None or modified >= day else None, source
        return None, modified, "meta" if modified else None

    def _publication(
        self, meta: Mapping[str, list[str]], things: list[Mapping[str, Any]]
    ) -> Iterator[tuple[str, Iterator[str | None]]]:
        fields = ("datePublished", "dateCreated", "uploadDate")
        yield "json-ld", (jsonld.text_of(thing.get(field)) for thing in things[:20] for field in fields[:1])
        yield "meta", _values(meta, _PUBLISHED)
        yield "microdata", _marked_dates(self.html)
        yield "json-ld", (jsonld.text_of(thing.get(field)) for thing in things[:20] for field in fields[1:])

    def _local(self, day: date, source: str) -> date:
        """The day in the address, where that is more reliable.

        Times are written in UTC, addresses are not: of two days in a row the address has the right one. Tags other
        than those of JSON-LD are often renewed with the page, the address never is.
        """
        other = self._from_url()
        if other is None or not self._possible(other):
            return day
        return other if abs((other - day).days) == 1 or (source != "json-ld" and other < day) else day

    def _first(self, values: Iterator[str | None]) -> date | None:
        for value in values:
            day = machine_date(value, month_first=self.month_first, lang=self.lang) if value else None
            if day is not None and self._possible(day):
                return day
        return None

    def _possible(self, day: date) -> bool:
        return self.captured is None or day <= self.captured

    def _from_url(self) -> date | None:
        match = _URL_DATE.search(split_url(self.url).path[:1000]) if self.url and "//" in self.url else None
        return machine_date("-".join(part for part in match.groups() if part and part[0].isdigit())) if match else None

    def _from_time(self) -> date | None:
        """The first ``time`` element that says publication, else the first of all."""
        first = None
        for place in _places(self.html, ("<time",)):
            attributes = _attributes(self.html, place + 5)
            inner = self.html[place : place + 600]
            end = inner.find("</time")
            text = _plain(inner[: end if end > 0 else 200])
            day = machine_date(attributes.get("datetime") or text, month_first=self.month_first, lang=self.lang)
            if day is None or not self._possible(day) or _UPDATED.search(attributes.get("class", "")):
                continue
            if "pubdate" in attributes or "publish" in attributes.get("class", "").lower():
                return day
            first = first or day
        return first

    def _from_text(self) -> date | None:
        """A date beside the title, else in an element whose class speaks of dates."""
        title = self._title_place()
        if title >= 0:
            day = self._near(self.html[title : title + 6000], 900) or self._near(
                self.html[max(title - 3000, 0) : title], 600, last=True
            )
            if day is not None:
                return day
        for place in _places(self.html, ('class="', "class='")):
            end = self.html.find(self.html[place + 6], place + 7, place + 200)
            if end > 0 and _PUBLISHED_CLASS.search(self.html, place + 7, end):
                piece = self.html[end : end + 400]
                day = self._near(piece, 120) or short_date(_plain(piece)[:60], month_first=self.month_first)
                if day is not None and self._possible(day):
                    return day
        return None

    def _anywhere(self) -> date | None:
        """The first date of the body that stands in text, not in a tag or script."""
        begin = max(self.html.find("<body"), self.html.find("<BODY"), 0)
        for year in islice(_YEAR_SOMEWHERE.finditer(self.html, begin, begin + BODY_CHARS), 400):
            start = max(year.start() - 24, 0)
            if self.html.rfind("<", start - 300, year.start()) > self.html.rfind(">", start - 300, year.start()):
                continue
            day = self._near(self.html[start : year.end() + 12], 60)
            if day is not None:
                return day
        return None

    def _title_place(self) -> int:
        """Where the title stands in the body: the last first-level heading, else a part of the page's title."""
        heading = max(self.html.rfind("<h1"), self.html.rfind("<H1"))
        if heading >= 0:
            return heading
        begin = max(self.html.find("<title"), self.html.find("<TITLE"))
        end = max(self.html.find("</title", begin), self.html.find("</TITLE", begin)) if begin >= 0 else -1
        if 0 <= begin < end < begin + 2000:
            title = self.html[self.html.find(">", begin) + 1 : end]
            for part in sorted(_TITLE_PARTS.split(title), key=len, reverse=True)[:2]:
                words = part.strip()
                place = self.html.find(words[:40], end) if len(words) > 9 else -1
                if place >= 0:
                    return place
        return self.html.find("<h2")

    def _near(self, piece: str, chars: int, *, last: bool = False) -> date | None:
        text = _plain(piece)
        text = text[-chars:] if last else text[:chars]
        days = [day for _, day in find_dates(text, month_first=self.month_first, lang=self.lang) if self._possible(day)]
        return days[-1 if last else 0] if days else None


def _meta_tags(html: str) -> dict[str, list[str]]:
    """Contents of the head's meta tags by name, property or itemprop, in small letters."""
    tags: dict[str, list[str]] = {}
    end = html.find("</head", 0, HEAD_CHARS)
    end = end if end >= 0 else min(len(html), HEAD_CHARS)
    mark = "<meta" if html.find("<meta", 0, end) >= 0 else "<META"
    place = html.find(mark, 0, end)
    for _ in range(META_TAGS):
        if place < 0:
            break
        name = _META_NAME.search(html, place, place + 400)
        if name is not None and name.group(1).lower() in _WANTED:
            attributes = _attributes(html, place + 5)
            content = attributes.get("content")
            for key in ("property", "name", "itemprop", "http-equiv") if content else ():
                if content and key in attributes:
                    tags.setdefault(attributes[key].lower(), []).append(_clean(content))
        place = html.find(mark, place + 5, end)
    return tags


def _attributes(html: str, place: int) -> dict[str, str]:
    """Attributes of the tag whose name ends at ``place``."""
    attributes: dict[str, str] = {}
    limit = min(place + _TAG_CHARS, len(html))
    while place < limit and html[place] in " \t\r\n\f/":
        place += 1
    for _ in range(30):
        match = _ATTRIBUTE.match(html, place, limit)
        if match is None:
            break
        value = match.group(2) or match.group(3) or match.group(4) or ""
        attributes.setdefault(match.group(1).lower(), value)
        place = match.end()
    return attributes


def _places(html: str, marks: tuple[str, ...]) -> Iterator[int]:
    for mark in marks:
        place = html.find(mark)
        for _ in range(MARKS):
            if place < 0:
                break
            yield place
            place = html.find(mark, place + len(mark))


def _marked_dates(html: str) -> Iterator[str | None]:
    """Microdata and RDFa: the value of an element marked as the date of publication."""
    marks = ('itemprop="datePublished"', "itemprop='datePublished'", 'property="dc:', 'itemprop="dateCreated"')
    for place in _places(html, marks if "itemprop=" in html else marks[2:3]):
        if html[place + 10 : place + 13] == "dc:" and not html.startswith(_DC_DATES, place + 13):
            continue
        start = html.rfind("<", max(0, place - 1000), place)
        name = _NAME.match(html, start) if start >= 0 else None
        if name is None:
            continue
        attributes = _attributes(html, name.end())
        yield attributes.get("content") or attributes.get("datetime") or _plain(html[place : place + 400])[:80]


def _values(meta: Mapping[str, list[str]], names: tuple[str, ...]) -> Iterator[str | None]:
    for name in names:
        yield from meta.get(name, ())


def _author(html: str, meta: Mapping[str, list[str]], things: list[Mapping[str, Any]]) -> str | None:
    for thing in things[:20]:
        names = [name for name in _names_of(thing.get("author") or thing.get("creator")) if not _NO_NAME.search(name)]
        if names:
            return "; ".join(dict.fromkeys(names))[:VALUE_CHARS]
    for key in _AUTHORS:
        names = [name for name in meta.get(key, ()) if not _NO_NAME.search(name)]
        if names:
            return "; ".join(dict.fromkeys(names))[:VALUE_CHARS]
    for place in _places(html, ('rel="author"', 'itemprop="author"')):
        begin = html.find(">", place, place + 1000) + 1
        name = _plain(html[begin : begin + 600])[:100] if begin else ""
        name = _plain(html[begin : html.find("</", begin, begin + 600)]) if begin else name
        if 2 < len(name) <= 80 and not _NO_NAME.search(name):
            return name
    return None


def _names_of(value: object) -> list[str]:
    if isinstance(value, list):
        return [name for one in value[:20] for name in _names_of(one)]
    name = jsonld.text_of(value)
    return [name[:200]] if name else []


def _site(meta: Mapping[str, list[str]], things: list[Mapping[str, Any]]) -> str | None:
    name = next((value for value in meta.get(_SITES[0], ()) if value), None)
    for thing in things[:20] if name is None else ():
        if "WebSite" in jsonld.kinds(thing):
            name = jsonld.text_of(thing.get("name"))
        name = name or jsonld.text_of(thing.get("publisher")) or jsonld.text_of(thing.get("isPartOf"))
        if name:
            break
    return (name or next((value for value in _values(meta, _SITES[1:]) if value), None) or "")[:VALUE_CHARS] or None


def _licence(html: str, meta: Mapping[str, list[str]], things: list[Mapping[str, Any]]) -> str | None:
    for thing in things[:20]:
        value = thing.get("license")
        value = value.get("@id") or value.get("url") if isinstance(value, Mapping) else value
        if isinstance(value, str) and value.strip():
            return value.strip()[:VALUE_CHARS]
    for place in _places(html, ('rel="license',)):
        start = html.rfind("<", max(0, place - 1000), place)
        name = _NAME.match(html, start) if start >= 0 else None
        href = _attributes(html, name.end()).get("href") if name else None
        if href:
            return _clean(href)
    place = html.find("//creativecommons.org/licenses/")
    if place >= 0:
        start = max(html.rfind(sign, max(0, place - 8), place) for sign in "\"'= ")
        match = re.match(r"[^\s\"'<>]{20,200}", html[start + 1 : start + 201])
        return match.group() if match else None
    return next(iter(_values(meta, _LICENCES)), None)


def _categories(meta: Mapping[str, list[str]], things: list[Mapping[str, Any]]) -> tuple[str, ...]:
    categories = [text for value in _values(meta, _CATEGORIES) for text in jsonld.texts_of(value)]
    for thing in things[:50]:
        categories += jsonld.texts_of(thing.get("articleSection"))
        if "BreadcrumbList" in jsonld.kinds(thing):
            steps = thing.get("itemListElement")
            for step in steps[:20] if isinstance(steps, list) else ():
                name = jsonld.text_of(step) or (jsonld.text_of(step.get("item")) if isinstance(step, Mapping) else None)
                categories += [name] if name else []
    return tuple(dict.fromkeys(value[:200] for value in categories))[:50]


def _keywords(html: str, meta: Mapping[str, list[str]], things: list[Mapping[str, Any]]) -> tuple[str, ...]:
    keywords = [text for value in _values(meta, _KEYWORDS) for text in jsonld.texts_of(value)]
    for thing in things[:20]:
        keywords += jsonld.texts_of(thing.get("keywords"))
    if not keywords:
        for place in _places(html, ('rel="tag"',)):
            begin = html.find(">", place, place + 1000) + 1
            end = html.find("</a", begin, begin + 300)
            keywords += [_plain(html[begin:end])[:100]] if begin and end > 0 else []
    return tuple(dict.fromkeys(value[:200] for value in keywords if value))[:100]


def _canonical(html: str) -> str | None:
    for place in _places(html[:HEAD_CHARS], ("canonical",)):
        start = html.rfind("<link", max(0, place - 1000), place)
        attributes = _attributes(html, start + 5) if start >= 0 else {}
        if "canonical" in attributes.get("rel", "").lower().split():
            return _clean(attributes.get("href", ""), 2000) or None
    return None


def _base(html: str) -> str | None:
    place = html.find("<base ", 0, HEAD_CHARS)
    return _clean(_attributes(html, place + 5).get("href", ""), 2000) or None if place >= 0 else None


def _language(html: str) -> str:
    place = html.find("lang=", 0, 3_000)
    return html[place + 5 : place + 12].strip("\"' >").lower()[:5] if place >= 0 else ""


def _month_first(lang: str, url: str | None) -> bool:
    """Whether 3/4/2020 is a day in March: as Americans write it, unless language or address are elsewhere."""
    speech, country = lang[:2].lower(), lang[3:5].lower()
    if speech not in ("en", "") or country not in ("us", ""):
        return False
    host = (split_url(url).hostname or "") if url and "//" in url else ""
    return country == "us" or host.rpartition(".")[2] in ("com", "org", "net", "us", "gov", "edu", "mil", "tv", "io")


def _plain(piece: str) -> str:
    cut = piece.find("<script")
    while cut >= 0:
        end = piece.find("</script", cut)
        piece = piece[:cut] + (piece[end + 9 :] if end > 0 else "")
        cut = piece.find("<script")
    return _clean(_TAGS.sub(" ", piece), len(piece))


def _clean(value: str, limit: int = VALUE_CHARS) -> str:
    return " ".join(unescape(value).split())[:limit]


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
