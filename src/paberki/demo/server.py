"""A small HTTP/1.1 server: many listening sockets, one event loop in one thread.

One thread is enough for a few hundred small pages, and it can be ended cleanly: connections that a
crawler keeps alive would hold a thread each in a threaded server.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

from paberki.demo.responses import Answer

_MAX_HEAD = 32 * 1024
_IDLE_SECONDS = 60.0
_START_SECONDS = 30.0


@dataclass(frozen=True)
class LoggedRequest:
    """One line of the log."""

    time: float
    """Monotonic clock, when the request had been read."""
    host: str
    path: str
    status: int
    user_agent: str
    method: str = "GET"


@dataclass(frozen=True)
class RequestHead:
    """A request as read from the socket."""

    method: str
    target: str
    version: str
    headers: Mapping[str, str]

    @property
    def path(self) -> str:
        """Origin form, also of an absolute target."""
        if self.target.startswith("/"):
            return self.target
        parts = urlsplit(self.target)
        return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")

    @property
    def host(self) -> str:
        """Name or address in the Host header, without the port."""
        return self.headers.get("host", "").rpartition("@")[2].partition(":")[0].lower()

    @property
    def keep_alive(self) -> bool:
        wish = self.headers.get("connection", "").lower()
        return wish == "keep-alive" if self.version == "HTTP/1.0" else wish != "close"


Handler = Callable[[str, RequestHead], Answer]
"""Name of the host that owns the socket, and the request."""


class DemoServer:
    """Serves ``sockets`` (listening, by host name) until ``stop``."""

    def __init__(
        self, sockets: Mapping[str, socket.socket], handler: Handler, log: list[LoggedRequest], delay: float
    ) -> None:
        self._sockets = sockets
        self._handler = handler
        self._log = log
        self._delay = delay
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._connections: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._run, name="mini-web", daemon=True)

    def start(self) -> None:
        self._thread.start()
        if not self._ready.wait(_START_SECONDS):
            raise RuntimeError("the mini-web's thread did not start")

    def stop(self) -> None:
        """End the thread and close every socket; returns when nothing is left."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        servers = [
            await asyncio.start_server(self._accepter(name), sock=sock, limit=_MAX_HEAD)
            for name, sock in self._sockets.items()
        ]
        self._ready.set()
        await self._stop.wait()
        for server in servers:
            server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        for server in servers:
            await server.wait_closed()

    def _accepter(self, name: str) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], None]:
        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = self._loop.create_task(self._converse(name, reader, writer))
            self._connections.add(task)
            task.add_done_callback(self._connections.discard)

        return accept

    async def _converse(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Requests on one connection, until either side has had enough."""
        try:
            while await self._exchange(name, reader, writer):
                pass
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError, ConnectionError):
            pass  # The client left or talks nonsense: there is nobody to tell.
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _exchange(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        raw = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _IDLE_SECONDS)
        arrival = time.monotonic()
        head = parse_head(raw)
        answer = self._handler(name, head) if head else Answer(400)
        if self._delay:
            await asyncio.sleep(self._delay)
        keep = head is not None and head.keep_alive and head.method in {"GET", "HEAD"}
        if head:
            agent = head.headers.get("user-agent", "")
            self._log.append(LoggedRequest(arrival, head.host, head.path, answer.status, agent, head.method))
        writer.write(message(answer, body=head is None or head.method != "HEAD", keep=keep))
        await writer.drain()
        return keep


def parse_head(raw: bytes) -> RequestHead | None:
    """The request line and headers; None if it is not HTTP."""
    lines = raw.decode("latin-1").split("\r\n")
    words = lines[0].split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        return None
    pairs = (line.partition(":") for line in lines[1:] if ":" in line)
    headers = {key.strip().lower(): value.strip() for key, _, value in pairs}
    return RequestHead(words[0], words[1], words[2], headers)


def message(answer: Answer, *, body: bool, keep: bool) -> bytes:
    """The answer on the wire. No Date header: two runs give the same bytes."""
    fields = {
        **answer.headers,
        "Content-Length": str(len(answer.body)),
        "Connection": "keep-alive" if keep else "close",
    }
    lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}"]
    lines += [f"{key}: {value}" for key, value in fields.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (answer.body if body else b"")
