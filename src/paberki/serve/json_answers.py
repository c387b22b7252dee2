"""What every JSON answer has in common, and what every error has: dataclasses, from which the OpenAPI document is made."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime
from typing import Any

from starlette.responses import Response

from paberki.errors import PaberkiError, QueryError

__all__ = [
    "CountState",
    "Envelope",
    "ErrorAnswer",
    "Links",
    "Refusal",
    "failure_of",
    "json_answer",
    "not_found",
    "plain",
]


@dataclass(frozen=True, slots=True)
class CountState:
    """How many hits there are so far, whether that is all, and which share of the corpus was searched."""

    value: int
    state: str
    """``running``, ``done`` or ``stopped``."""
    searched: float


@dataclass(frozen=True, slots=True)
class Links:
    """Addresses that belong to an answer; null where there is nothing."""

    events: str | None = None
    """Event stream of the count, while it runs."""
    job: str | None = None
    """The search: GET tells its state, DELETE stops it."""
    concordance: str | None = None
    """The page with the lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """An answer. ``rows`` are what was asked for; the rest says what they are about."""

    corpus: str
    build: str
    """Short name of the state of the corpus that answered."""
    selection: str
    """The set of blocks that was asked: kept, dropped or all, with a condition on pages if there is one."""
    query: str | None
    canonical: str | None
    """The query as the parser prints it."""
    strategy: str | None
    took_ms: float
    count: CountState
    rows: list[dict[str, Any]]
    next: str | None
    """Address of the rows that follow."""
    links: Links


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """An error: what happened, where in the query, what could stand there, the nearest name that exists."""

    error: str
    position: int | None = None
    expected: tuple[str, ...] = ()
    suggestion: str | None = None


class Refusal(PaberkiError):
    """Raised where a request gets no answer; ``status`` is that of HTTP."""

    def __init__(self, status: int, message: str, *, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status, self.retry_after = status, retry_after


def not_found(what: str) -> Refusal:
    """There is no such thing."""
    return Refusal(404, what)


def failure_of(error: PaberkiError) -> tuple[int, ErrorAnswer, dict[str, str]]:
    """Status, content and headers of the answer to an error."""
    if isinstance(error, Refusal):
        headers = {} if error.retry_after is None else {"Retry-After": str(error.retry_after)}
        return error.status, ErrorAnswer(str(error)), headers
    if isinstance(error, QueryError):
        return 400, ErrorAnswer(str(error), error.position, error.expected, error.suggestion), {}
    from paberki.errors import ConfigError

    if isinstance(error, ConfigError):
        return 400, ErrorAnswer(str(error)), {}
    return 503, ErrorAnswer(str(error)), {"Retry-After": "5"}


def plain(value: Any) -> Any:
    """A value as JSON has it: no dataclasses, no times, no infinite numbers, no bytes."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str | int | bool):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, dict):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in value]
    if isinstance(value, datetime) and value.tzinfo is None:
        return f"{value.isoformat()}Z"  # times of the corpus are those of Greenwich
    if isinstance(value, datetime | date):
        return value.isoformat()
    return plain(value.item()) if hasattr(value, "item") else str(value)


def _simple(value: Any) -> Any:
    """What JSON has in place of a value that it does not have; one level of it."""
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    return plain(value)


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_simple)


def json_answer(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON response; characters that a page cannot contain (lone surrogates) are replaced."""
    try:
        text = _ENCODER.encode(value)
    except ValueError:  # a number that JSON does not have
        text = _ENCODER.encode(plain(value))
    return Response(text.encode("utf-8", "replace"), status, headers, media_type="application/json")
