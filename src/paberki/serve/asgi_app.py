"""The ASGI application: the addresses of all parts, behind one gate."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from paberki.serve import api, pages
from paberki.serve.assets import Assets
from paberki.serve.json_answers import ErrorAnswer, json_answer
from paberki.serve.later import Later
from paberki.serve.library import Library
from paberki.serve.security import Gate
from paberki.serve.server_settings import ServerSettings
from paberki.serve.service import Service, service_of

__all__ = ["create_app"]

_FOR_PROGRAMS = ("/api", "/fcs", "/static", "/metrics", "/healthz")


def create_app(corpora: Sequence[Path | str] | Path | str, settings: ServerSettings | None = None) -> Starlette:
    """An application that serves corpora, given by their directories; indexes of foreign corpora are served too."""
    roots = [corpora] if isinstance(corpora, str | Path) else list(corpora)
    service = Service(Library(roots), settings or ServerSettings())

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        service.start()
        warming = asyncio.create_task(service.warm())
        yield
        service.stop()
        warming.cancel()

    app = Starlette(
        routes=_routes(),
        middleware=[Middleware(Gate, service=service), Middleware(GZipMiddleware, minimum_size=600, compresslevel=5)],
        exception_handlers={HTTPException: _http_error},
        lifespan=lifespan,
    )
    app.state.service = service
    return app


def _routes() -> list[BaseRoute]:
    return [
        Route("/healthz", _health, name="healthz"),
        Route("/metrics", _metrics, name="metrics"),
        Mount("/static", Assets(), name="static"),
        *api.routes(),
        Later("paberki.serve.tsubaki", "/api", "/api.cgi"),
        Later("paberki.serve.fcs", "/fcs"),
        *pages.routes(),
    ]


async def _health(request: Request) -> Response:
    """200 when ready."""
    return json_answer({"status": "ready", "corpora": service_of(request).library.names})


async def _metrics(request: Request) -> Response:
    """Figures for Prometheus."""
    service = service_of(request)
    return PlainTextResponse(service.metrics.text(jobs_running=service.jobs.running()))


async def _http_error(request: Request, error: Exception) -> Response:
    """What the framework refuses: no such address, no such method."""
    assert isinstance(error, HTTPException)
    is_for_people = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith(_FOR_PROGRAMS)
    if error.status_code == 404 and request.method == "GET" and is_for_people:
        return await pages.no_such_page(request)
    text = {404: "no such address; see /api/v1/openapi.json", 405: "this address has no such method"}
    headers = dict(error.headers or {})
    return json_answer(ErrorAnswer(text.get(error.status_code, error.detail)), error.status_code, headers)
