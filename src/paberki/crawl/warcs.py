"""The WARC files of a crawl, each record in them exactly once.

Order of every commit: WARC bytes to disk, then the transaction that says how many of them count (together
with the frontier they belong to), then the sidecar ``<file>.json`` that tells readers. A crawl killed in
between finds surplus bytes behind the committed ones and cuts them off; their URLs are still queued.
"""

from __future__ import annotations

import json
import uuid
from pathlib import Path

from paberki.archive.writer import WarcWriter, truncate
from paberki.crawl.clock import stamp
from paberki.crawl.config import CrawlConfig
from paberki.crawl.fetch import Reply
from paberki.crawl.state import State
from paberki.crawl.stats import publish, sync_directory
from paberki.errors import StoreError


class Warcs:
    """Appends replies to ``crawl-00001.warc.gz`` and on, one file open at a time."""

    def __init__(self, directory: Path, state: State, config: CrawlConfig) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._state = state
        self._config = config
        self._writer: WarcWriter | None = None
        self._name = ""
        self._committed = 0
        self._repair()

    def _repair(self) -> None:
        """Cut the open file back to what was committed, and tell readers again what that is."""
        for name, committed, complete in self._state.db.execute("SELECT * FROM warc ORDER BY name").fetchall():
            path = self._directory / name
            size = path.stat().st_size if path.exists() else 0
            if size < committed:
                raise StoreError(f"{path} has {size} bytes, but {committed} were written; restore it from a copy")
            if not complete:
                self._name, self._committed = name, committed
                if size > committed:
                    truncate(path, committed)
            self._tell(name, committed, complete=bool(complete))

    def write(self, reply: Reply, time: float) -> None:
        """Append the response and the request that led to it."""
        writer = self._writer or self._open(time)
        date, response = stamp(reply.time), f"urn:uuid:{uuid.uuid4()}"
        peer = {"WARC-IP-Address": reply.ip}
        writer.write(
            "response",
            url=reply.url,
            date=date,
            content_type="application/http; msgtype=response",
            block=_head(reply) + reply.body,
            payload=reply.body,
            headers=peer | ({"WARC-Truncated": "length"} if reply.truncated else {}),
            record_id=response,
        )
        writer.write(
            "request",
            url=reply.url,
            date=date,
            content_type="application/http; msgtype=request",
            block=reply.request,
            headers=peer | {"WARC-Concurrent-To": f"<{response}>"},
        )

    @property
    def full(self) -> bool:
        """Whether the open file has reached its size."""
        return self._writer is not None and self._writer.position >= self._config.max_warc_bytes

    def commit(self, *, complete: bool = False) -> None:
        """Make all records and the whole state last; with ``complete`` the open file is closed for good."""
        if self._writer is not None:
            self._writer.flush(fsync=True)
            self._committed = self._writer.position
        values = (self._committed, complete, self._name)
        self._state.db.execute("UPDATE warc SET committed = ?, complete = ? WHERE name = ?", values)
        self._state.commit()
        if self._name:
            self._tell(self._name, self._committed, complete=complete)
        if complete:
            self.close()
            self._name, self._committed = "", 0

    def close(self) -> None:
        """Let go of the open file."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _open(self, time: float) -> WarcWriter:
        if not self._name:
            self._name = self._register()
        path = self._directory / self._name
        self._writer = WarcWriter(path, software=self._config.agent_header, date=stamp(time))
        sync_directory(self._directory)
        return self._writer

    def _register(self) -> str:
        """Name the next file and remember it before it exists, so that none is ever found unaccounted for."""
        taken = {path.name for path in self._directory.glob("crawl-*.warc.gz")}
        taken |= {row[0] for row in self._state.db.execute("SELECT name FROM warc")}
        number = 1 + max((int(name[6:11]) for name in taken if name[6:11].isdecimal()), default=0)
        name = f"crawl-{number:05}.warc.gz"
        self._state.db.execute("INSERT INTO warc VALUES (?, 0, 0)", (name,))
        self._state.commit()
        self._tell(name, 0, complete=False)
        return name

    def _tell(self, name: str, committed: int, *, complete: bool) -> None:
        sidecar = {"committed": committed, "complete": complete, "origin": "crawl"}
        publish(self._directory / f"{name}.json", json.dumps(sidecar), durable=True)


def _head(reply: Reply) -> bytes:
    """Status line and headers as received, but the stored length where the body was chunked or cut."""
    status = f"HTTP/{reply.version} {reply.status} {reply.reason}".encode("utf-8", "surrogateescape")
    length = str(len(reply.body)).encode()
    headers = [(name, value) for name, value in reply.headers if name.lower() != b"transfer-encoding"]
    if [value.strip() for name, value in headers if name.lower() == b"content-length"] != [length]:
        headers = [(name, value) for name, value in headers if name.lower() != b"content-length"]
        headers.append((b"Content-Length", length))
    lines = [status, *(name + b": " + value for name, value in headers)]
    return b"\r\n".join(lines) + b"\r\n\r\n"
