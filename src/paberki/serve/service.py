"""A running service: its corpora, jobs, settings, and the threads that work on requests.

The event loop reads requests and writes answers. Whatever looks into a corpus runs in a thread: kernels let go of Python's
lock, so threads use all cores.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from starlette.requests import Request
from starlette.responses import Response

from paberki.errors import PaberkiError
from paberki.serve.exports import Exports
from paberki.serve.jobs import Jobs
from paberki.serve.json_answers import ErrorAnswer, Refusal, failure_of, json_answer
from paberki.serve.library import Edition, Library
from paberki.serve.metrics import Metrics
from paberki.serve.server_settings import ServerSettings

if TYPE_CHECKING:
    from paberki.query import Search
    from paberki.query.hits.hits import Hits
    from paberki.serve.question import Question

_WARM_AFTER = 2.0
"""Seconds after the start: first answers come before."""
_log = logging.getLogger(__name__)

__all__ = ["Service", "ServiceCall", "endpoint", "json_failure", "service_of"]


class Service:
    """Everything that requests share."""

    def __init__(self, library: Library, settings: ServerSettings) -> None:
        self.library, self.settings = library, settings
        self.jobs, self.exports, self.metrics = Jobs(settings), Exports(), Metrics()
        self.stopping = asyncio.Event()
        self._quick = ThreadPoolExecutor(settings.workers, "answer")
        self._slow = ThreadPoolExecutor(settings.slow_workers, "list")
        self._in_work = 0
        self._searches: WeakSet[Search] = WeakSet()

    async def work(self, function: Callable[..., Any], *arguments: Any, slow: bool = False) -> Any:
        """The result of a function that runs in a thread."""
        if self._in_work >= self.settings.requests:
            raise Refusal(429, "too many requests at one time; try again", retry_after=1)
        self._in_work += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._slow if slow else self._quick, function, *arguments
            )
        finally:
            self._in_work -= 1

    def hits(self, edition: Edition, question: Question) -> Hits:
        """The hits of a question; the search ends when the server must."""
        hits = question.hits(edition, self.settings)
        self._searches.add(hits.search)
        return hits

    def start(self) -> None:
        """Begin, or begin again after an end: some servers start one application several times, in another event loop."""
        if self.stopping.is_set():
            self.jobs, self.exports = Jobs(self.settings), Exports()
        self.stopping = asyncio.Event()

    async def warm(self) -> None:
        """Load what second questions need, soon after the start, so that nobody waits for it."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_WARM_AFTER):
                await self.stopping.wait()
        for name in self.library.names:
            if not self.stopping.is_set():
                await asyncio.get_running_loop().run_in_executor(self._slow, self._warm, name)

    def _warm(self, name: str) -> None:
        with contextlib.suppress(PaberkiError, OSError):
            for part in ("tsubaki", "fcs"):
                import_module(f"paberki.serve.{part}")
            edition = self.library.edition(name)
            len(edition.sizes)
            if edition.corpus is not None:
                edition.layout  # noqa: B018 - made now and kept

    def stop(self) -> None:
        """End what runs in the background and take no new requests; answers that are being made are finished, and
        searches for them that take long end with what they have."""
        if not self.stopping.is_set():
            self.stopping.set()
            self.jobs.stop()
            self.exports.stop()
            timer = threading.Timer(self.settings.stop_seconds / 2, self._cancel_searches)
            timer.daemon = True
            timer.start()

    def _cancel_searches(self) -> None:
        for search in list(self._searches):
            search.cancel()


def service_of(request: Request) -> Service:
    """The service that a request belongs to."""
    service: Service = request.app.state.service
    return service


@dataclass
class ServiceCall:
    """A request as the functions that answer it see it, in a thread of their own."""

    service: Service
    request: Request
    body: bytes = b""
    start_time: float = field(default_factory=time.perf_counter)

    @property
    def parameters(self) -> dict[str, str]:
        """Parameters of the address; of two with one name the last counts."""
        return dict(self.request.query_params)

    @cached_property
    def edition(self) -> Edition:
        """The corpus that is asked, in one state for the whole request."""
        from paberki.serve.parameters import read

        names = read(self.parameters, ("corpus", "build"))
        edition = self.service.library.edition(names["corpus"])
        edition.check_build(names["build"])
        return edition

    @property
    def took_ms(self) -> float:
        """Milliseconds since the request came in."""
        return round((time.perf_counter() - self.start_time) * 1000, 3)


def json_failure(call: ServiceCall, status: int, failure: ErrorAnswer, headers: dict[str, str]) -> Response:
    """An error for programs."""
    return json_answer(failure, status, headers)


Answer = Callable[[ServiceCall], Response]
Complaint = Callable[[ServiceCall, int, ErrorAnswer, dict[str, str]], Response]


def endpoint(
    answer: Answer, complain: Complaint = json_failure, *, slow: bool = False
) -> Callable[[Request], Awaitable[Response]]:
    """An address of the service: ``answer`` runs in a thread, errors become what ``complain`` makes of them.

    What is ``slow`` runs in threads of its own, so that first pages do not wait behind lists.
    """

    async def handle(request: Request) -> Response:
        service = service_of(request)
        call = ServiceCall(service, request)
        try:
            if request.method in ("POST", "PUT", "DELETE"):
                call.body = await _body(request, service.settings.body_bytes, service.settings.body_seconds)
            response: Response = await service.work(answer, call, slow=slow)
        except PaberkiError as error:
            return complain(call, *failure_of(error))
        except asyncio.CancelledError:
            if not service.stopping.is_set():
                raise
            return complain(call, 503, ErrorAnswer("the server is being stopped; try again"), {"Retry-After": "5"})
        except Exception:  # noqa: BLE001 - whatever happens, no client sees a traceback
            _log.exception("no answer to %s", request.url.path)
            return complain(call, 500, ErrorAnswer("something went wrong here; the log of the server says what"), {})
        return response

    return handle


async def _body(request: Request, most: int, seconds: float) -> bytes:
    """The body of a request; too large a one is refused before it is read."""
    parts, size = [], 0
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise Refusal(413, f"the body has more than {most} bytes")
                parts.append(part)
    except TimeoutError:
        raise Refusal(408, f"the body took longer than {seconds:g} seconds") from None
    return b"".join(parts)
