"""Find a page by its id, its stable key or its address."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from paberki.errors import QueryError
from paberki.store.built_layers import Layout
from paberki.store.directory import Directory
from paberki.store.reading import LayerTable, open_table, read_chunks
from paberki.store.sql.quoting import quote

if TYPE_CHECKING:
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
    table = replace(open_table(directory, layout), tombstones=frozenset())
    if _KEY.fullmatch(page.lower()):
        rows = _rows(table, "key", [page.lower()])
        if not rows:
            raise QueryError(f"no page has the key {page.lower()}")
        return PageMatch(int(rows[0]["id"]))
    return _by_address(table, layout, page)


def _by_address(table: LayerTable, layout: Layout, page: str) -> PageMatch:
    choices = variants(page)
    rows = _rows(table, "url", choices)
    if not rows:
        raise QueryError(f"no page with the address {page}{_similar(table, layout, choices[0])}")
    best = min(choices.index(row["url"]) for row in rows)
    captures = [row for row in rows if row["url"] == choices[best]]
    captures.sort(key=lambda row: (row["date"] is not None, row["date"], row["id"]), reverse=True)
    return PageMatch(int(captures[0]["id"]), tuple(captures[1:]))


def _rows(table: LayerTable, column: str, values: list[str]) -> list[dict[str, Any]]:
    """Pages that have one of these values; read without a database, which takes longer to import than to answer."""
    choices = ", ".join(map(quote, values))
    names = ("id", "key", "url", "date")
    return [
        row
        for chunk in read_chunks(table, names, where=f"{column} in ({choices})", kept=False)
        for row in chunk.to_pylist()
    ]


def _similar(table: LayerTable, layout: Layout, url: str) -> str:
    from paberki.store.sql.views import Views

    connection = Views(table, layout.layers)
    try:
        return nearest_addresses(connection, url)
    finally:
        connection.close()


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
