"""Everything on a page that is not the text: menus, bars, boxes, forms, footers.

All words come from the labels of the page's language, and the names of classes and ids follow a scheme
per host, so that a cleaner cannot learn one vocabulary for the whole web.
"""

from __future__ import annotations

import posixpath
import random
import zlib
from collections.abc import Callable, Iterable
from html import escape
from urllib.parse import urlsplit

from paberki.demo.cyrillic_pages import to_cyrillic
from paberki.demo.pool import Pool, pool
from paberki.demo.site_model import ListingEntry, Site, SitePage

Locate = Callable[[str, str], str]
"""Host and path to absolute URL."""


class SiteFurniture:
    """The furniture of one page."""

    def __init__(self, site: Site, page: SitePage, locate: Locate) -> None:
        self.site = site
        self.page = page
        self.locate = locate
        # Furniture is in the host's language even where the text is a guest's.
        self.words: Pool = pool(site.language)
        self.rng = random.Random(f"furniture/{site.host}{page.path}/{page.variant}")  # noqa: S311

    def label(self, key: str) -> str:
        text = self.words.labels[key]
        return escape(to_cyrillic(text) if self.page.script == "Cyrl" else text)

    def name(self, role: str) -> str:
        """The class or id this host uses for ``role``."""
        digest = f"{zlib.crc32((self.site.host + role).encode()):08x}"
        schemes = (role, f"td-{role}-wrap", f"css-{digest[:6]}", f"c-{role}__blok", f"tbl{digest[:3]}")
        return schemes[self.site.style.naming]

    def href(self, path: str) -> str:
        """A link inside the host, in the host's manner."""
        style = self.site.style.links
        if style == "absolute":
            path = self.locate(self.site.host, path)
        elif style == "relative" and path != "/":
            here = posixpath.dirname(urlsplit(self.page.path).path)
            parts = urlsplit(path)
            path = posixpath.relpath(parts.path, here) + ("/" if parts.path.endswith("/") else "")
            path += f"?{parts.query}" if parts.query else ""
        return escape(path)

    def anchor(self, entry: ListingEntry) -> str:
        return f'<a href="{self.href(entry.path)}">{escape(entry.title)}</a>'

    def items(self, entries: Iterable[ListingEntry]) -> str:
        return "".join(f"<li>{self.anchor(entry)}</li>\n" for entry in entries)

    def menu(self) -> str:
        entries = [ListingEntry("/", self.words.labels["home"]), *self.site.menu]
        return f'<ul id="{self.name("menu")}">\n{self.items(entries)}</ul>'

    def breadcrumb(self) -> str:
        trail = f'<a href="{self.href("/")}">{self.label("home")}</a> &raquo; '
        return f'<div class="{self.name("path")}">{trail}<span>{escape(self.page.title)}</span></div>'

    def cookie_bar(self) -> str:
        button = f'<button type="button">{self.label("accept")}</button>'
        return f'<div id="{self.name("cookie")}"><p>{self.label("cookie")}</p>{button}</div>'

    def _others(self, count: int) -> list[ListingEntry]:
        kinds = {"article", "post", "thread", "product", "notice", "spam"}
        pages = [p for p in self.site.pages.values() if p.kind in kinds and p.should_fetch == self.page.should_fetch]
        sample = self.rng.sample(pages, min(count, len(pages)))
        return [ListingEntry(page.path, page.title) for page in sample]

    def related(self) -> str:
        box = f'<div class="{self.name("related")}"><h3>{self.label("related")}</h3>'
        return f"{box}<ul>\n{self.items(self._others(4))}</ul></div>"

    def popular(self) -> str:
        box = f'<div class="{self.name("popular")}"><h4>{self.label("popular")}</h4>'
        return f"{box}<ol>\n{self.items(self._others(6 if self.page.variant else 5))}</ol></div>"

    def tag_cloud(self) -> str:
        tags = self.rng.sample(self.words.slots["tag"], 10)
        spans = " ".join(f'<span style="font-size:{self.rng.randint(8, 22)}px">{escape(tag)}</span>' for tag in tags)
        return f'<div class="{self.name("tags")}"><h4>{self.label("tags")}</h4>{spans}</div>'

    def share(self) -> str:
        icon = '<svg width="16" height="16" ><title>share</title><path d="M2 8h9l-3-3"/></svg>'
        return f'<div class="{self.name("share")}">{icon}<span>{self.label("share")}</span></div>'

    def login(self) -> str:
        fields = f'{self.label("user")} <input type="text" name="u" /> {self.label("password")} '
        fields += f'<input type="password" name="p" /> <input type="submit" value="{self.label("login")}" />'
        return f'<form id="{self.name("login")}" action="{self.href("/prijava")}" method="post">{fields}</form>'

    def search(self) -> str:
        field = f'<input type="search" name="q" placeholder="{self.label("search")}" />'
        return f'<form class="{self.name("search")}" action="{self.href("/trazi")}" method="post">{field}</form>'

    def newsletter(self) -> str:
        return f'<div class="{self.name("letter")}"><p>{self.label("newsletter")}</p></div>'

    def hidden_text(self) -> str:
        return f'<div style="display:none" class="{self.name("ad")}">{self.label("hidden")}</div>'

    def noscript(self) -> str:
        return f"<noscript><p>{self.label('noscript')}</p></noscript>"

    def friends(self) -> str:
        links = "".join(
            f'<li><a href="{escape(self.locate(host, "/"))}">{escape(host.removesuffix(".test"))}</a></li>\n'
            for host in self.site.friends
        )
        return (
            f'<div class="{self.name("friends")}"><h4>{self.label("friends")}</h4><ul>\n{links}</ul></div>'
            if links
            else ""
        )

    def service(self) -> str:
        """The home page's box of odd addresses."""
        if self.page.path != "/":
            return ""
        return f'<ul class="{self.name("service")}">\n{self.items(self.site.service)}</ul>'

    def sidebar(self) -> str:
        boxes = [self.popular(), self.tag_cloud(), self.newsletter(), self.friends()]
        if self.page.variant:
            boxes.reverse()
        return "\n".join([self.service(), *boxes])

    def footer(self) -> str:
        about = f'<a href="{self.href("/info/about")}">{self.label("about")}</a>'
        contact = f'<a href="{self.href("/info/contact")}">{self.label("contact")}</a>'
        words = f"<span>{self.label('privacy')}</span> | <span>{self.label('terms')}</span>"
        rights = f"&copy; 2024 {escape(self.site.name)}. {self.label('rights')}"
        return f'<div id="{self.name("footer")}">{about} | {contact} | {words}<br />{rights}</div>'
