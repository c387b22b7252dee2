"""A connection to a checked address that carries one request at a time."""

from __future__ import annotations

import asyncio
import ssl
from typing import cast

from paberki.crawl.fetching.fetch_errors import PageError
from paberki.crawl.fetching.http1 import Gate, Message

_AT_ONCE = 64 << 10


class Connection(asyncio.Protocol):
    """Sends a request, reads the answer, and knows whether it can be used again."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._transport: asyncio.Transport | None = None
        self._message: Message | None = None
        self._waiter: asyncio.Future[Message] | None = None
        self.open = False
        self.idle_since = 0.0
        self.ip = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport, self.open = cast("asyncio.Transport", transport), True
        if hasattr(transport, "max_size"):
            transport.max_size = _AT_ONCE  # no more is read at once, so that other connections get their turn

    async def ask(self, request: bytes, limit: int, gate: Gate | None, seconds: float) -> Message:
        """Send a request and wait for its answer, ``seconds`` at most."""
        assert self._transport is not None
        if not self.open:
            raise PageError("broken", "the connection is closed", transient=True)
        self._message = Message(limit, gate)
        self._waiter = self._loop.create_future()
        timer = self._loop.call_later(seconds, self._expire)
        self._transport.write(request)
        try:
            return await self._waiter
        finally:
            timer.cancel()
            message, self._message, self._waiter = self._message, None, None
            if not message.reusable or not message.complete:
                self.close()

    def close(self) -> None:
        """Close the connection, whatever is still coming."""
        if self._transport is not None and self.open:
            self.open = False
            self._transport.abort()  # nothing is left to send, and a TLS shutdown would wait for the server

    def data_received(self, data: bytes) -> None:
        message = self._message
        if message is None:
            # Data without a request: it could be mistaken for the next answer.
            self.close()
            return
        try:
            message.feed(data)
        except PageError as error:
            self._fail(error)
            return
        except Exception as error:  # noqa: BLE001 - an answer that we cannot read must not end the crawl
            self._fail(PageError("internal", f"the answer could not be read: {error!r}"))
            return
        if message.complete:
            self._answer()

    def eof_received(self) -> bool | None:
        self._on_end(None)
        return None

    def connection_lost(self, error: Exception | None) -> None:
        self.open = False
        self._on_end(error)

    def _on_end(self, error: Exception | None) -> None:
        message = self._message
        if message is None:
            self.close()
            return
        try:
            message.end()
        except PageError as failure:
            self._fail(failure)
            return
        if error is not None and not message.truncation:
            message.truncation = "disconnect"
        self._answer()

    def _expire(self) -> None:
        message = self._message
        if message is None:
            return
        message.reusable = False
        if message.head is not None and message.body_bytes:
            message.truncation = message.truncation or "time"
            self._answer()
        else:
            self._fail(PageError("timeout", "no answer in time", transient=True))

    def _answer(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            assert self._message is not None
            self._waiter.set_result(self._message)

    def _fail(self, error: PageError) -> None:
        if self._message is not None:
            self._message.reusable = False
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(error)


async def connect(ip: str, port: int, tls: ssl.SSLContext | None, name: str | None, seconds: float) -> Connection:
    """Open a connection to an address; ``name`` is the server name for TLS (SNI)."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(seconds):
            _, connection = await loop.create_connection(
                lambda: Connection(loop), ip, port, ssl=tls, server_hostname=name if tls else None
            )
    except TimeoutError as error:
        raise PageError("timeout", f"{ip}: no connection in time", transient=True) from error
    except ssl.SSLError as error:
        raise PageError("tls", f"{ip}: {error}", transient=True) from error
    except (OSError, ValueError) as error:
        raise PageError("connect", f"{ip}: {error}", transient=True) from error
    return connection
