"""Server-sent events: one small message when something has changed, until it has ended or the server stops."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

from starlette.responses import StreamingResponse

from paberki.serve.json_answers import Refusal, plain

if TYPE_CHECKING:
    from paberki.serve.jobs import Job
    from paberki.serve.service import Service

__all__ = ["changing_events", "count_events", "event_stream"]

_LOOK_SECONDS = 0.25
_CHANGE_SECONDS = 1.0
_STILL_THERE_SECONDS = 15.0
"""A comment goes out after so long without news, so that a stream whose reader is gone is noticed."""


def message(value: Any) -> bytes:
    """One event."""
    return f"data: {json.dumps(plain(value), ensure_ascii=False)}\n\n".encode()


def event_stream(service: Service, events: AsyncIterator[bytes]) -> StreamingResponse:
    """A response that sends events; one too many is refused (429)."""
    if service.metrics.streams >= service.settings.streams:
        raise Refusal(429, f"{service.metrics.streams} event streams are open; close one", retry_after=5)

    async def chunks() -> AsyncIterator[bytes]:
        service.metrics.streams += 1
        try:
            async for event in events:
                yield event
        finally:
            service.metrics.streams -= 1

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(chunks(), media_type="text/event-stream", headers=headers)


async def count_events(service: Service, job: Job) -> AsyncIterator[bytes]:
    """The count of a job when it changes, until it is done or stopped."""
    end_event, loop = asyncio.Event(), asyncio.get_running_loop()
    job.watch(lambda: loop.call_soon_threadsafe(end_event.set))
    last: Any = None
    while True:
        count = job.count()
        if count != last:
            yield message(count)
            last = count
        if count.state != "running":
            return
        await _wait(end_event, _LOOK_SECONDS)


async def changing_events(service: Service, stamp: Callable[[], Any], news: Callable[[], Any]) -> AsyncIterator[bytes]:
    """What ``news`` says when ``stamp`` has changed, until the server stops. ``stamp`` is cheap, ``news`` may not be."""
    last, silent = object(), 0.0
    while not service.stopping.is_set():
        now = stamp()
        if now != last:
            yield message(await service.work(news))
            last, silent = now, 0.0
        elif silent >= _STILL_THERE_SECONDS:
            yield b": still there\n\n"
            silent = 0.0
        await _wait(service.stopping, _CHANGE_SECONDS)
        silent += _CHANGE_SECONDS


async def _wait(event: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return
