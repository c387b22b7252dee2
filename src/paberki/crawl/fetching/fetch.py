"""The HTTP client: sends each request once, to a checked address, and keeps the answer as received, within limits."""

from __future__ import annotations

import asyncio
import ssl
import time
from dataclasses import dataclass

from paberki.crawl.clock import Clock
from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.fetching.allowed_addresses import HostAddress
from paberki.crawl.fetching.body import PAGE_TYPES, inflate, media_type, quick
from paberki.crawl.fetching.connection import Connection, connect
from paberki.crawl.fetching.http1 import Message, ResponseHead
from paberki.crawl.reading.page_reading import looks_like_html
from paberki.web.urls import host_of

REDIRECTS = frozenset((301, 302, 303, 307, 308))
_REDIRECT_BODY = 64 << 10
_IDLE_SECONDS = 20.0
_IDLE_CONNECTIONS = 256
_SNIFFED = 1024
_ANSWER_SECONDS = 0.01
"""Time that answers may take before the event loop looks after other connections."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as received: the body is still compressed, but no longer chunked."""

    url: str
    time: float
    """When the request was sent."""
    seconds: float
    """How long the answer took, connecting included."""
    request: bytes
    head: ResponseHead
    body: bytes
    ip: str
    truncation: str = ""
    """Why the body is incomplete: ``length``, ``time`` or ``disconnect``; empty if it is complete."""
    refusal: str | None = None
    """Why the body was not read: ``mime`` or ``too_large``."""

    @property
    def status(self) -> int:
        """Status code."""
        return self.head.status

    def header(self, name: str) -> str:
        """Value of a header field by its lower-case name; empty if there is none."""
        return self.head.get(name)


class AnswerPacing:
    """Lets only a few answers through in each round of the event loop, so that none starves the others."""

    def __init__(self) -> None:
        self._began = 0.0
        self._waiting = False

    async def take(self) -> None:
        """Wait for a round of the event loop that has time for another answer."""
        while time.perf_counter() - self._began > _ANSWER_SECONDS:
            if not self._waiting:
                self._waiting = True
                asyncio.get_running_loop().call_soon(self._begin)
            await asyncio.sleep(0)

    def _begin(self) -> None:
        self._began, self._waiting = time.perf_counter(), False


class Fetcher:
    """HTTP client with at most one connection per host, kept open for a while between requests."""

    def __init__(self, config: CrawlConfig, clock: Clock) -> None:
        self._config = config
        self._clock = clock
        self._breath = AnswerPacing()
        self._idle: dict[str, tuple[str, Connection]] = {}
        self._lines = (
            f"User-Agent: {config.agent_header}\r\n"
            "Accept: text/html,application/xhtml+xml,*/*;q=0.1\r\n"
            "Accept-Encoding: gzip, deflate\r\n"
        )
        self._tls = ssl.create_default_context()
        if not config.verify_certificates:
            # The text matters, not who signed it: expired and self-signed certificates are common.
            self._tls.check_hostname = False
            self._tls.verify_mode = ssl.CERT_NONE
            self._tls.set_ciphers("DEFAULT:@SECLEVEL=0")

    async def page(self, url: str, place: HostAddress, conditions: str = "") -> Reply:
        """Fetch a page of allowed type and size; ``conditions`` are header lines of a conditional request."""
        limit = self._config.max_body_bytes
        return await self._fetch(url, place, limit, conditions, gated=True)

    async def file(self, url: str, place: HostAddress, limit: int) -> Reply:
        """Fetch a file of any type, such as robots.txt, up to ``limit`` bytes."""
        return await self._fetch(url, place, limit, "", gated=False)

    async def _fetch(self, url: str, place: HostAddress, limit: int, conditions: str, *, gated: bool) -> Reply:
        scheme, _, rest = url.partition("://")
        authority, slash, path = rest.partition("/")
        host = host_of(url)
        request = f"GET {slash}{path} HTTP/1.1\r\nHost: {authority}\r\n{self._lines}{conditions}\r\n".encode()
        start_time, steady = self._clock.now(), time.monotonic()
        connection = await self._connection(scheme, host, place)
        seconds_left = max(0.01, self._config.timeout - (time.monotonic() - steady))
        gate = _gate if gated else None
        message = await connection.ask(request, limit, gate, seconds_left)
        if connection.open:
            self._keep(host, scheme, connection)
        seconds = time.monotonic() - steady
        await self._breath.take()
        assert message.head is not None
        return Reply(
            url=url,
            time=start_time,
            seconds=seconds,
            request=request,
            head=message.head,
            body=message.body,
            ip=place.ip,
            truncation=message.truncation,
            refusal=message.refusal,
        )

    async def _connection(self, scheme: str, host: str, place: HostAddress) -> Connection:
        idle = self._idle.pop(host, None)
        if idle is not None:
            kept_scheme, connection = idle
            fresh = time.monotonic() - connection.idle_since < _IDLE_SECONDS
            if kept_scheme == scheme and connection.open and connection.ip == place.ip and fresh:
                return connection
            connection.close()
        secure = scheme == "https"
        port = place.port or (443 if secure else 80)
        name = None if place.numeric else place.name
        connection = await connect(place.ip, port, self._tls if secure else None, name, self._config.timeout)
        connection.ip = place.ip
        return connection

    def _keep(self, host: str, scheme: str, connection: Connection) -> None:
        connection.idle_since = time.monotonic()
        self._idle[host] = (scheme, connection)
        if len(self._idle) > _IDLE_CONNECTIONS:
            oldest = next(iter(self._idle))
            self._idle.pop(oldest)[1].close()

    def sweep(self) -> None:
        """Close connections that were idle for long; servers drop them too, without notice."""
        limit = time.monotonic() - _IDLE_SECONDS
        for host in [host for host, (_, one) in self._idle.items() if one.idle_since < limit or not one.open]:
            self._idle.pop(host)[1].close()

    async def close(self) -> None:
        """Close all connections."""
        for _, connection in self._idle.values():
            connection.close()
        self._idle.clear()
        await asyncio.sleep(0)


def _gate(message: Message) -> str | None:
    """Why an answer is refused before its body is read: its type or its size; empty to accept, None if unknown yet."""
    head = message.head
    assert head is not None
    if head.status in REDIRECTS:
        message.limit = min(message.limit, _REDIRECT_BODY)
        return ""
    if head.status == 304:
        return ""
    declared_length = message.declared_length
    if declared_length is not None and declared_length > message.limit:
        return "too_large"
    kind = media_type(head.get("content-type"))
    if kind:
        return "" if kind in PAGE_TYPES else "mime"
    if message.body_bytes < _SNIFFED and not message.complete:
        return None
    if not quick(head.get("content-encoding")):
        return ""
    start = inflate(message.start(4 * _SNIFFED), head.get("content-encoding"), _SNIFFED).data
    return "" if looks_like_html(start) or not message.body_bytes else "mime"
