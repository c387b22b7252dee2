"""Calls pure functions in a child process, so that a large or hostile answer delays only its own host.

The child limits itself: a CPU timer kills it, and memory beyond a limit is an error. A call that kills the child costs
the page; the next call gets a new child. Nothing here blocks the event loop: bytes go through a socket pair.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from paberki.crawl.fetching.fetch_errors import PageError

P = ParamSpec("P")
T = TypeVar("T")

CPU_SECONDS = 5
"""CPU time that one answer may take."""
MEMORY_BYTES = 2 << 30
"""Memory that the child may have."""
_WALL_SECONDS = 120.0
"""Longest time for one call, however busy the machine is."""
_CHILDREN = 2
_LENGTH = 8
_RECEIVED_AT_ONCE = 1 << 18


class RemoteError(Exception):
    """Raised when a function raised an exception in the child; the message is its traceback."""


class _Child:
    """One process and the parent's end of its socket."""

    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair()
        command = [
            sys.executable,
            "-m",
            "paberki.crawl.reading.guarded_reader_child",
            str(theirs.fileno()),
            str(os.getpid()),
        ]
        command += [str(CPU_SECONDS), str(MEMORY_BYTES)]
        self.process = subprocess.Popen(  # noqa: S603
            command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        theirs.close()
        self._ours.setblocking(False)

    async def run(self, request: bytes) -> bytes:
        """Send a request and return the answer; raises EOFError or OSError if the child dies."""
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(self._ours, len(request).to_bytes(_LENGTH, "little"))
        await loop.sock_sendall(self._ours, request)
        size = int.from_bytes(await self._receive(loop, _LENGTH), "little")
        return await self._receive(loop, size)

    async def _receive(self, loop: asyncio.AbstractEventLoop, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            part = await loop.sock_recv(self._ours, min(_RECEIVED_AT_ONCE, size - len(data)))
            if not part:
                raise EOFError
            data += part
        return bytes(data)

    def end(self) -> str:
        """Kill the process if it still runs; return how it ended."""
        self._ours.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            # A process that ended by itself closes its socket a moment before it is gone.
            self.process.wait(0.01)
        self.process.kill()
        code = self.process.wait()
        if code == -signal.SIGPROF:
            return f"it takes more than {CPU_SECONDS} s of CPU time"
        return f"the reading process ended with code {code}"


class GuardedReader:
    """Calls functions in up to two children, started on first use."""

    def __init__(self) -> None:
        self._free: list[_Child] = []
        self._all: set[_Child] = set()
        self._slots = asyncio.Semaphore(_CHILDREN)

    async def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a module-level function in a child; raises PageError ``unreadable`` if it costs too much."""
        async with self._slots:
            # A process takes a while to start and to end where the machine is busy, and others need the event loop.
            child = self._free.pop() if self._free else await asyncio.to_thread(self._start)
            try:
                async with asyncio.timeout(_WALL_SECONDS):
                    data = await child.run(pickle.dumps((function, args, kwargs), pickle.HIGHEST_PROTOCOL))
            except (EOFError, OSError, TimeoutError) as error:
                raise PageError("unreadable", await asyncio.to_thread(self._drop, child)) from error
            except BaseException:
                self._drop(child)  # cancelled half-way: the next call would receive this answer
                raise
            self._free.append(child)
        fine, value = pickle.loads(data)  # noqa: S301 - from our own child
        if not fine:
            raise RemoteError(value)
        result: T = value
        return result

    def close(self) -> None:
        """End the children."""
        for child in list(self._all):
            self._drop(child)
        self._free.clear()

    def _start(self) -> _Child:
        child = _Child()
        self._all.add(child)
        return child

    def _drop(self, child: _Child) -> str:
        self._all.discard(child)
        return child.end()
