"""Who may ask, and what browsers may do with the answers. One layer around the whole application.

In this order: a server that stops says so (503); the Host must be a name of this server (400), or a foreign page could
reach it by a name of its own; the address must not be too long (414); a client must not ask too often (429); the read
token must be right where there is one (401); what changes something needs the token of this process and must come from a page
of ours (403). Writing into corpora needs ``--edit``; the addresses that write ask :func:`require_edit`.
"""

from __future__ import annotations

import hmac
import re
import time
from collections import OrderedDict
from collections.abc import MutableMapping
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paberki.serve.json_answers import ErrorAnswer, Refusal, json_answer
from paberki.serve.service import Service, ServiceCall

__all__ = ["ORIGINAL_POLICY", "PAGE_POLICY", "Gate", "require_edit"]

PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Of all pages: nothing is loaded from elsewhere, nothing inline runs."""
ORIGINAL_POLICY: Final = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'self'"
)
"""Of pages of the web: they may look as they did, and do nothing."""
_CHANGING: Final = frozenset({"POST", "DELETE"})
"""Methods that change something; no address has PUT or PATCH."""
_OPEN_POSTS: Final = frozenset({"/fcs", "/api"})
"""Addresses whose protocols ask questions by POST; they change nothing."""
_HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::[0-9]{1,5})?")


def require_edit(call: ServiceCall) -> None:
    """Refuse (403) what writes into a corpus unless the server was started with ``--edit``."""
    if not call.service.settings.edit:
        raise Refusal(403, "this server only reads; start it with: paberki serve DIR --edit")


class Gate:
    """The layer around the application."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self.app, self.service = app, service
        self._rates = RequestRates(service.settings.requests_per_second)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let it through."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status = time.perf_counter(), 500

        async def send_safely(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _protect(message, scope["path"].startswith("/static/"))
            await send(message)

        try:
            self._check(scope, Headers(scope=scope))
        except Refusal as refusal:
            headers = _refusal_headers(refusal)
            await json_answer(ErrorAnswer(str(refusal)), refusal.status, headers)(scope, receive, send_safely)
        else:
            await self.app(scope, receive, send_safely)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            self.service.metrics.add(route, status, time.perf_counter() - start)

    def _check(self, scope: Scope, headers: Headers) -> None:
        settings = self.service.settings
        if self.service.stopping.is_set():
            raise Refusal(503, "the server is stopping; try again later", retry_after=5)
        host = host_name(headers.get("host", ""))
        if host not in settings.hosts:
            raise Refusal(400, f"this server is not called {host[:80]!r}; allow the name with --allow-host")
        if len(scope["raw_path"] or b"") + len(scope["query_string"]) > settings.address_bytes:
            raise Refusal(414, f"the address has more than {settings.address_bytes} bytes")
        self._rates.check((scope.get("client") or ("",))[0])
        if settings.read_token is not None and not _bears(headers, settings.read_token):
            raise Refusal(401, "this server needs a token: Authorization: Bearer TOKEN")
        if scope["method"] in _CHANGING and scope["path"] not in _OPEN_POSTS:
            self._check_change(headers)

    def _check_change(self, headers: Headers) -> None:
        token = headers.get("x-paberki-token", "")
        if not hmac.compare_digest(token.encode(), self.service.settings.token.encode()):
            raise Refusal(403, "POST and DELETE need the token of this server as X-Paberki-Token; its pages have it")
        origin = headers.get("origin")
        if origin is not None and origin.lower().partition("://")[2] != headers.get("host", "").lower():
            raise Refusal(403, "this request comes from a page of another server")


def host_name(header: str) -> str:
    """The name in a Host header, without its port; empty if it is none."""
    match = _HOST.fullmatch(header.strip())
    return match[1].strip("[]").lower().rstrip(".") if match else ""


def _bears(headers: Headers, token: str) -> bool:
    scheme, _, given_token = headers.get("authorization", "").partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(given_token.strip().encode(), token.encode())


def _refusal_headers(refusal: Refusal) -> dict[str, str]:
    headers = {"WWW-Authenticate": "Bearer"} if refusal.status == 401 else {}
    if refusal.status == 503:
        headers["Connection"] = "close"
    return headers if refusal.retry_after is None else {**headers, "Retry-After": str(refusal.retry_after)}


def _protect(message: MutableMapping[str, Any], is_asset: bool = False) -> None:
    """Headers of every answer; styles and scripts are no documents, a policy would say nothing about them."""
    headers = MutableHeaders(scope=message)
    headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    headers["X-Content-Type-Options"] = "nosniff"
    if is_asset and headers.get("content-type", "").startswith(("text/css", "text/javascript")):
        return
    headers.setdefault("Content-Security-Policy", PAGE_POLICY)
    headers.setdefault("Cache-Control", "no-cache")
    headers["Referrer-Policy"] = "no-referrer"


class RequestRates:
    """How often each client asks: so many times a second, twice as many at once."""

    _MOST_CLIENTS: Final = 10_000

    def __init__(self, per_second: float) -> None:
        self._rate = per_second
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def check(self, client: str) -> None:
        """Refuse (429) one request too many."""
        now = time.monotonic()
        room, last = self._clients.pop(client, (2 * self._rate, now))
        room = min(2 * self._rate, room + (now - last) * self._rate) - 1
        self._clients[client] = (max(room, 0.0), now)
        if len(self._clients) > self._MOST_CLIENTS:
            self._clients.popitem(last=False)
        if room < 0:
            raise Refusal(429, "too many requests from one address; slow down", retry_after=1)
