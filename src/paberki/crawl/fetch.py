"""One request: sent politely named, answered within limits, kept as it came."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from types import TracebackType

import aiohttp
from yarl import URL

from paberki.crawl.addresses import Resolver
from paberki.crawl.body import PAGE_TYPES, inflate, looks_like_html, media_type
from paberki.crawl.clock import Clock
from paberki.crawl.config import CrawlConfig
from paberki.crawl.errors import PageError

REDIRECTS = frozenset((301, 302, 303, 307, 308))
_REDIRECT_BODY = 64 << 10


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as received: the body still compressed, but no longer chunked."""

    url: str
    time: float
    request: bytes
    version: str
    status: int
    reason: str
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    ip: str
    truncated: bool = False
    refused: str | None = None
    """Why the body was not read: ``mime`` or ``too_large``."""

    def header(self, name: str) -> str:
        """First value of a header, empty if there is none."""
        wanted = name.lower().encode()
        return next((value.decode("latin-1") for key, value in self.headers if key.lower() == wanted), "")

    def content(self, limit: int) -> bytes:
        """The decompressed body."""
        return inflate(self.body, self.header("Content-Encoding"), limit)


class Fetcher:
    """HTTP client that sends each request once and to checked addresses only."""

    def __init__(self, config: CrawlConfig, resolver: Resolver, clock: Clock) -> None:
        self._config = config
        self._resolver = resolver
        self._clock = clock

    async def __aenter__(self) -> Fetcher:
        self._session = aiohttp.ClientSession(
            # A crawl wants the text, whoever signed it: expired and self-made certificates are everywhere.
            connector=aiohttp.TCPConnector(limit=0, resolver=self._resolver, use_dns_cache=False, ssl=False),
            headers={
                "User-Agent": self._config.agent_header,
                "Accept": "text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.1",
                "Accept-Encoding": "gzip, deflate",
            },
            timeout=aiohttp.ClientTimeout(total=self._config.timeout),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            max_field_size=16 << 10,
        )
        # aiohttp sends a GET again by itself when a kept connection is found dead, which breaks the delay.
        self._session._retry_connection = False
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()
        await self._resolver.close()

    async def page(self, url: str, ip: str) -> Reply:
        """Fetch a page through the MIME gate and the size gate (P1 §2); raises PageError."""
        return await self._get(url, ip, self._config.max_body_bytes, gated=True)

    async def file(self, url: str, ip: str, limit: int) -> Reply:
        """Fetch the first ``limit`` bytes of anything; raises PageError."""
        return await self._get(url, ip, limit, gated=False)

    async def _get(self, url: str, ip: str, limit: int, *, gated: bool) -> Reply:
        try:
            async with self._session.get(URL(url, encoded=True), allow_redirects=False) as response:
                return await self._read(response, url, ip, limit, gated=gated)
        except TimeoutError as error:
            raise PageError("timeout", f"{url}: no whole answer in time", transient=True) from error
        except (
            aiohttp.ClientConnectionError,
            aiohttp.ClientPayloadError,
            ConnectionError,
            ssl.SSLError,
        ) as error:
            kind = "connect" if isinstance(error, aiohttp.ClientConnectorError) else "broken"
            raise PageError(kind, f"{url}: {error}", transient=True) from error
        except (aiohttp.ClientError, ValueError) as error:
            raise PageError("http", f"{url}: {error}") from error

    async def _read(self, response: aiohttp.ClientResponse, url: str, ip: str, limit: int, *, gated: bool) -> Reply:
        if response.status in REDIRECTS:
            limit, gated = _REDIRECT_BODY, False
        refused = _refusal(response, limit) if gated else None
        body, truncated = b"", False
        if refused is None:
            sniffed = gated and not media_type(response.headers.get("Content-Type", ""))
            body, truncated, refused = await _body(response, limit, sniffed=sniffed)
        if refused or truncated:
            response.close()
        version = response.version or aiohttp.HttpVersion11
        return Reply(
            url=url,
            time=self._clock.now(),
            request=_request_head(response),
            version=f"{version.major}.{version.minor}",
            status=response.status,
            reason=response.reason or "",
            headers=tuple(response.raw_headers),
            body=body,
            ip=ip,
            truncated=truncated,
            refused=refused,
        )


def _refusal(response: aiohttp.ClientResponse, limit: int) -> str | None:
    """What the headers alone are refused for, before any of the body is read."""
    kind = media_type(response.headers.get("Content-Type", ""))
    if kind and kind not in PAGE_TYPES:
        return "mime"
    length = response.headers.get("Content-Length", "")
    return "too_large" if length.isdecimal() and int(length) > limit else None


async def _body(response: aiohttp.ClientResponse, limit: int, *, sniffed: bool) -> tuple[bytes, bool, str | None]:
    """Body up to the limit, whether it was cut, and the refusal if it has no type and is not HTML."""
    parts: list[bytes] = []
    size = 0
    async for part in response.content.iter_any():
        parts.append(part)
        size += len(part)
        if sniffed and size >= 1024:
            if not _is_html(response, parts):
                return b"", False, "mime"
            sniffed = False
        if size > limit:
            return b"".join(parts)[:limit], True, None
    if sniffed and not _is_html(response, parts):
        return b"", False, "mime"
    return b"".join(parts), False, None


def _is_html(response: aiohttp.ClientResponse, parts: list[bytes]) -> bool:
    return looks_like_html(inflate(b"".join(parts), response.headers.get("Content-Encoding", ""), 1024))


def _request_head(response: aiohttp.ClientResponse) -> bytes:
    info = response.request_info
    lines = [
        f"{info.method} {info.url.raw_path_qs} HTTP/1.1",
        *(f"{k}: {v}" for k, v in info.headers.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "surrogateescape")
