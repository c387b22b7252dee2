"""Tombstones: which pages were taken down, when and why, one JSON object on each line of ``tombstones.jsonl``.

A line with a key takes down one page. A line without a key blocks a host: pages of it are never asked for again, and those
that are imported later are taken down by the next build. The address of every page that was taken down is blocked as well.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from paberki.errors import StoreError
from paberki.store.files import explain, replacing

FILE: Final = "tombstones.jsonl"
_LOOK_EVERY: Final = 1.0
"""Seconds after which a running crawl looks for new tombstones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """One line of the file."""

    key: str = ""
    """Key of the page; empty for a line that blocks a host."""
    id: str = ""
    url: str = ""
    host: str = ""
    time: str = ""
    reason: str = ""
    because: str = ""
    """What was named in the request, where that is not the page itself: a host, or the key of a copy."""
    copies: tuple[str, ...] = ()
    """Keys of copies that were not kept; they never take the place of the page."""
    erased: bool = False
    """The record in the archive was overwritten, so that the page cannot come back."""

    def line(self) -> str:
        """The line of the file, without what is empty."""
        return json.dumps({name: value for name, value in asdict(self).items() if value}, ensure_ascii=False) + "\n"


_FIELDS: Final = frozenset(field.name for field in fields(Tombstone))


def read_tombstones(root: Path) -> tuple[Tombstone, ...]:
    """All lines, in the order in which they were written; a file that has not changed is not read again."""
    path = root / FILE
    version = file_version(path)
    return _read(path, version) if version is not None else ()


@lru_cache(maxsize=8)
def _read(path: Path, version: tuple[int, int, int]) -> tuple[Tombstone, ...]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise explain(error, "reading") from error
    return tuple(_parse(line, path, number) for number, line in enumerate(lines, 1) if line.strip())


@lru_cache(maxsize=8)
def keys_of(stones: tuple[Tombstone, ...]) -> frozenset[str]:
    """Keys of the pages among them."""
    return frozenset(stone.key for stone in stones if stone.key)


def _parse(line: str, path: Path, number: int) -> Tombstone:
    try:
        values: dict[str, Any] = {name: value for name, value in json.loads(line).items() if name in _FIELDS}
        stone = Tombstone(**{**values, "copies": tuple(values.get("copies", ()))})
    except (ValueError, TypeError, AttributeError) as error:
        raise StoreError(f"{path}, line {number}: not an object with a key") from error
    if not isinstance(stone.key, str) or not (stone.key or stone.host):
        raise StoreError(f"{path}, line {number}: not an object with a key")
    return stone


def write_tombstones(root: Path, stones: Iterable[Tombstone]) -> None:
    """Replace the file; call it with the lock ``takedown``."""
    with replacing(root / FILE) as beside, open(beside, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(stone.line() for stone in stones)


def address_of(url: str) -> str:
    """An address without what people write in two ways: scheme, case of the host, last slash."""
    rest = url.partition("://")[2] or url
    host, slash, path = rest.partition("/")
    return f"{host.lower()}{slash}{path}".rstrip("/")


class BlockedAddresses:
    """Addresses and hosts that a crawl must not ask for, as the file says now."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._look_time = -_LOOK_EVERY
        self._version: tuple[int, int, int] | None = None
        self._urls: frozenset[str] = frozenset()
        self._hosts: frozenset[str] = frozenset()

    def __contains__(self, url: object) -> bool:
        if not self:
            return False
        address = address_of(str(url))
        host = address.partition("/")[0]
        return address in self._urls or host in self._hosts or host.partition(":")[0] in self._hosts

    def __bool__(self) -> bool:
        self._refresh()
        return bool(self._urls or self._hosts)

    def _refresh(self) -> None:
        now = time.monotonic()
        if now - self._look_time < _LOOK_EVERY:
            return
        self._look_time, version = now, file_version(self._root / FILE)
        if version != self._version:
            self._version, stones = version, read_tombstones(self._root)
            self._urls = frozenset(address_of(stone.url) for stone in stones if stone.url)
            self._hosts = frozenset(stone.host.lower() for stone in stones if not stone.key)


def file_version(path: Path) -> tuple[int, int, int] | None:
    """What changes with every replacement of a file; None where there is none."""
    try:
        about = os.stat(path)
    except FileNotFoundError:
        return None
    return about.st_ino, about.st_mtime_ns, about.st_size
