"""Which pages a request means: an address, a host, an id or a stable key."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from paberki.errors import QueryError, StoreError
from paberki.nearest import nearest
from paberki.report.one_page.find import nearest_addresses, variants
from paberki.store.built_layers import BuiltLayers
from paberki.store.columns import builtin
from paberki.store.directory import Directory
from paberki.store.layer import SHARD
from paberki.store.reading import open_table
from paberki.store.sql.views import Views
from paberki.store.taken_down.tombstones import Tombstone, address_of, read_tombstones

_HOST: Final = re.compile(r"(?=.*[.:])[\w.-]+(?::\d+)?|localhost", re.IGNORECASE)
_ID: Final = re.compile(r"[0-9]{1,9}")
_KEY: Final = re.compile(r"[0-9a-f]{32}")
_GROUPS: Final = ("dup_exact", "dup_cluster")
"""Columns that name the group of copies of a page."""


@dataclass(frozen=True, slots=True)
class NamedPage:
    """A page of the corpus, as take-downs list it."""

    id: str
    key: str
    url: str
    host: str
    keep: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NamedPages:
    """The pages that a request means; ``host`` where it named a host."""

    pages: tuple[NamedPage, ...]
    host: str = ""


def pages_named(directory: Directory, layout: Any, what: str) -> NamedPages:
    """The pages that ``what`` names, also those that were taken down before; nothing is an error with the nearest name."""
    what = what.strip()
    stones = read_tombstones(directory.root)
    tombstone_pages = [
        NamedPage(one.id, one.key, one.url, one.host) for one in stones if one.key and _is_meant(one, what)
    ]
    if _HOST.fullmatch(what) and not _ID.fullmatch(what):
        host = what.lower().partition(":")[0]  # pages do not tell the port of their host
        pages = _select(directory, layout, "lower(host) = ?", [host])
        tombstone_pages = [
            NamedPage(one.id, one.key, one.url, one.host) for one in stones if one.key and one.host == host
        ]
        if pages or tombstone_pages:
            return NamedPages(_together(pages, tombstone_pages), host)
        raise QueryError(f"no page of the host {what}{_near_host(directory, layout, what)}")
    if tombstone_pages and not _ID.fullmatch(what):
        return NamedPages(_together(_by_address(directory, layout, what), tombstone_pages))
    pages = _find(directory, layout, what)
    return NamedPages(_together(pages, tombstone_pages))


def stones_named(directory: Directory, what: str) -> list[Tombstone]:
    """The tombstones that ``what`` names, for a request to undo them."""
    stones = read_tombstones(directory.root)
    matches = [stone for stone in stones if _is_meant(stone, what.strip())]
    if not matches:
        names = [name for stone in stones for name in (stone.url, stone.host, stone.key, stone.id) if name]
        raise QueryError(
            f"nothing was taken down as {what}{nearest(what, names)}; see: paberki takedown {directory.root} --list"
        )
    return matches


def copies_of(directory: Directory, layout: Any, pages: Collection[NamedPage]) -> list[NamedPage]:
    """Other pages in the groups of these: the same text, nearly the same, or another capture of the same address."""
    with _open_views(directory, layout) as views:
        groups = [name for name in _GROUPS if name in views.table.columns]
        verdict = ["dup_of"] if "dup_of" in views.table.columns else []
        tests = [f'"{name}" IN (SELECT "{name}" FROM named WHERE "{name}" IS NOT NULL)' for name in groups]
        tests.append("url IN (SELECT url FROM named WHERE url <> '')")
        if verdict:
            tests += ["dup_of IN (SELECT key FROM named)", "key IN (SELECT dup_of FROM named WHERE dup_of IS NOT NULL)"]
        keys = [page.key for page in pages]
        rows = views.execute(
            f"WITH named AS (SELECT {', '.join(['key', 'url', *verdict, *groups])} FROM pages "
            "WHERE key IN (SELECT unnest(?))) "
            f"SELECT id, key, url, host, {_verdict(views)} FROM pages "
            f"WHERE key NOT IN (SELECT key FROM named) AND ({' OR '.join(tests)}) ORDER BY id",
            [keys],
        ).fetchall()
    return [_page(row) for row in rows]


def _find(directory: Directory, layout: Any, what: str) -> list[NamedPage]:
    """The page with this id or key, or all captures of this address."""
    if not what:
        raise QueryError("no page named; give an address, a host, an id or a stable key")
    if _ID.fullmatch(what):
        if pages := _select(directory, layout, "id = ?", [f"{int(what):09d}"]):
            return pages
        raise QueryError(f"no page with the id {int(what):09d}; the last one is {_last_id(directory)}")
    if _KEY.fullmatch(what.lower()):
        if pages := _select(directory, layout, "key = ?", [what.lower()]):
            return pages
        raise QueryError(f"no page has the key {what.lower()}; is it of another corpus?")
    if pages := _select(directory, layout, "url IN (SELECT unnest(?))", [variants(what)]):
        return pages
    with _open_views(directory, layout) as views:
        raise QueryError(f"no page with the address {what}{nearest_addresses(views, what)}")


def _last_id(directory: Directory) -> str:
    shards = directory.manifest().shards
    return f"{(len(shards) - 1) * SHARD + shards[-1].rows - 1:09d}"


def _is_meant(stone: Tombstone, what: str) -> bool:
    if _ID.fullmatch(what):
        return bool(stone.id) and int(stone.id) == int(what)
    host = what.lower().partition(":")[0]
    if host in (stone.because, "" if stone.key else stone.host):
        return True
    return what.lower() == stone.key or bool(stone.url and address_of(stone.url) == address_of(what))


def _by_address(directory: Directory, layout: Any, what: str) -> list[NamedPage]:
    """Captures of an address that came in after it was taken down."""
    return _select(directory, layout, "url IN (SELECT unnest(?)) OR key = ?", [variants(what), what.lower()])


def _together(pages: Collection[NamedPage], tombstone_pages: Collection[NamedPage]) -> tuple[NamedPage, ...]:
    """Each page once; what the tombstone says about a page is more than the layers do."""
    return tuple(({page.key: page for page in pages} | {page.key: page for page in tombstone_pages}).values())


@contextmanager
def _open_views(directory: Directory, layout: Any) -> Iterator[Views]:
    """Views in which pages that were taken down can still be found; of the archive alone while the first build runs."""
    try:
        table, layers = open_table(directory, layout), layout.layers
    except StoreError:
        own = BuiltLayers(["archive"], {one.full: one for one in builtin("archive")})
        table, layers = open_table(directory, own), own.layers
    views = Views(replace(table, tombstones=frozenset()), layers)
    try:
        yield views
    finally:
        views.close()


def _verdict(views: Views) -> str:
    return "keep, reason" if "keep" in views.table.columns else "false, NULL"


def _select(directory: Directory, layout: Any, test: str, values: list[Any]) -> list[NamedPage]:
    with _open_views(directory, layout) as views:
        rows = views.execute(
            f"SELECT id, key, url, host, {_verdict(views)} FROM pages WHERE {test} ORDER BY id", values
        )
        return [_page(row) for row in rows.fetchall()]


def _page(row: tuple[Any, ...]) -> NamedPage:
    page, key, url, host, keep, reason = row
    return NamedPage(page, key, url or "", host or "", bool(keep), reason or "")


def _near_host(directory: Directory, layout: Any, what: str) -> str:
    with _open_views(directory, layout) as views:
        rows = views.execute(
            "SELECT host FROM pages WHERE host IS NOT NULL GROUP BY host ORDER BY levenshtein(left(host, 300), ?), host LIMIT 3",
            [what.lower()[:300]],
        ).fetchall()
    return "; similar: " + ", ".join(row[0] for row in rows) if rows else "; the corpus has no hosts"
