"""Find a page by its id, its stable key or its address."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from paberki.errors import QueryError
from paberki.store.built_layers import Layout
from paberki.store.directory import Directory
from paberki.store.reading import open_table
from paberki.store.sql.views import Views

_ID = re.compile(r"[0-9]{1,9}")
_KEY = re.compile(r"[0-9a-f]{32}")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PageMatch:
    """The page, and other captures of the same address."""

    number: int
    others: tuple[dict[str, Any], ...] = ()


def find(directory: Directory, layout: Layout, page: str) -> PageMatch:
    """The page with this id, key or address; of several captures of an address, the latest."""
    page = page.strip()
    if not page:
        raise QueryError("no page named; give an id, a stable key or an address")
    if _ID.fullmatch(page):
        return PageMatch(int(page))
    # A page that was taken down can still be explained: the explanation says that it is gone.
    connection = Views(replace(open_table(directory, layout), gone=frozenset()), layout.layers)
    try:
        if _KEY.fullmatch(page.lower()):
            rows = connection.execute("SELECT id FROM pages WHERE key = ? LIMIT 1", [page.lower()]).fetchall()
            if not rows:
                raise QueryError(f"no page has the key {page.lower()}")
            return PageMatch(int(rows[0][0]))
        return _by_address(connection, page)
    finally:
        connection.close()


def _by_address(connection: Views, page: str) -> PageMatch:
    choices = variants(page)
    rows = connection.execute(
        "SELECT id, key, url, date FROM pages WHERE url IN (SELECT unnest(?)) ORDER BY date DESC NULLS LAST, id DESC",
        [choices],
    ).fetchall()
    if not rows:
        raise QueryError(f"no page with the address {page}{nearest_addresses(connection, choices[0])}")
    best = min(choices.index(row[2]) for row in rows)
    captures = [row for row in rows if row[2] == choices[best]]
    others = [{"id": id_, "key": key, "url": url, "date": date} for id_, key, url, date in captures[1:]]
    return PageMatch(int(captures[0][0]), tuple(others))


def variants(url: str) -> list[str]:
    """The address as given, then what people leave out or write differently: scheme, last slash, case of the host."""
    addresses = [url] if _SCHEME.match(url) else [url, f"https://{url}", f"http://{url}"]
    spellings: list[str] = []
    for one in addresses:
        scheme, mark, rest = one.partition("://")
        host, slash, path = rest.partition("/")
        for name in (scheme, *({"http": ["https"], "https": ["http"]}.get(scheme.lower(), []))):
            for address in (f"{host}{slash}{path}", f"{host.lower()}{slash}{path}"):
                same = f"{name}{mark}{address}"
                spellings += [same, same.rstrip("/") if same.endswith("/") else f"{same}/"]
    return list(dict.fromkeys([url, *spellings]))


def nearest_addresses(connection: Views, url: str) -> str:
    """Up to three similar addresses on the same host, for the error message."""
    address = url if _SCHEME.match(url) else f"http://{url}"
    try:
        host = (urlsplit(address).hostname or "").lower()
    except ValueError:
        return "; this is not an address, an id or a key"
    rows = connection.execute(
        "SELECT url FROM pages WHERE host = ? GROUP BY url ORDER BY levenshtein(left(url, 300), ?), url LIMIT 3",
        [host, address[:300]],
    ).fetchall()
    if not rows:
        return f"; there is no page of the host {host}" if host else "; the corpus has none like it"
    return "; similar: " + ", ".join(row[0] for row in rows)
