"""Who wrote a page, when, for which site, under which licence: from JSON-LD, meta tags, markup, the URL and the text.

Sources come in the order of their accuracy. A page can be read by :func:`metadata` on its own; as the stage ``metadata.page.v1`` it fills the layer ``metadata``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from paberki.extraction.about import jsonld
from paberki.extraction.about.dates import machine_date
from paberki.extraction.about.page_dates import DATE_NAMES, PageDates
from paberki.extraction.about.page_marks import (
    HEAD_CHARS,
    TAG_NAME,
    VALUE_CHARS,
    attributes_at,
    clean,
    meta_tags,
    places_of,
    plain,
    values_of,
)


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


_DOCTYPE: Final = re.compile(r"\s{0,200}<!doctype\s+([^>]{1,300})>", re.IGNORECASE)
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
_TAG_NAMES: Final = frozenset((*DATE_NAMES, *_AUTHORS, *_SITES, *_LICENCES, *_CATEGORIES, *_KEYWORDS, "og:url"))
"""Names of the meta tags that are read."""
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
    meta = meta_tags(html, _TAG_NAMES)
    things = jsonld.about_the_page(jsonld.objects(html))
    dates = PageDates(html, url or next(iter(meta.get("og:url", ())), None), lang or _language(html), captured)
    published, modified, source = dates.read(meta, things)
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


def _author(html: str, meta: Mapping[str, list[str]], things: list[Mapping[str, Any]]) -> str | None:
    for thing in things[:20]:
        names = [name for name in _names_of(thing.get("author") or thing.get("creator")) if not _NO_NAME.search(name)]
        if names:
            return "; ".join(dict.fromkeys(names))[:VALUE_CHARS]
    for key in _AUTHORS:
        names = [name for name in meta.get(key, ()) if not _NO_NAME.search(name)]
        if names:
            return "; ".join(dict.fromkeys(names))[:VALUE_CHARS]
    for place in places_of(html, ('rel="author"', 'itemprop="author"')):
        begin = html.find(">", place, place + 1000) + 1
        name = plain(html[begin : begin + 600])[:100] if begin else ""
        name = plain(html[begin : html.find("</", begin, begin + 600)]) if begin else name
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
    return (name or next((value for value in values_of(meta, _SITES[1:]) if value), None) or "")[:VALUE_CHARS] or None


def _licence(html: str, meta: Mapping[str, list[str]], things: list[Mapping[str, Any]]) -> str | None:
    for thing in things[:20]:
        value = thing.get("license")
        value = value.get("@id") or value.get("url") if isinstance(value, Mapping) else value
        if isinstance(value, str) and value.strip():
            return value.strip()[:VALUE_CHARS]
    for place in places_of(html, ('rel="license',)):
        start = html.rfind("<", max(0, place - 1000), place)
        name = TAG_NAME.match(html, start) if start >= 0 else None
        href = attributes_at(html, name.end()).get("href") if name else None
        if href:
            return clean(href)
    place = html.find("//creativecommons.org/licenses/")
    if place >= 0:
        start = max(html.rfind(sign, max(0, place - 8), place) for sign in "\"'= ")
        match = re.match(r"[^\s\"'<>]{20,200}", html[start + 1 : start + 201])
        return match.group() if match else None
    return next(iter(values_of(meta, _LICENCES)), None)


def _categories(meta: Mapping[str, list[str]], things: list[Mapping[str, Any]]) -> tuple[str, ...]:
    categories = [text for value in values_of(meta, _CATEGORIES) for text in jsonld.texts_of(value)]
    for thing in things[:50]:
        categories += jsonld.texts_of(thing.get("articleSection"))
        if "BreadcrumbList" in jsonld.kinds(thing):
            steps = thing.get("itemListElement")
            for step in steps[:20] if isinstance(steps, list) else ():
                name = jsonld.text_of(step) or (jsonld.text_of(step.get("item")) if isinstance(step, Mapping) else None)
                categories += [name] if name else []
    return tuple(dict.fromkeys(value[:200] for value in categories))[:50]


def _keywords(html: str, meta: Mapping[str, list[str]], things: list[Mapping[str, Any]]) -> tuple[str, ...]:
    keywords = [text for value in values_of(meta, _KEYWORDS) for text in jsonld.texts_of(value)]
    for thing in things[:20]:
        keywords += jsonld.texts_of(thing.get("keywords"))
    if not keywords:
        for place in places_of(html, ('rel="tag"',)):
            begin = html.find(">", place, place + 1000) + 1
            end = html.find("</a", begin, begin + 300)
            keywords += [plain(html[begin:end])[:100]] if begin and end > 0 else []
    return tuple(dict.fromkeys(value[:200] for value in keywords if value))[:100]


def _canonical(html: str) -> str | None:
    for place in places_of(html[:HEAD_CHARS], ("canonical",)):
        start = html.rfind("<link", max(0, place - 1000), place)
        attributes = attributes_at(html, start + 5) if start >= 0 else {}
        if "canonical" in attributes.get("rel", "").lower().split():
            return clean(attributes.get("href", ""), 2000) or None
    return None


def _base(html: str) -> str | None:
    place = html.find("<base ", 0, HEAD_CHARS)
    return clean(attributes_at(html, place + 5).get("href", ""), 2000) or None if place >= 0 else None


def _language(html: str) -> str:
    place = html.find("lang=", 0, 3_000)
    return html[place + 5 : place + 12].strip("\"' >").lower()[:5] if place >= 0 else ""


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
