"""An address of the API: path, method, the function that answers, its parameters and what comes back.

The list of addresses makes both the routes and the OpenAPI document.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from paberki.serve.parameters import check_names
from paberki.serve.service import ServiceCall, endpoint

__all__ = ["COMMON", "PART", "PREFIX", "QUERY", "ROWS", "Address", "route_of"]

Handler = Callable[[Request], Awaitable[Response]]

PREFIX = "/api/v1"
COMMON = ("corpus", "build")
"""Parameters of every address."""
PART = ("where", "set", "cut")
"""Parameters that choose a part of the corpus."""
QUERY = ("q", *PART, "fold", "sample", "seed", "strategy", "dialect")
"""Parameters of everything that is about hits."""
ROWS = ("per_page", "from")


@dataclass(frozen=True)
class Address:
    """One path with one method."""

    path: str
    answer: Callable[[ServiceCall], Response]
    meaning: str
    parameters: tuple[str, ...] = ()
    required_parameters: tuple[str, ...] = ()
    """Parameters that must be given."""
    result: Any = None
    """Dataclass of the answer; None where it is not JSON."""
    media: str = "application/json"
    method: str = "GET"
    body: Any = None
    """Dataclass of the body of a POST."""
    slow: bool = False
    """Whether the answer may take seconds: such requests have threads of their own."""
    errors: tuple[int, ...] = ()
    """Statuses beside 400, 404, 429 and 503 that it can have."""

    @property
    def names(self) -> tuple[str, ...]:
        """All parameters."""
        return (*COMMON, *self.parameters)

    def handler(self) -> Handler:
        """The function that the framework calls."""

        def answer(call: ServiceCall) -> Response:
            check_names(call.parameters, self.names)
            return self.answer(call)

        return endpoint(answer, slow=self.slow)


def route_of(path: str, addresses: Sequence[Address]) -> Route:
    """The route of a path with all its methods."""
    handlers = {one.method: one.handler() for one in addresses}

    async def handle(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        return await handlers[method](request)

    return Route(f"{PREFIX}{path}", handle, methods=list(handlers))
