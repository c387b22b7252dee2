"""Turns host and path into an HTTP answer."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

from paberki.demo.pool import pool
from paberki.demo.shells import render
from paberki.demo.site_furniture import Locate
from paberki.demo.site_model import Site, SitePage
from paberki.demo.traps import trap_page


@dataclass(frozen=True)
class Answer:
    """Status, headers (without Content-Length) and body."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


class SiteResponses:
    """Answers for all hosts; finite pages are rendered once and kept."""

    def __init__(self, sites: Mapping[str, Site], locate: Locate) -> None:
        self._sites = sites
        self._locate = locate
        self._response_cache: dict[tuple[str, str], bytes] = {}

    def answer(self, host: str, path: str, *, gzipped: bool = False) -> Answer:
        """What ``host`` says to a GET for ``path`` (with query string)."""
        site = self._sites[host]
        plain = self._plain(site, path)
        if not (gzipped and site.gzip and plain.body):
            return plain
        # mtime=0 keeps the compressed bytes the same from one run to the next.
        headers = dict(plain.headers) | {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Answer(plain.status, headers, gzip.compress(plain.body, 6, mtime=0))

    def _plain(self, site: Site, path: str) -> Answer:
        if path == "/robots.txt" and site.robots is not None:
            return Answer(200, {"Content-Type": "text/plain"}, site.robots.encode())
        if path in site.redirects:
            status, host, target = site.redirects[path]
            return Answer(status, {"Location": self._locate(host, target), "Content-Type": "text/html"}, b"")
        if path in site.blobs:
            content_type, body = site.blobs[path]
            return Answer(200, {"Content-Type": content_type}, body)
        page = site.pages.get(path) or trap_page(site, path)
        if path in site.failures or page is None:
            return self._error(site, site.failures.get(path, 404))
        return Answer(200, _content_type(page), self._body(site, page))

    def _body(self, site: Site, page: SitePage) -> bytes:
        key = (site.mirror_of or site.host, site.aliases.get(page.path, page.path))
        if key not in self._response_cache:
            source = self._sites[key[0]]
            original = source.pages.get(key[1], page)
            # Characters outside the encoding become references, as careful authors wrote them.
            text = render(source, original, self._locate)
            body = text.encode(original.charset.codec, "xmlcharrefreplace")
            if page.path not in site.pages:
                return body
            self._response_cache[key] = body
        return self._response_cache[key]

    def _error(self, site: Site, status: int) -> Answer:
        text = escape(pool(site.language).labels["missing"])
        body = f"<html><head><title>{status}</title></head><body><h1>{status}</h1><p>{text}</p></body></html>"
        return Answer(status, {"Content-Type": "text/html; charset=utf-8"}, body.encode())


def _content_type(page: SitePage) -> dict[str, str]:
    if page.content_type is None:
        return {}
    charset = f"; charset={page.charset.http}" if page.charset.http else ""
    return {"Content-Type": page.content_type + charset}
