"""When a page was published and changed: from JSON-LD, meta tags, microdata, the URL, ``time`` elements and the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from itertools import islice
from typing import Any, Final

from paberki.extraction.about import jsonld
from paberki.extraction.about.dates import find_dates, machine_date, short_date
from paberki.extraction.about.page_marks import TAG_NAME, attributes_at, places_of, plain, values_of
from paberki.web.registered_domains import split_url

BODY_CHARS: Final = 60_000
"""Characters of the body in which a date is looked for when nothing marks one."""
_DC_DATES: Final = ('date"', "date.i", "issued", "create")
PUBLISHED: Final = (
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
DATED: Final = ("date", "dc.date", "dc:date", "timestamp", "doc_date", "release_date")
"""Names that are also used for other dates than that of publication."""
MODIFIED: Final = (
    "article:modified_time", "og:updated_time", "og:modified_time", "dcterms.modified", "dc.date.modified",
    "datemodified", "modified_time", "last-modified", "lastmodified", "last_modified", "lastmod", "revised", "updated_time",
    "modificationdate", "modified", "updated", "dateupdated", "last_updated_date", "weibo:article:update_at",
)  # fmt: skip
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
DATE_NAMES: Final = (*PUBLISHED, *DATED, *MODIFIED)
"""Names of meta tags with dates."""


class PageDates:
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
        modified = modified or self._first(values_of(meta, MODIFIED))
        for source, values in self._publication(meta, things):
            best = self._first(values)
            if best is not None:
                best = self._local(best, source)
                return best, modified if modified is None or modified >= best else None, source
        for source, ask in (
            ("url", self._from_url),
            ("meta", lambda: self._first(values_of(meta, DATED))),
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
        yield "meta", values_of(meta, PUBLISHED)
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
        for place in places_of(self.html, ("<time",)):
            attributes = attributes_at(self.html, place + 5)
            inner = self.html[place : place + 600]
            end = inner.find("</time")
            text = plain(inner[: end if end > 0 else 200])
            day = machine_date(attributes.get("datetime") or text, month_first=self.month_first, lang=self.lang)
            if day is None or not self._possible(day) or _UPDATED.search(attributes.get("class", "")):
                continue
            if "pubdate" in attributes or "publish" in attributes.get("class", "").lower():
                return day
            first = first or day
        return first

    def _from_text(self) -> date | None:
        """A date beside the title, else in an element whose class names a date."""
        title = self._title_place()
        if title >= 0:
            day = self._near(self.html[title : title + 6000], 900) or self._near(
                self.html[max(title - 3000, 0) : title], 600, last=True
            )
            if day is not None:
                return day
        for place in places_of(self.html, ('class="', "class='")):
            end = self.html.find(self.html[place + 6], place + 7, place + 200)
            if end > 0 and _PUBLISHED_CLASS.search(self.html, place + 7, end):
                piece = self.html[end : end + 400]
                day = self._near(piece, 120) or short_date(plain(piece)[:60], month_first=self.month_first)
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
        text = plain(piece)
        text = text[-chars:] if last else text[:chars]
        days = [day for _, day in find_dates(text, month_first=self.month_first, lang=self.lang) if self._possible(day)]
        return days[-1 if last else 0] if days else None


def _marked_dates(html: str) -> Iterator[str | None]:
    """Microdata and RDFa: the value of an element marked as the date of publication."""
    marks = ('itemprop="datePublished"', "itemprop='datePublished'", 'property="dc:', 'itemprop="dateCreated"')
    for place in places_of(html, marks if "itemprop=" in html else marks[2:3]):
        if html[place + 10 : place + 13] == "dc:" and not html.startswith(_DC_DATES, place + 13):
            continue
        start = html.rfind("<", max(0, place - 1000), place)
        name = TAG_NAME.match(html, start) if start >= 0 else None
        if name is None:
            continue
        attributes = attributes_at(html, name.end())
        yield attributes.get("content") or attributes.get("datetime") or plain(html[place : place + 400])[:80]


def _month_first(lang: str, url: str | None) -> bool:
    """Whether 3/4/2020 is a day in March: as Americans write it, unless language or address are elsewhere."""
    speech, country = lang[:2].lower(), lang[3:5].lower()
    if speech not in ("en", "") or country not in ("us", ""):
        return False
    host = (split_url(url).hostname or "") if url and "//" in url else ""
    return country == "us" or host.rpartition(".")[2] in ("com", "org", "net", "us", "gov", "edu", "mil", "tv", "io")
