"""The WARC files of a crawl, which hold each record exactly once.

Every commit first writes WARC bytes to disk, then commits the transaction that holds their number and the frontier,
then writes the sidecar ``<file>.json`` for readers. A crawl that was killed in between removes the bytes behind the
committed ones; their URLs are still queued.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path

from paberki.archive.warc_writer import WarcWriter, truncate
from paberki.crawl.clock import stamp
from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.frontier.database import CrawlDatabase
from paberki.crawl.stats import publish, sync_directory
from paberki.crawl.storing.cdxj import index_line
from paberki.errors import StoreError


class WarcFiles:
    """Appends records to ``crawl-00001.warc.gz`` and so on, one open file at a time."""

    def __init__(self, directory: Path, state: CrawlDatabase, config: CrawlConfig, prefix: str = "crawl") -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._state = state
        self._config = config
        self._prefix = prefix
        self._writer: WarcWriter | None = None
        self._name = ""
        self._committed_bytes = 0
        self._lines: list[str] = []
        """Index lines since the last commit."""
        self._repair()

    def _repair(self) -> None:
        """Cut the open file back to the committed bytes and write the sidecars again."""
        for half_written in self._directory.glob(f"{self._prefix}-*.new"):  # left by a killed crawl
            half_written.unlink()
        for name, committed_bytes, complete in self._state.db.execute("SELECT * FROM warc ORDER BY name").fetchall():
            path = self._directory / name
            size = path.stat().st_size if path.exists() else 0
            if size < committed_bytes:
                raise StoreError(f"{path} has {size} bytes, but {committed_bytes} were written; restore it from a copy")
            if not complete:
                self._name, self._committed_bytes = name, committed_bytes
                if not committed_bytes:
                    path.unlink(missing_ok=True)
                elif size > committed_bytes:
                    truncate(path, committed_bytes)
            else:
                self._index(name)
            if committed_bytes:
                self._tell(name, committed_bytes, complete=bool(complete))

    def writer(self, time: float) -> WarcWriter:
        """The open file, started at ``time`` if there is none; requires a commit before the first file."""
        if self._writer is None:
            assert self._name
            self._writer = WarcWriter(
                self._directory / self._name, software=self._config.agent_header, date=stamp(time)
            )
            sync_directory(self._directory)
        return self._writer

    def note(self, url: str, time: float, fields: dict[str, str], place: tuple[int, int]) -> None:
        """Add a line to the index of the open file."""
        line = index_line(url, stamp(time), {**fields, "offset": str(place[0]), "length": str(place[1])}, self._name)
        self._lines.append(line)

    @property
    def full(self) -> bool:
        """Whether the open file has reached its largest size."""
        return self._writer is not None and self._writer.position >= self._config.max_warc_bytes

    async def sync(self) -> None:
        """Bring the open file to the disk without holding the event loop, so that the commit that follows need not wait."""
        if self._writer is not None and self._writer.position > self._committed_bytes:
            self._writer.flush()
            await asyncio.to_thread(os.fsync, self._writer.fileno())

    def commit(self, commit: Callable[[], None], *, complete: bool = False) -> None:
        """Commit all records and the database; with ``complete`` the open file is closed for good.

        The same transaction registers the name of the next file before it exists, so that every file is accounted for.
        """
        has_grown, name = False, self._name
        if self._writer is not None:
            has_grown = self._writer.position > self._committed_bytes
            self._writer.flush(fsync=has_grown)
            self._committed_bytes = self._writer.position
        if self._lines:
            self._state.db.execute("INSERT INTO cdxj VALUES (?, ?)", (name, "\n".join(self._lines)))
            self._lines = []
        complete = complete and self._committed_bytes > 0
        values = (self._committed_bytes, complete, name)
        self._state.db.execute("UPDATE warc SET committed = ?, complete = ? WHERE name = ?", values)
        committed_bytes = self._committed_bytes
        if complete or not name:
            self._name, self._committed_bytes = self._register(), 0
        commit()
        if name and (has_grown or complete):
            self._tell(name, committed_bytes, complete=complete)
        if complete:
            self.close()
            self._index(name)

    def close(self) -> None:
        """Close the open file."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _register(self) -> str:
        used_names = {path.name for path in self._directory.glob(f"{self._prefix}-*.warc.gz")}
        used_names |= {row[0] for row in self._state.db.execute("SELECT name FROM warc")}
        numbers = (name.removeprefix(self._prefix + "-")[:5] for name in used_names)
        name = f"{self._prefix}-{1 + max((int(one) for one in numbers if one.isdecimal()), default=0):05}.warc.gz"
        self._state.db.execute("INSERT INTO warc VALUES (?, 0, 0)", (name,))
        return name

    def _index(self, name: str) -> None:
        """Write the index of a finished file beside it, unless it was written before."""
        rows = self._state.db.execute("SELECT lines FROM cdxj WHERE warc = ?", (name,)).fetchall()
        if rows:
            lines = sorted(line for (block,) in rows for line in block.split("\n"))
            publish(self._directory / f"{name}.cdxj", "\n".join(lines) + "\n", durable=True)
            self._state.db.execute("DELETE FROM cdxj WHERE warc = ?", (name,))

    def _tell(self, name: str, committed_bytes: int, *, complete: bool) -> None:
        sidecar = {"committed": committed_bytes, "complete": complete, "origin": "crawl"}
        publish(self._directory / f"{name}.json", json.dumps(sidecar), durable=True)
